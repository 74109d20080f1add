"""What keeps a thin factor's product from being non-negative, multiplied without being formed."""

from functools import partial
from typing import Any

import numpy as np

from cotopics.linalg.threads import map_row_blocks

Array = np.ndarray[Any, np.dtype[np.floating[Any]]]

GROUP_ROWS = 16_384  # rows whose parts of the result are kept apart until they are added in order
BLOCK_ROWS = 512  # rows of YY_Iᵀ at a time: a few megabytes, gone before they leave the cache


def times_negative_part(Y: Array, I: np.ndarray[Any, np.dtype[np.integer[Any]]], V: Array) -> Array:
    """E V for V (n, m), where E_ij = max(−y_i·y_j, 0) if i or j is in I, and 0 elsewhere; y_i are the rows of Y (n, k).

    Three dense products a block of rows, 2 n |I| (k + 2m) operations in all, and never more than a block of E a thread.
    Everything is in the precision of Y and V.
    """
    n = len(Y)
    outside_I = np.ones(n, dtype=bool)
    outside_I[I] = False
    rest = np.flatnonzero(outside_I)
    Y_I, V_I = Y[I].T.copy(), V[I]
    Y_rest, V_rest = Y[rest], V[rest]
    out = np.empty(V.shape, dtype=np.result_type(Y, V))

    def inside(start: int, stop: int) -> None:
        G = Y_I.T[start:stop] @ Y_I
        out[I[start:stop]] = np.minimum(G, 0, out=G) @ V_I

    def outside(first: int, start: int, stop: int) -> Array:
        start, stop = first + start, first + stop
        G = Y_rest[start:stop] @ Y_I
        np.minimum(G, 0, out=G)
        out[rest[start:stop]] = G @ V_I
        return G.T @ V_rest[start:stop]

    map_row_blocks(inside, len(I), block=BLOCK_ROWS)
    sums = np.zeros((len(I), V.shape[1]), dtype=out.dtype)
    for first in range(0, len(rest), GROUP_ROWS):
        last = min(first + GROUP_ROWS, len(rest))
        for part in map_row_blocks(partial(outside, first), last - first, block=BLOCK_ROWS):
            sums += part  # in the order of the blocks, whichever thread was first
    out[I] += sums
    return np.negative(out, out=out)
