"""HHᵀV and its relatives for a sparse H, in one pass over the rows h_m of Hᵀ, a CSR matrix."""

import numpy as np

from cotopics.linalg.kernels.compiled import allocating_kernel, fill, kernel
from cotopics.linalg.kernels.ordered_sums import add_rows
from cotopics.linalg.kernels.pieces import next_piece


@allocating_kernel
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
def gram_pieces(counter, edges, indptr, indices, data, weights, V, sums):
    """sums_pc (n, width) is `add_gram` of the rows from edge p to edge p + 1 and of the columns V_c (n, width).

    Pieces with the same columns are taken one after the other: these then stay in the cache that threads share."""
    piece = next_piece(counter)
    while piece < len(V) * len(sums):
        c, p = piece // len(sums), piece % len(sums)
        out = sums[p, c]
        for i in range(len(out)):
            fill(out[i], 0.0)
        add_gram(indptr, indices, data, weights, V[c], edges[p], edges[p + 1], out)
        piece = next_piece(counter)


@kernel
def spread_pieces(counter, rows, order, V, first, out):
    """out_c (n, width), so many rows at a time: the rows of V (n, k) in this order, columns from `first` on; then 0."""
    width = out.shape[2]
    piece = next_piece(counter)
    while piece * rows < len(order):
        for i in range(piece * rows, min((piece + 1) * rows, len(order))):
            v = V[order[i]]
            for c in range(len(out)):
                o, begin = out[c, i], first + c * width
                inside = min(width, len(v) - begin)
                for j in range(inside):
                    o[j] = v[begin + j]
                for j in range(inside, width):
                    o[j] = 0.0
        piece = next_piece(counter)


@kernel
def gather_pieces(counter, rows, order, sums, first, total):
    """total (n, k) += sums_p, one after the other, so many rows at a time: what `spread_pieces` did, turned round."""
    width = sums.shape[3]
    piece = next_piece(counter)
    while piece * rows < len(order):
        for i in range(piece * rows, min((piece + 1) * rows, len(order))):
            t = total[order[i]]
            for c in range(sums.shape[1]):
                begin = first + c * width
                for p in range(len(sums)):
                    s = sums[p, c, i]
                    for j in range(min(width, len(t) - begin)):
                        t[begin + j] += s[j]
        piece = next_piece(counter)


@allocating_kernel
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


@allocating_kernel
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


@allocating_kernel
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
