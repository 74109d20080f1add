"""How a text becomes words.

A `Preparation` is data, options that JSON has, and not a function: a model can keep it in its file, and next year's
texts become words in the same way. A function of the user works too, but a file cannot hold it.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from cotopics.corpus.languages import (
    CODES,
    LEMMATISED,
    SEGMENTED,
    STEMMED,
    language_code,
    language_codes,
    lemmatiser,
    segmenter,
    stemmer,
    stop_codes,
    stop_list,
)
from cotopics.corpus.markup import without_markup
from cotopics.corpus.patterns import NotLinear, check_linear
from cotopics.corpus.phrases import Phrases
from cotopics.corpus.tokens import MAX_PATTERN, Form, normalised, splitter
from cotopics.errors import CorpusError, ParameterError

MAX_REMEMBERED = 1_000_000  # pieces of texts whose words are kept


@dataclass(frozen=True, kw_only=True)
class Preparation:
    """Makes words of a text, in their order.

    Parameters
    ----------
    html : bool
        Texts hold HTML: leave out its tags, comments and scripts, and read its entities, such as &nbsp; or &eacute;.
    lower : bool
        Lower case.
    normalise : "NFC", "NFKC" or None
        The form of Unicode. NFC makes an é the same however it was typed; NFKC also turns ﬁ into fi and full width into
        half width. Both remove Arabic vowel signs and soft hyphens.
    token_pattern : str, optional
        A regular expression for a word. None: runs of letters in any script, with their marks.
    apostrophes : bool
        l'homme and don't are one word each, not two.
    min_letters, max_letters : int
        Shorter or longer words are left out, in the text or after they were changed.
    stop_words : str, list of str or None
        Words to leave out. One string names languages, such as "english" (scikit-learn's list), "german" or "de, fr"
        (lists of stopwordsiso; "en" is its English one). A word is left out if it is listed as it is in the text or
        after it was changed, in lower or upper case. One with an apostrophe, such as don't, is left out as a whole.
    extra_stop_words : list of str
        More words to leave out.
    segment : str, optional
        The language of texts written without blanks: "zh", "ja", "th", "km", "lo" or "my".
    lemmatise : str or list of str, optional
        One or several languages; the first that knows a word decides.
    stem : str, optional
        A language of Snowball.
    phrases : Phrases, optional
        Pairs of words to join, as `find_phrases` finds them among prepared words.

    >>> Preparation(extra_stop_words=["said"])("The cat said: 2 naïve CATS!")
    ['cat', 'naïve', 'cats']
    """

    html: bool = False
    lower: bool = True
    normalise: Form | None = "NFC"
    token_pattern: str | None = None
    apostrophes: bool = False
    min_letters: int = 2
    max_letters: int | None = None
    stop_words: str | Iterable[str] | None = "english"
    extra_stop_words: Iterable[str] = ()
    segment: str | None = None
    lemmatise: str | Sequence[str] | None = None
    stem: str | None = None
    phrases: Phrases | None = None

    def __post_init__(self) -> None:
        self._check()
        own = list(_words(self.extra_stop_words, "extra_stop_words"))
        object.__setattr__(self, "extra_stop_words", tuple(own))
        if isinstance(self.stop_words, str):
            stop_codes(self.stop_words)
        elif self.stop_words is not None:
            listed = _words(self.stop_words, "stop_words")
            object.__setattr__(self, "stop_words", listed)
            own += listed
            _warn_of_languages(listed)
        if self.segment is not None:
            object.__setattr__(self, "segment", language_code(self.segment, SEGMENTED, "segment"))
        if self.lemmatise is not None:
            object.__setattr__(self, "lemmatise", language_codes(self.lemmatise, LEMMATISED, "lemmatise"))
        if self.stem is not None:
            object.__setattr__(self, "stem", language_code(self.stem, STEMMED, "stem"))
        self._warn_of_several(own)

    def __call__(self, text: str) -> list[str]:
        words = [word for word in map(self._remembered.__getitem__, self.pieces(text)) if word]
        return words if self.phrases is None else self.phrases(words)

    def pieces(self, text: str) -> list[str]:
        """The words as they are in a text, before any is left out or changed; `word` does that for each."""
        if not isinstance(text, str):
            raise CorpusError(f"a text is {type(text).__name__}, not a string")
        text = self._normalised(without_markup(text) if self.html else text)
        if self.segment is not None:
            text = self._segmenter(text)
        found = self._split(text)
        if self._contractions and not self.apostrophes:
            return [part for piece in found for part in self._parts(piece)]
        return found

    def word(self, piece: str) -> str:
        """The word that a piece of a text becomes; empty if it is left out."""
        if not self._fits(piece):
            return ""
        word = piece
        for change in self._changes:
            word = self._normalised(change(word))
            if not self._fits(word):
                return ""
        return word

    def to_json(self) -> dict[str, Any]:
        """The options as values that JSON has."""
        record = {field.name: getattr(self, field.name) for field in fields(self)}
        record = {name: list(value) if isinstance(value, tuple) else value for name, value in record.items()}
        return record | {"phrases": None if self.phrases is None else self.phrases.to_json()}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Preparation:
        """The preparation of a record that `to_json` made, checked; a missing option has its default.

        The record may be from a file of somebody else, so its token_pattern must be fast on every text.
        """
        known = {field.name for field in fields(cls)}
        if not isinstance(record, Mapping):
            raise ParameterError(f"{record!r:.80} is not the record of a Preparation")
        if unknown := set(record) - known:
            raise ParameterError(f"a Preparation has no option {', '.join(sorted(map(repr, unknown)))}")
        _check_pattern(record.get("token_pattern"))
        phrases = record.get("phrases")
        return cls(**{**record, "phrases": None if phrases is None else Phrases.from_json(phrases)})

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # without cached values

    def _check(self) -> None:
        for name in ("html", "lower", "apostrophes"):
            if not isinstance(getattr(self, name), bool):
                raise ParameterError(f"{name}={getattr(self, name)!r:.80} must be True or False")
        if self.normalise not in ("NFC", "NFKC", None):
            raise ParameterError(f"normalise={self.normalise!r:.80} is unknown; choose 'NFC', 'NFKC' or None")
        least, most = self.min_letters, self.max_letters
        if not _is_whole(least) or least < 1:
            raise ParameterError(f"min_letters={least!r:.80} must be a whole number, 1 or more")
        if most is not None and (not _is_whole(most) or most < least):
            raise ParameterError(f"max_letters={most!r:.80} must be None, or a whole number of at least {least}")
        if self.phrases is not None and not isinstance(self.phrases, Phrases):
            raise ParameterError("phrases must be None or Phrases, such as `find_phrases` gives")
        splitter(self.token_pattern, apostrophes=False)
        if self.apostrophes and self.token_pattern is not None:
            raise ParameterError("apostrophes has no effect together with token_pattern; leave it False")

    def _warn_of_several(self, words: list[str]) -> None:
        split = splitter(self.token_pattern, apostrophes=True)
        several = [word for word in words if len(split(self._normalised(word))) > 1]
        if several:
            few = ", ".join(map(repr, several[:3]))
            warnings.warn(
                f"stop words that consist of several words match nothing: {few} ({len(several)} in all)", stacklevel=4
            )

    def _normalised(self, text: str) -> str:
        return normalised(text, self.normalise, lower=self.lower)

    def _fits(self, word: str) -> bool:
        """Whether a word is not too short, not too long and not a stop word."""
        return self.min_letters <= len(word) <= self._most and (word if self.lower else word.lower()) not in self._stop

    def _parts(self, piece: str) -> list[str]:
        """A piece cut at its apostrophes, or nothing if it is a stop word as a whole."""
        if "'" not in piece:
            return [piece]
        return [] if piece.lower() in self._contractions else piece.split("'")

    @cached_property
    def _split(self) -> Callable[[str], list[str]]:
        return splitter(self.token_pattern, apostrophes=self.apostrophes or bool(self._contractions))

    @cached_property
    def _most(self) -> float:
        return math.inf if self.max_letters is None else self.max_letters

    @cached_property
    def _stop(self) -> frozenset[str]:
        """The stop words as they are found in a text: "'tis" as "tis", "etc." as "etc"."""
        listed = stop_list(self.stop_words) if isinstance(self.stop_words, str) else self.stop_words or ()
        entries = [normalised(word, self.normalise, lower=True) for word in (*listed, *self.extra_stop_words)]
        split = splitter(self.token_pattern, apostrophes=True)
        found = [split(entry) for entry in entries]
        return frozenset(entries).union(*(pieces for pieces in found if len(pieces) == 1))

    @cached_property
    def _contractions(self) -> frozenset[str]:
        """Stop words with an apostrophe, which are looked for before texts are cut at apostrophes."""
        return frozenset(word for word in self._stop if "'" in word) if self.token_pattern is None else frozenset()

    @cached_property
    def _segmenter(self) -> Callable[[str], str]:
        return segmenter(self.segment or "")

    @cached_property
    def _changes(self) -> list[Callable[[str], str]]:
        """The functions that change a word, in order."""
        lemma = [lemmatiser(tuple(self.lemmatise))] if self.lemmatise is not None else []
        return lemma + ([stemmer(self.stem)] if self.stem is not None else [])

    @cached_property
    def _remembered(self) -> dict[str, str]:
        return _Remembered(self.word)


def saved_preparation(provenance: Mapping[str, Any] | None) -> Preparation:
    """How the texts of a model or of statistics became words, by their provenance; if unknown, every word is kept."""
    saved = (provenance or {}).get("preparation")
    return Preparation(stop_words=None) if saved is None else Preparation.from_json(saved)


class _Remembered(dict[str, str]):
    """The results of a function of a string, computed once."""

    def __init__(self, function: Callable[[str], str]) -> None:
        self._function = function

    def __missing__(self, piece: str) -> str:
        word = self._function(piece)
        if len(self) < MAX_REMEMBERED:
            self[piece] = word
        return word


def _check_pattern(pattern: Any) -> None:
    """Refuse a pattern that may take very long. What is not a pattern at all is found by the other checks."""
    if not isinstance(pattern, str) or len(pattern) > MAX_PATTERN:
        return
    try:
        check_linear(pattern)
    except NotLinear as error:
        raise ParameterError(
            f"token_pattern={pattern!r:.80}, which comes with the model or corpus, may take very long on some texts: "
            f"{error}. If you trust it, count the texts in Python with your own Preparation(token_pattern=...)"
        ) from None
    except (re.error, OverflowError, RecursionError):
        return


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _words(words: Any, option: str) -> tuple[str, ...]:
    if isinstance(words, str | bytes | Mapping) or not isinstance(words, Iterable):
        raise ParameterError(f"{option}={words!r:.80} must be a list of words")
    given = list(words)
    for word in given:
        if not isinstance(word, str):
            raise ParameterError(f"{option} holds {word!r:.80}, which is not a word")
    return tuple(sorted(set(given)))


def _warn_of_languages(words: Sequence[str]) -> None:
    if words and all(word.lower() in CODES for word in words):
        names = ", ".join(words)
        warnings.warn(
            f"stop_words are the words {names}; for the lists of these languages give {names!r}", stacklevel=4
        )
