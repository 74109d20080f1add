import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cotopics.linalg import eigen, fix_signs, orthonormal, top_eigenpairs


def symmetric(rng, n, values):
    Q = np.linalg.qr(rng.standard_normal((n, n)))[0]
    return (Q * values) @ Q.T


@pytest.mark.parametrize("n", [30, 400])
def test_largest_by_value_not_by_magnitude(rng, n):
    values = np.concatenate([[-9.0, -5.0], np.linspace(0, 4, n - 2)])
    C = symmetric(rng, n, values)
    pairs = top_eigenpairs(C, 3)
    assert np.allclose(pairs.values, np.sort(values)[::-1][:3])
    assert np.allclose(C @ pairs.vectors, pairs.vectors * pairs.values, atol=1e-8)
    assert np.allclose(pairs.vectors.T @ pairs.vectors, np.eye(3), atol=1e-10)


def test_warm_start_finds_the_pairs_of_the_nearby_problem(rng):
    values = np.concatenate([[5.0, 4.0, 3.0], 0.1 * rng.random(397)])
    C = symmetric(rng, 400, values)
    noise = rng.standard_normal(C.shape)
    D = C + 1e-3 * (noise + noise.T)
    warm = top_eigenpairs(D, 3, start=top_eigenpairs(C, 3).block)
    cold = top_eigenpairs(D, 3)
    assert np.allclose(warm.values, cold.values, rtol=1e-9)
    assert np.allclose(warm.vectors, cold.vectors, atol=1e-7)
    assert warm.residual <= 1e-10


def test_a_useless_start_still_gives_the_right_pairs(rng):
    C = symmetric(rng, 300, np.linspace(-1, 1, 300))  # no gap: subspace iteration does not converge
    pairs = top_eigenpairs(C, 2, start=rng.standard_normal((300, 4)))
    assert np.allclose(pairs.values, [1, 299 / 299 - 2 / 299], atol=1e-8)


def test_same_signs_every_time(rng):
    C = symmetric(rng, 300, rng.random(300))
    first, second = top_eigenpairs(C, 4), top_eigenpairs(C, 4)
    assert (first.vectors == second.vectors).all()
    assert np.allclose(fix_signs(-first.vectors), first.vectors)


@pytest.mark.parametrize("n_documents", [12, 20, 40, 60])
@pytest.mark.parametrize("tolerance", [1e-3, 1e-10])
def test_fewer_documents_than_the_basis_has_vectors(rng, n_documents, tolerance, monkeypatch):
    """The basis soon spans the range of C: the next block is rounding errors, which must not be used as vectors."""
    monkeypatch.setattr(eigen, "_lanczos", None)
    H = rng.standard_normal((400, n_documents)) * np.geomspace(1, 1e-3, n_documents)
    pairs = top_eigenpairs(H @ H.T, 10, tolerance=tolerance)
    assert np.allclose(pairs.vectors.T @ pairs.vectors, np.eye(10), atol=1e-8)
    assert np.allclose(pairs.values, np.linalg.eigvalsh(H.T @ H)[::-1][:10], atol=2 * tolerance * pairs.values[0])


@pytest.mark.parametrize(("rank", "products"), [(30, 4), (45, 5)])
def test_a_basis_that_holds_all_of_a_matrix_is_seen_at_once(rng, rank, products, monkeypatch):
    """With whole blocks of it: what is left is rounding errors in all directions, sooner than residuals foretell."""
    monkeypatch.setattr(eigen, "_lanczos", None)
    Q, values = orthonormal(rng.standard_normal((400, rank))), np.geomspace(1, 0.1, rank)
    operator = Counted((Q * values) @ Q.T)
    pairs = top_eigenpairs(operator, 10, tolerance=1e-3)
    assert len(operator.blocks) <= products
    assert np.abs(pairs.values - values[:10]).max() < 1e-12
    assert np.abs(pairs.vectors.T @ pairs.vectors - np.eye(10)).max() < 1e-12


def test_small_matrices_in_single_precision_are_decomposed_in_double(rng):
    C = symmetric(rng, 30, np.linspace(1, 2, 30)).astype(np.float32)
    pairs, double = top_eigenpairs(C, 3), top_eigenpairs(C.astype(np.float64), 3)
    assert pairs.values.dtype == np.float64
    assert (pairs.values == double.values).all()


@pytest.mark.parametrize("k", [0, 4])
def test_impossible_number_of_pairs(k):
    with pytest.raises(ValueError, match="order 3"):
        top_eigenpairs(np.eye(3), k)


class Counted:
    """An operator that records the number of columns of every product."""

    def __init__(self, C):
        self.C, self.shape, self.blocks = C, C.shape, []

    def __matmul__(self, V):
        self.blocks.append(V.shape[1] if V.ndim == 2 else 1)
        return self.C @ V


def reflected(rng, values):
    """A symmetric matrix with these eigenvalues: a diagonal one, reflected a few times."""
    C = np.diag(values)
    for _ in range(3):
        u = rng.standard_normal(len(values))
        u /= np.linalg.norm(u)
        C = C - 2 * np.outer(u, u @ C)
        C = C - 2 * np.outer(C @ u, u)
    return (C + C.T) / 2


def decaying(n):
    return np.concatenate([0.7 ** np.arange(n // 2), -0.3 * 0.9 ** np.arange(n - n // 2)])


SPECTRA = {
    "decaying": decaying,
    "large negative": lambda n: np.concatenate([[-50, -40, -30.0], np.linspace(0, 1, n - 3) ** 8]),
    "clustered": lambda n: np.concatenate(
        [1 + 1e-6 * np.linspace(0, 1, 12), 0.5 + 1e-4 * np.linspace(0, 1, 60), np.linspace(-0.1, 0.1, n - 72)]
    ),
    "repeated": lambda n: np.repeat([1, 0.8, 0.3, 0, -3.0], [3, 4, 70, n - 97, 20]),
    "rank 3": lambda n: np.concatenate([[1, 0.7, 0.2], np.zeros(n - 5), [-5, -1e-3]]),
    "all below zero": lambda n: -(np.linspace(0, 1, n) ** 2),
    "without a gap": lambda n: np.linspace(-1, 1, n),
}


@pytest.mark.parametrize(("k", "tolerance"), [(1, 1e-3), (1, 1e-10), (10, 1e-3), (10, 1e-10), (50, 1e-8)])
@pytest.mark.parametrize("name", SPECTRA)
def test_agrees_with_lapack(rng, name, k, tolerance):
    """The pairs of a full decomposition, to the tolerance, and a residual that is not smaller than the true one."""
    values = SPECTRA[name](400)
    C = reflected(rng, values)
    pairs = top_eigenpairs(C, k, tolerance=tolerance)
    size = np.abs(values).max()
    assert np.abs(pairs.values - np.sort(values)[::-1][:k]).max() <= max(tolerance, 1e-13) * size
    assert np.abs(pairs.vectors.T @ pairs.vectors - np.eye(k)).max() <= 1e-11
    true = np.linalg.norm(C @ pairs.vectors - pairs.vectors * pairs.values, axis=0).max() / size
    assert true <= 1.01 * pairs.residual + 1e-14
    assert pairs.residual <= tolerance
    assert pairs.vectors.shape == (400, k)
    assert pairs.block.shape[1] > k


@pytest.mark.parametrize(("n", "k"), [(201, 1), (373, 50), (451, 60), (1500, 10)])
def test_just_above_the_dense_limit_and_far_above(rng, n, k):
    C = reflected(rng, decaying(n))
    operator = Counted(C)
    pairs = top_eigenpairs(operator, k)
    assert max(operator.blocks) < n  # not by a full decomposition
    assert np.abs(pairs.values - decaying(n)[:k]).max() <= 1e-12
    assert pairs.residual <= 1e-10


def test_up_to_the_dense_limit_one_product_with_the_identity(rng):
    operator = Counted(reflected(rng, decaying(200)))
    top_eigenpairs(operator, 3)
    assert operator.blocks == [200]


@pytest.mark.parametrize("blocks", [3, 4])
@pytest.mark.parametrize("name", ["decaying", "large negative", "clustered", "repeated"])
def test_restarts_lose_nothing(rng, monkeypatch, name, blocks):
    values = SPECTRA[name](400)
    C = reflected(rng, values)
    monkeypatch.setattr(eigen, "BASIS_BLOCKS", blocks)
    monkeypatch.setattr(eigen, "MAX_PRODUCTS", 300)  # so that Lanczos is not used
    operator = Counted(C)
    pairs = top_eigenpairs(operator, 10)
    assert min(operator.blocks) > 10
    if name != "repeated":
        assert len(operator.blocks) > blocks + 1  # the basis was full before the end
    assert np.abs(pairs.values - np.sort(values)[::-1][:10]).max() <= 1e-12 * np.abs(values).max()
    assert np.abs(pairs.vectors.T @ pairs.vectors - np.eye(10)).max() <= 1e-12
    assert pairs.residual <= 1e-10


@pytest.mark.parametrize("k", [1, 10, 60])
def test_few_products_and_always_with_blocks(rng, k):
    operator = Counted(reflected(rng, 1 / np.arange(1, 901.0) ** 2 - 1e-3))
    top_eigenpairs(operator, k)
    assert len(operator.blocks) <= 15
    assert min(operator.blocks) > k
    loose = Counted(operator.C)
    top_eigenpairs(loose, k, tolerance=1e-3)
    assert len(loose.blocks) < len(operator.blocks)


def test_a_start_saves_products(rng):
    values = np.maximum(decaying(500), -1e-3)
    C = reflected(rng, values)
    D = C + 1e-5 * reflected(rng, values)
    cold, warm = Counted(D), Counted(D)
    top_eigenpairs(cold, 8)
    top_eigenpairs(warm, 8, start=top_eigenpairs(C, 8).block)
    assert len(warm.blocks) < len(cold.blocks)
    assert min(warm.blocks) > 8


@pytest.mark.parametrize("name", ["decaying", "without a gap"])
@pytest.mark.parametrize("scale", [1e-60, 1e-12, 1e60])
def test_the_scale_of_the_operator_does_not_matter(rng, name, scale):
    """Also if Lanczos is used: ARPACK itself reads small eigenvalues as zero."""
    values = SPECTRA[name](400)
    pairs = top_eigenpairs(scale * reflected(rng, values), 5)
    assert np.abs(pairs.values / scale - np.sort(values)[::-1][:5]).max() <= 1e-12
    assert pairs.residual <= 1e-10


def test_small_rows_keep_their_digits(rng):
    """If a row of C is a billion times smaller than others, so are its entries in vectors, to the last digits."""
    Y = rng.random((600, 4)) * np.where(np.arange(600) < 5, 1e-9, 1)[:, None]
    C = Y @ Y.T
    pairs = top_eigenpairs(C, 4)
    low_rank = (pairs.vectors * pairs.values) @ pairs.vectors.T
    assert (np.abs(low_rank - C) <= 1e-12 * np.sqrt(np.outer(np.diag(C), np.diag(C)))).all()


@pytest.mark.parametrize(
    "C", [np.zeros((300, 300)), np.eye(300), np.ones((300, 300)), np.diag(np.r_[3.0, 2.0, np.zeros(298)])]
)
def test_plain_matrices(C):
    pairs = top_eigenpairs(C, 7)
    assert np.allclose(pairs.values, np.linalg.eigvalsh(C)[::-1][:7], atol=1e-12)
    assert np.allclose(pairs.vectors.T @ pairs.vectors, np.eye(7), atol=1e-12)
    assert np.allclose(C @ pairs.vectors, pairs.vectors * pairs.values, atol=1e-11)


@pytest.mark.parametrize("name", SPECTRA)
def test_same_bits_twice(rng, name):
    C = reflected(rng, SPECTRA[name](300))
    first, second = top_eigenpairs(C, 6), top_eigenpairs(C, 6)
    for part in ("values", "vectors", "block", "residual"):
        assert np.array_equal(getattr(first, part), getattr(second, part))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 1000),
    exponents=st.lists(st.integers(-300, 140), min_size=1, max_size=6),
    copies=st.integers(0, 3),
    zeros=st.integers(0, 2),
)
def test_orthonormal_whatever_the_columns(seed, exponents, copies, zeros):
    """Tiny, huge, dependent and zero columns: an orthonormal basis, and W is in its span."""
    rng = np.random.default_rng(seed)
    W = rng.standard_normal((40, len(exponents))) * 10.0 ** np.array(exponents)
    W = np.column_stack([W, *(W[:, rng.integers(len(exponents))] for _ in range(copies)), np.zeros((40, zeros))])
    W = W[:, rng.permutation(W.shape[1])]
    Q = orthonormal(W)
    assert Q.shape == W.shape
    assert np.abs(Q.T @ Q - np.eye(W.shape[1])).max() <= 1e-12
    scaled = W / np.where(W.any(axis=0), np.abs(W).max(axis=0), 1)
    assert np.abs(scaled - Q @ (Q.T @ scaled)).max() <= 1e-8


def test_orthonormal_keeps_the_order_of_columns(rng):
    """The first j columns of the basis span the first j columns given."""
    W = rng.standard_normal((30, 5))
    Q = orthonormal(W)
    for j in range(1, 6):
        assert np.allclose(Q[:, :j] @ (Q[:, :j].T @ W[:, :j]), W[:, :j], atol=1e-12)


@pytest.mark.parametrize("distance", [1e-3, 1e-6, 1e-7, 3e-8, 1e-8, 1e-9, 1e-15])
def test_orthonormal_of_columns_that_are_nearly_equal(rng, distance):
    W = rng.standard_normal((50, 4))
    W[:, 2] = W[:, 0] + distance * W[:, 2]
    Q = orthonormal(W)
    assert np.abs(Q.T @ Q - np.eye(4)).max() <= 1e-12
    assert np.abs(W - Q @ (Q.T @ W)).max() <= 1e-8


def test_signs_leave_most_of_each_column_above_zero(rng):
    V = rng.standard_normal((50, 8))
    fixed = fix_signs(V)
    assert (np.sum(np.minimum(fixed, 0) ** 2, axis=0) <= np.sum(fixed**2, axis=0) / 2).all()
    assert (np.abs(fixed) == np.abs(V)).all()
    assert (fix_signs(V * np.array([1, -1] * 4)) == fixed).all()


@pytest.mark.parametrize("n", [120, 500])
def test_one_decomposition_is_enough_for_all_smaller_numbers(rng, n):
    C = reflected(rng, decaying(n))
    pairs = top_eigenpairs(C, 20)
    for k in (1, 4, 13, 20):
        leading = pairs.leading(k)
        assert leading.values.shape == (k,)
        assert leading.vectors.shape == (n, k)
        own = top_eigenpairs(C, k)
        assert np.allclose(leading.values, own.values, atol=1e-9)
        assert np.allclose(leading.vectors, own.vectors, atol=1e-5)
        assert leading.residual <= 1e-10
        width = leading.block.shape[1]
        assert k < width <= k + max(5, k // 4)  # a few more, as a solve for k would keep
        assert np.allclose(leading.block[:, :k], leading.vectors, atol=1e-5)
        assert np.allclose(leading.block.T @ leading.block, np.eye(width), atol=1e-5)
        warm = top_eigenpairs(C, k, start=leading.block)
        assert np.allclose(warm.values, own.values, atol=1e-9)
    assert np.array_equal(pairs.leading(20).values, pairs.values)
    assert np.array_equal(pairs.leading(13).leading(4).vectors, pairs.leading(4).vectors)
