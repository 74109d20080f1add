"""Least squares over the simplex by an active-set method, one problem per row.

State of one problem: the support P[:p] (the coordinates that may be positive), the Cholesky factor L[:p, :p] of
(G + 11ᵀ)[P, P], and y. `linalg/simplex.py` says why 11ᵀ is added.
"""

import numpy as np

from cotopics.linalg.kernels.compiled import allocating_kernel, copy, fill, kernel
from cotopics.linalg.kernels.ordered_sums import address, dot, total


@kernel
def extend_cholesky(L, G, P, p):
    """Add coordinate P[p] to the factor L[:p, :p]; False (and no change) if it depends affinely on the support."""
    j = P[p]
    pivot = G[j, j] + 1.0
    k = L.shape[1]
    for a in range(p):
        L[p, a] = (G[j, P[a]] + 1.0 - dot(address(L), a * k, address(L), p * k, a)) / L[a, a]
        pivot -= L[p, a] * L[p, a]
    if pivot <= 1e-14 * (G[j, j] + 1.0):
        return False
    L[p, p] = np.sqrt(pivot)
    return True


@kernel
def solve_on_support(L, f, P, p, z, w):
    """z[:p] minimises ½ zᵀGz − fᵀz on the support subject to Σz = 1.

    z = u − λw with (G + 11ᵀ)u = f, (G + 11ᵀ)w = 1 and λ = (Σu − 1)/Σw.
    """
    k = L.shape[1]
    for a in range(p):
        z[a] = (f[P[a]] - dot(address(L), a * k, address(z), 0, a)) / L[a, a]
        w[a] = (1.0 - dot(address(L), a * k, address(w), 0, a)) / L[a, a]
    for a in range(p - 1, -1, -1):
        z[a] /= L[a, a]
        w[a] /= L[a, a]
        for b in range(a):
            z[b] -= L[a, b] * z[a]
            w[b] -= L[a, b] * w[a]
    multiplier = (total(address(z), p) - 1.0) / total(address(w), p)
    for a in range(p):
        z[a] -= multiplier * w[a]


@kernel
def drop_zeros(L, G, P, p, values):
    """Remove the coordinates with values[a] ≤ 0 from the support and factor again from the first of them."""
    kept, first = 0, p
    for a in range(p):
        if values[a] > 0.0:
            P[kept], values[kept] = P[a], values[a]
            kept += 1
        else:
            first = min(first, a)
    for a in range(first, kept):
        extend_cholesky(L, G, P, a)
    return kept


@kernel
def start(guess, L, G, f, P, z, w, y):
    """A first support and its minimiser: the positive coordinates of `guess`, without those that become negative."""
    p = np.int64(0)  # a plain 0 is a type of its own, for which all that is called would be compiled once more
    for j in range(len(y)):
        y[j] = 0.0
        if guess[j] > 0.0:
            P[p] = j
            if extend_cholesky(L, G, P, p):
                p += 1
    while True:
        solve_on_support(L, f, P, p, z, w)
        kept = drop_zeros(L, G, P, p, z)
        if kept == p:
            break
        p = kept
    for a in range(p):
        y[P[a]] = z[a]
    return p


@kernel
def descend(L, G, f, P, p, z, w, y):
    """Minimise on the support; while that leaves the simplex, stop at its boundary and drop the zeros.

    Returns the size of the support and whether y moved.
    """
    moved = False
    while True:
        solve_on_support(L, f, P, p, z, w)
        alpha, leave = 1.0, -1
        for a in range(p):
            ya = y[P[a]]
            if z[a] <= 0.0 and ya <= alpha * (ya - z[a]):
                alpha, leave = ya / (ya - z[a]), a
        moved = moved or alpha > 0.0
        if leave < 0:
            for a in range(p):
                y[P[a]] = z[a]
            return p, moved
        for a in range(p):
            ya = y[P[a]]
            z[a] = max(ya + alpha * (z[a] - ya), 0.0) if a != leave else 0.0
        weight = total(address(z), p)
        for a in range(p):
            y[P[a]] = z[a] / weight
        p = drop_zeros(L, G, P, p, z)


@allocating_kernel
def active_set(G, F, guess, tolerance, first, last, Y, gap, steps):
    """Rows first to last of: min ½ yᵀGy − fᵀy, y ≥ 0, Σy = 1, for entries of G of size about 1.

    The scheme of Lawson and Hanson 1974, on the simplex: add the coordinate with the most negative reduced gradient,
    minimise on the support, repeat until no gradient is below the mean by more than `tolerance`.
    """
    k = G.shape[0]
    L = np.empty((k, k))
    g, y, z, w = np.empty(k), np.empty(k), np.empty(k), np.empty(k)
    P = np.empty(k, dtype=np.int64)
    blocked = np.empty(k, dtype=np.bool_)
    for i in range(first, last):
        f = F[i]
        fill(blocked, False)
        p = start(guess[i], L, G, f, P, z, w, y)
        step = 0
        while True:
            for j in range(k):
                g[j] = -f[j]
            for a in range(p):
                ya = y[P[a]]
                for j in range(k):
                    g[j] += G[P[a], j] * ya
            mean = dot(address(g), 0, address(y), 0, k)  # at a minimiser on the support, g is constant there
            enter, least = -1, mean
            lowest = mean - tolerance
            for j in range(k):
                least = min(least, g[j])
                if y[j] == 0.0 and not blocked[j] and g[j] < lowest:
                    enter, lowest = j, g[j]
            gap[i] = mean - least
            if enter < 0 or step >= 10 * k:
                break
            step += 1
            P[p] = enter
            if not extend_cholesky(L, G, P, p):
                blocked[enter] = True  # affinely dependent on the support: it cannot lower the minimum from here
                continue
            p, moved = descend(L, G, f, P, p + 1, z, w, y)
            if moved:
                fill(blocked, False)
            else:
                blocked[enter] = True
        copy(y, Y[i])
        steps[i] = step
