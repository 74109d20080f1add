"""Every language that is offered really works with the libraries installed."""

import pytest
import Stemmer
import stopwordsiso
from simplemma.strategies.dictionaries import dictionary_factory as simplemma_data

from cotopics.corpus.languages import (
    CODES,
    LEMMATISED,
    NAMES,
    RELATED,
    SEGMENTED,
    STEMMED,
    STOPPED,
    language_code,
    lemmatiser,
    segmenter,
    stemmer,
    stop_list,
)
from cotopics.corpus.preparation import Preparation
from cotopics.errors import ParameterError

SMALL = ["ast", "bg", "en", "enm", "eo", "fa", "gd", "gv", "he", "hi", "id", "is", "lv", "ms", "nn", "se", "sl", "sq",
         "tl"]  # dictionaries that load in a moment; that of Swahili takes seconds  # fmt: skip


def test_each_language_has_one_name_and_one_code():
    assert len(CODES) == len(NAMES)
    assert CODES.keys().isdisjoint(NAMES)
    assert set(RELATED) | set(RELATED.values()) <= set(NAMES)


@pytest.mark.parametrize("code", STOPPED)
def test_stop_lists(code):
    words = stop_list(code)
    assert len(words) >= 25
    assert words == stopwordsiso.stopwords(code)
    kept = Preparation(stop_words=code, min_letters=1)(" ".join(word for word in words if word.isalpha()))
    assert kept == []


def test_lists_of_english():
    assert len(stop_list("english")) == 318  # scikit-learn's
    assert stop_list("english, de") == stop_list("english") | stop_list("german")
    assert stop_list("en") > {"the", "and", "don't"}


@pytest.mark.parametrize("code", STEMMED)
def test_stemmers(code):
    assert NAMES[code] in Stemmer.algorithms()
    assert isinstance(stemmer(code)("abc"), str)


STEMS = {"en": ("connections", "connect"), "de": ("häuser", "haus"), "fr": ("continuellement", "continuel"),
         "ru": ("книгами", "книг"), "es": ("gatos", "gat")}  # fmt: skip


@pytest.mark.parametrize("code", STEMS)
def test_stems(code):
    word, stem = STEMS[code]
    assert Preparation(stem=NAMES[code], stop_words=None)(word) == [stem]


def test_lemmas_are_offered_where_simplemma_has_them():
    assert set(LEMMATISED) <= set(simplemma_data.SUPPORTED_LANGUAGES)


@pytest.mark.parametrize("code", SMALL)
def test_lemmatisers(code):
    assert lemmatiser((code,))("abc")


def test_lemmas():
    prepare = Preparation(lemmatise=["en", "french"], stop_words=None)
    assert prepare("The mice were going; chevaux") == ["the", "mouse", "be", "go", "cheval"]


SENTENCES = {
    "zh": ("我喜欢机器学习和自然语言处理。", "我 喜欢 机器 学习 和 自然 语言 处理"),
    "ja": ("機械学習が好きです。", "機械 学習 が 好き です"),
    "th": ("ฉันชอบภาษาไทย", "ฉัน ชอบ ภาษา ไทย"),
    "km": ("ខ្ញុំចូលចិត្តភាសាខ្មែរ", "ខ្ញុំ ចូលចិត្ត ភាសាខ្មែរ"),
    "lo": ("ຂ້ອຍມັກພາສາລາວ", "ຂ້ອຍ ມັກ ພາສາ ລາວ"),
    "my": ("မြန်မာစကား", "မြန်မာ စကား"),
}  # I like …: words as a dictionary of the language has them


@pytest.mark.parametrize("code", SEGMENTED)
def test_segmenters(code):
    text, words = SENTENCES[code]
    assert Preparation(segment=code, min_letters=1, stop_words=None)(text) == words.split()
    assert "".join(segmenter(code)(text).split()) == text


def test_segmented_texts_with_stop_words_and_other_scripts():
    prepare = Preparation(segment="chinese", stop_words="chinese, english", min_letters=1)
    assert prepare("我喜欢 the Machine Learning 机器学习") == ["喜欢", "machine", "learning", "机器", "学习"]


def test_names_codes_and_regions():
    assert [language_code(name, STOPPED, "x") for name in ("German", " de ", "pt_BR", "zh-Hans", "nn")] == [
        "de", "de", "pt", "zh", "no",
    ]  # fmt: skip
    assert language_code("croatian", LEMMATISED, "x") == "hbs"
    with pytest.raises(ParameterError, match=r"segment='korean' is unknown; languages are japanese \(ja\), khmer"):
        language_code("korean", SEGMENTED, "segment")
