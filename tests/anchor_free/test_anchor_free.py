"""Topics without anchor words: planted ones are found, both solvers agree, and odd input gets an answer or an error."""

import itertools

import numpy as np
import pytest
from scipy.optimize import nnls

from conftest import planted_corpus
from cotopics.anchor_free import ANCHOR_FREE, LinearPrograms, PenaltyDualSplitting, printed
from cotopics.anchor_free.problem import determinant_problem
from cotopics.cooccur import Dense, LowRank, cooccurrence
from cotopics.datasets import make_cooccurrence
from cotopics.errors import CooccurrenceError
from cotopics.metrics import match_topics

FAST = [name for name in ANCHOR_FREE if name != "printed"]  # that one takes thousands of steps; tests/contracts have it
every_solver = pytest.mark.parametrize("solver", [ANCHOR_FREE[name]() for name in FAST], ids=str)


def squared_errors(found, B, A):
    order = match_topics(found.B, B)
    return ((found.B[:, order] - B) ** 2).sum(), ((found.A[np.ix_(order, order)] - A) ** 2).sum()


def assert_is_valid(found, n_words, n_topics):
    assert found.B.shape == found.membership.shape == (n_words, n_topics)
    for values in (found.B, found.membership, found.prevalence, found.A):
        assert np.isfinite(values).all()
    assert (found.B >= 0).all()
    np.testing.assert_allclose(found.B.sum(axis=0), 1)
    assert found.prevalence.sum() == pytest.approx(1)
    assert (np.diff(found.prevalence) <= 1e-12).all()
    sums = found.membership.sum(axis=1)
    assert (np.isclose(sums, 1) | (sums == 0)).all()
    np.testing.assert_allclose(found.A, found.A.T)
    assert np.linalg.eigvalsh(found.A)[0] >= -1e-9 * np.abs(found.A).max()


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("n_topics", [5, 10, 20, 30])
@pytest.mark.parametrize("solver", ANCHOR_FREE)
def test_planted_topics_are_recovered(solver, n_topics, seed):
    """Fu et al. 2019, Table 2: both squared errors below 1e-8, without anchor words."""
    if solver == "printed" and n_topics > 10:
        pytest.skip("a minute each")
    C, B, A = make_cooccurrence(1000, n_topics, n_anchored=0, random_state=seed)
    found = ANCHOR_FREE[solver]()(C, n_topics)
    assert found.converged
    assert_is_valid(found, 1000, n_topics)
    assert max(squared_errors(found, B, A)) < 1e-8


@every_solver
def test_planted_topics_with_anchor_words_are_recovered(solver):
    C, B, A = make_cooccurrence(500, 12, n_anchored=6, random_state=3)
    assert max(squared_errors(solver(C, 12), B, A)) < 1e-8


def noisy_counts(rng, n_documents=800, n_words=300, n_topics=8, length=80):
    B = rng.dirichlet(np.full(n_words, 0.05), size=n_topics)
    W = rng.dirichlet(np.full(n_topics, 0.1), size=n_documents)
    return np.array([rng.multinomial(length, p / p.sum()) for p in W @ B])


def test_solvers_agree_on_estimated_statistics():
    C = cooccurrence(noisy_counts(np.random.default_rng(0)))
    by_lp, by_pds = LinearPrograms()(C, 8), PenaltyDualSplitting()(C, 8)
    assert by_pds.history["log_det"][-1] == pytest.approx(by_lp.history["log_det"][-1], abs=1e-3)
    assert np.abs(by_lp.B[:, match_topics(by_lp.B, by_pds.B)] - by_pds.B).max() < 1e-4
    assert by_lp.history["violation"][0] < 1e-8
    assert by_pds.history["clipped"][0] < 1e-8


def test_linear_programs_never_lower_the_determinant_and_end_at_the_best_vertices():
    """At the end no vertex of the feasible set makes |det| larger in any column: all vertices of a small problem."""
    C = cooccurrence(noisy_counts(np.random.default_rng(1), n_words=30, n_topics=4))
    found = LinearPrograms()(C, 3)
    assert (np.diff(found.history["log_det"]) >= -1e-9).all()
    problem = determinant_problem(C, 3)
    vertices = []
    for rows in itertools.combinations(range(len(problem.R)), 2):
        system = np.vstack([problem.R[list(rows)], problem.b])
        if abs(np.linalg.det(system)) > 1e-9:
            x = np.linalg.solve(system, [0, 0, 1])
            if (problem.R @ x >= -1e-9 * np.linalg.norm(x)).all():
                vertices.append(x)
    N = np.linalg.lstsq(problem.U, found.B, rcond=None)[0]
    for f in range(3):
        gains = np.linalg.solve(N.T, np.eye(3)[f]) @ np.array(vertices).T
        assert np.abs(gains).max() <= 1 + 1e-6


def test_splitting_meets_the_optimality_conditions():
    """Fu et al. 2019, Proposition 2: N⁻ᵀ is a sum of rows at their bound, with weights ≥ 0, and a multiple of b."""
    C = cooccurrence(noisy_counts(np.random.default_rng(2)))
    found, problem = PenaltyDualSplitting()(C, 6), determinant_problem(C, 6)
    N = np.linalg.lstsq(problem.U, found.B, rcond=None)[0]
    for f, a in enumerate(np.linalg.inv(N)):
        at_bound = problem.R[np.abs(problem.R @ N[:, f]) < 1e-6 * np.linalg.norm(N[:, f])]
        # aᵀx is largest at column f: a = νb − Σ y_i r_i with y ≥ 0
        columns = np.column_stack([-at_bound.T, problem.b, -problem.b])
        assert nnls(columns / np.linalg.norm(columns, axis=0), a)[1] < 1e-4 * np.linalg.norm(a)


@every_solver
def test_permuting_words_permutes_the_answer(solver):
    C = cooccurrence(noisy_counts(np.random.default_rng(3), n_words=150), representation="dense").toarray()
    order = np.random.default_rng(4).permutation(len(C))
    found, permuted = solver(C, 5), solver(np.ascontiguousarray(C[np.ix_(order, order)]), 5)
    np.testing.assert_allclose(permuted.B, found.B[order], atol=1e-5)
    np.testing.assert_allclose(permuted.A, found.A, atol=1e-4 * found.A.max())


@every_solver
@pytest.mark.parametrize("scale", [1e-9, 1e6])
def test_scaling_C_scales_A_and_leaves_B(solver, scale):
    C, _, _ = make_cooccurrence(200, 6, random_state=0)
    found, scaled = solver(C, 6), solver(scale * C, 6)
    np.testing.assert_allclose(scaled.B, found.B, atol=1e-7)
    np.testing.assert_allclose(scaled.A, scale * found.A, rtol=1e-4)


@every_solver
def test_the_same_input_gives_the_same_bits(solver):
    C, _, _ = make_cooccurrence(150, 9, random_state=1)
    first, second = solver(C, 9), solver(C, 9)
    assert np.array_equal(first.B, second.B)
    assert np.array_equal(first.A, second.A)


@every_solver
def test_representations_give_the_same_topics(solver):
    X = noisy_counts(np.random.default_rng(5))
    found = [solver(cooccurrence(X, representation=name), 6).B for name in ("dense", "sparse", "implicit")]
    np.testing.assert_allclose(found[1], found[0], atol=1e-6)
    np.testing.assert_allclose(found[2], found[0], atol=1e-6)


@every_solver
def test_badly_estimated_words_can_be_left_out_of_the_constraints(solver):
    C, B, A = make_cooccurrence(400, 5, random_state=6)
    rng = np.random.default_rng(6)
    E = np.zeros_like(C)
    E[-40:] = 0.3 * rng.random((40, 400)) * C[-40:].max()  # the last words' rows are wrong
    noisy = Dense(C + E + E.T)
    mask = np.arange(400) < 360
    free, kept = solver(noisy, 5, constrained=mask), solver(noisy, 5)
    assert_is_valid(free, 400, 5)
    assert np.array_equal(free.B, solver(noisy, 5, constrained=np.arange(360)).B)
    assert free.history["log_det"][-1] > kept.history["log_det"][-1]
    # on an exact matrix fewer constraints change nothing, if the others still determine the topics
    exact = solver(C, 5, constrained=mask)
    assert max(squared_errors(exact, B, A)) < 1e-8


@every_solver
def test_one_and_two_topics(solver):
    C, _, _ = make_cooccurrence(60, 2, random_state=0)
    one = solver(C, 1)
    assert_is_valid(one, 60, 1)
    u = np.abs(np.linalg.eigh(C)[1][:, -1])
    np.testing.assert_allclose(one.B[:, 0], u / u.sum(), atol=1e-9)
    assert_is_valid(solver(C, 2), 60, 2)


@every_solver
def test_as_many_topics_as_words(solver):
    found = solver(np.diag([0.5, 0.3, 0.2]), 3)
    np.testing.assert_allclose(found.B[:, match_topics(found.B, np.eye(3))], np.eye(3), atol=1e-6)
    np.testing.assert_allclose(np.diag(found.A), [0.5, 0.3, 0.2], atol=1e-6)


@every_solver
def test_too_low_a_rank_is_an_error_that_names_the_rank(solver):
    C, _, _ = make_cooccurrence(100, 4, random_state=0)
    with pytest.raises(CooccurrenceError, match=r"rank 4 .* n_topics=6.*at most 4 topics"):
        solver(C, 6)
    with pytest.raises(CooccurrenceError, match="rank 1"):  # one positive eigenvalue, the others negative
        solver(np.ones((5, 5)) - np.eye(5), 2)


@every_solver
def test_negative_eigenvalues_beyond_the_topics_do_no_harm(solver):
    C, B, _ = make_cooccurrence(200, 4, random_state=0)
    hollow = C - np.diag(np.diag(C))
    assert np.linalg.eigvalsh(hollow)[0] < 0
    found = solver(hollow, 4)
    assert_is_valid(found, 200, 4)
    assert np.abs(found.B[:, match_topics(found.B, B)] - B).sum(axis=0).max() < 0.5


@every_solver
def test_words_that_never_co_occur_are_in_no_topic(solver):
    C, _, _ = make_cooccurrence(300, 5, random_state=0)
    C[7], C[:, 7] = 0, 0
    found = solver(C, 5)
    assert (found.B[7] == 0).all()
    assert (found.membership[7] == 0).all()
    assert_is_valid(found, 300, 5)


@every_solver
def test_repeated_rows(solver):
    C, B, _ = make_cooccurrence(120, 4, random_state=0)
    words = np.r_[np.arange(120), np.full(80, 3)]
    found = solver(Dense(C[np.ix_(words, words)]), 4)
    assert_is_valid(found, 200, 4)
    repeated = B[words] / B[words].sum(axis=0)
    assert np.abs(found.B[:, match_topics(found.B, repeated)] - repeated).max() < 1e-5


@every_solver
def test_separate_blocks_of_words(solver):
    blocks = [make_cooccurrence(40, 2, random_state=seed)[0] for seed in (0, 1)]
    C = np.zeros((80, 80))
    C[:40, :40], C[40:, 40:] = blocks
    found = solver(C, 4)
    assert_is_valid(found, 80, 4)
    in_first = found.B[:40].sum(axis=0)
    assert np.isclose(in_first, 0, atol=1e-5).sum() == np.isclose(in_first, 1, atol=1e-5).sum() == 2


@every_solver
def test_a_thin_factor_is_enough(solver):
    C, B, A = make_cooccurrence(300, 6, random_state=2)
    values, vectors = np.linalg.eigh(C)
    Y = vectors[:, -6:] * np.sqrt(values[-6:])
    assert max(squared_errors(solver(LowRank(Y), 6), B, A)) < 1e-8


@every_solver
@pytest.mark.parametrize(
    ("C", "reason"),
    [
        (np.array([[1.0, 2.0], [0.0, 1.0]]), "not symmetric"),
        (np.array([[1.0, np.nan], [np.nan, 1.0]]), "NaN"),
        (np.zeros((3, 3)), "zero"),
        (np.ones((2, 3)), "square"),
        (np.eye(2), "n_topics=3"),
    ],
)
def test_what_cannot_be_factored_is_an_error_with_a_reason(solver, C, reason):
    with pytest.raises(CooccurrenceError, match=reason):
        solver(C, 3)


@every_solver
def test_too_few_constrained_words_are_refused(solver):
    C, _, _ = make_cooccurrence(50, 4, random_state=0)
    with pytest.raises(CooccurrenceError, match="Constrain more words"):
        solver(C, 4, constrained=[0, 1, 2])
    with pytest.raises(ValueError, match="mask"):
        solver(C, 4, constrained=np.ones(3, dtype=bool))


@pytest.mark.parametrize(
    ("splitting", "slow"), [(PenaltyDualSplitting, {}), (printed.PrintedSplitting, {"max_steps": 200})]
)
def test_splitting_can_stop_early(splitting, slow):
    C = cooccurrence(noisy_counts(np.random.default_rng(7)))
    early, late = splitting(clipped=0.01, **slow)(C, 8), splitting(**slow)(C, 8)
    assert early.n_iter < late.n_iter
    assert 0 < early.history["clipped"][0] <= 0.01
    assert early.converged
    assert_is_valid(early, 300, 8)


def test_the_printed_step_minimises_what_is_printed(rng):
    """Eq. 23: no other point of the plane bᵀM = 1ᵀ has a lower value of the local model."""
    C = make_cooccurrence(80, 4, random_state=1)[0]
    state = printed._State(determinant_problem(C, 4), rho=0.3, c=0.5, epsilon=1e-3, eta=1.0, mu=0.2)
    state.U = rng.standard_normal(state.U.shape)
    state.Z = np.maximum(state.R @ state.N + state.rho * state.U, 0)

    def model(M):
        gap = state.R @ M - state.Z + state.rho * state.U
        linear = -np.vdot(np.linalg.inv(state.N).T, M)
        return linear + state.mu / 2 * np.sum((M - state.N) ** 2) + np.sum(gap**2) / (2 * state.rho)

    best = state._minimiser()
    assert np.allclose(state.b @ best, 1)
    for _ in range(50):
        D = rng.standard_normal((4, 4))
        D -= np.outer(state.b, state.b @ D)  # ‖b‖ = 1
        assert model(best + 0.01 * D) > model(best)


def test_both_splittings_find_the_same_topics():
    C = cooccurrence(planted_corpus()[0], weighting="balanced")
    one, other = PenaltyDualSplitting()(C, 4), printed.PrintedSplitting()(C, 4)
    assert np.allclose(other.B[:, match_topics(other.B, one.B)], one.B, atol=1e-5)
    assert sum(other.history["steps"]) > 10 * sum(one.history["steps"])
