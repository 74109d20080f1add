"""The largest eigenpairs of a symmetric operator, the same on every call.

Co-occurrence matrices are indefinite, so "largest" means by value, not by magnitude. Start vectors and signs are fixed,
because eigensolvers return random signs. Operators are multiplied by blocks of vectors, not by single ones: most of the
time goes into reading the operator.

Without a start, a randomised block Krylov method keeps every product that it has made and needs about ten; powers of C
alone would need several times as many. Alternating projection solves a similar problem in each step: subspace iteration
from the last block then needs two or three products.
"""

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import LinearOperator, eigsh

from cotopics.arrays import Array
from cotopics.linalg.threads import one_blas_thread, thin_product

MAX_DENSE_ORDER = 200  # up to this order, LAPACK's full decomposition is as fast as any truncated one
MAX_PRODUCTS = 30  # block products before the next solver is tried
LOOSE_TOLERANCE = 1e-3  # from here on, vectors need not be orthogonal to working precision
SHARP_RESIDUAL = 1e-7  # relative to the eigenvalue; its square is a rounding error
WELL_CONDITIONED, ILL_CONDITIONED = 1e3, 1e7  # Cholesky factors with which one round, or two, are enough
TINY = float(np.finfo(np.float64).tiny)
FASTEST = 10.0  # by what a step is taken to make the residual smaller at most: what is faster is seen a step later
BASIS_BLOCKS = 6  # blocks of vectors that the Krylov method keeps: 6 · 1.25 · 8 · n · k bytes


class Operator(Protocol):
    """Anything that has a shape and multiplies a block of vectors."""

    @property
    def shape(self) -> tuple[int, int]: ...
    def __matmul__(self, V: Any) -> Any: ...


@dataclass(frozen=True)
class Eigenpairs:
    """The k largest eigenpairs, largest first.

    values (k,); vectors (n, k) with fixed signs; block (n, more than k) is a start for the next, similar problem;
    residual is the largest ‖Cv − λv‖₂ relative to the largest |λ|.
    """

    values: Array
    vectors: Array
    block: Array
    residual: float

    def leading(self, k: int) -> "Eigenpairs":
        """The k largest of them: one decomposition is enough for all smaller k."""
        return Eigenpairs(self.values[:k], self.vectors[:, :k], self.block[:, : _block_width(k)], self.residual)


def _block_width(k: int) -> int:
    """Vectors in a block for k eigenpairs: a few more speed up convergence."""
    return k + max(5, k // 4)


def fix_signs(V: Array) -> Array:
    """V (n, k) with the sign of each column chosen so that positive entries have at least half of its squared norm."""
    return V * np.where(np.einsum("ij,ij->j", V, np.abs(V)) < 0, -1.0, 1.0)


def orthonormal(W: Array) -> Array:
    """An orthonormal basis of the columns of W (n, k), in their order."""
    Q = _by_cholesky(W)
    return _householder(W) if Q is None else Q


def _by_cholesky(W: Array) -> Array | None:
    """The same by Cholesky factors of WᵀW, which is faster; None if the columns are nearly dependent.

    One round if the condition of the factor is good, else two.
    """
    norms = np.sqrt(np.einsum("ij,ij->j", W, W))
    if not norms.all():
        return None
    Q = W / norms
    for _ in range(2):
        gram = thin_product(Q.T, Q)
        try:
            with one_blas_thread():
                R = scipy.linalg.cholesky(gram)
                R_inverse = scipy.linalg.solve_triangular(R, np.eye(len(R)))
        except scipy.linalg.LinAlgError:
            return None
        Q = thin_product(Q, R_inverse)
        condition = float(np.linalg.norm(R) * np.linalg.norm(R_inverse))
        if condition < WELL_CONDITIONED:  # rounding errors grow with its square
            return Q
        if condition > ILL_CONDITIONED:
            break
    return None


def _householder(W: Array) -> Array:
    with one_blas_thread():
        return np.linalg.qr(W)[0]


def top_eigenpairs(C: Operator, k: int, *, start: Array | None = None, tolerance: float = 1e-10) -> Eigenpairs:
    """The k largest eigenpairs of the symmetric operator C (n, n).

    `start` is the `block` of a similar problem: subspace iteration from it needs a few products with C. Without it, or
    if that does not converge, a randomised block Krylov method needs about ten. `tolerance` bounds the residual
    ‖Cv − λv‖₂ relative to the largest |λ|.
    """
    n = C.shape[0]
    if not 1 <= k <= n:
        raise ValueError(f"asked for {k} eigenpairs of an operator of order {n}")
    if n <= _dense_order(k):
        with one_blas_thread():  # more of them wait for one another longer than such small work takes
            return _from_dense(np.asarray(C if isinstance(C, np.ndarray) else C @ np.eye(n), dtype=np.float64), k)
    pairs = None if start is None else _subspace_iteration(C, k, start, tolerance)
    return pairs or _block_krylov(C, k, tolerance) or _lanczos(C, k, tolerance)


def _from_dense(C: Array, k: int) -> Eigenpairs:
    values, vectors = scipy.linalg.eigh((C + C.T) / 2)
    V = fix_signs(vectors[:, ::-1])
    return Eigenpairs(values[::-1][:k].copy(), V[:, :k].copy(), V[:, : 2 * k].copy(), 0.0)


def basis_bytes(n: int, k: int) -> int:
    """Memory for k eigenpairs of order n: a full matrix, its copy and its vectors, or the basis of the Krylov method
    and a third of that for other arrays."""
    return 8 * n * (3 * n if n <= _dense_order(k) else _block_width(k) * (BASIS_BLOCKS + 2))


def _dense_order(k: int) -> int:
    """Up to this order all eigenpairs are found: the basis of the Krylov method would have as many vectors."""
    return max(MAX_DENSE_ORDER, BASIS_BLOCKS * _block_width(k))


def _block_krylov(C: Operator, k: int, tolerance: float) -> Eigenpairs | None:
    """Rayleigh–Ritz on span(Ω, CΩ, C²Ω, …) for a random block Ω.

    Each step makes one block product with C. From the third step on, the residual falls by a constant factor per step.
    Eigenpairs of the projected matrix, which grows, are found where the residual may be small enough, and not before.
    When the basis is full, its leading Ritz vectors start the next one (thick restart). None if MAX_PRODUCTS products
    are not enough.
    """
    n = C.shape[0]
    width = min(_block_width(k), n // 3)
    Q = np.empty((n, min(BASIS_BLOCKS, n // width) * width))
    T = np.zeros((Q.shape[1], Q.shape[1]))  # QᵀCQ
    used, next_look, scale = 0, 1, 0.0
    V = orthonormal(np.random.default_rng(0).standard_normal((n, width)))
    for step in range(MAX_PRODUCTS):
        last, used = used, used + width
        Q[:, last:used] = V
        W = np.asarray(C @ V)
        for _ in range(1 if tolerance >= LOOSE_TOLERANCE else 2):  # only twice is orthogonal to working precision
            H = thin_product(Q[:, :used].T, W)
            W = W - thin_product(Q[:, :used], H)
            T[:used, last:used] += H
        T[last:used, :last] = T[:last, last:used].T
        basis, is_full = _by_cholesky(W), used + width > Q.shape[1]
        V = _householder(W) if basis is None else basis
        if step >= next_look or is_full or basis is None or _norm(W) <= tolerance * scale:
            values, S = largest_first(T[:used, :used])
            # only W is outside the span of Q, so a Ritz vector's residual depends on its part in the last block
            residuals = np.linalg.norm(thin_product(V.T, W) @ S[last:, :k], axis=0)
            scale, residual = float(np.abs(values).max()), float(residuals.max())
            if residual <= tolerance * scale:
                ritz = fix_signs(thin_product(Q[:, :used], S[:, :width]))
                # small rows of QS are differences of large random numbers; those of CV/λ are right to the last digit.
                # The two differ by residuals orthogonal to V: harmless if these are tiny and no eigenvalue is larger
                sharp = (residuals <= SHARP_RESIDUAL * values[:k]) & (values[:k] > max(1e-3 * scale, -values[-1]))
                if sharp.any():
                    ritz[:, :k][:, sharp] = np.asarray(C @ ritz)[:, :k][:, sharp] / values[:k][sharp]
                return Eigenpairs(values[:k], ritz[:, :k], ritz, float(residual / scale) if scale else 0.0)
            if step > 0:  # the first block says nothing
                next_look = step + math.ceil(math.log(residual / max(tolerance * scale, TINY), FASTEST))
        if tolerance < LOOSE_TOLERANCE or basis is None:  # from dependent columns come errors not orthogonal to Q
            V = orthonormal(V - thin_product(Q[:, :used], thin_product(Q[:, :used].T, V)))
        if is_full:
            kept = 2 * width
            Q[:, :kept] = thin_product(Q[:, :used], S[:, :kept])
            T[:] = 0
            T[np.arange(kept), np.arange(kept)] = values[:kept]
            used = kept
    return None


def _norm(W: Array) -> float:
    """‖W‖, added up in one order: BLAS would divide a long sum among threads."""
    return float(np.sqrt(np.einsum("ij,ij->", W, W)))


def _lanczos(C: Operator, k: int, tolerance: float) -> Eigenpairs:
    """For spectra so clustered that nothing else converges: a large Krylov space of single vectors."""
    n = C.shape[0]
    width = min(_block_width(k), n - 1)
    v0 = np.random.default_rng(0).standard_normal(n)
    scale = float(np.linalg.norm(C @ v0) / np.linalg.norm(v0)) or 1.0  # ARPACK reads eigenvalues below 1e-11 as 0
    operator = LinearOperator((n, n), matvec=lambda v: (C @ v) / scale, dtype=np.float64)
    values, vectors = eigsh(
        operator, width, which="LA", v0=v0, tol=tolerance, ncv=min(n, 4 * width + 40), maxiter=100 * n
    )
    order = np.argsort(-values, kind="stable")
    values, V = scale * values[order], fix_signs(vectors[:, order])
    return Eigenpairs(values[:k], V[:, :k], V, _residual(C @ V[:, :k], V[:, :k], values[:k], at_least=scale))


def _subspace_iteration(C: Operator, k: int, start: Array, tolerance: float) -> Eigenpairs | None:
    """Rayleigh–Ritz on powers of C times the start block; None if it does not converge in MAX_PRODUCTS products."""
    W = start
    for _ in range(MAX_PRODUCTS):
        V = orthonormal(W)
        W = np.asarray(C @ V)
        values, S = largest_first(thin_product(V.T, W))
        V, W = thin_product(V, S), thin_product(W, S)
        residual = _residual(W[:, :k], V[:, :k], values[:k])
        if residual <= tolerance:
            V = fix_signs(V)
            return Eigenpairs(values[:k], V[:, :k], V, residual)
    return None


def largest_first(T: Array) -> tuple[Array, Array]:
    """Eigenpairs of a small matrix that is symmetric up to rounding, largest first."""
    with one_blas_thread():
        values, S = scipy.linalg.eigh((T + T.T) / 2, driver="evd")
    return values[::-1], S[:, ::-1]


def _residual(CV: Array, V: Array, values: Array, *, at_least: float = 0.0) -> float:
    scale = max(np.abs(values).max(), at_least)
    if scale == 0:
        return 0.0
    return float(np.linalg.norm(CV - V * values, axis=0).max() / scale)
