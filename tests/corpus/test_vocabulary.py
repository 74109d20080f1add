import math

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from cotopics.corpus import Corpus, count_words, keep_words
from cotopics.corpus.vocabulary import document_bounds, suggest_stop_words, word_spread
from cotopics.errors import CorpusError, ParameterError

# documents × words: "a" is in all four, "b" in two, "c" in one, "d" in two, "the" in three
COUNTS = sp.csr_array([[9, 1, 0, 2, 1], [9, 0, 0, 1, 1], [9, 1, 2, 0, 1], [9, 0, 0, 0, 0]])
CORPUS = Corpus(COUNTS, ["a", "b", "c", "d", "the"], ["w", "x", "y", "z"], ["read from a file"])


def test_every_sieve_is_noted():
    kept = keep_words(CORPUS, stop_words="english", min_documents=2, max_documents=0.75, min_length=2)
    assert kept.vocabulary == ["b", "d"]  # "a" is a stop word too
    assert kept.counts.toarray().tolist() == [[1, 2]]
    assert kept.labels == ["w"]
    assert kept.notes == [
        "read from a file",
        "2 of 5 words left out: stop words",
        "1 of 5 words left out: in fewer than 2 documents",
        "3 of 4 documents left out: fewer than 2 words left in them",
    ]


def test_sieves_of_words():
    assert keep_words(CORPUS, max_documents=2).vocabulary == ["b", "c", "d"]
    assert keep_words(CORPUS, max_documents=2).notes[1:] == ["2 of 5 words left out: in more than 2 documents"]
    assert keep_words(CORPUS, stop_words=["A", "the"]).vocabulary == ["b", "c", "d"]
    best = keep_words(CORPUS, vocabulary_size=2)  # tf · log(floor(M/df)): 0, 2 ln 2, 2 ln 4, 3 ln 2, 0
    assert best.vocabulary == ["c", "d"]
    assert best.notes[1:] == ["3 of 5 words left out: with the lowest tf-idf scores"]
    assert keep_words(CORPUS).notes == CORPUS.notes


def test_short_documents_keep_their_places_unless_asked():
    assert keep_words(CORPUS, max_documents=3).counts.shape == (4, 4)
    assert keep_words(CORPUS, max_documents=3, min_length=1).labels == ["w", "x", "y"]
    with pytest.raises(CorpusError, match="none of 4 documents has 100 words"):
        keep_words(CORPUS, min_length=100)


@settings(deadline=None)
@given(st.lists(st.sets(st.sampled_from("abcdefgh")), min_size=4, max_size=4), st.data())
def test_bounds_are_those_of_scikit_learn(documents, data):
    bounds = st.integers(1, 4) | st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
    least, most = data.draw(bounds), data.draw(bounds)
    texts = [" ".join(sorted(words)) for words in documents]
    theirs = CountVectorizer(token_pattern=r"\w", min_df=least, max_df=most)
    try:
        expected = list(theirs.fit(texts).get_feature_names_out())
    except ValueError:  # none left, or max_df < min_df
        expected = []
    options = {"min_documents": least, "max_documents": most}
    documents = [list(words) for words in documents]
    if len(expected) < 2:
        with pytest.raises((CorpusError, ParameterError)):
            count_words(documents, **options)
    else:
        assert count_words(documents, **options).vocabulary == expected


def test_bounds():
    assert document_bounds(0.1, 0.7, 30) == (3, 21)  # 0.1 · 30 > 3 and 0.7 · 30 < 21 in floating point
    assert document_bounds(np.int64(2), np.float32(0.5), 10) == (2, 5)
    for wrong in (-1, 1.5, True, "2", math.nan):
        with pytest.raises(ParameterError, match=f"min_documents={wrong!r}"):
            document_bounds(wrong, None, 10)
    with pytest.raises(ParameterError, match="max_documents=1 is below min_documents=5"):
        document_bounds(5, 1, 10)


def test_nothing_left_names_the_sieve():
    with pytest.raises(CorpusError, match="all words but 1 are in more than 1 documents; raise max_documents"):
        keep_words(CORPUS, max_documents=1)
    with pytest.raises(CorpusError, match="lower min_documents"):
        keep_words(CORPUS, min_documents=4)


def test_spread_by_hand():
    # a: uniform, 1. b: two equal documents of four, ln 2 / ln 4. d: (2/3, 1/3). the: three equal, ln 3 / ln 4.
    two_thirds = (math.log(3) - 2 / 3 * math.log(2)) / math.log(4)
    assert np.allclose(word_spread(COUNTS), [1, 0.5, 0, two_thirds, math.log(3) / math.log(4)])
    assert suggest_stop_words(CORPUS, 3) == ["a", "the", "b"]
    assert suggest_stop_words(CORPUS, 0) == []
    assert len(suggest_stop_words(CORPUS, 99)) == 5
    assert word_spread(COUNTS[:1]).tolist() == [0] * 5  # one document tells nothing
    with pytest.raises(ParameterError, match="n=-1"):
        suggest_stop_words(CORPUS, -1)


def test_spread_is_blind_to_scale_and_order(rng):
    counts = sp.csr_array(rng.poisson(0.7, size=(20, 15)))
    spread = word_spread(counts)
    assert ((spread >= 0) & (spread <= 1 + 1e-12)).all()
    assert np.allclose(word_spread(counts[rng.permutation(20)] * 3), spread)


def test_function_words_of_real_text_are_suggested(data):
    from cotopics.corpus import read_texts

    texts = [text for text, _ in read_texts(data / "bbc_news" / "docs.jsonl.gz")][:400]
    suggested = suggest_stop_words(count_words(texts, stop_words=None), 10)
    assert {"the", "to", "of", "and", "in"} <= set(suggested)
