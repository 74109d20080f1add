"""Entries of R that equal the largest of their row and of their column, up to tolerances.

R_il = C_il/(f_i f_l) and its tolerance δ_il are computed from rows of C and E and five vectors when they are needed,
so that a block of rows is all the memory there is; `cotopics.cooccur.tolerance` says what they are.
"""

import numpy as np

from cotopics.linalg.kernels.compiled import fill, kernel

TIE = 1e-12  # entries closer than this, relative to them, are equal


@kernel
def delta(c, e, i, l, vectors):
    """δ_il from C_il, E_il and the vectors 1/f, root, flat, cubic, relative (5, n)."""
    g, root, flat, cubic, relative = vectors[0], vectors[1], vectors[2], vectors[3], vectors[4]
    eta = (root[i] + root[l]) * np.sqrt(max(e, 0.0)) + (flat[i] + flat[l]) + np.sqrt(cubic[i] + cubic[l])
    return (eta + c * (relative[i] + relative[l])) * (g[i] * g[l])


@kernel
def row_maxima(C, E, where, words, vectors, T, d):
    """T[i] = max_l R_il and d[i] = δ_il there, for rows where[r] of C and E, which are those of words[r].

    Of several maxima, equal up to rounding, the one with the largest δ, so that neither rounding nor order decides.
    """
    g = vectors[0]
    for r in range(len(words)):
        i, row, best = words[r], C[where[r]], -np.inf
        for l in range(len(row)):
            best = max(best, row[l] * g[l])
        T[i] = best * g[i]
        d[i] = 0.0
        for l in range(len(row)):
            if row[l] * g[l] >= best * (1 - TIE):
                d[i] = max(d[i], delta(row[l], E[where[r], l], i, l, vectors))


@kernel
def near_maxima(C, E, where, words, vectors, T, d, grid, near, agrees):
    """For every row, which entries are near its maximum, and whether all of those are near their column's.

    With tolerances c·δ, entry (i, l) is near the maximum of row i if c ≥ near[i, l] = (T_i − R_il)/(d_i + δ_il), and
    near that of row l if c ≥ |R_il − T_l|/(δ_il + d_l). agrees[i, a] says that for c = grid[a] (ascending) the first
    implies the second for all l: a c between the two bounds of any l rules it out. So one look at a row answers for all
    c, and ends when none is left; only rows that agree for some c get their entries of `near`.
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
    """004's MERGE for one row after the other, for every c of the grid.

    The words near the maximum of row i are a new group, or cut the first group that they meet down to those in both.
    labels (n_grid, n) is the group of each word, −1 for none; n_groups (n_grid,) counts them. Rows that do not agree
    are passed over.
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
