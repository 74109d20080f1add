"""Proportions of mixtures of known distributions, from counts; one row of a sparse matrix is one mixture.

Row i has counts data[bounds[i]:bounds[i + 1]] of the outcomes indices[bounds[i]:bounds[i + 1]]; P (n_outcomes, k) holds
the distributions in its columns. The rows of P that a mixture needs are copied into one array first: they are read in
every step, and fit in the cache. Those who call divide each row of P, and what it shares with `common`, by its largest
entry, which changes no answer and avoids underflow.
"""

import numpy as np

from cotopics.linalg.kernels.compiled import allocating_kernel, copy, fill, kernel
from cotopics.linalg.kernels.functions import exp_digamma
from cotopics.linalg.kernels.ordered_sums import add_rows, address, dot, dot_four, multiply_rows, total

LENGTH_FACTOR = 4.0  # the longest extrapolation grows by this factor after a success and shrinks after a failure
MAX_DECREASE = 0.01  # an extrapolation multiplies no proportion by less than this
FALLING = 0.99  # a proportion that the last step multiplied by less than this is going to zero
MIN_PSEUDOCOUNT = 0.01  # exp(ψ(0.01)) is 1e-44: much smaller than any other weight, but not zero


@kernel
def longest_row(bounds):
    longest = 0
    for i in range(len(bounds) - 1):
        longest = max(longest, bounds[i + 1] - bounds[i])
    return longest


@kernel
def copy_rows(P, common, indices, begin, m, rows, offsets):
    """The m rows of P, and entries of common, from indices[begin] on."""
    for a in range(m):
        i = indices[begin + a]
        offsets[a] = common[i]
        for j in range(P.shape[1]):
            rows[a, j] = P[i, j]


@kernel
def divide_counts(counts, rows, offsets, m, weights, q, shares):
    """q[a] = Σ_j weights_j rows_aj + offsets_a and shares[j] = Σ_a counts_a weights_j rows_aj / q_a.

    Four rows at a time, so that weights and shares are read less often.
    """
    k, a, weights_address, rows_address = len(weights), 0, address(weights), address(rows)
    fill(shares, 0.0)
    while a + 4 <= m:
        s0, s1, s2, s3 = dot_four(weights_address, rows_address, a * k, (a + 1) * k, (a + 2) * k, (a + 3) * k, k)
        q[a], q[a + 1] = s0 + offsets[a], s1 + offsets[a + 1]
        q[a + 2], q[a + 3] = s2 + offsets[a + 2], s3 + offsets[a + 3]
        s0, s1 = counts[a] / q[a], counts[a + 1] / q[a + 1]
        s2, s3 = counts[a + 2] / q[a + 2], counts[a + 3] / q[a + 3]
        for j in range(k):
            shares[j] += (s0 * rows[a, j] + s1 * rows[a + 1, j]) + (s2 * rows[a + 2, j] + s3 * rows[a + 3, j])
        a += 4
    while a < m:
        q[a] = dot(weights_address, 0, rows_address, a * k, k) + offsets[a]
        ratio = counts[a] / q[a]
        for j in range(k):
            shares[j] += ratio * rows[a, j]
        a += 1
    for j in range(k):
        shares[j] *= weights[j]


@kernel
def log_likelihood(data, indices, bounds, first, last, Y, P, share, common):
    """Σ x_ia log(share · y_i·P_a + common_a) over the rows first to last; −∞ if a count is of something impossible."""
    value, k = 0.0, P.shape[1]
    y, p = address(Y), address(P)
    for i in range(first, last):
        for e in range(bounds[i], bounds[i + 1]):
            q = share * dot(y, i * k, p, indices[e] * k, k) + common[indices[e]]
            value += data[e] * np.log(max(q, 0.0))
    return value


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
    """One step of EM from y to `new`; returns Σ |new − y|. `change` (k,) is overwritten."""
    k = len(y)
    divide_counts(counts, rows, offsets, m, y, q, new)
    for j in range(k):
        new[j] += smoothing[j]
    weight = total(address(new), k)
    for j in range(k):
        new[j] /= weight
        change[j] = abs(new[j] - y[j])
    return total(address(change), k)


@kernel
def rises(start, y, new, back):
    """Whether the objective still rises at y in the direction from `start` to y; a step of EM leads from y to `new`.

    The objective is concave and its gradient at y is new/y times a number. If it still rises at y, it is larger there
    than at `start`, and no logarithm is needed to know that. `back` (k,) is overwritten.
    """
    for j in range(len(y)):
        back[j] = new[j] * start[j] / y[j] if start[j] > 0.0 else 0.0
    return total(address(back), len(y)) <= 1.0


@kernel
def extrapolate(y0, y1, y2, longest, y, r, v):
    """y = y0 + 2αr + α²v from two steps y0 → y1 → y2, with r = y1 − y0 and v = y2 − y1 − r; returns the length α.

    Scheme S3 of Varadhan and Roland 2008: α = ‖r‖/‖v‖, between 1 (then y would be y2) and `longest`.
    """
    k = len(y)
    for j in range(k):
        r[j] = y1[j] - y0[j]
        v[j] = y2[j] - y1[j] - r[j]
    rr, vv = dot(address(r), 0, address(r), 0, k), dot(address(v), 0, address(v), 0, k)
    alpha = np.sqrt(rr / vv) if rr < longest * longest * vv else longest
    if alpha <= 1.0:
        return 1.0
    for j in range(k):
        y[j] = max(y0[j] + 2.0 * alpha * r[j] + alpha * alpha * v[j], MAX_DECREASE * y2[j])
    weight = total(address(y), k)
    for j in range(k):
        y[j] /= weight
    return alpha


@allocating_kernel
def maximise_likelihood(data, indices, bounds, P, common, smoothing, tolerance, max_iter, Y, steps):
    """All rows of: max Σ_a counts_a log (P y + common)_a + Σ_j smoothing_j log y_j over the simplex.

    SQUAREM of Varadhan and Roland 2008: two steps of EM, then an extrapolation, which is kept if it is not worse than
    the first of the two. So the objective never falls. Logarithms are needed only if an extrapolation has passed the
    maximum on its line. A row is done when Σ |change| of a step is below `tolerance`; steps[i] is −1 if max_iter steps
    were not enough.
    """
    k = P.shape[1]
    widest = longest_row(bounds)
    rows, offsets, q, q1 = np.empty((widest, k)), np.empty(widest), np.empty(widest), np.empty(widest)
    y0, y1, y2, y, new = np.empty(k), np.empty(k), np.empty(k), np.empty(k), np.empty(k)
    r, v = np.empty(k), np.empty(k)
    for i in range(len(bounds) - 1):
        begin, m = bounds[i], bounds[i + 1] - bounds[i]
        counts = data[begin : begin + m]
        copy_rows(P, common, indices, begin, m, rows, offsets)
        fill(y0, 1.0 / k)
        change = step(counts, rows, offsets, m, smoothing, y0, q, y1, r)
        used, longest = 1, LENGTH_FACTOR
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
                    longest = LENGTH_FACTOR * longest if alpha == longest else longest
                    change = change_further
                    copy(y, y0)
                    copy(new, y1)
                    continue
                longest = max(alpha / LENGTH_FACTOR, LENGTH_FACTOR)
            copy(y1, y0)
            copy(y2, y1)
        for j in range(k):
            if y1[j] < tolerance and y1[j] < FALLING * y0[j]:
                y1[j] = 0.0
        kept = total(address(y1), k)
        for j in range(k):
            Y[i, j] = y1[j] / kept
        steps[i] = used if change <= tolerance else -1


@allocating_kernel
def linear_bayes(data, indices, bounds, P, common, mean, U, v, rest, tolerance, max_iter, Y, explained, steps):
    """All rows of the fixed point y = mean + √mean ∘ S (N(y)/√mean), from y in Y (n, k) and n in explained (n,).

    S is U diag(g) Uᵀ, plus g₀ in all directions that are orthogonal to the columns of U and to √mean, where g is
    v/(1 + (n − 1)v), and g₀ the same of `rest`. N(y) divides the row's counts among the distributions: those of outcome
    a in proportion to P_aj exp(ψ(y_j t_j) − ψ(t_j)), and to common_a, which belongs to none of them; n is Σ N. t_j is
    the sum of the parameters of a Dirichlet whose y_j is as certain as this one: there, g is 1/t and the squares of U_j
    sum to 1 − mean_j. U (k, d) has orthonormal columns that are orthogonal to √mean; v (d,) and `rest` are in (0, 1].
    Negative entries of y are set to zero. steps[i] is −1 if Σ |change| did not fall below `tolerance` in max_iter
    steps.
    """
    k, d = U.shape
    longest = longest_row(bounds)
    rows, q, offsets = np.empty((longest, k)), np.empty(longest), np.empty(longest)
    y, weights, shares = np.empty(k), np.empty(k), np.empty(k)
    root, t, norm, gain, moved = np.sqrt(mean), np.empty(k), np.empty(k), np.empty(d), np.empty(d)
    directions, order, along = np.ascontiguousarray(U.T), np.arange(d), np.empty(k)  # for sums with eight j at a time
    squares, beyond = directions * directions, np.empty(k)
    for j in range(k):
        beyond[j] = 1.0 - mean[j]
        for c in range(d):
            beyond[j] -= squares[c, j]
        beyond[j] = max(beyond[j], 0.0)
    for i in range(len(bounds) - 1):
        begin, m = bounds[i], bounds[i + 1] - bounds[i]
        counts = data[begin : begin + m]
        copy_rows(P, common, indices, begin, m, rows, offsets)
        has_common = False
        for a in range(m):
            has_common = has_common or offsets[a] > 0.0
        n = explained[i]
        copy(Y[i], y)
        used, change = 0, np.inf
        while change > tolerance and used < max_iter:
            if has_common or used == 0:
                gain_rest = rest / max((1.0 - rest) + n * rest, MIN_PSEUDOCOUNT)
                for c in range(d):
                    gain[c] = v[c] / max((1.0 - v[c]) + n * v[c], MIN_PSEUDOCOUNT)
                fill(along, 0.0)
                add_rows(squares, order, gain, 0, d, along)
                for j in range(k):
                    spread = gain_rest * beyond[j] + along[j]
                    t[j] = max((1.0 - mean[j]) / spread if spread > 0.0 else n, MIN_PSEUDOCOUNT)
                for j in range(k):  # a loop of its own, for vectors
                    norm[j] = exp_digamma(t[j])
            for j in range(k):
                weights[j] = exp_digamma(max(y[j] * t[j], MIN_PSEUDOCOUNT)) / norm[j]
            divide_counts(counts, rows, offsets, m, weights, q, shares)
            n = total(address(shares), k)
            for j in range(k):
                along[j] = shares[j] / root[j]
            multiply_rows(along, directions, order, 0, d, moved)
            for c in range(d):
                moved[c] *= gain[c] - gain_rest
            fill(along, 0.0)
            add_rows(directions, order, moved, 0, d, along)
            for j in range(k):
                here = mean[j] + gain_rest * (shares[j] - n * mean[j])
                shares[j] = max(here + root[j] * along[j], 0.0)
            weight = total(address(shares), k)
            for j in range(k):
                shares[j] /= weight
                along[j] = abs(shares[j] - y[j])
                y[j] = shares[j]
            change = total(address(along), k)
            used += 1
        copy(y, Y[i])
        explained[i] = n
        steps[i] = used if change <= tolerance else -1
