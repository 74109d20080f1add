"""Languages by name or code: stop words, stems, lemmas and segmentation. Libraries are imported on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from cotopics.errors import ParameterError

# One language per line: its code, what is available, its name. stop: a list of stopwordsiso; stem: rules of Snowball,
# in PyStemmer; lemma: a dictionary of simplemma; segment: written without blanks, with a dictionary of ICU.
TABLE = """
af stop afrikaans
ar stop+stem+lemma arabic
ast lemma asturian
bg stop+lemma bulgarian
bn stop bengali
br stop breton
bs - bosnian
ca stop+stem+lemma catalan
cs stop+stem+lemma czech
cy lemma welsh
da stop+stem+lemma danish
de stop+stem+lemma german
el stop+stem+lemma greek
en stop+stem+lemma english
enm lemma middle english
eo stop+stem+lemma esperanto
es stop+stem+lemma spanish
et stop+stem+lemma estonian
eu stop+stem basque
fa stop+stem+lemma persian
fi stop+stem+lemma finnish
fr stop+stem+lemma french
ga stop+stem+lemma irish
gd lemma scottish gaelic
gl stop+lemma galician
grc lemma ancient greek
gu stop gujarati
gv lemma manx
ha stop hausa
hbs lemma serbo-croatian
he stop+lemma hebrew
hi stop+stem+lemma hindi
hr stop croatian
hu stop+stem+lemma hungarian
hy stop+stem+lemma armenian
id stop+stem+lemma indonesian
is lemma icelandic
it stop+stem+lemma italian
ja stop+segment japanese
ka lemma georgian
km segment khmer
ko stop korean
ku stop kurdish
la stop+lemma latin
lb lemma luxembourgish
lo segment lao
lt stop+stem+lemma lithuanian
lv stop+lemma latvian
mk lemma macedonian
ml lemma malayalam
mr stop marathi
ms stop+lemma malay
my segment burmese
nb lemma norwegian bokmål
ne stem nepali
nl stop+stem+lemma dutch
nn lemma norwegian nynorsk
no stop+stem norwegian
pl stop+stem+lemma polish
pt stop+stem+lemma portuguese
ro stop+stem+lemma romanian
ru stop+stem+lemma russian
se lemma northern sami
sk stop+lemma slovak
sl stop+lemma slovenian
so stop somali
sq lemma albanian
sr stem serbian
st stop+stem sesotho
sv stop+stem+lemma swedish
sw stop+lemma swahili
ta stem tamil
th stop+segment thai
tl stop+lemma tagalog
tr stop+stem+lemma turkish
uk stop+lemma ukrainian
ur stop urdu
vi stop vietnamese
yi stem yiddish
yo stop yoruba
zh stop+segment chinese
zu stop zulu
"""
ROWS = [line.split(maxsplit=2) for line in TABLE.strip().splitlines()]
NAMES = {code: name for code, _, name in ROWS}
CODES = {name: code for code, name in NAMES.items()}
STOPPED, STEMMED, LEMMATISED, SEGMENTED = (
    [code for code, uses, _ in ROWS if use in uses.split("+")] for use in ("stop", "stem", "lemma", "segment")
)
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


@cache
def _list_of(code: str) -> frozenset[str]:
    if code == "english":
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        return frozenset(ENGLISH_STOP_WORDS)
    try:
        import stopwordsiso
    except ImportError:
        raise _missing(f"stop_words={code!r}", "stopwordsiso", "lang") from None
    return frozenset(stopwordsiso.stopwords(code))


def stemmer(code: str) -> Callable[[str], str]:
    """A function from a word in lower case to its stem."""
    try:
        import Stemmer
    except ImportError:
        raise _missing(f"stem={code!r}", "PyStemmer", "lang") from None
    stem: Callable[[str], str] = Stemmer.Stemmer(NAMES[code]).stemWord
    return stem


def lemmatiser(codes: tuple[str, ...]) -> Callable[[str], str]:
    """A function from a word to its lemma in the first of these languages that knows it, or else the word itself."""
    try:
        import simplemma
    except ImportError:
        raise _missing(f"lemmatise={', '.join(codes)!r}", "simplemma", "lang") from None

    def lemma(word: str) -> str:
        found = simplemma.lemmatize(word, lang=codes)
        return found if len(found.split()) == 1 else word  # some German lemmas are two words

    return lemma


def segmenter(code: str) -> Callable[[str], str]:
    """A function that puts blanks between the words of a text without blanks."""
    try:
        from icu4py.breakers import WordBreaker
    except ImportError:
        raise _missing(f"segment={code!r}", "icu4py", "cjk") from None

    def segment(text: str) -> str:
        try:
            return " ".join(WordBreaker(text, code))
        except UnicodeEncodeError:  # half of a surrogate pair, which is not a character
            return " ".join(WordBreaker(text.encode("utf-8", "replace").decode(), code))

    return segment


def _missing(option: str, package: str, extra: str) -> ParameterError:
    return ParameterError(f"{option} needs {package}:  pip install 'cotopics[{extra}]'")
