"""A text → its runs of letters: one form of characters, and where a word begins and ends."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from typing import Literal

from cotopics.errors import ParameterError

WORD = r"[^\W\d_]{2,}"  # runs of two letters or more, in any script, as a pattern of scikit-learn's CountVectorizer
LETTER = r"[^\W\d_]"
Form = Literal["NFC", "NFKC"]
MAX_PATTERN = 1000  # characters of a token_pattern

# Characters inside a word that are not letters: soft hyphen, word joiner, byte order mark, variation selectors, and
# the optional signs of Arabic script (vowels, doubling, tatweel).
IGNORED = re.compile("[\u00ad\u2060\ufeff\ufe00-\ufe0f\U000e0100-\U000e01ef\u0640\u064b-\u0652\u0670]+")
ASCII = {code: chr(code) if chr(code).isalpha() else " " for code in range(128)}


def normalised(text: str, form: Form | None, *, lower: bool) -> str:
    r"""The text in one form of Unicode and, with `lower`, in lower case.

    We use lower case, not `casefold`, which is for comparisons only: it writes ß as ss and the ς at the end of a Greek
    word as σ. Readers, stop lists and stemmers do not know such words. With a `form`, İ becomes i: Python makes an i
    with a second dot of it, which is not a letter of any language.

    >>> normalised("I\u0307STANBUL Straße ΛΟΓΟΣ", "NFC", lower=True)
    'istanbul straße λογος'
    """
    if form is not None and not text.isascii():
        text = IGNORED.sub("", unicodedata.normalize(form, text))
        return unicodedata.normalize(form, text.replace("İ", "i").lower() if lower else text)
    return text.lower() if lower else text


def splitter(pattern: str | None, *, apostrophes: bool) -> Callable[[str], list[str]]:
    """A function that finds the words of a normalised text: the matches of `pattern` or, if None, the runs of letters.

    Marks that combine with a letter belong to it, and so do joiners between two letters: both are part of the spelling
    in the scripts of India and in Persian. With `apostrophes`, an apostrophe between two letters does not end a word.
    """
    if pattern is not None:
        return _compiled(pattern).findall

    def split(text: str) -> list[str]:
        if text.isascii() and not (apostrophes and "'" in text):
            return text.translate(ASCII).split()
        return _letters(apostrophes).findall(text.replace("’", "'") if apostrophes else text)

    return split


def _compiled(pattern: str) -> re.Pattern[str]:
    if not isinstance(pattern, str) or len(pattern) > MAX_PATTERN:
        raise ParameterError(f"token_pattern must be a regular expression of at most {MAX_PATTERN} characters")
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ParameterError(f"token_pattern={pattern!r:.80} is not a regular expression: {error}") from None
    if compiled.groups > 1:
        raise ParameterError(
            f"token_pattern={pattern!r:.80} has {compiled.groups} groups; write (?:...) for all but one"
        )
    return compiled


@cache
def _letters(apostrophes: bool) -> re.Pattern[str]:
    """Runs of letters with their marks. The lookahead is for speed: few characters of most texts can be marks."""
    rest = rf"(?:(?=[\u0300-\U0010ffff])(?:[{_marks()}]+{LETTER}*|[\u200c\u200d]{LETTER}+))*"
    run = LETTER + "+" + rest
    return re.compile(rf"{run}(?:'{run})*" if apostrophes else run)


def _marks() -> str:
    """The combining marks, as ranges in a character class of a regular expression."""
    codes = [code for code in range(0x300, 0x20000) if unicodedata.category(chr(code))[0] == "M"]
    starts = [code for i, code in enumerate(codes) if i == 0 or codes[i - 1] != code - 1]
    ends = [code for i, code in enumerate(codes) if i + 1 == len(codes) or codes[i + 1] != code + 1]
    return "".join(f"{chr(start)}-{chr(end)}" for start, end in zip(starts, ends, strict=True))
