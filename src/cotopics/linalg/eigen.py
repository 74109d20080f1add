"""Largest algebraic eigenpairs of a symmetric operator, the same every time.

Co-occurrence matrices are indefinite, so "largest" is by value, never by magnitude. Start vectors are fixed and
signs are fixed: an eigensolver left to itself returns a different sign on every call. Operators are multiplied by
blocks of vectors, never by one: what limits a product is reading the operator.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import LinearOperator, eigsh

from cotopics.linalg.threads import one_blas_thread, thin_product

Array = np.ndarray[Any, np.dtype[np.float64]]

DENSE_LIMIT = 200  # below this order LAPACK's full decomposition is as fast as any truncated one
MAX_STEPS = 30  # block products before the next solver takes over
LOOSE = 1e-3  # a tolerance for which vectors need not be orthogonal to working precision
SHARP = 1e-7  # residual relative to its eigenvalue: its square is rounding
WELL_CONDITIONED, ILL_CONDITIONED = 1e3, 1e7  # of a Cholesky factor that one round, or two, make orthonormal
BASIS_BLOCKS = 6  # blocks of vectors that a cold solve keeps: 6 · 1.25 · 8 · n · k bytes


class Operator(Protocol):
    """Whatever has a shape and multiplies a block of vectors."""

    @property
    def shape(self) -> tuple[int, int]: ...
    def __matmul__(self, V: Any) -> Any: ...


@dataclass(frozen=True)
class Eigenpairs:
    """The k largest algebraic eigenpairs, largest first.

    values (k,), vectors (n, k) with fixed signs; block (n, k + guard) warms up the next, nearby problem;
    residual is the largest ‖Cv − λv‖₂ relative to the largest |λ|.
    """

    values: Array
    vectors: Array
    block: Array
    residual: float

    def leading(self, k: int) -> "Eigenpairs":
        """The k largest of them: one decomposition serves every smaller k."""
        guard = k + max(5, k // 4)
        return Eigenpairs(self.values[:k], self.vectors[:, :k], self.block[:, :guard], self.residual)


def fix_signs(V: Array) -> Array:
    """Flip columns of V (n, k) so that the negative entries hold at most half of each column's squared mass."""
    return V * np.where(np.einsum("ij,ij->j", V, np.abs(V)) < 0, -1.0, 1.0)


def orthonormal(W: Array) -> Array:
    """An orthonormal basis of the columns of W (n, k), in their order."""
    Q = _by_cholesky(W)
    return _householder(W) if Q is None else Q


def _by_cholesky(W: Array) -> Array | None:
    """The same by Cholesky factors of WᵀW, which are matrix products; None where columns are too close to dependent.

    One round where they are far from it, two where they are not.
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
        if condition < WELL_CONDITIONED:  # rounding is multiplied by its square
            return Q
        if condition > ILL_CONDITIONED:
            break
    return None


def _householder(W: Array) -> Array:
    with one_blas_thread():
        return np.linalg.qr(W)[0]


def top_eigenpairs(C: Operator, k: int, *, start: Array | None = None, tolerance: float = 1e-10) -> Eigenpairs:
    """The k largest algebraic eigenpairs of the symmetric operator C (n, n).

    `start` is the `block` of a nearby problem: subspace iteration from it takes a few block products, each one
    pass over C. Cold, or where that does not converge, a randomised block Krylov method takes ten or so.
    `tolerance` bounds the residual ‖Cv − λv‖₂ relative to the largest |λ|.
    """
    n = C.shape[0]
    if not 1 <= k <= n:
        raise ValueError(f"asked for {k} eigenpairs of an operator of order {n}")
    if n <= max(DENSE_LIMIT, 4 * k):
        return _from_dense(np.asarray(C @ np.eye(n)), k)
    pairs = None if start is None else _subspace_iteration(C, k, start, tolerance)
    return pairs or _block_krylov(C, k, tolerance) or _lanczos(C, k, tolerance)


def _from_dense(C: Array, k: int) -> Eigenpairs:
    values, vectors = scipy.linalg.eigh((C + C.T) / 2)
    V = fix_signs(vectors[:, ::-1])
    guard = min(len(C), 2 * k)
    return Eigenpairs(values[::-1][:k].copy(), V[:, :k].copy(), V[:, :guard].copy(), 0.0)


def basis_bytes(n: int, k: int) -> int:
    """What a cold solve for k eigenpairs of order n takes: the basis and, around it, a third as much again."""
    return 8 * n * (k + max(5, k // 4)) * (BASIS_BLOCKS + 2)


def _block_krylov(C: Operator, k: int, tolerance: float) -> Eigenpairs | None:
    """Rayleigh–Ritz on span(Ω, CΩ, C²Ω, …) for a random block Ω, a few vectors wider than k.

    Each step is one block product with C, and all earlier ones count: the residual falls by a constant factor a step
    from the third on, where powers of C alone would need several times as many. When the basis is full, its leading
    Ritz vectors start the next one (thick restart). None if MAX_STEPS products do not suffice.
    """
    n = C.shape[0]
    width = min(k + max(5, k // 4), n // 3)
    Q = np.empty((n, min(BASIS_BLOCKS, n // width) * width))
    T = np.zeros((Q.shape[1], Q.shape[1]))  # QᵀCQ
    used = 0
    V = orthonormal(np.random.default_rng(0).standard_normal((n, width)))
    for _ in range(MAX_STEPS):
        last, used = used, used + width
        Q[:, last:used] = V
        W = np.asarray(C @ V)
        for _ in range(1 if tolerance >= LOOSE else 2):  # once is not enough to be orthogonal to working precision
            H = thin_product(Q[:, :used].T, W)
            W = W - thin_product(Q[:, :used], H)
            T[:used, last:used] += H
        T[last:used, :last] = T[:last, last:used].T
        values, S = largest_first(T[:used, :used])
        basis = _by_cholesky(W)
        V = _householder(W) if basis is None else basis
        # C leads out of Q by W alone, and each Ritz vector by what it has of the last block
        residuals = np.linalg.norm(thin_product(V.T, W) @ S[last:, :k], axis=0)
        scale = np.abs(values).max()
        if residuals.max() <= tolerance * scale:
            ritz = fix_signs(thin_product(Q[:, :used], S[:, :width]))
            # a small row of QS is what is left of large random numbers, one of CV/λ is right to its last digit; the two
            # differ by residuals orthogonal to V, which do no harm where they are tiny and no eigenvalue is larger
            sharp = (residuals <= SHARP * values[:k]) & (values[:k] > max(1e-3 * scale, -values[-1]))
            if sharp.any():
                ritz[:, :k][:, sharp] = np.asarray(C @ ritz)[:, :k][:, sharp] / values[:k][sharp]
            return Eigenpairs(values[:k], ritz[:, :k], ritz, float(residuals.max() / scale) if scale else 0.0)
        if tolerance < LOOSE or basis is None:  # what is left of dependent columns is rounding, not orthogonal to Q
            V = orthonormal(V - thin_product(Q[:, :used], thin_product(Q[:, :used].T, V)))
        if used + width > Q.shape[1]:
            kept = 2 * width
            Q[:, :kept] = thin_product(Q[:, :used], S[:, :kept])
            T[:] = 0
            T[np.arange(kept), np.arange(kept)] = values[:kept]
            used = kept
    return None


def _lanczos(C: Operator, k: int, tolerance: float) -> Eigenpairs:
    """For spectra so clustered that nothing else converges: a large Krylov space of single vectors."""
    n = C.shape[0]
    guard = min(k + max(5, k // 4), n - 1)
    v0 = np.random.default_rng(0).standard_normal(n)
    scale = float(np.linalg.norm(C @ v0) / np.linalg.norm(v0)) or 1.0  # ARPACK takes eigenvalues below 1e-11 for zero
    operator = LinearOperator((n, n), matvec=lambda v: (C @ v) / scale, dtype=np.float64)
    values, vectors = eigsh(
        operator, guard, which="LA", v0=v0, tol=tolerance, ncv=min(n, 4 * guard + 40), maxiter=100 * n
    )
    order = np.argsort(-values, kind="stable")
    values, V = scale * values[order], fix_signs(vectors[:, order])
    return Eigenpairs(values[:k], V[:, :k], V, _residual(C @ V[:, :k], V[:, :k], values[:k], at_least=scale))


def _subspace_iteration(C: Operator, k: int, start: Array, tolerance: float) -> Eigenpairs | None:
    """Rayleigh–Ritz on C-powers of the start block; None if it does not converge in MAX_STEPS products."""
    W = start
    for _ in range(MAX_STEPS):
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
    """Eigenpairs of a small matrix, symmetric up to rounding."""
    with one_blas_thread():
        values, S = scipy.linalg.eigh((T + T.T) / 2)
    return values[::-1], S[:, ::-1]


def _residual(CV: Array, V: Array, values: Array, *, at_least: float = 0.0) -> float:
    scale = max(np.abs(values).max(), at_least)
    if scale == 0:
        return 0.0
    return float(np.linalg.norm(CV - V * values, axis=0).max() / scale)
