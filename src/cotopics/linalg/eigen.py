"""Largest algebraic eigenpairs of a symmetric operator, the same every time.

Co-occurrence matrices are indefinite, so "largest" is by value, never by magnitude. Start vectors are fixed and
signs are fixed: an eigensolver left to itself returns a different sign on every call.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from cotopics.linalg.threads import one_blas_thread

Array = np.ndarray[Any, np.dtype[np.float64]]

DENSE_LIMIT = 200  # below this order LAPACK's full decomposition is as fast as any truncated one
MAX_STEPS = 30  # block steps from a warm start before the cold solver takes over


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


def fix_signs(V: Array) -> Array:
    """Flip columns of V (n, k) so that the negative entries hold at most half of each column's squared mass."""
    return V * np.where(np.einsum("ij,ij->j", V, np.abs(V)) < 0, -1.0, 1.0)


def top_eigenpairs(C: Operator, k: int, *, start: Array | None = None, tolerance: float = 1e-10) -> Eigenpairs:
    """The k largest algebraic eigenpairs of the symmetric operator C (n, n).

    `start` is the `block` of a nearby problem: subspace iteration from it takes a few block products, each one
    pass over C, where a cold Lanczos run takes dozens. Whatever does not converge that way is solved cold.
    """
    n = C.shape[0]
    if not 1 <= k <= n:
        raise ValueError(f"asked for {k} eigenpairs of an operator of order {n}")
    if n <= max(DENSE_LIMIT, 2 * k):
        return _from_dense(np.asarray(C @ np.eye(n)), k)
    if start is not None:
        warm = _subspace_iteration(C, k, start, tolerance)
        if warm is not None:
            return warm
    return _lanczos(C, k, tolerance)


def _from_dense(C: Array, k: int) -> Eigenpairs:
    values, vectors = scipy.linalg.eigh((C + C.T) / 2)
    V = fix_signs(vectors[:, ::-1])
    guard = min(len(C), 2 * k)
    return Eigenpairs(values[::-1][:k].copy(), V[:, :k].copy(), V[:, :guard].copy(), 0.0)


def _lanczos(C: Operator, k: int, tolerance: float) -> Eigenpairs:
    n = C.shape[0]
    guard = min(k + max(5, k // 4), n - 1)  # a few spare directions to warm up the next problem
    operator = LinearOperator((n, n), matvec=lambda v: C @ v, matmat=lambda V: C @ V, dtype=np.float64)
    v0 = np.random.default_rng(0).standard_normal(n)
    try:
        values, vectors = eigsh(operator, guard, which="LA", v0=v0, tol=tolerance)
    except ArpackNoConvergence:  # clustered eigenvalues: a larger Krylov space tells them apart
        values, vectors = eigsh(
            operator, guard, which="LA", v0=v0, tol=tolerance, ncv=min(n, 4 * guard + 40), maxiter=100 * n
        )
    order = np.argsort(-values, kind="stable")
    values, V = values[order], fix_signs(vectors[:, order])
    return Eigenpairs(values[:k], V[:, :k], V, _residual(C @ V[:, :k], V[:, :k], values[:k]))


def _subspace_iteration(C: Operator, k: int, start: Array, tolerance: float) -> Eigenpairs | None:
    """Rayleigh–Ritz on C-powers of the start block; None if it does not converge in MAX_STEPS products."""
    W = start
    for _ in range(MAX_STEPS):
        with one_blas_thread():
            V = np.linalg.qr(W)[0]
        W = np.asarray(C @ V)
        with one_blas_thread():
            T = V.T @ W
            values, S = scipy.linalg.eigh((T + T.T) / 2)
            values, S = values[::-1], S[:, ::-1]
            V, W = V @ S, W @ S
            residual = _residual(W[:, :k], V[:, :k], values[:k])
        if residual <= tolerance:
            V = fix_signs(V)
            return Eigenpairs(values[:k], V[:, :k], V, residual)
    return None


def _residual(CV: Array, V: Array, values: Array) -> float:
    scale = np.abs(values).max()
    if scale == 0:
        return 0.0
    return float(np.linalg.norm(CV - V * values, axis=0).max() / scale)
