"""Documents drawn again: weights are copies, the same draws give the same answer, and junk stands less firmly."""

import numpy as np
import pytest
import scipy.sparse as sp

from cotopics import TOP, AnchorFree, AnchorWords, TopicModel, datasets
from cotopics.errors import ParameterError
from cotopics.metrics import match_topics
from cotopics.stability import bootstrap
from cotopics.stability.draws import _Draws
from cotopics.stability.weighted import topics_of_draw

X, B, W = datasets.make_corpus(300, 120, 4, length=60, anchors_per_topic=6, anchor_frequency=0.01, random_state=0)
MODEL = TopicModel(4, topics_per_document="many").fit(X, feature_names=[f"w{i}" for i in range(120)])


@pytest.fixture(scope="module")
def found():
    return bootstrap(MODEL, X, n=30)


@pytest.mark.parametrize("kind", ["many", "one"])
def test_a_weight_is_so_many_copies(kind):
    model = TopicModel(4, topics_per_document=kind).fit(X)
    weights = np.random.default_rng(0).multinomial(300, np.full(300, 1 / 300))
    draws = _Draws(model, np.arange(120), sp.csr_array(X))
    once = draws.topics(weights.astype(float))
    copies = np.repeat(np.arange(300), weights)
    given = (draws.start, draws.shares.rows(copies), draws.step, draws.fit)
    again = topics_of_draw(sp.csr_array(X[copies]), np.ones(300), *given)
    if kind == "many":
        assert np.allclose(once.B, again.B, atol=1e-5)
        assert np.allclose(once.prevalence, again.prevalence, atol=1e-5)
        assert np.allclose(once.A, again.A, atol=1e-5)
    else:  # of copies only one is taken out of the topics that a document is compared with
        assert np.abs(once.B - again.B).sum(axis=0).max() < 0.1


def test_the_same_draws_give_the_same_answer():
    one, two, other = (bootstrap(MODEL, X, n=10, random_state=seed) for seed in (0, np.random.default_rng(0), 1))
    assert np.array_equal(one.prevalences, two.prevalences)
    assert np.array_equal(one.firmness, two.firmness)
    assert not np.array_equal(one.prevalences, other.prevalences)


def test_intervals_narrow_with_the_root_of_the_number_of_documents(found):
    many = sp.csr_array(sp.vstack([X] * 9))  # each copy stands for another document like it
    few, lots = (each.prevalences.std(axis=0).mean() for each in (found, bootstrap(MODEL, many, n=30)))
    assert 2 < few / lots < 4.5


def test_prevalence_of_planted_topics_is_within_its_interval(found):
    rows = found.prevalence()
    order = match_topics(MODEL.components_.T, B)
    low, high = (np.asarray(rows.columns[name])[order] for name in ("low", "high"))
    assert ((low <= W.mean(axis=0)) & (W.mean(axis=0) <= high)).all()


def test_a_pair_of_topics_that_go_together_is_told_from_others():
    rng = np.random.default_rng(0)
    topics = np.kron(np.eye(4), np.full((1, 15), 1 / 15)).T
    shares = rng.dirichlet(np.full(3, 0.5), 600)
    together = np.column_stack([shares[:, 0] / 2, shares[:, 0] / 2, shares[:, 1:]])  # topics 0 and 1 always come as two
    counts, _ = sp.csr_array(np.stack([rng.multinomial(80, p) for p in together @ topics.T])), None
    model = TopicModel(4, topics_per_document="many").fit(counts)
    order = match_topics(model.components_.T, topics)
    pairs = {(row["first"], row["second"]): row["association"] for row in bootstrap(model, counts, n=20).correlations()}
    assert pairs[tuple(sorted(order[:2]))] == "together"
    assert "together" not in [found for pair, found in pairs.items() if pair != tuple(sorted(order[:2]))]


def test_junk_stands_less_firmly_than_topics():
    rng = np.random.default_rng(1)
    base = 1 / (np.arange(1000) + 10.0)
    base /= base.sum()
    topics = rng.dirichlet(80 * base, 6).T
    real = np.stack([rng.multinomial(100, p) for p in rng.dirichlet(np.full(6, 0.4), 1200) @ topics.T])
    noise = np.stack([rng.multinomial(80, rng.dirichlet(60 * base)) for _ in range(300)])  # each has words of its own
    counts = sp.csr_array(np.vstack([real, noise]))
    model = TopicModel(9, topics_per_document="many").fit(counts)
    overlap = np.minimum(model.components_.T[:, :, None], topics[:, None]).sum(axis=0)  # with each planted topic
    is_real = np.isin(np.arange(9), match_topics(model.components_.T, topics))
    assert overlap[is_real].max(axis=1).min() > 2 * overlap[~is_real].max(), "what was planted is found"
    found = bootstrap(model, counts, n=10)
    assert found.firmness[is_real].min() > found.firmness[~is_real].max() + 0.3
    assert found.is_firm.tolist() == is_real.tolist()
    assert "3 do not come back" in repr(found)


@pytest.mark.parametrize(
    "model", [AnchorWords(4, rectifier="enn"), AnchorFree(4), TOP(c0=0.1), TopicModel(4, topics_per_document="one")]
)
def test_every_estimator_can_be_asked(model):
    found = bootstrap(model.fit(X), X, n=10)
    table = found.prevalence()
    assert len(table) == model.n_topics_
    assert (np.asarray(table.columns["low"]) <= model.topic_prevalence_).all()
    assert (np.asarray(table.columns["high"]) >= model.topic_prevalence_).all()
    assert ((found.firmness >= 0) & (found.firmness <= 1)).all()


def test_merged_topics_and_named_ones():
    model = MODEL.rename({0: "first"}).merge([[1, 2]])
    found = bootstrap(model, X, n=10)
    assert len(found.prevalence()) == 3
    assert "first" in found.names


def test_ranks_of_words_hold_their_own(found):
    rows = found.words(5)
    assert len(rows) == 4 * 5
    assert all(row["low"] <= row["high"] for row in rows)
    assert {row["word"][0] for row in rows} == {"w"}
    assert np.mean([row["low"] <= row["rank"] <= row["high"] for row in rows]) > 0.7


@pytest.mark.parametrize(
    ("options", "message"),
    [({"n": 3}, "at least 10"), ({"n": 20.0}, "whole number"), ({"level": 95}, "between 0 and 1")],
)
def test_wrong_options_are_one_clear_line(options, message):
    with pytest.raises(ParameterError, match=message):
        bootstrap(MODEL, X, **options)
    with pytest.raises(ParameterError, match="not a fitted model"):
        bootstrap(TopicModel(3), X)


def test_a_single_topic_always_comes_back():
    found = bootstrap(TopicModel(1, topics_per_document="many").fit(X), X, n=10)
    assert found.firmness.tolist() == [1.0]
    assert "all stand firm" in repr(found)


def test_wrong_numbers_are_one_clear_line(found):
    for n in (-1, 0, 2.5):
        with pytest.raises(ParameterError, match="whole number of words"):
            found.words(n)
    for state in (-1, "x"):
        with pytest.raises(ParameterError, match="random_state="):
            bootstrap(MODEL, X, random_state=state)
