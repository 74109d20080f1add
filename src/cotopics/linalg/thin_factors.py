"""Matrices n × n that are known by a thin factor (n, k): products and norms without forming them."""

from functools import partial
from typing import Any

import numpy as np

from cotopics.arrays import Array
from cotopics.linalg.eigen import largest_first
from cotopics.linalg.threads import map_row_blocks, thin_product

Floats = np.ndarray[Any, np.dtype[np.floating[Any]]]  # of either precision

CORE_RANK_TOLERANCE = 1e-12  # smaller eigenvalues of the core, relative to the largest, are rounding errors
GROUP_ROWS = 16_384  # rows whose parts of the result are kept separately until they are added in order
BLOCK_ROWS = 512  # rows of YY_Iᵀ per block: a few megabytes, which stay in the cache


def relative_change(Y: Array, Z: Array) -> float:
    """‖YYᵀ − ZZᵀ‖_F / ‖ZZᵀ‖_F from k × k products. Signs and rotations of Y and Z make no difference."""
    YY, ZZ, YZ = (float(np.vdot(G, G)) for G in map(thin_product, (Y.T, Z.T, Y.T), (Y, Z, Z)))
    return float(np.sqrt(max(YY + ZZ - 2 * YZ, 0) / ZZ))


def nystrom_factor(Z: Array, core: Array) -> Array:
    """F (n, r) with FFᵀ = Z (ΩᵀZ)⁺ Zᵀ, where Z = GΩ (n, m), core = ΩᵀZ and G (n, n) is positive semidefinite.

    FFᵀ = G if the rank of G is at most m and Ω misses no direction of it; otherwise G − FFᵀ is positive semidefinite.
    """
    sizes = np.sqrt(np.maximum(np.diag(core), 0))
    scale = np.divide(1, sizes, out=np.zeros_like(sizes), where=sizes > 0)  # columns of G differ by orders of magnitude
    values, S = largest_first(core * np.outer(scale, scale))
    kept = values > CORE_RANK_TOLERANCE * values[0]
    return Z @ ((scale[:, None] * S[:, kept]) / np.sqrt(values[kept]))


def times_negative_part(Y: Floats, I: np.ndarray[Any, np.dtype[np.integer[Any]]], V: Floats) -> Floats:
    """E V for V (n, m), where E_ij = max(−y_i·y_j, 0) if i or j is in I, else 0; y_i are the rows of Y (n, k).

    Three dense products per block of rows: 2 n |I| (k + 2m) operations in all, and one block of E per thread in
    memory. All numbers have the precision of Y and V.
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

    def outside(first: int, start: int, stop: int) -> Floats:
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
            sums += part  # in the order of the blocks, not in the order in which threads finish
    out[I] += sums
    return np.negative(out, out=out)
