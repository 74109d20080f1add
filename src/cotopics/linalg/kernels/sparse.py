"""Passes over all numbers of a sparse matrix X (m, n, CSR): sums over columns and rows, and numbers in another form.

Each number may first be changed, as `linalg/changes.py` says: table[x] for the whole numbers that a table has, else by
a formula. Work is taken in pieces of rows, from edge to edge; sums are double.
"""

import numpy as np

from cotopics.linalg.kernels.compiled import fill, inlined, kernel
from cotopics.linalg.kernels.pieces import next_piece

ONE, ONE_PLUS_LOG, LOG1P = 1, 2, 3  # formulas, as `linalg/changes.py` numbers them


@inlined
def as_double(x, table, formula):
    if formula == ONE:
        return 1.0
    if 0 <= x < len(table) and np.int64(x) == x:
        return table[np.int64(x)]
    if formula == ONE_PLUS_LOG and x >= 1:
        return 1.0 + np.log(np.float64(x))
    return np.log1p(np.float64(x)) if formula == LOG1P else np.float64(x)


@inlined
def changed(x, table, formula, squared):
    """What x becomes, as a double."""
    y = as_double(x, table, formula)
    return y * y if squared else y


@kernel
def column_pieces(counter, edges, indptr, indices, data, table, formula, squared, weights, sums):
    """sums_pj = Σ_i weights_i · changed(x_ij) over the rows of piece p (n_pieces, n). No weights (0,): all are 1."""
    piece = next_piece(counter)
    while piece < len(edges) - 1:
        own = sums[piece]
        fill(own, 0.0)
        for i in range(edges[piece], edges[piece + 1]):
            weight = weights[i] if len(weights) > 0 else 1.0
            for e in range(indptr[i], indptr[i + 1]):
                own[indices[e]] += weight * changed(data[e], table, formula, squared)
        piece = next_piece(counter)


@kernel
def row_pieces(counter, edges, indptr, indices, data, table, formula, squared, weights, sums):
    """sums_i = Σ_j changed(x_ij) · weights_j (m,). No weights (0,): all are 1."""
    piece = next_piece(counter)
    while piece < len(edges) - 1:
        for i in range(edges[piece], edges[piece + 1]):
            found = 0.0
            if len(weights) > 0:
                for e in range(indptr[i], indptr[i + 1]):
                    found += changed(data[e], table, formula, squared) * weights[indices[e]]
            else:
                for e in range(indptr[i], indptr[i + 1]):
                    found += changed(data[e], table, formula, squared)
            sums[i] = found
        piece = next_piece(counter)


@kernel
def number_pieces(counter, size, indices, data, table, formula, squared, weights, numbers):
    """numbers_e = changed(x_e) · weights_j for every entry x_e in column j, `size` of them at a time."""
    piece = next_piece(counter)
    while piece * size < len(numbers):
        for e in range(piece * size, min((piece + 1) * size, len(numbers))):
            numbers[e] = changed(data[e], table, formula, squared) * weights[indices[e]]
        piece = next_piece(counter)


@kernel
def selected_pieces(
    counter, edges, indptr, indices, data, table, formula, scale, weights, place, new_indptr, new_indices, new_data
):
    """Entries scale_i · changed(x_ij) · weights_j at the columns place_j of another matrix; none where place_j < 0."""
    piece = next_piece(counter)
    while piece < len(edges) - 1:
        for i in range(edges[piece], edges[piece + 1]):
            last = new_indptr[i]
            for e in range(indptr[i], indptr[i + 1]):
                j = indices[e]
                if place[j] >= 0:
                    new_indices[last] = place[j]
                    new_data[last] = changed(data[e], table, formula, False) * weights[j] * scale[i]
                    last += 1
        piece = next_piece(counter)


@inlined
def scattered(x):
    """`linalg.sparse_matrices.scattered` of one number."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel
def key_pieces(counter, edges, indptr, indices, data, keys, with_numbers, sums):
    """sums_i = Σ_j keys_j (m,), each multiplied by a number that stands for x_ij if asked, modulo 2⁶⁴."""
    piece = next_piece(counter)
    while piece < len(edges) - 1:
        for i in range(edges[piece], edges[piece + 1]):
            found = np.uint64(0)
            for e in range(indptr[i], indptr[i + 1]):
                key = keys[indices[e]]
                if with_numbers:
                    key *= scattered(np.float64(data[e]).view(np.uint64))
                found += key
            sums[i] = found
        piece = next_piece(counter)
