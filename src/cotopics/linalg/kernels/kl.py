"""One step of sequential quadratic programming for Kullback-Leibler fits over the simplex, one problem per row."""

import numpy as np

from cotopics.linalg.kernels.compiled import allocating_kernel
from cotopics.linalg.kernels.simplex import active_set

MAX_FACTOR = np.float32(1e15)  # its square is well within single precision


@allocating_kernel
def newton_points(X, V, Y, D, ridge, tolerance, Z):
    """Z[i] minimises the second-order model of −Σ r log(yᵀX) at y = Y[i] over the simplex, for every row i.

    X (k, m); V (n, m) holds r/q² with q = yᵀX; D (n, k) is minus the gradient, X (r/q). The model is
    ½ (z − y)ᵀH(z − y) − Dᵀz. Only coordinates that are positive in y, or whose D is above the mean Σ y D, can be
    positive in Z[i]. The Hessian H = X diag(v) Xᵀ is most of the work and has the precision of X: single precision
    makes a step less exact but not the answer, because D alone decides where the minimum is. The diagonal of H is
    multiplied by 1 + ridge.
    """
    n, m = V.shape
    k = X.shape[0]
    buffer = np.empty(k * m, dtype=X.dtype)
    gap, steps = np.empty(1), np.empty(1, dtype=np.int64)
    P, columns, roots = np.empty(k, dtype=np.int64), np.empty(m, dtype=np.int64), np.empty(m, dtype=X.dtype)
    for i in range(n):
        mean = 0.0
        for j in range(k):
            mean += Y[i, j] * D[i, j]
        p = 0
        for j in range(k):
            if Y[i, j] > 0.0 or D[i, j] > mean:
                P[p] = j
                p += 1
        used = 0
        for c in range(m):
            if V[i, c] > 0.0:
                columns[used], roots[used] = c, np.sqrt(V[i, c])
                used += 1
        U = buffer[: p * used].reshape(p, used)
        for a in range(p):
            row = X[P[a]]
            for c in range(used):
                U[a, c] = min(row[columns[c]] * roots[c], MAX_FACTOR)
        H = np.dot(U, U.T).astype(np.float64)
        for a in range(p):
            H[a, a] *= 1.0 + ridge  # definite despite rounding errors
            for b in range(a):
                H[a, b] = H[b, a]
        f, guess, z = np.empty((1, p)), np.empty((1, p)), np.empty((1, p))
        for a in range(p):
            f[0, a], guess[0, a] = D[i, P[a]], Y[i, P[a]]
            for b in range(p):
                f[0, a] += H[a, b] * Y[i, P[b]]
        active_set(H, f, guess, tolerance, 0, 1, z, gap, steps)
        Z[i] = 0.0
        for a in range(p):
            Z[i, P[a]] = z[0, a]
