"""Every estimator finds on Dask what it finds on one machine, however documents are cut."""

import dask
import dask.array as da
import dask.bag as db
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from conftest import planted_corpus
from cotopics import TOP, AnchorFree, AnchorWords, TopicModel, choose_n_topics, cooccurrence, load
from cotopics.cooccur import Balanced
from cotopics.corpus import count_words
from cotopics.datasets import make_corpus
from cotopics.distributed import Partitions, as_partitions, held_out_likelihood
from cotopics.errors import CorpusError, ParameterError
from cotopics.in_pieces import partitioned
from cotopics.metrics import held_out_likelihood as in_memory_likelihood

X = planted_corpus(n_documents=300, n_words=60, n_topics=4, length=30)[0]
MODELS = [
    AnchorWords(4),
    AnchorWords(4, representation="implicit", rectifier="enn"),
    AnchorWords(4, representation="sketch", rectifier="enn"),
    AnchorWords(4, weighting="tfidf", selector="spa"),
    AnchorWords(4, weighting="balanced", rectifier=None, min_anchor_documents=0.02),
    AnchorWords(4, refine=7),
    AnchorFree(4),
    AnchorFree(4, weighting="counts"),
    TopicModel(4),
    TopicModel(4, refine=0),
    TOP(c1=0.5),
]


@pytest.fixture(autouse=True)
def here():
    with dask.config.set(scheduler="synchronous"):
        yield


def cut(X, edges):
    """X in partitions with these edges, some of which may be empty."""
    sizes = tuple(np.diff([0, *edges, X.shape[0]]).tolist())
    return da.from_array(X.toarray(), chunks=(sizes, X.shape[1:]))


def assert_close(one, other):
    for name in ("components_", "topic_correlation_", "topic_prevalence_"):
        assert np.abs(getattr(one, name) - getattr(other, name)).max() < 1e-6


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_the_topics_are_those_of_one_machine(model):
    expected = clone(model).fit(X)
    for edges in ([], [7, 7, 150], list(range(25, 300, 25))):
        assert_close(clone(model).fit(cut(X, edges)), expected)


@settings(max_examples=10, deadline=None)
@given(edges=st.lists(st.integers(0, 300), max_size=9).map(sorted))
def test_any_partitioning_gives_the_same_topics(edges):
    with dask.config.set(scheduler="synchronous"):
        assert_close(AnchorWords(4, refine=3).fit(cut(X, edges)), AnchorWords(4, refine=3).fit(X))


@pytest.mark.parametrize("weighting", ["counts", "tfidf", "balanced", Balanced(2 / 3), Balanced(word_power=1)])
def test_a_partitioned_cooccurrence_answers_as_one_in_memory_does(weighting, rng):
    Y = sp.csr_array(np.vstack([X.toarray(), np.zeros((5, 60)), np.eye(60)[:3]]))  # documents without words or pairs
    C = cooccurrence(Y, weighting=weighting, representation="implicit")
    D = partitioned(as_partitions(cut(Y, [100, 100, 220])), weighting)
    assert len(D.pieces.values) == 3  # the empty one is joined with its neighbour
    words, V = rng.permutation(60)[:11], rng.normal(size=(60, 3))
    assert D.shape == C.shape
    assert np.allclose(D @ V, C @ V, atol=1e-15)
    assert np.allclose(D @ V[:, 0], C @ V[:, 0], atol=1e-15)
    assert np.allclose(D.rows(words), C.rows(words), atol=1e-15)
    assert np.allclose(D.diagonal(), C.diagonal(), atol=1e-15)
    assert np.allclose(D.row_sums(), C.row_sums(), atol=1e-15)
    assert np.allclose(D.toarray(), C.toarray(), atol=1e-15)
    assert np.allclose(D.squared_row_norms(), C.squared_row_norms(), atol=1e-15)
    assert np.allclose(D.restrict(words).toarray(), C.restrict(words).toarray(), atol=1e-15)
    assert (D.documents.n_used, D.documents.n_left_out) == (C.documents.n_used, C.documents.n_left_out)
    assert (D.restrict(words).documents.frequency == C.documents.frequency[words]).all()
    assert D.row_sums().sum() == pytest.approx(1)


def test_texts_give_a_model_with_words_that_knows_how_they_came_about(tmp_path):
    rng = np.random.default_rng(0)
    groups = [["sun", "moon", "star", "planet", "orbit"], ["goal", "match", "team", "score", "league"]]
    texts = [" ".join(rng.choice(groups[i % 2], size=8)) + " the and" for i in range(80)]
    corpus = count_words(texts)
    bag = db.from_sequence(texts, npartitions=6)
    model = TopicModel(2).fit(bag)
    expected = TopicModel(2).fit(corpus.counts, feature_names=corpus.vocabulary)
    assert_close(model, expected)
    assert model.vocabulary_.tolist() == corpus.vocabulary
    assert model.provenance_["preparation"]["stop_words"] == "english"
    model.save(tmp_path / "model.cotopics")
    W = load(tmp_path / "model.cotopics").transform(bag)  # the same words, the same preparation
    assert np.allclose(W.compute(), expected.transform(corpus.counts), atol=1e-6)


def test_transform_is_lazy_and_has_a_block_for_each_partition():
    model = AnchorWords(4).fit(X)
    W = model.transform(cut(X, [100, 100, 130]))
    assert W.chunks == ((100, 30, 170), (4,))  # an empty one is none
    assert W.compute().tobytes() == model.transform(X).tobytes()
    assert np.array_equal(model.transform(cut(X, [100]), method="em").compute(), model.transform(X, method="em"))
    with pytest.raises(ParameterError, match="X has 59 words"):
        model.transform(da.ones((4, 59)))
    with pytest.raises(ParameterError, match="sparse_output"):
        model.transform(cut(X, []), sparse_output=True)
    with pytest.raises(ParameterError, match="does not know its words"):
        model.transform(db.from_sequence(["sun"], npartitions=1))


def test_counts_are_matched_with_the_models_words_by_name():
    words = [f"w{number}" for number in range(X.shape[1])]
    model = AnchorWords(4).fit(X, feature_names=words)
    frame = pd.DataFrame(X.toarray(), columns=words).assign(other=1)
    shuffled = dd.from_pandas(frame[sorted(frame.columns, reverse=True)], npartitions=3)
    expected = model.transform(X)
    assert np.allclose(model.transform(shuffled).compute(), expected, atol=1e-9)
    with pytest.raises(ParameterError, match=r"other words than the model's; count them with vocabulary=model\.voc"):
        model.transform(as_partitions(shuffled))
    assert held_out_likelihood(model, shuffled) == held_out_likelihood(model, dd.from_pandas(frame, npartitions=3))
    numbered = dd.from_pandas(frame[words].set_axis(range(60), axis=1), npartitions=3)  # names that no word has
    assert np.allclose(model.transform(numbered).compute(), expected, atol=1e-9)


def test_fit_transform():
    W = AnchorWords(4).fit_transform(cut(X, [140]))
    assert np.allclose(W.compute(), AnchorWords(4).fit_transform(X), atol=1e-9)


def test_documents_can_be_added_to_a_fit_on_dask_and_taken_out():
    model = AnchorWords(4).fit(cut(X[:200], [50]))
    assert_close(model.partial_fit(X[200:]), AnchorWords(4).fit(X))
    assert_close(model.forget(X[:100]), AnchorWords(4).fit(X[100:]))


def test_held_out_likelihood_of_one_partition_is_that_of_the_same_draw():
    model = TopicModel(4).fit(X)

    expected = in_memory_likelihood(model, X, random_state=np.random.default_rng([3, 0]))
    assert held_out_likelihood(model, cut(X, []), random_state=3) == pytest.approx(expected, rel=1e-12)


def test_held_out_likelihood_of_many_partitions():
    """Documents whose halves can only come out one way: two tokens of one word each, on two topics without overlap."""
    model = AnchorWords(2).fit_cooccurrence(np.kron(np.eye(2), np.ones((2, 2))) / 8)
    Y = sp.csr_array([[4, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 2], [0, 0, 0, 0]])
    by_hand = (2 * np.log(0.99 / 2 + 0.01 * 3 / 7) + np.log(0.99 / 2 + 0.01 * 2 / 7)) / 3
    for edges in ([], [1, 2, 3], [0, 2, 2]):
        assert held_out_likelihood(model, cut(Y, edges)) == pytest.approx(by_hand)
    assert held_out_likelihood(model, cut(Y, [1]), smoothing=0) == pytest.approx(np.log(1 / 2))
    with pytest.raises(CorpusError, match="no document has two tokens"):
        held_out_likelihood(model, cut(Y[[1, 3]], [1]))


def test_a_cluster_is_asked_how_many_topics_there_are():
    planted = make_corpus(300, 90, 5, length=150, anchors_per_topic=2, random_state=3)[0]
    model = TopicModel("auto").fit(cut(planted, [100, 200]))
    assert model.n_topics_ == choose_n_topics(cut(planted, [150])).n_topics == 5


def test_what_a_cluster_does_not_do_is_said_before_the_work():
    for add_or_take in (AnchorWords(4).partial_fit, AnchorWords(4).fit(X).forget):
        with pytest.raises(ParameterError, match="X is on Dask"):
            add_or_take(cut(X, []))
    with pytest.raises(ParameterError, match="not in memory, refine is"):
        AnchorWords(4, refine=lambda X, B, prevalence: None).fit(cut(X, []))


def test_a_fit_that_fails_leaves_the_model_as_it_was():
    model = AnchorWords(4).fit(X)
    before = model.components_
    with pytest.raises(CorpusError, match="Negative"):
        model.fit(-cut(X, [20]))
    assert model.components_ is before


def test_small_neighbours_are_joined_by_their_sizes_alone(monkeypatch):
    monkeypatch.setattr("cotopics.distributed.sums.MIN_NUMBERS", 500)
    documents = as_partitions(cut(X, [1, 2, 3, 200, 290])).keep()
    assert isinstance(documents, Partitions)
    assert 1 < len(documents.parts) < 6
    assert (documents.gather() != X).nnz == 0
    assert documents.keep() is documents
