"""Compiled loops of TOP, in the order of its steps. Import this module where a loop is called: it imports numba.

The lift R_il = C_il/(f_i f_l) and its error bound δ_il are computed where they are needed, from rows of C and E and
five vectors, so that only a block of rows is in memory; `cotopics.top.error_bounds` explains them.
"""

import numpy as np

from cotopics.linalg.kernels.compiled import allocating_kernel, fill, kernel

TIE_TOLERANCE = 1e-12  # entries of R closer than this, relative to them, are equal
MIN_REDUCED_COST = 1e-11  # in the simplex method; smaller ones are rounding errors
MIN_PIVOT = 1e-11  # in the simplex method; smaller entries of a column are rounding errors


@kernel
def column_moments(indptr, indices, data, scale, N, sums, largest):
    """For x = scale_m data: sums (3, n) of x, x/N_m and x/N_m³ over rows m, and the largest x (n,) of each column."""
    for m in range(len(indptr) - 1):
        s, once, cubed = scale[m], 1.0 / N[m], 1.0 / (N[m] * N[m] * N[m])
        for e in range(indptr[m], indptr[m + 1]):
            x, j = s * data[e], indices[e]
            sums[0, j] += x
            sums[1, j] += x * once
            sums[2, j] += x * cubed
            largest[j] = max(largest[j], x)


@kernel
def delta(c, e, i, l, vectors):
    """δ_il from C_il, E_il and the vectors 1/f, root, flat, cubic, relative (5, n)."""
    g, root, flat, cubic, relative = vectors[0], vectors[1], vectors[2], vectors[3], vectors[4]
    eta = (root[i] + root[l]) * np.sqrt(max(e, 0.0)) + (flat[i] + flat[l]) + np.sqrt(cubic[i] + cubic[l])
    return (eta + c * (relative[i] + relative[l])) * (g[i] * g[l])


@kernel
def row_maxima(C, E, where, words, vectors, T, d):
    """T[i] = max_l R_il and d[i] = δ_il there, for i = words[r], whose rows of C and E are number where[r].

    Of several maxima, equal up to rounding, the one with the largest δ: neither rounding nor order may decide.
    """
    g = vectors[0]
    for r in range(len(words)):
        i, row, best = words[r], C[where[r]], -np.inf
        for l in range(len(row)):
            best = max(best, row[l] * g[l])
        T[i] = best * g[i]
        d[i] = 0.0
        for l in range(len(row)):
            if row[l] * g[l] >= best * (1 - TIE_TOLERANCE):
                d[i] = max(d[i], delta(row[l], E[where[r], l], i, l, vectors))


@kernel
def near_maxima(C, E, where, words, vectors, T, d, grid, near, agrees):
    """For every row, which entries are near its maximum, and whether all of those are near the maximum of their column.

    With tolerances c·δ, entry (i, l) is near the maximum of row i if c ≥ near[i, l] = (T_i − R_il)/(d_i + δ_il), and
    near the maximum of row l if c ≥ |R_il − T_l|/(δ_il + d_l). agrees[i, a] says that for c = grid[a] (ascending) the
    first implies the second for all l; a c between the two bounds of any l excludes it. So one pass over a row is
    enough for all c, and it ends when all c are excluded. `near` is filled only for rows that agree for some c.
    """
    g = vectors[0]
    n_grid = len(grid)
    for r in range(len(words)):
        i, row, row_E, verdict, u = words[r], C[where[r]], E[where[r]], agrees[r], near[r]
        fill(verdict, True)
        left, l = n_grid, 0
        while left > 0 and l < len(row):
            value = row[l] * (g[i] * g[l])
            tolerance = delta(row[l], row_E[l], i, l, vectors)
            if T[i] - value <= grid[-1] * (d[i] + tolerance):
                row_bound = (T[i] - value) / (d[i] + tolerance)
                column_bound = abs(value - T[l]) / (tolerance + d[l])
                for a in range(n_grid):
                    if verdict[a] and row_bound <= grid[a] < column_bound:
                        verdict[a] = False
                        left -= 1
            l += 1
        if left > 0:
            for l in range(len(row)):
                u[l] = (T[i] - row[l] * (g[i] * g[l])) / (d[i] + delta(row[l], row_E[l], i, l, vectors))


@kernel
def merge(near, agrees, grid, labels, n_groups):
    """MERGE of the paper, row after row, for every c of the grid.

    The words near the maximum of row i become a new group; or, if some of them are in a group already, the first such
    group is reduced to the words in both. labels (n_grid, n) is the group of each word, −1 for none; n_groups (n_grid,)
    counts the groups. Rows that do not agree are skipped.
    """
    n = near.shape[1]
    for g in range(len(grid)):
        c, label = grid[g], labels[g]
        for r in range(near.shape[0]):
            if not agrees[r, g]:
                continue
            first = n
            for l in range(n):
                if near[r, l] <= c and 0 <= label[l] < first:
                    first = label[l]
            if first < n:
                for l in range(n):
                    if label[l] == first and near[r, l] > c:
                        label[l] = -1
            else:
                for l in range(n):
                    if near[r, l] <= c:
                        label[l] = n_groups[g]
                n_groups[g] += 1


@kernel
def first_vertex(inverse, k, basis, B):
    """The vertex without error, v = τ Θ⁻¹e_k: its basis (K + 2,) and the inverse of its columns, B (K + 2, K + 2)."""
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
    best, column = MIN_REDUCED_COST, -1
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


@allocating_kernel
def l1_column(theta, inverse, k, lam, max_steps, omega, dual):
    """maximise τ subject to Θv + ρ = τe_k, ‖v‖₁ ≤ 1, ‖ρ‖₁ ≤ λ; omega (K,) becomes v/τ, dual (K,) its proof.

    Columns are v⁺, v⁻, ρ⁺, ρ⁻ (K each), τ and the slacks of the two norms. Returns the number of steps, or −1 if
    max_steps were not enough or rounding errors made progress impossible.
    """
    K = theta.shape[0]
    m = K + 2
    basis, B, move = np.empty(m, dtype=np.int64), np.empty((m, m)), np.empty(m)
    first_vertex(inverse, k, basis, B)
    x = B[:, K] + lam * B[:, K + 1]
    tau = K  # the position of τ in the basis; τ never leaves it, because it only grows
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
            if move[i] > MIN_PIVOT and max(x[i], 0.0) / move[i] < shortest:
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
