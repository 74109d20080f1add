import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from cotopics.corpus import count_words, read_texts, text
from cotopics.corpus.phrases import Phrases
from cotopics.corpus.text import WORD, Preparation, WordNumbers
from cotopics.errors import CorpusError, ParameterError

some_texts = st.lists(st.text(st.sampled_from("abAB cé东İß'1\n") | st.characters(), max_size=30), max_size=8)
AS_THEY_ARE = Preparation(token_pattern=WORD, normalise=None, stop_words=None)


def assert_same(corpus, vectorizer, texts):
    counts = vectorizer.fit_transform(texts)
    assert corpus.vocabulary == list(vectorizer.get_feature_names_out())
    assert corpus.counts.dtype == np.int64
    assert corpus.counts.shape == counts.shape
    assert (corpus.counts != counts).nnz == 0


@settings(deadline=None)
@given(some_texts)
def test_counts_are_those_of_scikit_learn(texts):
    vectorizer = CountVectorizer(token_pattern=WORD)
    words = {word for each in texts for word in vectorizer.build_analyzer()(each)}
    if len(words) < 2:
        with pytest.raises(CorpusError):
            count_words(texts, prepare=AS_THEY_ARE, min_documents=1)
    else:
        assert_same(count_words(texts, prepare=AS_THEY_ARE, min_documents=1), vectorizer, texts)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({"stop_words": None, "min_documents": 1}, {}),
        ({"stop_words": "english", "min_documents": 5}, {"stop_words": "english", "min_df": 5}),
        ({"stop_words": ["said"], "max_documents": 0.25}, {"stop_words": ["said"], "min_df": 5, "max_df": 0.25}),
    ],
)
def test_counts_of_real_texts_are_those_of_scikit_learn(data, ours, theirs):
    texts = [each for each, _ in read_texts(data / "bbc_news" / "docs.jsonl.gz")][:800]
    assert_same(count_words(texts, **ours), CountVectorizer(token_pattern=WORD, **theirs), texts)


PREPARATIONS = {
    "default": Preparation(),
    "stemmed": Preparation(stem="en", stop_words="en"),
    "phrases": Preparation(stop_words=None, min_letters=1, phrases=Phrases((("a", "b"), ("cat", "dog")))),
    "one's own": str.split,
}


@settings(deadline=None, max_examples=40)
@given(texts=st.lists(st.lists(st.sampled_from(["cats", "cat", "dog", "don't", "the", "a", "b", "é."])).map(" ".join)))
@pytest.mark.parametrize("name", PREPARATIONS)
def test_counts_are_of_the_words_that_come_out(name, texts):
    prepare = PREPARATIONS[name]
    numbers = WordNumbers(prepare)
    for each in texts:
        numbers.add(each)
    counts = numbers.take()
    assert counts.has_canonical_format
    for row, each in zip(counts.toarray(), texts, strict=True):
        assert {word: n for word, n in zip(numbers.words, row, strict=True) if n} == Counter(prepare(each))
    assert numbers.words == list(dict.fromkeys(word for each in texts for word in prepare(each)))


def test_batches_change_nothing(monkeypatch):
    texts = ["the cat sat", "", "dog cat dog", "bird cat", "ant"]
    whole = count_words(texts, min_documents=1)
    monkeypatch.setattr(text, "BATCH", 2)
    parts = count_words(iter(texts), min_documents=1)
    assert parts.vocabulary == whole.vocabulary
    assert (parts.counts != whole.counts).nnz == 0
    assert parts.counts.has_canonical_format


def test_numbers_in_chunks():
    numbers = WordNumbers(Preparation())
    for each in ("cat dog dog", ""):
        numbers.add(each)
    assert numbers.n_waiting == 3
    first = numbers.take()
    numbers.add(["bird", "dog", ""])  # words as they are; an empty one is none
    second = numbers.take(dtype=np.int32)
    assert (first.toarray().tolist(), first.dtype) == ([[1, 2], [0, 0]], np.float64)
    assert (second.toarray().tolist(), second.dtype) == ([[0, 1, 1]], np.int32)
    assert numbers.words == ["cat", "dog", "bird"]
    assert numbers.in_order()[0] == ["bird", "cat", "dog"]
    assert numbers.take().shape == (0, 3)


def test_only_given_words_are_counted():
    numbers = WordNumbers(Preparation(stem="en"), vocabulary=["dog", "cat"])
    numbers.add("Cats, a dog and birds; the CAT")
    assert numbers.take().toarray().tolist() == [[1, 2]]
    assert numbers.words == ["dog", "cat"]
    with pytest.raises(ParameterError, match="1 words twice"):
        WordNumbers(Preparation(), vocabulary=["a", "a"])


def test_documents_may_be_lists_of_words():
    corpus = count_words([["New York", "the"], "the cat", ("cat", "cat")], min_documents=1)
    assert corpus.vocabulary == ["New York", "cat", "the"]
    assert corpus.counts.toarray().tolist() == [[1, 0, 1], [0, 1, 0], [0, 2, 0]]


def test_notes_count_what_is_dropped():
    corpus = count_words(["The cat and a dog", "cat dog", "the cat bird"], min_documents=2, vocabulary_size=2)
    assert corpus.notes == [
        "3 words left out: stop words, too short or too long",
        "1 of 3 words left out: in fewer than 2 documents",
    ]


def test_errors_name_the_wrong_document():
    for wrong in (None, 3.5, b"bytes"):
        with pytest.raises(CorpusError, match=f"document 1 is {type(wrong).__name__}"):
            count_words(["a text", wrong])
    with pytest.raises(CorpusError, match="holds 3 among its words"):
        count_words([["a", 3]])
    with pytest.raises(CorpusError, match="document 0 was made into str, not a list of words"):
        count_words(["A text"], prepare=str.lower)
    with pytest.raises(ParameterError, match="prepare='german' must be"):
        count_words(["Ein Text"], prepare="german")
    with pytest.raises(ParameterError, match="both given"):
        count_words(["a"], stop_words=None, prepare=Preparation())


def test_one_may_go_on_after_a_wrong_document():
    numbers = WordNumbers(Preparation())
    numbers.add("cat")
    with pytest.raises(CorpusError):
        numbers.add(["dog", "dog", None])
    numbers.add("cat bird")
    assert numbers.words == ["cat", "dog", "bird"]
    assert numbers.take().toarray().tolist() == [[1, 0, 0], [1, 0, 1]]


def test_scikit_learn_is_imported_for_its_english_list_only():
    code = (
        "import sys; from cotopics.corpus.text import count_words; "
        "count_words(['cat dog', 'dog'], stop_words=None, min_documents=1); "
        "assert not any(name.startswith('sklearn') for name in sys.modules), 'imported'; "
        "count_words(['the cat', 'dog'], min_documents=1); assert 'sklearn' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_counts_are_a_csr_array():
    assert isinstance(count_words(["cat dog"], min_documents=1).counts, sp.csr_array)
