"""The simplex method for one column of an approximate inverse, from a vertex that is nearly the solution."""

import numpy as np

from cotopics.linalg.kernels.compiled import fill, kernel

OPTIMAL = 1e-11  # a reduced cost below this is none
PIVOT = 1e-11  # and so is an entry of a column


@kernel
def first_vertex(inverse, k, basis, B):
    """The vertex with no error, v = τ Θ⁻¹e_k: its basis (K + 2,) and the inverse of its columns, B (K + 2, K + 2)."""
    K = inverse.shape[0]
    norm = 0.0
    for i in range(K):
        norm += abs(inverse[i, k])
        basis[i] = i if inverse[i, k] >= 0 else K + i
    basis[K], basis[K + 1] = 4 * K, 4 * K + 2
    for i in range(K + 2):
        fill(B[i], 0.0)
    for j in range(K):
        total = 0.0
        for i in range(K):
            total += inverse[i, j] if basis[i] == i else -inverse[i, j]
        B[K, j] = -total / norm
        for i in range(K):
            sign = 1.0 if basis[i] == i else -1.0
            B[i, j] = sign * (inverse[i, j] + B[K, j] * inverse[i, k])
    for i in range(K):
        B[i, K] = abs(inverse[i, k]) / norm
    B[K, K] = 1 / norm
    B[K + 1, K + 1] = 1.0


@kernel
def entering(theta, y):
    """The column with the largest reduced cost for the dual variables y (K + 2,), or −1 at the optimum."""
    K = theta.shape[0]
    best, column = OPTIMAL, -1
    for j in range(K):
        d = 0.0
        for i in range(K):
            d += y[i] * theta[i, j]
        if -d - y[K] > best:
            best, column = -d - y[K], j
        if d - y[K] > best:
            best, column = d - y[K], K + j
        if -y[j] - y[K + 1] > best:
            best, column = -y[j] - y[K + 1], 2 * K + j
        if y[j] - y[K + 1] > best:
            best, column = y[j] - y[K + 1], 3 * K + j
    if -y[K] > best:
        best, column = -y[K], 4 * K + 1
    if -y[K + 1] > best:
        column = 4 * K + 2
    return column


@kernel
def direction(theta, B, column, out):
    """B times a column of the program: Θ and 1 for v⁺ and v⁻, unit vectors and λ's row for ρ⁺ and ρ⁻, slacks."""
    K = theta.shape[0]
    j = column % K
    for i in range(K + 2):
        if column < 2 * K:
            sign = 1.0 if column < K else -1.0
            s = B[i, K]
            for l in range(K):
                s += sign * B[i, l] * theta[l, j]
            out[i] = s
        elif column < 4 * K:
            out[i] = (B[i, j] if column < 3 * K else -B[i, j]) + B[i, K + 1]
        else:
            out[i] = B[i, K + column - 4 * K - 1]


@kernel
def l1_column(theta, inverse, k, lam, max_steps, omega, dual):
    """maximise τ subject to Θv + ρ = τe_k, ‖v‖₁ ≤ 1, ‖ρ‖₁ ≤ λ; omega (K,) becomes v/τ, dual (K,) its proof.

    Columns are v⁺, v⁻, ρ⁺, ρ⁻ (K each), τ and the slacks of the two norms. Returns the number of steps, negative where
    they were not enough or the numbers gave out.
    """
    K = theta.shape[0]
    m = K + 2
    basis, B, move = np.empty(m, dtype=np.int64), np.empty((m, m)), np.empty(m)
    first_vertex(inverse, k, basis, B)
    x = B[:, K] + lam * B[:, K + 1]
    tau = K  # where τ stands in the basis; it never leaves, because it only grows
    for step in range(max_steps):
        column = entering(theta, B[tau])
        if column < 0:
            fill(omega, 0.0)
            for j in range(K):
                dual[j] = -B[tau, j]
            for i in range(m):
                if basis[i] < 2 * K:
                    omega[basis[i] % K] += (x[i] if basis[i] < K else -x[i]) / x[tau]
            return step
        direction(theta, B, column, move)
        leave, shortest = -1, np.inf
        for i in range(m):
            if move[i] > PIVOT and max(x[i], 0.0) / move[i] < shortest:
                leave, shortest = i, max(x[i], 0.0) / move[i]
        if leave < 0 or leave == tau:
            return -1
        for l in range(m):
            B[leave, l] /= move[leave]
        x[leave] /= move[leave]
        for i in range(m):
            if i != leave and move[i] != 0.0:
                for l in range(m):
                    B[i, l] -= move[i] * B[leave, l]
                x[i] -= move[i] * x[leave]
        basis[leave] = column
    return -1
