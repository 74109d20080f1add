"""Proportions of mixtures of known distributions, from counts; one row of a sparse matrix is one mixture.

Row i has counts data[bounds[i]:bounds[i + 1]] of the outcomes indices[bounds[i]:bounds[i + 1]]; P (n_outcomes, k) holds
the distributions in its columns. The rows of P that a mixture needs are copied side by side first: they are read in
every step, and fit in the cache. Each is divided by its largest entry, which changes no answer and lets none underflow.
"""

import numpy as np

from cotopics.linalg.kernels.compiled import copy, fill, kernel
from cotopics.linalg.kernels.lanes import dot, dot_four, places, total

GROWTH = 4.0  # by which the longest extrapolation grows where it pays, and falls where it does not
LEAST_SHARE = 0.01  # an extrapolation lowers no proportion by more than this factor
FALLS = 0.99  # a proportion that a step still multiplies by less than this is on its way to zero
LEAST_COUNT = 0.01  # exp(ψ(0.01)) is 1e-44: nothing beside any other weight, and yet not zero


@kernel
def longest_row(bounds):
    longest = 0
    for i in range(len(bounds) - 1):
        longest = max(longest, bounds[i + 1] - bounds[i])
    return longest


@kernel
def gather(P, indices, begin, m, rows, scales):
    for a in range(m):
        row, largest = P[indices[begin + a]], 0.0
        for j in range(len(row)):
            largest = max(largest, row[j])
        scales[a] = largest
        for j in range(len(row)):
            rows[a, j] = row[j] / largest


@kernel
def share_out(counts, rows, offsets, m, weights, q, shares):
    """q[a] = Σ_j weights_j rows_aj + offsets_a and shares[j] = Σ_a counts_a weights_j rows_aj / q_a.

    Four rows at a time, so that weights and shares are read less.
    """
    k, a, from_weights, from_rows = len(weights), 0, places(weights), places(rows)
    fill(shares, 0.0)
    while a + 4 <= m:
        s0, s1, s2, s3 = dot_four(from_weights, from_rows, a * k, (a + 1) * k, (a + 2) * k, (a + 3) * k, k)
        q[a], q[a + 1] = s0 + offsets[a], s1 + offsets[a + 1]
        q[a + 2], q[a + 3] = s2 + offsets[a + 2], s3 + offsets[a + 3]
        s0, s1 = counts[a] / q[a], counts[a + 1] / q[a + 1]
        s2, s3 = counts[a + 2] / q[a + 2], counts[a + 3] / q[a + 3]
        for j in range(k):
            shares[j] += (s0 * rows[a, j] + s1 * rows[a + 1, j]) + (s2 * rows[a + 2, j] + s3 * rows[a + 3, j])
        a += 4
    while a < m:
        q[a] = dot(from_weights, 0, from_rows, a * k, k) + offsets[a]
        ratio = counts[a] / q[a]
        for j in range(k):
            shares[j] += ratio * rows[a, j]
        a += 1
    for j in range(k):
        shares[j] *= weights[j]


@kernel
def objective(counts, q, m, y, smoothing):
    """Σ_a counts_a log q_a + Σ_j smoothing_j log y_j."""
    value = 0.0
    for a in range(m):
        value += counts[a] * np.log(q[a])
    for j in range(len(y)):
        if smoothing[j] > 0.0:
            value += smoothing[j] * np.log(y[j])
    return value


@kernel
def step(counts, rows, offsets, m, smoothing, y, q, new, change):
    """One step of EM from y to `new`; by how much it changes y in all. `change` (k,) is overwritten."""
    k = len(y)
    share_out(counts, rows, offsets, m, y, q, new)
    for j in range(k):
        new[j] += smoothing[j]
    weight = total(places(new), k)
    for j in range(k):
        new[j] /= weight
        change[j] = abs(new[j] - y[j])
    return total(places(change), k)


@kernel
def rises(start, y, new, back):
    """Whether the objective still rises at y on the way there from `start`, where a step of EM leads from y to `new`.

    It is concave, and its gradient at y is new/y times a number: if it rises at y, it is greater there than at `start`.
    `back` (k,) is overwritten.
    """
    for j in range(len(y)):
        back[j] = new[j] * start[j] / y[j] if start[j] > 0.0 else 0.0
    return total(places(back), len(y)) <= 1.0


@kernel
def extrapolate(y0, y1, y2, longest, y, r, v):
    """y = y0 + 2αr + α²v from two steps y0 → y1 → y2, with r = y1 − y0 and v = y2 − y1 − r; the length α.

    Scheme S3: α = ‖r‖/‖v‖, from 1 (where y is y2) to `longest`.
    """
    k = len(y)
    for j in range(k):
        r[j] = y1[j] - y0[j]
        v[j] = y2[j] - y1[j] - r[j]
    rr, vv = dot(places(r), 0, places(r), 0, k), dot(places(v), 0, places(v), 0, k)
    alpha = np.sqrt(rr / vv) if rr < longest * longest * vv else longest
    if alpha <= 1.0:
        return 1.0
    for j in range(k):
        y[j] = max(y0[j] + 2.0 * alpha * r[j] + alpha * alpha * v[j], LEAST_SHARE * y2[j])
    weight = total(places(y), k)
    for j in range(k):
        y[j] /= weight
    return alpha


@kernel
def maximise_likelihood(data, indices, bounds, P, common, smoothing, tolerance, max_iter, Y, steps):
    """All rows of: max Σ_a counts_a log (P y + common)_a + Σ_j smoothing_j log y_j over the simplex.

    EM, two steps at a time, and from these an extrapolation, kept where it is no worse than the first of the two:
    SQUAREM, Varadhan and Roland 2008. The objective never falls; logarithms are only taken where an extrapolation has
    gone beyond its maximum on the way. A row is done when a step of EM changes it by less
    than `tolerance` in all; steps[i] is −1 where it is not within max_iter steps.
    """
    k = P.shape[1]
    widest = longest_row(bounds)
    rows, offsets, q, q1 = np.empty((widest, k)), np.empty(widest), np.empty(widest), np.empty(widest)
    y0, y1, y2, y, new = np.empty(k), np.empty(k), np.empty(k), np.empty(k), np.empty(k)
    r, v = np.empty(k), np.empty(k)
    for i in range(len(bounds) - 1):
        begin, m = bounds[i], bounds[i + 1] - bounds[i]
        counts = data[begin : begin + m]
        gather(P, indices, begin, m, rows, offsets)
        for a in range(m):
            offsets[a] = common[indices[begin + a]] / offsets[a]
        fill(y0, 1.0 / k)
        change = step(counts, rows, offsets, m, smoothing, y0, q, y1, r)
        used, longest = 1, GROWTH
        while change > tolerance and used < max_iter:
            change = step(counts, rows, offsets, m, smoothing, y1, q1, y2, r)
            used += 1
            alpha = extrapolate(y0, y1, y2, longest, y, r, v)
            if alpha > 1.0 and change > tolerance and used < max_iter:
                change_further = step(counts, rows, offsets, m, smoothing, y, q, new, r)
                used += 1
                if rises(y1, y, new, r) or (
                    objective(counts, q, m, y, smoothing) >= objective(counts, q1, m, y1, smoothing)
                ):
                    longest = GROWTH * longest if alpha == longest else longest
                    change = change_further
                    copy(y, y0)
                    copy(new, y1)
                    continue
                longest = max(alpha / GROWTH, GROWTH)
            copy(y1, y0)
            copy(y2, y1)
        for j in range(k):
            if y1[j] < tolerance and y1[j] < FALLS * y0[j]:
                y1[j] = 0.0
        kept = total(places(y1), k)
        for j in range(k):
            Y[i, j] = y1[j] / kept
        steps[i] = used if change <= tolerance else -1


@kernel
def exp_digamma(x):
    """exp(ψ(x)) for x > 0 by ψ(x) = ψ(x + 5) − Σ 1/(x + i) and the asymptotic series; right to 1e-9."""
    y = x + 5.0
    s = 1.0 / (y * y)
    series = -0.5 / y - s * (1.0 / 12.0 - s * (1.0 / 120.0 - s * (1.0 / 252.0 - s / 240.0)))
    for i in range(5):
        series -= 1.0 / (x + i)
    return y * np.exp(series)


@kernel
def linear_bayes(data, indices, bounds, P, mean, U, v, tolerance, max_iter, Y, steps):
    """All rows of the fixed point y = mean + √mean ∘ U diag(g) Uᵀ (N(y)/√mean) with g = v/(1 + (n − 1)v).

    n is the sum of the row's counts and N(y) its counts shared out among the distributions, an outcome a in proportion
    to P_aj exp(ψ(y_j t_j)). t_j is what the parameters of a Dirichlet would sum to if its y_j were as certain as this
    one: there, g is 1/t and the squares of U_j sum to 1 − mean_j. U (k, d) has orthonormal columns that are orthogonal
    to √mean, v (d,) is in (0, 1]. Negative entries of y are set to zero. steps[i] is −1 where max_iter steps were
    not enough to come to a change below `tolerance` in all.
    """
    k, d = U.shape
    longest = longest_row(bounds)
    rows, q, scales, none = np.empty((longest, k)), np.empty(longest), np.empty(longest), np.zeros(longest)
    y, weights, shares = np.empty(k), np.empty(k), np.empty(k)
    root, t, gain, moved = np.sqrt(mean), np.empty(k), np.empty(d), np.empty(d)
    squares = U * U
    for i in range(len(bounds) - 1):
        begin, m = bounds[i], bounds[i + 1] - bounds[i]
        counts = data[begin : begin + m]
        gather(P, indices, begin, m, rows, scales)
        n = total(places(counts), m)
        for c in range(d):
            gain[c] = v[c] / ((1.0 - v[c]) + n * v[c])  # of next to no counts, n − 1 would be −1
        for j in range(k):
            spread = dot(places(squares), j * d, places(gain), 0, d)
            t[j] = (1.0 - mean[j]) / spread if spread > 0.0 else n
        copy(mean, y)
        used, change = 0, np.inf
        while change > tolerance and used < max_iter:
            for j in range(k):
                weights[j] = exp_digamma(max(y[j] * t[j], LEAST_COUNT))
            share_out(counts, rows, none, m, weights, q, shares)
            fill(moved, 0.0)
            for j in range(k):
                z = shares[j] / root[j]
                for c in range(d):
                    moved[c] += z * U[j, c]
            for c in range(d):
                moved[c] *= gain[c]
            for j in range(k):
                shares[j] = max(mean[j] + root[j] * dot(places(U), j * d, places(moved), 0, d), 0.0)
            weight = total(places(shares), k)
            change = 0.0
            for j in range(k):
                new = shares[j] / weight
                change += abs(new - y[j])
                y[j] = new
            used += 1
        copy(y, Y[i])
        steps[i] = used if change <= tolerance else -1
