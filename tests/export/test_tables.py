"""What is in the tables."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from cotopics import AnchorFree, AnchorWords, TopicModel
from cotopics.errors import ParameterError
from cotopics.export import (
    Table,
    correlation_table,
    mixture_blocks,
    mixtures_table,
    topic_words_table,
    topics_table,
)
from cotopics.metrics import association

WORDS = [f"w{i}" for i in range(60)]


@pytest.fixture(scope="module")
def model(corpus):
    return AnchorWords(4).fit(corpus[0], feature_names=WORDS)


@pytest.fixture(scope="module")
def recommended(corpus):
    return TopicModel(4).fit(corpus[0], feature_names=WORDS)


def test_numbers_are_arrays_and_the_rest_is_texts():
    columns = [[1, 2], [1, 2.5], [True, None], ["a", float("nan")], [{"a": [1]}, "b"], np.array([1, 2], dtype=np.uint8)]
    table = Table(tuple("abcdef"), tuple(columns))
    assert table.kinds == ("int64", "float64", "text", "text", "text", "uint8")
    assert table.columns[2:5] == (["true", None], ["a", None], ['{"a": [1]}', "b"])
    assert Table(("a",), ([2**70, 1],)).columns == ([str(2**70), "1"],)  # no number of 64 bits, and an id perhaps


def test_columns_of_data_frames():
    frame = pd.DataFrame({"a": ["x", None], "b": pd.array([1, None], dtype="Int64"), "c": [0.5, 1.5]})
    table = Table(tuple(frame), tuple(frame[name] for name in frame))
    assert table.columns[0] == ["x", None]
    assert table.columns[1] == ["1", None]
    assert table.columns[2].tolist() == [0.5, 1.5]
    assert pd.DataFrame(table.as_dict()).shape == (2, 3)
    assert pl.DataFrame(table.as_dict()).shape == (2, 3)


def test_pieces_are_the_table():
    table = Table(("a", "b"), (np.arange(10), [f"t{i}" for i in range(10)]))
    pieces = list(table.pieces(4))
    assert [len(piece) for piece in pieces] == [4, 4, 2]
    assert [text for piece in pieces for text in piece.columns[1]] == table.columns[1]
    assert len(list(Table(("a",), ([],)).pieces(4))) == 1


@pytest.mark.parametrize(
    ("names", "columns"), [(("a",), ([1], [2])), (("a", "a"), ([1], [2])), (("a", "b"), ([1], [2, 3]))]
)
def test_columns_that_do_not_fit(names, columns):
    with pytest.raises(ParameterError):
        Table(names, columns)


def test_topics(model):
    table = topics_table(model, 3).as_dict()
    assert table["topic"].tolist() == [0, 1, 2, 3]
    assert (table["prevalence"] == model.topic_prevalence_).all()
    assert table["anchor"] == [WORDS[word] for word in model.anchors_]
    assert table["words"] == [" ".join(words) for words in model.top_words(3)]
    assert table["characteristic_words"] == [" ".join(words) for words in model.characteristic_words(3)]


def test_topics_without_anchors_and_words_with_blanks(corpus):
    model = AnchorFree(3).fit(corpus[0], feature_names=[f"the {i}" for i in range(60)])
    table = topics_table(model, 2).as_dict()
    assert table["anchor"] == table["characteristic_words"] == [None] * 3
    assert table["words"] == ["; ".join(words) for words in model.top_words(2)]


def test_topics_without_names_show_word_ids(corpus):
    model = AnchorWords(3).fit(corpus[0])
    assert topics_table(model, 2).as_dict()["words"] == [f"{a} {b}" for a, b in model.top_words(2)]
    assert topic_words_table(model, 1).as_dict()["word"] == [str(words[0]) for words in model.top_words(1)]


def test_all_words_of_a_topic_have_its_probability(model):
    table = pd.DataFrame(topic_words_table(model).as_dict())
    assert table.groupby("topic")["probability"].sum().to_numpy() == pytest.approx(np.ones(4))
    assert (table["probability"] > 0).all()
    assert len(table) == np.count_nonzero(model.components_)
    by_topic_and_word = table.set_index(["topic", "word"])["probability"]
    assert by_topic_and_word[2, "w17"] == model.components_[2, 17]
    for _, topic in table.groupby("topic"):
        assert topic["rank"].tolist() == list(range(1, len(topic) + 1))
        assert topic["probability"].is_monotonic_decreasing  # relevance 1 ranks by it
        assert topic["relevance"].to_numpy() == pytest.approx(np.log(topic["probability"].to_numpy()))


def test_the_leading_words_are_those_of_top_words(model, recommended):
    assert np.reshape(topic_words_table(model, 7).as_dict()["word"], (4, 7)).tolist() == model.top_words(7)
    found = pd.DataFrame(topic_words_table(recommended).as_dict())
    for k, topic in found.groupby("topic"):
        assert topic["word"].tolist() == recommended.top_words(len(topic))[k]
        assert topic["relevance"].is_monotonic_decreasing


def test_relevance_is_as_defined(recommended):
    table = pd.DataFrame(topic_words_table(recommended, 5, relevance=0.3).as_dict())
    marginal = recommended.topic_prevalence_ @ recommended.components_
    word = [WORDS.index(name) for name in table["word"]]
    p = table["probability"].to_numpy()
    uses = p * recommended.topic_prevalence_[table["topic"]] * recommended.fit_.n_tokens
    uses = np.minimum(uses, recommended.fit_.n_tokens * recommended.background_[word])
    by_definition = 0.3 * np.log(p) + 0.7 * np.log(p / marginal[word]) - 2 / np.sqrt(uses)
    assert table["relevance"].to_numpy() == pytest.approx(by_definition)


def test_words_that_cannot_be_asked_for(model):
    with pytest.raises(ParameterError, match="n=0"):
        topic_words_table(model, 0)
    with pytest.raises(ParameterError, match="relevance=2"):
        topic_words_table(model, relevance=2)
    with pytest.raises(ValueError, match="not fitted"):
        topics_table(AnchorWords())


def test_association_of_known_shares(rng):
    """A is the second moment of documents' shares: the coefficient is that of the shares themselves."""
    W = rng.dirichlet([0.2, 0.5, 1.0, 2.0], size=300)
    A = W.T @ W / 300
    for scale in (1, 7.5):
        found = association(scale * A)
        assert found.correlation == pytest.approx(np.corrcoef(W.T))
        assert found.lift == pytest.approx(A / np.outer(W.mean(axis=0), W.mean(axis=0)))
        assert found.joint == pytest.approx(A)
    assert (np.diag(found.correlation) == 1).all()
    assert ((found.lift > 1) == (found.correlation > 0)).all()


def test_association_where_there_is_none():
    constant = association(np.full((2, 2), 0.25))  # every document is half and half
    assert np.isnan(constant.correlation).all()
    assert constant.lift.tolist() == [[1, 1], [1, 1]]
    absent = association(np.diag([1.0, 0.0]))
    assert np.isnan(absent.lift[:, 1]).all()
    not_semidefinite = association(np.array([[0.3, 0.3, 0.0], [0.3, 0.1, 0.0], [0.0, 0.0, 0.1]]))
    defined = not_semidefinite.correlation[~np.isnan(not_semidefinite.correlation)]
    assert (np.abs(defined) <= 1).all()


def test_correlations(model):
    table = correlation_table(model).as_dict()
    assert len(table["topic"]) == 4 * 5 / 2
    assert (table["topic"] <= table["other"]).all()
    twice = np.where(table["topic"] == table["other"], 1, 2)
    assert twice @ table["joint"] == pytest.approx(1)
    A = model.topic_correlation_
    assert table["joint"] == pytest.approx(A[table["topic"], table["other"]] / A.sum())


def test_mixtures_wide_and_long_agree(rng):
    W = rng.dirichlet(np.full(5, 0.2), size=30)
    W[W < 0.01] = 0
    ids, labels = [f"id{m}" for m in range(30)], rng.integers(3, size=30)
    wide = mixtures_table(W, ids, labels)
    assert wide.names == ("document", "id", "label", *(f"topic_{k}" for k in range(5)))
    assert (np.column_stack(wide.columns[3:]) == W).all()
    for threshold in (0, 0.1, 0.9):
        long = mixtures_table(W, ids, labels, threshold=threshold).as_dict()
        back = sp.coo_array((long["share"], (long["document"], long["topic"])), shape=W.shape).toarray()
        assert (back == np.where(threshold <= W, W, 0)).all()
        assert long["id"] == [f"id{m}" for m in long["document"]]
        assert (long["label"] == labels[long["document"]]).all()
        assert (np.diff(5 * long["document"] + long["topic"]) > 0).all()
        sparse = mixtures_table(sp.csr_array(W), ids, labels, threshold=threshold).as_dict()
        assert (sparse["share"] == long["share"]).all()
    assert mixtures_table(sp.csr_array(W)).names == ("document", "topic", "share")


def test_mixtures_that_do_not_fit(rng):
    W = rng.dirichlet(np.ones(3), size=4)
    with pytest.raises(ParameterError, match="4 documents and 3 ids"):
        mixtures_table(W, ids=["a", "b", "c"])
    with pytest.raises(ParameterError, match="threshold=2"):
        mixtures_table(W, threshold=2)
    with pytest.raises(ParameterError, match="documents × topics"):
        mixtures_table(W[0])


def test_blocks_are_the_whole(model, corpus):
    X, labels = corpus[0], ["a", None] * 200
    for threshold in (None, 0.2):
        whole = mixtures_table(model.transform(X, method="em"), labels=labels, threshold=threshold)
        blocks = list(mixture_blocks(model, X, labels=labels, method="em", threshold=threshold, block=150))
        assert len(blocks) == 3
        assert {block.kinds for block in blocks} == {whole.kinds}
        for name, column in whole.as_dict().items():
            together = [value for block in blocks for value in block.as_dict()[name]]
            assert together == (column if isinstance(column, list) else pytest.approx(column, abs=1e-15))


def test_blocks_of_frames_check_their_columns(corpus):
    frame = pd.DataFrame(corpus[0].toarray(), columns=WORDS)
    model = AnchorWords(4).fit(frame)
    (block,) = mixture_blocks(model, frame)
    assert np.column_stack(block.columns[1:]) == pytest.approx(model.transform(frame), abs=1e-15)
    with pytest.raises(ValueError, match="another order"):
        mixture_blocks(model, frame[WORDS[::-1]])
    with pytest.raises(ParameterError, match="400 documents and 1 ids"):
        mixture_blocks(model, frame, ids=["a"])
