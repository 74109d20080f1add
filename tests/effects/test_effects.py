"""Effects: planted truth comes back, errors are those of the textbook, and hostile formulas are refused."""

import numpy as np
import pytest

from cotopics import AnchorWords
from cotopics.effects import estimate_effects
from cotopics.effects.formula import check_formula
from cotopics.effects.least_squares import regress
from cotopics.effects.shares import word_weights
from cotopics.errors import ParameterError

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
