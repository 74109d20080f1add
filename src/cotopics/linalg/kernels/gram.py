"""HHᵀV and its relatives for a sparse H, in one pass over the rows h_m of Hᵀ, a CSR matrix."""

import numpy as np

from cotopics.linalg.kernels.compiled import fill, kernel
from cotopics.linalg.kernels.ordered_sums import add_rows


@kernel
def add_gram(indptr, indices, data, weights, V, first, last, out):
    """out += Σ_m w_m h_m (h_mᵀV) for the rows m from first to last; V (n, k).

    The product of a row with V is used while it is still in the cache. All numbers have one type, single or double.
    """
    k = V.shape[1]
    d = np.empty(k, dtype=V.dtype)
    for m in range(first, last):
        begin, end = indptr[m], indptr[m + 1]
        fill(d, 0.0)
        add_rows(V, indices, data[begin:end], begin, end, d)
        w = weights[m]
        for e in range(begin, end):
            h, o = w * data[e], out[indices[e]]
            for c in range(k):
                o[c] += h * d[c]


@kernel
def add_columns(indptr, indices, data, place, sign, first, last, out):
    """out[i, place[c]] += sign · Σ_m h_mi h_mc for i from first to last and the columns c with place[c] ≥ 0."""
    found = np.empty(len(place), dtype=np.int64)
    for m in range(len(indptr) - 1):
        count = 0
        for e in range(indptr[m], indptr[m + 1]):
            if place[indices[e]] >= 0:
                found[count] = e
                count += 1
        for e in range(indptr[m], indptr[m + 1]):
            if first <= indices[e] < last:
                row = out[indices[e]]
                for f in range(count):
                    row[place[indices[found[f]]]] += sign * data[e] * data[found[f]]


@kernel
def add_signed(indptr, indices, data, signs, sign, first, last, offset, out):
    """out[:, offset + c] += sign · Σ_m h_m (h_mᵀ signs[:, c]) for the columns c from first to last."""
    width = last - first
    d = np.empty(width)
    for m in range(len(indptr) - 1):
        fill(d, 0.0)
        for e in range(indptr[m], indptr[m + 1]):
            h, v = data[e], signs[indices[e], first:last]
            for c in range(width):
                d[c] += h * v[c]
        for e in range(indptr[m], indptr[m + 1]):
            h, o = sign * data[e], out[indices[e], offset + first : offset + last]
            for c in range(width):
                o[c] += h * d[c]


@kernel
def square_gram_rows(indptr, indices, data, t_indptr, t_indices, t_data, first, step, out):
    """out_i += Σ_j (Σ_m h_im h_jm)²: the part that comes from rows first, first + step, … of the Gram matrix.

    H and Hᵀ are CSR. The Gram matrix is symmetric, so row i is computed from its diagonal on, and each entry is counted
    for its row and its column. The indices of a row of Hᵀ ascend, so it is read from its end. `row` has n numbers; only
    those that were `touched` are read and cleared.
    """
    n = len(indptr) - 1
    row, seen, touched = np.zeros(n), np.full(n, -1, dtype=np.int64), np.empty(n, dtype=np.int64)
    for i in range(first, n, step):
        count = 0
        for e in range(indptr[i], indptr[i + 1]):
            h, m = data[e], indices[e]
            for f in range(t_indptr[m + 1] - 1, t_indptr[m] - 1, -1):
                j = t_indices[f]
                if j < i:
                    break
                if seen[j] != i:
                    seen[j] = i
                    touched[count] = j
                    count += 1
                row[j] += h * t_data[f]
        for t in range(count):
            j = touched[t]
            square = row[j] ** 2
            row[j] = 0.0
            out[i] += square
            if j != i:
                out[j] += square
