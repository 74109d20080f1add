"""Every estimator finds on disk what it finds in memory, however documents are cut into pieces."""

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from conftest import planted_corpus
from cotopics import TOP, AnchorFree, AnchorWords, TopicModel, load
from cotopics.cooccur import Balanced, cooccurrence
from cotopics.corpus import open_stream
from cotopics.errors import CorpusError, ParameterError
from cotopics.on_disk import documents as on_disk
from cotopics.on_disk import pack

X = planted_corpus(n_documents=300, n_words=60, n_topics=4, length=30)[0]
MODELS = [
    AnchorWords(4),
    AnchorWords(4, representation="sketch", rectifier="enn"),
    AnchorWords(4, weighting="balanced", rectifier=None, min_anchor_documents=0.02),
    AnchorWords(4, refine=7),
    AnchorFree(4),
    TopicModel(4),
    TopicModel(4, refine=0),
    TopicModel(4, topics_per_document="one"),
    TopicModel(4, topics_per_document="many"),
    TOP(c1=0.5),
]


@pytest.fixture
def cut(monkeypatch):
    """Documents on disk in pieces of about so many non-zeros."""

    def packed(X, n_numbers, chunk_documents=20_000):
        monkeypatch.setattr(on_disk, "PIECE_NUMBERS", n_numbers)
        return pack(open_stream(sp.csr_array(X), chunk_documents=chunk_documents))

    return packed


def assert_close(one, other):
    for name in ("components_", "topic_correlation_", "topic_prevalence_", "background_"):
        if getattr(other, name) is not None:
            assert np.abs(getattr(one, name) - getattr(other, name)).max() < 1e-6


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_the_topics_are_those_in_memory(model, cut):
    expected = clone(model).fit(X)
    for n_numbers in (10**9, 2000, 300):
        with cut(X, n_numbers) as documents:
            assert_close(clone(model).fit(documents), expected)


@settings(max_examples=8, deadline=None)
@given(n_numbers=st.integers(1, 3000), chunk_documents=st.integers(1, 300), many=st.booleans())
def test_cuts_do_not_matter(n_numbers, chunk_documents, many):
    model = TopicModel(3, refine=4, topics_per_document="many" if many else "one")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(on_disk, "PIECE_NUMBERS", n_numbers)
        with pack(open_stream(sp.csr_array(X[:80]), chunk_documents=chunk_documents)) as documents:
            assert_close(clone(model).fit(documents), clone(model).fit(X[:80]))


@pytest.mark.parametrize("weighting", ["counts", "tfidf", Balanced(2 / 3)], ids=str)
def test_the_cooccurrence_answers_as_in_memory(weighting, cut):
    with cut(X, 500) as documents:
        C, D = cooccurrence(X, weighting=weighting), documents.cooccurrence(weighting)
        words, V = np.array([5, 3, 40]), np.random.default_rng(0).random((X.shape[1], 3))
        assert np.allclose(D @ V, C @ V, rtol=1e-12, atol=1e-15)
        assert np.allclose(D.rows(words), C.rows(words), rtol=1e-12, atol=1e-15)
        assert np.allclose(D.diagonal(), C.diagonal(), rtol=1e-12, atol=1e-15)
        assert np.allclose(D.row_sums(), C.row_sums(), rtol=1e-12, atol=1e-15)
        assert np.allclose(D.restrict(words).toarray(), C.restrict(words).toarray(), rtol=1e-12, atol=1e-15)


def test_words_and_documents_that_are_empty(cut):
    Y = sp.lil_array((X.shape[0] + 20, X.shape[1] + 3))
    Y[20:, 2:-1] = X.toarray()
    Y = Y.tocsr()
    with cut(Y, 700) as documents:
        words, used = documents.used
        assert words.tolist() == np.flatnonzero(Y.sum(axis=0)).tolist()
        assert used.n_documents == np.count_nonzero(Y.sum(axis=1))
        assert used.n_words == len(words)
        assert (used.gather() != Y[20:, words]).nnz == 0
        assert_close(TopicModel(4, refine=4).fit(documents), TopicModel(4, refine=4).fit(Y))


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from([0, 0, 1, 3, 255, 256, 70_000, 0.5, 1e12]), min_size=4, max_size=4), min_size=1)
)
def test_counts_come_back_as_they_were(rows):
    Y = sp.csr_array(np.array(rows, dtype=float))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(on_disk, "PIECE_NUMBERS", 5)
        with pack(open_stream(Y, chunk_documents=3)) as documents:
            back = documents.gather()
            assert back.dtype == np.float64
            assert (back.toarray() == Y.toarray()).all()
            assert (documents.n_documents, documents.n_tokens) == (len(rows), Y.sum())


# --- streams of files ------------------------------------------------------------------------------------------------


@pytest.fixture
def shards(tmp_path):
    """X in three files of counts, with names of words."""
    folder = tmp_path / "shards"
    folder.mkdir()
    for i, first in enumerate((0, 100, 200)):
        sp.save_npz(folder / f"{i}.npz", X[first : first + 100])
    (folder / "vocab.txt").write_text("\n".join(f"w{i}" for i in range(X.shape[1])))
    return folder


def test_a_stream_or_files_are_an_x(shards, tmp_path):
    names = [f"w{i}" for i in range(X.shape[1])]
    expected = TopicModel(4).fit(X, feature_names=names)
    for given_as in (open_stream(shards), shards, sorted(shards.glob("*.npz"))):
        model = TopicModel(4).fit(given_as)
        assert_close(model, expected)
        assert model.vocabulary_.tolist() == names
        assert model.n_features_in_ == X.shape[1]
    model.save(tmp_path / "model.cotopics")
    assert np.array_equal(load(tmp_path / "model.cotopics").transform(X), model.transform(X))


def test_words_of_texts_may_grow_from_chunk_to_chunk():
    texts = ["sun moon", "sun star", "cat dog", "dog cow cat"] * 10 + ["dog horse"]
    with pack(open_stream([text.split() for text in texts], chunk_documents=2)) as documents:
        assert documents.vocabulary == ["sun", "moon", "star", "cat", "dog", "cow", "horse"]
        assert documents.n_words == 7
        assert documents.frequency.tolist() == [20, 10, 10, 20, 21, 10, 1]
        kept = documents.keep_frequent(min_documents=5)
        assert kept.vocabulary == documents.vocabulary[:-1]
        assert TopicModel(2).fit(kept).n_topics_ == 2


# --- errors ----------------------------------------------------------------------------------------------------------


def test_errors_say_what_to_do(shards, cut):
    refused = pytest.raises(ParameterError, match="of documents that are not in memory, refine is a number")
    with cut(X, 500) as documents, refused:
        TopicModel(2, refine=lambda X, B, prevalence: None).fit(documents)
    with pytest.raises(CorpusError, match=r"no room for a scratch file in .*nowhere.*--scratch"):
        pack(open_stream(shards), scratch=shards / "nowhere")
    with pytest.raises(CorpusError, match="n_samples=1"):
        TopicModel(2).fit(open_stream(X[:1]))
    with pytest.raises(ParameterError, match="feature_names has 2 words"):
        TopicModel(2).fit(open_stream(X), feature_names=["a", "b"])
    with pytest.raises(ParameterError, match="n_topics=0"):
        TopicModel(0).fit(Path("nowhere"))  # before anything is read


def test_an_error_leaves_the_model_as_it_was(shards):
    model = TopicModel(4).fit(shards)
    before = model.components_
    (shards / "1.npz").write_bytes(b"damaged")
    with pytest.raises(CorpusError):
        model.fit(shards)
    assert model.components_ is before
