import copy
import json
import pickle
import sys
import unicodedata
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cotopics.corpus import languages
from cotopics.corpus.phrases import Phrases
from cotopics.corpus.preparation import Preparation
from cotopics.errors import CorpusError, ParameterError

# Letters of several scripts, marks, joiners, apostrophes, digits and blanks: where words are cut wrongly, if anywhere.
ODD = (
    "aBzßİıſΣσςéÉe\u0301\u0307'’ʼ-_ \t\n\u00a0\u200b\u200c\u200d\u00ad\ufeff"
    "1²½Ⅷ٣हिन्दीमेंภาษาไทยكِتَابٌـ東京都いますカﬁ❤\ufe0f\U0001f468\U00011127"
)
texts = st.text(st.sampled_from(ODD), max_size=40) | st.text(max_size=40)
options = st.fixed_dictionaries(
    {},
    optional={
        "lower": st.booleans(),
        "normalise": st.sampled_from(["NFC", "NFKC", None]),
        "apostrophes": st.booleans(),
        "min_letters": st.integers(1, 3),
        "max_letters": st.none() | st.integers(3, 6),
        "stop_words": st.sampled_from([None, "english", "en", "de, fr, ar, hi", ("az", "don't", "e")]),
        "extra_stop_words": st.lists(st.sampled_from(["az", "o'clock", "é", "Zz"])),
        "segment": st.sampled_from([None, "zh", "th"]),
        "lemmatise": st.sampled_from([None, "en"]),
        "stem": st.sampled_from([None, "english", "arabic", "turkish"]),
        "phrases": st.sampled_from([None, Phrases((("az", "za"), ("a", "b")))]),
    },
)


def split_only(prepared):
    return {"segment", "lemmatise", "stem", "phrases"}.isdisjoint(prepared)


@settings(deadline=None)  # the first to ask loads a list or a dictionary
@given(options, texts)
def test_any_text_becomes_words(chosen, text):
    prepare = Preparation(**chosen)
    words = prepare(text)
    assert all(isinstance(word, str) and word and word.split() == [word] for word in words)
    if prepare.phrases is None:
        assert all(prepare.min_letters <= len(word) <= (prepare.max_letters or len(word)) for word in words)
    if prepare.lower and prepare.phrases is None:
        assert all(word == word.lower() for word in words)
    if split_only(chosen):
        assert prepare(" ".join(words)) == words


@settings(deadline=None)
@given(options, texts)
def test_no_stop_word_comes_out(chosen, text):
    prepare = Preparation(**{**chosen, "stop_words": "english", "phrases": None})
    assert languages.stop_list("english").isdisjoint(word.lower() for word in prepare(text))


@settings(deadline=None)
@given(options, texts)
def test_a_record_gives_the_same_words(chosen, text):
    prepare = Preparation(**chosen)
    again = Preparation.from_json(json.loads(json.dumps(prepare.to_json())))
    assert again == prepare
    assert again(text) == prepare(text)
    assert pickle.loads(pickle.dumps(prepare))(text) == copy.deepcopy(prepare)(text) == prepare(text)


@settings(deadline=None)
@given(texts)
def test_letters_are_the_same_however_they_were_typed(text):
    prepare = Preparation(stop_words=None)
    assert prepare(unicodedata.normalize("NFD", text)) == prepare(unicodedata.normalize("NFC", text)) == prepare(text)


WORDS = {
    "The naïve CAFÉ, 42 times: x_y!": ["naïve", "café", "times"],
    "cafe\u0301": ["café"],
    "Größe GRÖẞE straße": ["größe", "größe", "straße"],
    "ΛΌΓΟΣ λόγος": ["λόγος", "λόγος"],
    "İSTANBUL I\u0307stanbul ışık": ["istanbul", "istanbul", "ışık"],
    "हिन्दी में नमस्ते।": ["हिन्दी", "में", "नमस्ते"],  # vowel signs and viramas are marks
    "ক্‍ষ বাংলা": ["ক্‍ষ", "বাংলা"],  # with a joiner within
    "كِتَابٌ كتــاب": ["كتاب", "كتاب"],  # with vowels, and stretched
    "می‌خواهم": ["می‌خواهم"],  # a non-joiner is spelling
    "שָׁלוֹם": [unicodedata.normalize("NFC", "שָׁלוֹם")],
    "ภาษาไทย": ["ภาษาไทย"],  # without blanks, and not asked to segment
    "東京 2024年": ["東京"],
    "co\u00adoperate \ufeffbomb": ["cooperate", "bomb"],
    "❤\ufe0flove 1\ufe0f\u20e3ten": ["love"],
    "don't l’homme O'Reilly's": ["don", "homme", "reilly"],
}


@pytest.mark.parametrize("text", WORDS)
def test_words_of_many_scripts(text):
    assert Preparation()(text) == WORDS[text]


def test_compatible_forms_and_case():
    assert Preparation(normalise="NFKC")("ﬁsh Ｔｏｋｙｏ ｶﾀｶﾅ") == ["fish", "tokyo", "カタカナ"]
    assert Preparation(lower=False, stop_words="english")("The CAT and A Cat") == ["CAT", "Cat"]


def test_apostrophes():
    text = "Don’t ask at one o'clock, 'tis the cat's: l'homme"
    assert Preparation(stop_words=None, apostrophes=True)(text) == [
        "don't", "ask", "at", "one", "o'clock", "tis", "the", "cat's", "l'homme",
    ]  # fmt: skip
    listed = Preparation(stop_words=["don't", "o'clock", "'tis", "at"])
    assert listed(text) == ["ask", "one", "the", "cat", "homme"]
    assert listed("The don clocks out; clock") == ["the", "don", "clocks", "out", "clock"]  # only whole ones go


def test_a_pattern_of_ones_own():
    assert Preparation(token_pattern=r"#(\w+)", stop_words=None)("#one two #three_3") == ["one", "three_3"]
    assert Preparation(token_pattern=r"\S+", min_letters=1, stop_words=["c++"])("C++ or C#") == ["or", "c#"]
    assert Preparation(token_pattern="[a-z]*", stop_words=None)("ab 12 cd") == ["ab", "cd"]  # empty matches are none


def test_lengths_are_of_what_stands_in_the_text_and_of_what_comes_out():
    assert Preparation(max_letters=4, min_letters=3)("cat horses ox bird") == ["cat", "bird"]
    assert Preparation(min_letters=4, stem="en", stop_words=None)("ties tied boats") == ["boat"]  # ties → tie


def test_stop_words_before_and_after_stemming():
    prepare = Preparation(stem="english", stop_words=["because", "system", "argu", "Running"])
    # as it stands in the text; as it comes out; by its stem; but not what only shares a stem with a stop word
    assert prepare("because systems argued arguing running runs") == ["run"]
    assert Preparation(lemmatise="en", stop_words=["be"])("mice were running") == ["mouse", "run"]


def test_stop_words_of_several_languages():
    assert Preparation(stop_words="german, FR")("der Hund et le chien") == ["hund", "chien"]
    assert Preparation(stop_words="de-AT, nb")("der Hund og jeg") == ["hund"]
    assert Preparation(stop_words="english", extra_stop_words=["Dog"])("The dog and cat") == ["cat"]
    assert Preparation(stop_words="ar")("هَذَا كتاب") == ["كتاب"]  # listed without vowels
    assert Preparation(stop_words="en")("aside") == []
    assert Preparation(stop_words="english")("aside") == ["aside"]
    assert Preparation(stop_words=None)("the cat") == ["the", "cat"]


def test_a_list_holds_words_and_says_so_where_languages_may_be_meant():
    with pytest.warns(UserWarning, match="give 'french, german'"):
        prepare = Preparation(stop_words=["german", "french"])
    assert prepare("German and French cats") == ["and", "cats"]
    assert Preparation(stop_words=["no", "it", "so"])("no, it is so") == ["is"]  # codes of languages are words


def test_stop_words_that_match_nothing_are_named():
    with pytest.warns(UserWarning, match="match nothing: 'of course'"):
        Preparation(stop_words=["of course", "the", "don't", "1"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Preparation(token_pattern="[a-z ]+", stop_words=["of course"])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"stop_words": "klingon"}, "stop_words='klingon' is unknown"),
        ({"stop_words": "german, "}, "stop_words='' is unknown"),
        ({"stop_words": 3}, "stop_words=3 must be a list"),
        ({"stop_words": ["a", None]}, "holds None"),
        ({"extra_stop_words": "the"}, "extra_stop_words='the' must be a list"),
        ({"stem": "chinese"}, "stem='chinese' is unknown; languages are arabic"),
        ({"stem": ["en"]}, "is unknown"),
        ({"lemmatise": "ko"}, "lemmatise='ko'"),
        ({"lemmatise": []}, "does not name a language"),
        ({"lemmatise": 5}, "lemmatise=5"),
        ({"segment": "en"}, "segment='en' is unknown; languages are japanese"),
        ({"normalise": "NFX"}, "choose 'NFC', 'NFKC' or None"),
        ({"lower": 1}, "lower=1 must be True or False"),
        ({"min_letters": 0}, "min_letters=0"),
        ({"min_letters": True}, "min_letters=True"),
        ({"max_letters": 1}, "max_letters=1"),
        ({"token_pattern": "("}, "not a regular expression"),
        ({"token_pattern": "(a)(b)"}, "2 groups"),
        ({"token_pattern": "a" * 2000}, "at most 1000 characters"),
        ({"token_pattern": 3}, "token_pattern must be"),
        ({"token_pattern": "a", "apostrophes": True}, "leave it False"),
        ({"phrases": [["new", "york"]]}, "phrases must"),
    ],
)
def test_wrong_options_are_named(wrong, message):
    with pytest.raises(ParameterError) as caught:
        Preparation(**wrong)
    assert message in str(caught.value)
    with pytest.raises(ParameterError):
        Preparation.from_json(wrong)


@pytest.mark.parametrize("record", [None, [], "x", {"colour": 1}, {"phrases": {}}, {"phrases": {"pairs": "ab"}}])
def test_wrong_records_are_refused(record):
    with pytest.raises(ParameterError):
        Preparation.from_json(record)


def test_a_record_is_plain_json_and_may_be_partial():
    record = Preparation(stop_words={"b", "a"}, lemmatise="de, en", stem="German").to_json()
    assert (record["stop_words"], record["lemmatise"], record["stem"]) == (["a", "b"], ["de", "en"], "de")
    assert Preparation.from_json({"stem": "de"}) == Preparation(stem="de")
    assert hash(Preparation.from_json(record)) == hash(Preparation.from_json(record))


def test_not_a_text():
    with pytest.raises(CorpusError, match="a text is float"):
        Preparation()(float("nan"))


@pytest.mark.parametrize(
    ("options", "module", "line"),
    [
        ({"stop_words": "zulu"}, "stopwordsiso", "stop_words='zu' needs stopwordsiso:  pip install 'cotopics[lang]'"),
        ({"stem": "de"}, "Stemmer", "stem='de' needs PyStemmer:  pip install 'cotopics[lang]'"),
        ({"lemmatise": "de, en"}, "simplemma", "lemmatise='de, en' needs simplemma:  pip install 'cotopics[lang]'"),
        ({"segment": "chinese"}, "icu4py.breakers", "segment='zh' needs icu4py:  pip install 'cotopics[cjk]'"),
    ],
)
def test_a_missing_extra_is_named_when_a_text_comes(monkeypatch, options, module, line):
    monkeypatch.setitem(sys.modules, module, None)
    languages._list_of.cache_clear()
    prepare = Preparation(**options)  # a model file can be read without
    with pytest.raises(ParameterError) as caught:
        prepare("some text")
    assert str(caught.value) == line


@settings(max_examples=20, deadline=None)
@given(st.text(st.characters(), max_size=20))
def test_half_characters_are_not_letters(text):
    assert Preparation(segment="zh", min_letters=1, stop_words=None)("\ud800a" + text + "\udfff")[0][0] == "a"
