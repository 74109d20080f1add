"""An approximate inverse by linear programs, against HiGHS and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from cotopics.top import l1_inverse as module
from cotopics.top.l1_inverse import by_highs, l1_inverse, proven


def symmetric(K, seed, condition=10.0, *, negative=False):
    """A random symmetric matrix with singular values from 1 to 1/condition; `negative`: not positive definite."""
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.normal(size=(K, K)))
    values = np.geomspace(1, 1 / condition, K)
    if negative:
        values *= rng.choice([-1, 1], size=K)
    theta = (Q * values) @ Q.T
    return (theta + theta.T) / 2


def anchors_cooccurrence(K, seed):
    """Θ_LL as TOP meets it: non-negative, heavy on its diagonal, tokens per thousand."""
    rng = np.random.default_rng(seed)
    W = rng.dirichlet(np.full(K, 0.3), size=20 * K)
    a = rng.uniform(0.5, 3, size=K) * 5
    return np.outer(a, a) * (W.T @ W) / len(W) * K**2


def check_optimal(theta, found, lam, exact=1e-6):
    """Every column satisfies its constraints with the smallest t.

    ‖ω‖₁ is t unless Θ is (nearly) singular: then ω may be shorter, if the error is at most λt.
    """
    for k, omega in enumerate(found.omega.T):
        t, _ = reference.l1_column(theta, k, lam)
        norm = np.abs(omega).sum()
        error = np.abs(theta @ omega - np.eye(len(theta))[k]).sum()
        assert np.isclose(max(norm, error / lam), t, rtol=exact, atol=exact / lam)
        assert norm <= t * (1 + exact)


@settings(max_examples=40, deadline=None)
@given(
    K=st.integers(1, 9),
    seed=st.integers(0, 10**6),
    lam=st.floats(-6, 2).map(lambda e: 10.0**e),
    condition=st.sampled_from([2.0, 100.0]),
    negative=st.booleans(),
)
def test_agrees_with_the_program_as_it_is_written(K, seed, lam, condition, negative):
    theta = symmetric(K, seed, condition, negative=negative)
    found = l1_inverse(theta, lam)
    check_optimal(theta, found, lam)
    for k in range(K):
        assert np.abs(theta @ found.omega[:, k] - np.eye(K)[k]).sum() <= lam * np.abs(found.omega[:, k]).sum() + 1e-6
        highs = by_highs(theta, k, lam)[0]
        assert np.isclose(np.abs(found.omega[:, k]).sum(), np.abs(highs).sum(), rtol=1e-6)


@settings(max_examples=15, deadline=None)
@given(
    K=st.integers(2, 8),
    seed=st.integers(0, 10**6),
    condition=st.sampled_from([1e6, 1e10, 1e15]),
    lam=st.sampled_from([1e-3, 1e-1, 1.0]),
)
def test_badly_conditioned(K, seed, condition, lam):
    """The inverse is huge or meaningless there, but the program is well posed. HiGHS is right to 1e-7/τ."""
    theta = symmetric(K, seed, condition)
    check_optimal(theta, l1_inverse(theta, lam), lam, exact=1e-3)


@settings(max_examples=15, deadline=None)
@given(K=st.integers(1, 25), seed=st.integers(0, 10**6), share=st.sampled_from([1e-5, 1e-3, 0.02, 0.3]))
def test_ordinary_problems_are_solved_without_highs(K, seed, share):
    theta = anchors_cooccurrence(K, seed)
    lam = share * np.abs(theta).sum(axis=1).max()
    found = l1_inverse(theta, lam)
    assert found.n_highs == 0
    for k in range(0, K, 6):
        t = reference.l1_column(theta, k, lam)[0]
        assert np.isclose(np.abs(found.omega[:, k]).sum(), t, rtol=1e-6)


@pytest.mark.parametrize("K", [1, 2, 7, 30])
def test_without_tolerance_it_is_the_inverse(K):
    theta = symmetric(K, 3, 50.0)
    found = l1_inverse(theta, 0.0)
    assert np.allclose(found.omega, np.linalg.inv(theta))
    assert (found.n_iter, found.n_highs) == (0, 0)


@pytest.mark.parametrize("K", [1, 5, 12])
def test_a_tiny_tolerance_is_nearly_the_inverse(K):
    theta = symmetric(K, 1, 20.0)
    inverse = np.linalg.inv(theta)
    assert np.allclose(l1_inverse(theta, 1e-12).omega, inverse, atol=1e-7)
    norms = np.abs(inverse).sum(axis=0)
    for lam in (1e-9, 1e-4, 1e-2):  # a larger tolerance, a smaller norm
        smaller = np.abs(l1_inverse(theta, lam).omega).sum(axis=0)
        assert (smaller <= norms * (1 + 1e-12)).all()
        assert (smaller < norms).all()
        norms = smaller


@pytest.mark.parametrize("lam", [1e-6, 0.1, 1.0, 50.0])
@pytest.mark.parametrize("theta", [4.0, -0.3])
def test_one_by_one(theta, lam):
    """1 − θω = λ|ω|, so ω is 1/(|θ| + λ) with the sign of θ."""
    found = l1_inverse(np.array([[theta]]), lam)
    assert np.isclose(found.omega[0, 0], np.sign(theta) / (abs(theta) + lam))


@pytest.mark.parametrize("lam", [0.01, 0.5, 2.0])
def test_diagonal_matrices_by_hand(lam):
    """Only one entry: any other would increase norm and error."""
    d = np.array([5.0, 3.0, 10.0])
    assert np.allclose(l1_inverse(np.diag(d), lam).omega, np.diag(1 / (d + lam)))


def test_columns_are_columns():
    """‖Θω_k − e_k‖, not ‖Θω_k − e_j‖, and Θ rather than its transpose."""
    rng = np.random.default_rng(0)
    theta = rng.normal(size=(5, 5)) + 4 * np.eye(5)
    assert np.allclose(l1_inverse(theta, 0.0).omega, np.linalg.inv(theta))
    check_optimal(theta, l1_inverse(theta, 0.05), 0.05)
    assert np.allclose(l1_inverse(theta, 1e-13).omega, np.linalg.inv(theta), atol=1e-8)


def test_scaling():
    """With ω for (Θ, λ), ω/s is for (sΘ, sλ)."""
    theta = anchors_cooccurrence(8, 0)
    found = l1_inverse(theta, 0.3).omega
    for s in (1e-6, 1e-3, 1e4):
        assert np.allclose(l1_inverse(s * theta, s * 0.3).omega * s, found, rtol=1e-6, atol=1e-9)


def test_permuting_permutes():
    theta, order = anchors_cooccurrence(10, 2), np.random.default_rng(0).permutation(10)
    found = l1_inverse(theta, 0.2).omega
    assert np.allclose(l1_inverse(theta[np.ix_(order, order)], 0.2).omega, found[np.ix_(order, order)], atol=1e-9)


@pytest.mark.parametrize("rows", [[[1.0, 1.0], [1.0, 1.0]], [[0.0]], [[2.0, 0, 0], [0, 0, 0], [0, 0, 1.0]]])
def test_singular(rows):
    theta = np.array(rows)
    with pytest.raises(np.linalg.LinAlgError):
        l1_inverse(theta, 0.0)
    if np.abs(theta).max() > 0:
        for lam in (0.05, 0.6):
            check_optimal(theta, l1_inverse(theta, lam), lam)


@settings(max_examples=25, deadline=None)
@given(K=st.integers(1, 8), seed=st.integers(0, 10**6), lam=st.sampled_from([1e-3, 0.05, 1.0]))
def test_a_proof_holds_only_for_the_best(K, seed, lam):
    theta = symmetric(K, seed)
    k = seed % K
    _, omega = reference.l1_column(theta, k, lam)
    y = dual(theta, k, lam)
    assert proven(theta, omega, y, k, lam)
    assert not proven(theta, 1.001 * np.linalg.inv(theta)[:, k], y, k, lam)  # keeps (42), and is too long
    assert not proven(theta, 0.99 * omega, y, k, lam)  # too short to keep (42)
    assert not proven(theta, omega, 2 * y, k, lam)  # y_k is not one
    assert not proven(theta, omega, np.full(K, np.nan), k, lam)
    assert not proven(theta, np.full(K, np.inf), y, k, lam)


def dual(theta, k, lam):
    """min ‖Θᵀy‖_∞ + λ‖y‖_∞ with y_k = 1, as a program of its own."""
    from scipy.optimize import linprog

    K = len(theta)
    one, zero, I = np.ones((K, 1)), np.zeros((K, 1)), np.eye(K)
    A_ub = np.block([[theta.T, -one, zero], [-theta.T, -one, zero], [I, zero, -one], [-I, zero, -one]])
    result = linprog(
        [*np.zeros(K), 1, lam],
        A_ub=A_ub,
        b_ub=np.zeros(4 * K),
        A_eq=[[*I[k], 0, 0]],
        b_eq=[1],
        bounds=[(None, None)] * K + [(0, None)] * 2,
    )
    return result.x[:K]


def test_what_the_fast_way_cannot_prove_is_solved_again(monkeypatch):
    theta = anchors_cooccurrence(5, 0)
    expected = l1_inverse(theta, 0.1)
    assert expected.n_highs == 0
    monkeypatch.setattr(module, "proven", lambda *arguments: False)
    again = l1_inverse(theta, 0.1)
    assert again.n_highs == 5
    assert np.allclose(np.abs(again.omega).sum(axis=0), np.abs(expected.omega).sum(axis=0), rtol=1e-7)
    monkeypatch.undo()
    monkeypatch.setattr(module, "MAX_STEPS_PER_ROW", 0)  # no step is enough
    assert l1_inverse(theta, 0.1).n_highs == 5


def test_the_matrix_is_not_changed():
    theta = anchors_cooccurrence(6, 0)
    kept = theta.copy()
    l1_inverse(theta, 0.1)
    assert (theta == kept).all()
    assert np.allclose(l1_inverse(np.asfortranarray(theta), 0.1).omega, l1_inverse(theta, 0.1).omega)


@pytest.mark.parametrize("exponent", [-80, -20, 1, 60])
def test_powers_of_two_change_no_bit(exponent):
    """Numbers are brought near one before anything is compared with a tolerance."""
    theta, s = anchors_cooccurrence(12, 4), 2.0**exponent
    found, scaled = l1_inverse(theta, 0.3), l1_inverse(s * theta, s * 0.3)
    assert (scaled.omega * s == found.omega).all()
    assert (scaled.n_iter, scaled.n_highs) == (found.n_iter, found.n_highs)
    assert found.n_iter > 0
    assert (l1_inverse(s * theta, 0.0).omega * s == l1_inverse(theta, 0.0).omega).all()


def test_rounding_does_not_decide_between_several_best_vertices():
    """In similar documents, words meet equally often: then many columns of a program are equally good."""
    base = np.kron(np.eye(2), np.ones((2, 2))) + 2 * np.eye(4)
    rng = np.random.default_rng(0)
    expected = l1_inverse(base / 3, 0.3).omega
    for _ in range(50):
        shaken = base / 3 * (1 + 2e-16 * rng.integers(-2, 3, size=(4, 4)))
        assert (l1_inverse(shaken, 0.3 * (1 + 2e-16 * rng.integers(-2, 3))).omega == expected).all()
