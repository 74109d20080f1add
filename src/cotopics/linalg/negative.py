"""What keeps a thin factor's product from being non-negative, multiplied without being formed."""

from typing import Any

import numpy as np

from cotopics.linalg.threads import map_row_blocks

Array = np.ndarray[Any, np.dtype[np.floating[Any]]]

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

    def outside(start: int, stop: int) -> Array:
        G = Y_rest[start:stop] @ Y_I
        np.minimum(G, 0, out=G)
        out[rest[start:stop]] = G @ V_I
        return G.T @ V_rest[start:stop]

    map_row_blocks(inside, len(I), block=BLOCK_ROWS)
    for part in map_row_blocks(outside, len(rest), block=BLOCK_ROWS):
        out[I] += part  # in the order of the blocks, whichever thread was first
    return np.negative(out, out=out)
