"""Rectification by proximal alternating linearised minimisation: Lee et al. 2021, section 3.2."""

import numpy as np
import pytest

from conftest import planted_corpus
from cotopics import cooccurrence
from cotopics.cooccur import Cooccurrence, Dense
from cotopics.datasets import make_cooccurrence
from cotopics.errors import ParameterError
from cotopics.linalg import eigen, top_eigenpairs
from cotopics.linalg.thin_factors import relative_change
from cotopics.rectify import ProximalMinimisation, palm


@pytest.fixture(scope="module")
def C():
    C = cooccurrence(planted_corpus(n_documents=80, length=10)[0]).toarray()
    used = C.sum(axis=1) > 0
    return C[np.ix_(used, used)]


@pytest.fixture
def watched(monkeypatch):
    """The result of every half step of a run: X₁, Y₁, X₂, Y₂, …"""
    made = []
    step = ProximalMinimisation._step

    def recording(self, *args):
        made.append(step(self, *args))
        return made[-1].copy()

    monkeypatch.setattr(ProximalMinimisation, "_step", recording)
    return made


def objective(C, X, Y, s):
    """Lee et al. 2021, Eq. 2, for a C whose entries sum to one."""
    return 0.5 * np.sum((C / C.sum() - X @ Y.T) ** 2) + 0.5 * s * np.sum((X - Y) ** 2)


def gradient(C, X, Y, s):
    """∇_X J of Lee et al. 2021, section 3.2; with X and Y exchanged, ∇_Y J."""
    return (X @ Y.T - C / C.sum()) @ Y + s * (X - Y)


@pytest.mark.parametrize("inertia", [0.0, 0.2, 0.5])
@pytest.mark.parametrize("max_iter", [1, 2, 5, 20, 100])
def test_the_factor_is_never_negative(C, max_iter, inertia, watched):
    rectified = ProximalMinimisation(max_iter=max_iter, tolerance=0, inertia=inertia)(C, 4)
    assert rectified.C.Y.min() >= 0
    assert min(made.min() for made in watched) >= 0
    assert len(watched) == 2 * max_iter == 2 * rectified.n_iter
    assert np.isclose(rectified.C.toarray().sum(), C.sum())
    assert np.linalg.eigvalsh(rectified.C.toarray())[0] >= -1e-15


@pytest.mark.parametrize("coupling", [1e-6, 1e-4, 1e-2, 1])
def test_the_objective_never_increases(C, watched, coupling):
    """From the first pair of non-negative factors on, in every half step."""
    ProximalMinimisation(max_iter=60, tolerance=0, coupling=coupling)(C, 4)
    pairs = zip(watched[::2], watched[1::2], strict=True)
    J, Y_old = [], None
    for X, Y in pairs:
        if Y_old is not None:
            J.append(objective(C, X, Y_old, coupling))
        J.append(objective(C, X, Y, coupling))
        Y_old = Y
    assert (np.diff(J) <= 1e-15 * J[0]).all()
    assert J[-1] < 0.99 * J[0]


def test_longer_runs_begin_with_the_same_steps(C, watched):
    """max_iter and tolerance only decide when to stop."""
    ProximalMinimisation(max_iter=20, tolerance=0)(C, 4)
    long = [made.copy() for made in watched]
    watched.clear()
    rectified = ProximalMinimisation(max_iter=5)(C, 4)
    assert all((a == b).all() for a, b in zip(watched, long[:10], strict=True))
    assert np.allclose(rectified.C.Y / np.linalg.norm(rectified.C.Y), long[8] / np.linalg.norm(long[8]), atol=1e-14)


def test_it_ends_where_no_direction_improves(C, watched):
    """The gradient is zero where an entry is positive, and not negative where it is zero."""
    s = 1e-4
    rectified = ProximalMinimisation(max_iter=20_000, tolerance=3e-8)(C, 3)
    assert rectified.converged

    def slope(X, Y):
        parts = [(V, gradient(C, V, U, s)) for V, U in ((X, Y), (Y, X))]
        return max(np.abs(np.where(V > 0, G, np.minimum(G, 0))).max() for V, G in parts)

    assert slope(*watched[-2:]) < 1e-4 * slope(*watched[:2])
    X, Y = watched[-2:]
    assert np.linalg.norm(X - Y) < 1e-3 * np.linalg.norm(X)


@pytest.mark.parametrize(("n_words", "n_topics", "near"), [(100, 1, 1e-6), (250, 3, 0.01), (250, 12, 0.08)])
def test_near_an_exact_cooccurrence(n_words, n_topics, near):
    """Measured, relative to ‖C‖: 1e-16, 0.003 to 0.007 and 0.04 to 0.05 with the usual tolerance."""
    C, _, _ = make_cooccurrence(n_words, n_topics, n_anchored=n_topics, random_state=0)
    rectified = ProximalMinimisation()(C, n_topics)
    assert rectified.converged
    assert np.linalg.norm(rectified.C.toarray() - C) < near * np.linalg.norm(C)


def test_nearer_with_more_steps():
    """With three topics the distance becomes as small as wanted: measured 3e-6 after 300 steps."""
    C, _, _ = make_cooccurrence(250, 3, n_anchored=3, random_state=0)
    rectified = ProximalMinimisation(max_iter=2000, tolerance=1e-7)(C, 3)
    assert rectified.converged
    assert np.linalg.norm(rectified.C.toarray() - C) < 2e-5 * np.linalg.norm(C)


def test_signs_of_the_first_eigenvectors_are_fixed(C, monkeypatch):
    """An eigensolver may return −v for v. With the signs fixed, at least half of each column survives clipping."""
    expected = ProximalMinimisation(max_iter=20, tolerance=0)(C, 4).C.Y
    decompose = eigen.scipy.linalg.eigh

    def flipped(*args, **kwargs):
        values, vectors = decompose(*args, **kwargs)
        return values, vectors * np.where(np.arange(len(values)) % 3, -1, 1)

    monkeypatch.setattr(eigen.scipy.linalg, "eigh", flipped)
    assert (expected == ProximalMinimisation(max_iter=20, tolerance=0)(C, 4).C.Y).all()


def test_wrong_signs_would_lose_the_start(C):
    """Why they are fixed: with the other sign, the leading vector would be clipped to zero."""
    V = top_eigenpairs(C, 4).vectors
    assert (np.sum(np.maximum(V, 0) ** 2, axis=0) >= 0.5).all()
    assert (np.maximum(-V[:, 0], 0) == 0).all()


@pytest.mark.parametrize("inertia", [0.1, 0.2, 0.5])
def test_inertia_reaches_an_objective_as_low(C, watched, inertia):
    ends = []
    for a in (0.0, inertia):
        watched.clear()
        ProximalMinimisation(max_iter=300, tolerance=0, inertia=a)(C, 4)
        ends.append(objective(C, *watched[-2:], 1e-4))
    assert ends[1] <= 1.01 * ends[0]


def test_two_products_per_step_and_nothing_else(C):
    class ProductsOnly(Cooccurrence):
        shape = C.shape
        nbytes = count = 0

        def __matmul__(self, V):
            type(self).count += 1
            return C @ V

        def _refuse(self, *_):
            raise AssertionError("asked for more than products")

        rows = diagonal = toarray = restrict = squared_row_norms = _refuse

    ProximalMinimisation(max_iter=7, tolerance=0)(ProductsOnly(), 4)
    assert ProductsOnly.count == 2 + 2 * 7  # the row sums, the start, and two per step


def test_permuting_words_permutes_the_factor(C):
    order = np.random.default_rng(0).permutation(len(C))
    plain, moved = (ProximalMinimisation()(matrix, 4) for matrix in (C, C[np.ix_(order, order)]))
    assert moved.n_iter == plain.n_iter
    assert np.allclose(moved.C.Y, plain.C.Y[order], rtol=0, atol=1e-9 * plain.C.Y.max())


def test_the_last_change_decides_and_one_step_does_not_converge(C, watched):
    rectified = ProximalMinimisation()(C, 4)
    change = rectified.history["change"]
    assert rectified.converged
    assert len(change) == rectified.n_iter
    assert change[-1] <= 5e-4 < min(change[:-1])
    assert change[-1] == relative_change(watched[-4], watched[-2])
    one = ProximalMinimisation(max_iter=1)(C, 4)
    assert (one.n_iter, one.converged, len(one.history["change"])) == (1, False, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_iter": 0}, "at least 1"),
        ({"coupling": 0}, "above 0"),
        ({"inertia": 1}, "below 1"),
        ({"inertia": -0.1}, "0"),
    ],
)
def test_invalid_options(options, message):
    with pytest.raises(ParameterError, match=message):
        ProximalMinimisation(**options)


@pytest.mark.parametrize("inertia", [0.0, 0.2, 0.5])
def test_a_step_by_hand(C, inertia):
    """Convergence needs γ > 1. With inertia a step starts ahead, and L is multiplied by (1 + 2a)/(2 − 2a)."""
    assert palm.GAMMA > 1
    s = 1e-4
    X_old = np.maximum(top_eigenpairs(C / C.sum(), 4).vectors, 0)
    X, Y = 0.9 * X_old, X_old + 0.01
    L = np.linalg.norm(Y.T @ Y + s * np.eye(4), 2)  # Lemma 1
    ahead = X + inertia * (X - X_old)
    c = palm.GAMMA * L * max(1, (1 + 2 * inertia) / (2 - 2 * inertia))
    made = ProximalMinimisation(inertia=inertia)._step(Dense(C), C.sum(), X, X_old, Y)
    assert np.allclose(made, np.maximum(ahead - gradient(C, ahead, Y, s) / c, 0), rtol=0, atol=1e-14)
