"""Languages by name or code: stop words, stems, lemmas and segmentation. Libraries are imported on first use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import Any

from cotopics.errors import ParameterError

# A code and a name for every language.
NAMED = """
af afrikaans, ar arabic, ast asturian, bg bulgarian, bn bengali, br breton, bs bosnian, ca catalan, cs czech,
cy welsh, da danish, de german, el greek, en english, enm middle english, eo esperanto, es spanish, et estonian,
eu basque, fa persian, fi finnish, fr french, ga irish, gd scottish gaelic, gl galician, grc ancient greek,
gu gujarati, gv manx, ha hausa, hbs serbo-croatian, he hebrew, hi hindi, hr croatian, hu hungarian, hy armenian,
id indonesian, is icelandic, it italian, ja japanese, ka georgian, km khmer, ko korean, ku kurdish, la latin,
lb luxembourgish, lo lao, lt lithuanian, lv latvian, mk macedonian, ml malayalam, mr marathi, ms malay, my burmese,
nb norwegian bokmål, ne nepali, nl dutch, nn norwegian nynorsk, no norwegian, pl polish, pt portuguese, ro romanian,
ru russian, se northern sami, sk slovak, sl slovenian, so somali, sq albanian, sr serbian, st sesotho, sv swedish,
sw swahili, ta tamil, th thai, tl tagalog, tr turkish, uk ukrainian, ur urdu, vi vietnamese, yi yiddish, yo yoruba,
zh chinese, zu zulu
"""
# What each library has: lists of stopwordsiso, rules of Snowball in PyStemmer, dictionaries of simplemma, and
# dictionaries of ICU for languages written without blanks.
USES = """
stop: af ar bg bn br ca cs da de el en eo es et eu fa fi fr ga gl gu ha he hi hr hu hy id it ja ko ku la lt lv mr ms
nl no pl pt ro ru sk sl so st sv sw th tl tr uk ur vi yo zh zu
stem: ar ca cs da de el en eo es et eu fa fi fr ga hi hu hy id it lt ne nl no pl pt ro ru sr st sv ta tr yi
lemma: ar ast bg ca cs cy da de el en enm eo es et fa fi fr ga gd gl grc gv hbs he hi hu hy id is it ka la lb lt lv mk
ml ms nb nl nn pl pt ro ru se sk sl sq sv sw tl tr uk
segment: ja km lo my th zh
"""
NAMES = dict(entry.split(maxsplit=1) for entry in NAMED.strip().split(","))
CODES = {name: code for code, name in NAMES.items()}
STOPPED, STEMMED, LEMMATISED, SEGMENTED = (codes.split() for codes in re.split(r"\w+:", USES)[1:])
RELATED = {"no": "nb", "nb": "no", "nn": "no", "hr": "hbs", "sr": "hbs", "bs": "hbs"}  # used instead, if known


def language_code(language: Any, known: Iterable[str], option: str) -> str:
    """The code of a language, given by its name or its code ("pt-BR" is "pt"); one of `known`, or an error.

    >>> language_code("German", STEMMED, "stem"), language_code("nb", STEMMED, "stem")
    ('de', 'no')
    """
    known = list(known)
    name = language.strip().lower() if isinstance(language, str) else ""
    code = CODES.get(name, name.replace("_", "-").partition("-")[0])
    for candidate in (code, RELATED.get(code)):
        if candidate in known:
            return candidate
    offered = ", ".join(f"{NAMES[code]} ({code})" for code in known)
    raise ParameterError(f"{option}={language!r:.80} is unknown; languages are {offered}")


def language_codes(languages: str | Iterable[str], known: Iterable[str], option: str) -> tuple[str, ...]:
    """The codes of several languages, given as a list or as one string with commas."""
    several = languages.split(",") if isinstance(languages, str) else languages
    if not isinstance(several, Iterable):
        raise ParameterError(f"{option}={languages!r:.80} must be a language or a list of languages")
    codes = tuple(dict.fromkeys(language_code(language, known, option) for language in several))
    if not codes:
        raise ParameterError(f"{option} does not name a language; give one, such as 'de', or None")
    return codes


def stop_list(languages: str) -> frozenset[str]:
    """The stop words of one language, or of several with commas, such as "english" or "de, fr".

    "english" is scikit-learn's list of 318 words. Every other name or code is a list of stopwordsiso; "en" is its
    English list, which is much longer.
    """
    return frozenset().union(*map(_list_of, stop_codes(languages)))


def stop_codes(languages: str) -> list[str]:
    """The codes of these stop lists, or a ParameterError; "english" is a code of its own."""
    chosen = [name.strip().lower() for name in languages.split(",")]
    return [name if name == "english" else language_code(name, STOPPED, "stop_words") for name in chosen]


def mixed_code(languages: str) -> str | None:
    """A code among names of languages, such as the "mr" of "english, mr", which may be meant as a word; else None."""
    chosen = [name.strip().lower() for name in languages.split(",")]
    codes = [name for name in chosen if name in NAMES]
    return codes[0] if codes and len(codes) < len(chosen) else None


@cache
def _list_of(code: str) -> frozenset[str]:
    if code == "english":
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        return frozenset(ENGLISH_STOP_WORDS)
    stopwordsiso = _library("stopwordsiso", f"stop_words={code!r}")
    return frozenset(stopwordsiso.stopwords(code))


def stemmer(code: str) -> Callable[[str], str]:
    """A function from a word in lower case to its stem."""
    stem: Callable[[str], str] = _library("Stemmer", f"stem={code!r}", "PyStemmer").Stemmer(NAMES[code]).stemWord
    return stem


def lemmatiser(codes: tuple[str, ...]) -> Callable[[str], str]:
    """A function from a word to its lemma in the first of these languages that knows it, or else the word itself."""
    simplemma = _library("simplemma", f"lemmatise={', '.join(codes)!r}")

    def lemma(word: str) -> str:
        found = simplemma.lemmatize(word, lang=codes)
        return found if len(found.split()) == 1 else word  # some German lemmas are two words

    return lemma


def segmenter(code: str) -> Callable[[str], str]:
    """A function that puts blanks between the words of a text without blanks."""
    WordBreaker = _library("icu4py.breakers", f"segment={code!r}", "icu4py", extra="cjk").WordBreaker

    def segment(text: str) -> str:
        try:
            return " ".join(WordBreaker(text, code))
        except UnicodeEncodeError:  # half of a surrogate pair, which is not a character
            return " ".join(WordBreaker(text.encode("utf-8", "replace").decode(), code))

    return segment


def _library(module: str, option: str, package: str | None = None, extra: str = "lang") -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise ParameterError(f"{option} needs {package or module}:  pip install 'cotopics[{extra}]'") from None
