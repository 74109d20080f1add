"""minimise cᵀx subject to Rx ≥ 0, bᵀx = 1: the answer is feasible, optimal, and the one that HiGHS gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from cotopics.linalg import lp
from cotopics.linalg.lp import LPError, solve_lp


def cone(rng, n, k, density=1.0):
    """Rows of unit norm whose sum is b, so that Rx ≥ 0, bᵀx = 1 is bounded; sparse rows make degenerate vertices."""
    B = rng.exponential(size=(n, k)) * (rng.random((n, k)) < density)
    B[np.arange(k), np.arange(k)] += 0.1
    B = B @ rng.normal(size=(k, k))
    B = B[np.linalg.norm(B, axis=1) > 0]
    return B / np.linalg.norm(B, axis=1, keepdims=True), B.sum(axis=0)


def by_highs(c, R, b):
    return linprog(c, A_ub=-R, b_ub=np.zeros(len(R)), A_eq=b[None], b_eq=[1.0], bounds=(None, None))


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    k=st.integers(1, 8),
    extra=st.integers(1, 60),
    density=st.sampled_from([0.3, 0.6, 1.0]),
)
def test_agrees_with_highs(seed, k, extra, density):
    rng = np.random.default_rng(seed)
    R, b = cone(rng, k + extra, k, density)
    c = rng.normal(size=k)
    ours, theirs = solve_lp(c, R, b), by_highs(c, R, b)
    assert theirs.status == 0
    assert ours.value == pytest.approx(theirs.fun, rel=1e-6, abs=1e-7 * np.linalg.norm(c) * np.linalg.norm(theirs.x))
    assert b @ ours.x == pytest.approx(1)
    assert (R @ ours.x).min() >= -lp.FEASIBILITY_TOLERANCE * np.linalg.norm(ours.x) * 1.01


@pytest.mark.parametrize("density", [0.5, 1.0])
def test_the_certificate_holds_and_the_interior_point_method_finds_it(density):
    rng = np.random.default_rng(0)
    R, b = cone(rng, 3000, 25, density)
    for _ in range(5):
        solution = solve_lp(rng.normal(size=25), R, b)
        assert solution.method == "interior-point"
        assert solution.n_iter < 40
        assert solution.violation <= lp.FEASIBILITY_TOLERANCE
        assert solution.gap <= lp.MAX_GAP


def test_any_scale_of_objective_and_equation():
    rng = np.random.default_rng(1)
    R, b = cone(rng, 200, 6)
    c = rng.normal(size=6)
    x = solve_lp(c, R, b).x
    np.testing.assert_allclose(solve_lp(1e9 * c, R, b).x, x, rtol=1e-7)
    np.testing.assert_allclose(solve_lp(c, R, 1e-7 * b).x, 1e7 * x, rtol=1e-7)


def test_repeated_rows_change_nothing():
    rng = np.random.default_rng(2)
    R, b = cone(rng, 50, 5)
    c = rng.normal(size=5)
    assert solve_lp(c, np.vstack([R] * 20), b).value == pytest.approx(solve_lp(c, R, b).value)


def test_a_constant_objective_and_a_single_point():
    R, b = cone(np.random.default_rng(3), 30, 4)
    assert solve_lp(np.zeros(4), R, b).value == 0
    assert solve_lp(b, R, b).value == pytest.approx(1)  # cᵀx is 1 wherever bᵀx is
    assert solve_lp(np.array([3.0]), np.array([[1.0], [1.0]]), np.array([2.0])).x == pytest.approx([0.5])


def test_an_empty_interior_is_allowed():
    R = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]])  # x₁ = 0 is forced
    assert solve_lp(np.array([1.0, 2.0]), R, np.array([1.0, 1.0])).x == pytest.approx([0, 1], abs=1e-7)


def test_infeasible_and_unbounded_have_different_errors():
    R = np.array([[1.0, 0.0], [0.0, 1.0]])
    with pytest.raises(LPError, match="infeasible"):
        solve_lp(np.array([1.0, 1.0]), R, np.array([-1.0, -1.0]))
    with pytest.raises(LPError, match="unbounded"):
        solve_lp(np.array([-1.0, -1.0]), R, np.array([1.0, -1.0]))


def test_highs_is_used_if_the_certificate_fails(monkeypatch):
    R, b = cone(np.random.default_rng(4), 80, 5)
    c = np.arange(5.0) - 2
    expected = solve_lp(c, R, b)
    monkeypatch.setattr(lp, "_certified_gap", lambda *args: np.inf)
    fallen_back = solve_lp(c, R, b)
    assert fallen_back.method == "highs"
    assert fallen_back.value == pytest.approx(expected.value)
