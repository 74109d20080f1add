"""Epsilon non-negative rectification: Lee et al. 2021, Algorithm 3."""

import numpy as np
import pytest

import reference
from conftest import planted_corpus
from cotopics import cooccurrence
from cotopics.anchors import PivotedQR
from cotopics.cooccur import Clipped, Cooccurrence
from cotopics.datasets import make_cooccurrence
from cotopics.errors import ParameterError
from cotopics.linalg import top_eigenpairs
from cotopics.linalg.thin_factors import relative_change
from cotopics.rectify import AlternatingProjection, EpsilonNonNegative
from cotopics.rectify.alternating_projection import missing_share


def estimate(**options):
    """A co-occurrence from few, short documents: much of its low-rank part is below zero."""
    C = cooccurrence(planted_corpus(**options)[0])
    return C.restrict(np.flatnonzero(C.row_sums() > 0))


@pytest.fixture(scope="module")
def small():
    return estimate(n_documents=80, length=10)


@pytest.fixture(scope="module")
def larger():
    return estimate(n_documents=150, n_words=250, n_topics=5, length=8)


class ProductsOnly(Cooccurrence):
    """A co-occurrence that can only be multiplied, and counts the products."""

    def __init__(self, C):
        self.C, self.columns = C, []

    shape = property(lambda self: self.C.shape)
    nbytes = 0

    def __matmul__(self, V):
        self.columns.append(V.shape[1] if V.ndim == 2 else 1)
        return self.C @ V

    def _refuse(self, *_):
        raise AssertionError("asked for more than products")

    rows = diagonal = toarray = restrict = squared_row_norms = _refuse


@pytest.mark.parametrize("n_rows", [20, 100, 1000])
@pytest.mark.parametrize("n_iter", [1, 5, 30])
def test_follows_the_papers_algorithm(larger, n_rows, n_iter):
    """One power step instead of a full eigendecomposition, E multiplied, not formed: measured difference ≤ 1.6e-3."""
    fast = EpsilonNonNegative(max_iter=n_iter, tolerance=0, n_rows=n_rows)(larger, 5)
    slow = reference.epsilon_non_negative(larger.toarray(), 5, n_iter, n_rows)
    assert relative_change(fast.C.Y / np.sqrt(larger.row_sums().sum()), slow) < 2e-3
    assert fast.n_iter == n_iter
    assert not fast.converged


@pytest.mark.parametrize("n_topics", [2, 4])
def test_follows_it_closer_if_the_first_eigenpairs_are_exact(small, n_topics):
    fast = EpsilonNonNegative(max_iter=20, tolerance=0)(small, n_topics)
    slow = reference.epsilon_non_negative(small.toarray(), n_topics, 20, 1000)
    assert relative_change(fast.C.Y / np.sqrt(small.row_sums().sum()), slow) < 5e-4


@pytest.mark.parametrize("problem", ["small", "larger"])
def test_the_anchors_of_alternating_projection(problem, request):
    C = request.getfixturevalue(problem)
    n_topics = {"small": 4, "larger": 5}[problem]
    thin, full = (rectifier(C, n_topics) for rectifier in (EpsilonNonNegative(), AlternatingProjection()))
    assert thin.converged
    assert full.converged
    assert PivotedQR()(thin.C, n_topics).words.tolist() == PivotedQR()(full.C, n_topics).words.tolist()
    difference = np.linalg.norm(thin.C.toarray() - full.C.toarray())
    assert difference < 5e-3 * np.linalg.norm(full.C.toarray())


def test_more_steps_need_no_more_products(larger):
    counts = []
    for max_iter in (1, 30):
        C = ProductsOnly(larger)
        EpsilonNonNegative(max_iter=max_iter, tolerance=0)(C, 5)
        counts.append(C.columns)
    assert counts[0] == counts[1]  # after the first eigenpairs C is not used again
    assert len(counts[0]) <= 22
    assert sum(columns == 1 for columns in counts[0]) == 1  # the row sums; all others are blocks


@pytest.mark.parametrize("problem", ["small", "larger"])
def test_permuting_words_permutes_the_factor(problem, request):
    """Exactly up to 200 words; beyond, the eigenpairs to start from are good to 1e-8."""
    C = request.getfixturevalue(problem).toarray()
    order = np.random.default_rng(0).permutation(len(C))
    plain, moved = (EpsilonNonNegative()(matrix, 4) for matrix in (C, C[np.ix_(order, order)]))
    assert relative_change(moved.C.Y, plain.C.Y[order]) < (1e-7 if problem == "small" else 1e-6)
    assert moved.n_iter == plain.n_iter
    assert (order[PivotedQR()(moved.C, 4).words] == PivotedQR()(plain.C, 4).words).all()


@pytest.mark.parametrize("n_rows", [1, 30, 150])
def test_epsilon_non_negativity(larger, n_rows):
    """Lee et al. 2021, section 3.1: with E, rows of the longest y_i are ≥ 0 and the others ≥ −ε, the next |y|²."""
    Y = EpsilonNonNegative(n_rows=n_rows)(larger, 5).C.Y
    squared = np.einsum("ij,ij->i", Y, Y)
    longest = np.argsort(-squared, kind="stable")
    corrected = Clipped(Y, longest[:n_rows]).toarray()
    assert corrected[longest[:n_rows]].min() >= 0
    assert corrected[:, longest[:n_rows]].min() >= 0
    assert corrected.min() >= -squared[longest[n_rows]]
    assert corrected.min() < 0  # some entries are negative, so the bound is not trivial


def test_with_all_rows_almost_nothing_stays_negative(small):
    left = {}
    for tolerance in (1e-3, 1e-5):
        rectified = EpsilonNonNegative(n_rows=small.shape[0], tolerance=tolerance, max_iter=1000)(small, 4)
        assert rectified.converged
        C = rectified.C.toarray()
        left[tolerance] = -C.min() / C.max()
        mass = rectified.history["negative_mass"]
        assert mass[-1] < mass[0]
    assert left[1e-5] < 3e-4  # measured 1.4e-4
    assert left[1e-5] < left[1e-3]


def test_the_result_is_low_rank_semidefinite_and_in_scale(small):
    C = small.toarray()
    rectified = EpsilonNonNegative()(1000 * C, 4)
    values = np.linalg.eigvalsh(rectified.C.toarray())
    assert np.abs(values[:-4]).max() <= 1e-13 * values[-1]
    assert np.isclose(rectified.C.toarray().sum(), 1000 * C.sum())


def test_one_step_is_not_called_converged(small):
    one = EpsilonNonNegative(max_iter=1)(small, 4)
    assert one.n_iter == 1
    assert not one.converged
    assert [len(values) for values in one.history.values()] == [1, 1, 1]
    assert one.history["change"][0] > 1e-4
    assert one.history["negative_mass"][0] > 0


def test_the_last_change_decides(small):
    rectified = EpsilonNonNegative(tolerance=1e-3)(small, 4)
    change = rectified.history["change"]
    assert rectified.converged
    assert change[-1] <= 1e-3 < min(change[:-1])
    assert len(change) == rectified.n_iter == len(rectified.history["negative_mass"])


def test_the_change_reported_is_that_of_the_product(small):
    """Steps 4 and 5 by two runs; the last scaling is to a sum of one, which both are within 1e-2 of."""
    Y, Z = (EpsilonNonNegative(max_iter=t, tolerance=0)(small, 4).C.toarray() for t in (4, 5))
    reported = EpsilonNonNegative(max_iter=5, tolerance=0)(small, 4).history["change"][-1]
    assert np.isclose(np.linalg.norm(Y - Z) / np.linalg.norm(Z), reported, rtol=0.2)


@pytest.mark.parametrize("uncorrelated", [False, True])
@pytest.mark.parametrize("n_words", [150, 500])
def test_a_matrix_with_the_right_structure_is_not_changed_even_with_zeros(n_words, uncorrelated):
    """Topics without common words make zeros, which are 1e-9 in single precision."""
    C, B, _ = make_cooccurrence(n_words, 5, density=0.3, random_state=1)
    if uncorrelated:
        C = B @ np.diag([0.1, 0.3, 0.2, 0.2, 0.2]) @ B.T
        assert (C == 0).mean() > 0.3
    rectified = EpsilonNonNegative()(C, 5)
    assert rectified.converged
    assert np.abs(rectified.C.toarray() - C).max() <= 1e-7 * C.max()


def test_more_topics_than_the_rank(small):
    C, _, _ = make_cooccurrence(250, 3, random_state=0)
    rectified = EpsilonNonNegative()(C, 6)
    assert np.isfinite(rectified.C.Y).all()
    assert np.allclose(rectified.C.toarray(), C, rtol=0, atol=1e-10 * C.max())


def test_invalid_options():
    for options in ({"max_iter": 0}, {"n_rows": 0}):
        with pytest.raises(ParameterError, match="must be at least 1"):
            EpsilonNonNegative(**options)


def test_relative_change_is_that_of_the_products(rng):
    Y, Z = rng.standard_normal((30, 4)), rng.standard_normal((30, 4))
    exact = np.linalg.norm(Y @ Y.T - Z @ Z.T) / np.linalg.norm(Z @ Z.T)
    assert np.isclose(relative_change(Y, Z), exact)
    assert np.isclose(
        relative_change(Y, Y + 1e-4 * Z), np.linalg.norm(Y @ Z.T + Z @ Y.T) * 1e-4 / np.linalg.norm(Y.T @ Y), rtol=1e-2
    )


def test_relative_change_ignores_signs_and_rotations(rng):
    Y = rng.standard_normal((30, 4))
    Q = np.linalg.qr(rng.standard_normal((4, 4)))[0]
    for same in (-Y, Y[:, ::-1], Y * [1, -1, 1, -1], Y @ Q, np.column_stack([Y, np.zeros(30)])):
        assert relative_change(Y, same) < 5e-8  # the square root of a rounding error: it is a difference of squares


def test_what_is_missing_is_divided_evenly_but_rounding_errors_are_not():
    assert missing_share(0.5, 10) == 0.005
    assert missing_share(-0.5, 10) == -0.005
    assert missing_share(1e-15, 10) == 0
    assert missing_share(1e-8, 10, rounding=1e-7) == 0


@pytest.mark.parametrize(
    ("problem", "n_topics"), [("small", 2), ("small", 4), ("small", 5), ("larger", 5), ("larger", 8)]
)
def test_given_eigenpairs_give_the_same(problem, n_topics, request):
    """Eigenpairs for 20 topics are enough for all smaller numbers. Measured difference by another block width: 9e-6."""
    C = request.getfixturevalue(problem)
    pairs = top_eigenpairs(C, 20)
    plain, given = EpsilonNonNegative()(C, n_topics), EpsilonNonNegative()(C, n_topics, start=pairs)
    assert relative_change(given.C.Y, plain.C.Y) < 5e-5
    assert given.C.Y.shape == plain.C.Y.shape
    assert given.n_iter == plain.n_iter
    words = PivotedQR()(plain.C, n_topics).words
    assert (PivotedQR()(given.C, n_topics).words == words).all()
    own = EpsilonNonNegative()(C, n_topics, start=top_eigenpairs(C, n_topics))
    assert relative_change(own.C.Y, plain.C.Y) < 1e-6


def test_too_few_eigenpairs_are_an_error(small):
    """A factor of three columns cannot have rank four."""
    pairs = top_eigenpairs(small, 3)
    assert EpsilonNonNegative(max_iter=2)(small, 3, start=pairs).C.Y.shape[1] == 3
    with pytest.raises(ParameterError, match=r"start has 3 eigenpairs, fewer than n_topics=4"):
        EpsilonNonNegative()(small, 4, start=pairs)


def test_with_given_eigenpairs_only_the_sums_of_the_matrix_are_used(larger):
    C, pairs = ProductsOnly(larger), top_eigenpairs(larger, 12)
    for n_topics in (3, 5, 12):
        EpsilonNonNegative(max_iter=5)(C, n_topics, start=pairs)
    assert C.columns == [1, 1, 1]
