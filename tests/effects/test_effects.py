"""Effects: planted truth comes back, errors are those of the textbook, and hostile formulas are refused."""

import numpy as np
import pytest
import scipy.sparse as sp

from cotopics import TOP, AnchorFree, AnchorWords, TopicModel
from cotopics.corpus import Corpus
from cotopics.effects import estimate_effects
from cotopics.effects.formula import check_formula
from cotopics.effects.least_squares import regress
from cotopics.effects.shares import SCALE_ERROR, word_weights
from cotopics.errors import ParameterError
from cotopics.metrics import match_topics
from cotopics.models.recount import topics_of_documents

WORDS = ["cat", "dog", "sun", "sky"]
MODEL = AnchorWords(2).fit_cooccurrence(np.kron(np.eye(2), np.ones((2, 2))) / 8, feature_names=WORDS)


def test_weights_are_a_left_inverse_of_the_topics():
    G, offset = word_weights(MODEL.fit_)
    assert np.allclose(G @ MODEL.components_.T - offset[:, None], np.eye(2))


def test_without_noise_the_estimates_are_the_truth():
    share = np.array([0.25, 0.5] * 10) + np.repeat([0.0, 0.25], 10)
    X = 40 * np.stack([share / 2, share / 2, (1 - share) / 2, (1 - share) / 2], axis=1)
    fields = {"a": ["x", "y"] * 10, "b": [0] * 10 + [2] * 10}
    found = estimate_effects(MODEL, X, fields, "a + b", topics="known")
    assert np.allclose(found.coefficients[:, 0], [0.25, 0.25, 0.125])
    order = np.random.default_rng(0).permutation(20)
    again = estimate_effects(
        MODEL, X[order], {k: [v[i] for i in order] for k, v in fields.items()}, "a + b", topics="known"
    )
    assert np.allclose(found.coefficients, again.coefficients)


def test_errors_are_those_of_documents_left_out_one_by_one():
    rng = np.random.default_rng(0)
    Z, Y = np.column_stack([np.ones(30), rng.normal(size=(30, 2))]), rng.normal(size=(30, 2))
    found = regress(Z, Y)
    without = np.stack([np.linalg.lstsq(np.delete(Z, i, 0), np.delete(Y, i, 0), rcond=None)[0] for i in range(30)])
    moved = without - found.coefficients
    assert np.allclose(found.covariance, np.einsum("ipk,iqk->kpq", moved, moved))
    assert np.allclose(found.covariance, regress(Z, Y, np.arange(30)).covariance)


@pytest.mark.parametrize(
    "formula",
    ["__import__('os')", "a.b", "a[0]", "{a}", "open(a)", "I(9**9**9)", "bs(b, df=9999)", "a b", "I(b)(b)", "`a`(b)",
     "a if b else a", "(lambda: a)()", "I(b**b)", "@a", "y ~ a", "", "1", "(a", "a)", "a; b", "C(I(a))", "hashed(a)"],
)  # fmt: skip
def test_hostile_and_wrong_formulas_are_one_line(formula):
    with pytest.raises(ParameterError) as error:
        check_formula(formula, ["a", "b"])
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("fields", "formula", "message"),
    [
        ({"rating": ["a", "b"] * 5}, "raing", "did you mean 'rating'"),
        ({"a": ["x"] * 10}, "a", "same value"),
        ({"a": ["x", "y"] * 5, "b": ["u", "v"] * 5}, "a + b", "collinear"),
        ({"a": list("abcdefghij")}, "a", "more documents than terms"),
        ({"d": ["2020-01-01", "soon"] * 5}, "days(d)", "not a date"),
        ({"a": ["x", "y"] * 4}, "a", "10 documents and 8 values"),
    ],
)
def test_wrong_metadata_is_one_clear_line(fields, formula, message):
    X = np.random.default_rng(0).integers(1, 5, (10, 4))
    with pytest.raises(ParameterError, match=message):
        estimate_effects(MODEL, X, fields, formula)


def test_missing_values_are_dropped_and_counted():
    X = np.random.default_rng(0).integers(1, 5, (10, 4))
    fields = {"a": ["x", "y", None, "x", "y", "", "x", "y", "x", "y"]}
    found = estimate_effects(MODEL, X, fields, "a")
    assert found.n_documents == 8
    assert found.dropped == {"no a": 2}
    with pytest.raises(ParameterError, match="2 documents have no a"):
        estimate_effects(MODEL, X, fields, "a", missing="error")


def grouped_documents(n=400, concentration=2.0):
    """Counts of 3 topics of 20 words; the first topic's share is larger in group b by 0.3, the second's less.

    A small concentration gives documents of one topic each."""
    rng = np.random.default_rng(5)
    topics = np.kron(np.eye(3), np.full((1, 20), 1 / 20))
    is_b = np.arange(n) % 2
    expected = np.array([0.35, 0.35, 0.3]) + np.outer(is_b - 0.5, [0.3, -0.3, 0.0])
    W = np.stack([rng.dirichlet(concentration * p) for p in expected])
    return np.stack([rng.multinomial(50, p) for p in W @ topics]), np.where(is_b, "b", "a").tolist()


@pytest.mark.parametrize(
    "model",
    [TopicModel(3, topics_per_document="many"), TopicModel(3, topics_per_document="one"), AnchorWords(3),
     AnchorFree(3), TOP(c0=0.1)],
    ids=lambda model: f"{type(model).__name__}-{getattr(model, 'topics_per_document', '')}",
)  # fmt: skip
@pytest.mark.parametrize("shares", ["unbiased", "posterior"])
def test_every_estimator_finds_a_planted_effect(model, shares):
    X, group = grouped_documents(concentration=0.02 if getattr(model, "topics_per_document", "") == "one" else 2.0)
    model.fit(X)
    found = estimate_effects(model, X, {"group": group}, "group", shares=shares).contrast("group", "b", "a")
    first, second = (int(np.argmax(model.components_[:, i : i + 20].sum(axis=1))) for i in (0, 20))
    assert found.columns["low"][first] > 0.1
    assert found.columns["high"][second] < -0.1
    assert 0.2 < found.columns["estimate"][first] < 0.4


def test_texts_and_a_corpus_are_documents_too():
    X, group = grouped_documents(120)
    words = [f"{a}{b}x" for a in "bdfgklmnprst" for b in "aeiou"]
    texts = [" ".join(words[i] for i, n in enumerate(row) for _ in range(n)) for row in X]
    model = TopicModel(3, topics_per_document="many").fit(texts)
    by_texts = estimate_effects(model, texts, {"group": group}, "group")
    corpus = Corpus(model._counts_of(texts), list(model.vocabulary_), labels=group)
    by_corpus = estimate_effects(model, corpus, None, "label")
    assert np.allclose(by_texts.coefficients, by_corpus.coefficients)
    assert by_corpus.terms == ("Intercept", "label=b")


def test_errors_allow_for_the_scale_of_differences_and_not_of_means():
    X, group = grouped_documents()
    model = TopicModel(3, topics_per_document="many").fit(X)
    found = estimate_effects(model, X, {"group": group}, "group")
    estimate, error = (np.asarray(found.contrast("group", "b", "a").columns[name]) for name in ("estimate", "error"))
    assert (error >= SCALE_ERROR * np.abs(estimate)).all()
    Z = found.design.Z
    mean = np.einsum("p,kpq,q->k", Z.mean(axis=0), found.covariance, Z.mean(axis=0))
    assert (np.sqrt(mean) < 0.02).all()


def test_more_clusters_than_documents_change_nothing_and_few_widen_errors():
    X, group = grouped_documents(200)
    model = TopicModel(3, topics_per_document="many").fit(X)
    fields = {"group": group, "own": list(map(str, range(200))), "author": [str(i // 20) for i in range(200)]}
    plain = estimate_effects(model, X, fields, "group")
    own = estimate_effects(model, X, fields, "group", clusters="own")
    assert np.allclose(plain.covariance, own.covariance)
    assert estimate_effects(model, X, fields, "group", clusters="author").degrees == 9


def test_topics_counted_again_stay_the_topics_they_are():
    X, _ = grouped_documents()
    model = TopicModel(3, topics_per_document="many").fit(X)
    B, mean = topics_of_documents(model.fit_, sp.csr_array(X, dtype=float), np.ones(len(X), dtype=bool))
    assert np.allclose(B.sum(axis=0), 1)
    assert np.isclose(mean.sum(), 1)
    assert match_topics(B, model.components_.T).tolist() == [0, 1, 2]
    planted = np.kron(np.eye(3), np.full((1, 20), 1 / 20)).T
    errors = [np.abs(topics[:, match_topics(topics, planted)] - planted).sum() for topics in (B, model.components_.T)]
    assert errors[0] < errors[1] + 0.05


NUMBERS = np.random.default_rng(0).integers(1, 5, (40, 4))


def test_texts_for_no_date_are_missing_dates():
    dates = [f"2008-{i % 12 + 1:02d}-{i % 28 + 1:02d}" for i in range(37)] + ["None", "nan", "NaT"]
    found = estimate_effects(MODEL, NUMBERS, {"d": dates}, "days(d)")
    assert found.dropped == {"no d": 3}
    assert np.abs(found.design.Z).max() < 1e5


@pytest.mark.parametrize(
    ("formula", "value", "message"),
    [
        ("log(x)", 0, "not a finite number where 'x' is 0, beyond its values in the documents, 1 to 40"),
        ("log(x)", -1, "not a finite number"),
        ("bs(x, df=4)", 1000, "cannot be computed where 'x' is 1000, beyond"),
        ("x", None, "needs a value"),
    ],
)
def test_values_that_the_formula_cannot_take_are_one_clear_line(formula, value, message):
    found = estimate_effects(MODEL, NUMBERS, {"x": list(range(1, 41))}, formula)
    with pytest.raises(ParameterError, match=message) as error:
        found.contrast("x", value, 3)
    assert "\n" not in str(error.value)
    with pytest.raises(ParameterError):
        found.expected("x", [3, value])


def test_a_formula_that_is_no_number_in_some_documents_is_refused():
    with pytest.raises(ParameterError, match="not a number in some documents"):
        estimate_effects(MODEL, NUMBERS, {"x": list(range(-1, 39))}, "log(x)")


def test_a_date_to_compare_is_read_as_those_of_its_field():
    american = [f"{i % 3 + 2:02d}/{i % 28 + 1:02d}/2008" for i in range(40)]
    found = estimate_effects(MODEL, NUMBERS, {"d": american}, "days(d)")
    assert np.array_equal(found.design.at("d", "03/04/2008"), found.design.at("d", "2008-03-04"))
    iso = estimate_effects(MODEL, NUMBERS, {"d": [f"2008-03-{i % 28 + 1:02d}" for i in range(40)]}, "days(d)")
    with pytest.raises(ParameterError, match="'03/04/2008' is not a date as its values are; write 2008-12-31"):
        iso.contrast("d", "03/04/2008", "2008-03-04")
    assert len(iso.expected("d")) == 2 * 41


@pytest.mark.parametrize(
    "formula",
    ["bs(b,60)", "bs(b,df=(60))", "bs(b,df=30*2)", "bs(b,df=9999*9999)", "poly(b,(12))", "poly(b,12)", "poly(b,2,3)",
     "bs(b,df=4+a)", "bs(b,df=-4)", "bs(b,a)", "bs(b,)", "bs(b,df=60)", "poly(b,5*9)", "poly(b,1000)"],
)  # fmt: skip
def test_limits_of_options_cannot_be_got_around(formula):
    with pytest.raises(ParameterError) as error:
        check_formula(formula, ["a", "b"])
    assert "\n" not in str(error.value)
    for right in ("bs(b, df=5, degree=2)", "poly(b, 2)", "poly(b, degree=3)", "I(a*2 + 7)", "log(a + 10)"):
        check_formula(right, ["a", "b"])


def test_none_as_text_is_a_cluster_as_it_is_a_group():
    fields = {"a": ["x", "y"] * 20, "who": ["None", "nan", "me", "you"] * 10}
    assert estimate_effects(MODEL, NUMBERS, fields, "a", clusters="who").n_documents == 40
    assert estimate_effects(MODEL, NUMBERS, fields, "who").n_documents == 40


def test_a_document_that_decides_alone_has_its_own_number():
    fields = {"a": [None, None, *["x", "y"] * 18, "z", "x"], "b": [*range(40)]}
    with pytest.raises(ParameterError, match="document 38 alone decides"):
        estimate_effects(MODEL, NUMBERS, fields, "a")


def test_expected_takes_arrays_and_no_empty_list():
    found = estimate_effects(MODEL, NUMBERS, {"x": list(range(40))}, "x")
    assert len(found.expected("x", np.array([1.0, 2.0]))) == 4
    with pytest.raises(ParameterError, match="empty list"):
        found.expected("x", [])
