"""What is done with sparse matrices on a GPU: the kernels of `sources.py`, called with arrays of CuPy.

The tests have the same methods in plain numpy (`tests/device_in_numpy.py`), so that everything around them runs without
a GPU, and run CUDA C itself on the processor (`tests/cuda_on_cpu.py`). Rows of a matrix that warps read are single
precision and padded with zeros to a multiple of four numbers.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from cotopics.errors import DeviceError
from cotopics.gpu.matrices import Rows
from cotopics.gpu.sources import FOR_ROWS, GENERAL

WARPS = 4  # of a block
SHARED = 48 << 10  # bytes of shared memory that a block may have on any GPU
SHAPES = ((4, 1), (8, 1), (8, 2), (8, 4), (16, 4), (32, 4), (32, 8), (32, 16))  # lanes a row, vectors a lane
COUNTS, ONE_PLUS_LOG, LOG_ONE_PLUS = 0, 1, 2  # what is done with counts before they are multiplied
OPTIONS = ("--std=c++17",)
MAX_TOPICS = 4 * SHAPES[-1][0] * SHAPES[-1][1]


class CudaKernels:
    def __init__(self, xp: Any) -> None:
        self.xp = xp

    def sums(self, rows: Rows, n_rows: int, *, own: Any, other: Any, how: int, square: bool = False) -> Any:
        """Σ_e of f(data_e) own_row other_e, or of its square, in each row: (n_rows,) double. own, other: None is 1."""
        out = self.xp.empty(rows.n_parts)
        arrays = (rows.bounds, _or_null(rows.row_of), rows.indices, rows.data, _or_null(own), _or_null(other))
        self._run("sums", None, rows.n_parts, 0, *arrays, np.int32(how), np.int32(square), np.int32(rows.n_parts), out)
        return out if rows.row_of is None else self._added(out[:, None], rows, 1)[:, 0]

    def formed(self, rows: Rows, *, own: Any, other: Any, how: int) -> Any:
        """f(data_e) own_row other_e of every entry, single."""
        out = self.xp.empty(len(rows.data), np.float32)
        arrays = (rows.bounds, _or_null(rows.row_of), rows.indices, rows.data, _or_null(own), _or_null(other))
        self._run("formed", None, rows.n_parts, 0, *arrays, np.int32(how), np.int32(rows.n_parts), out)
        return out

    def product(self, rows: Rows, M: Any, n_columns: int) -> Any:
        """Σ_e data_e M[indices_e] for every row: (n_rows, ·) padded where every row is one part, else double."""
        in_parts = rows.row_of is not None
        out = self.xp.empty((rows.n_parts, M.shape[1]), np.float64 if in_parts else np.float32)
        arrays = (rows.bounds, rows.indices, rows.data, M)
        name = "product_double" if in_parts else "product"
        self._run(name, None, rows.n_parts, 0, *arrays, np.int32(M.shape[1]), np.int32(rows.n_parts), out)
        return self._added(out, rows, n_columns) if in_parts else out

    def word_pass(self, rows: Rows, W: Any, B: Any, own: Any, kappa: float, n_columns: int) -> Any:
        """Σ_e ratio_e W[indices_e] of every word, ratio = κ x/q with q = κ B_w · W[indices_e] + own_w: double."""
        out = self.xp.empty((rows.n_parts, W.shape[1]), np.float32)
        arrays = (rows.bounds, rows.row_of, rows.indices, rows.data, W, B, own)
        numbers = (np.float32(kappa), np.int32(W.shape[1] // 4), np.int32(rows.n_parts))
        self._run("word_parts", W.shape[1], rows.n_parts, 0, *arrays, *numbers, out)
        return self._added(out, rows, n_columns)

    def document_pass(
        self, rows: Rows, B: Any, W: Any, common: Any, kappa: float, smoothing: float, n_topics: int, *, relax: bool,
        likely: bool,
    ) -> float:  # fmt: skip
        """A step of documents' topics W, in place, as that of `cotopics.refine.kernels`; returns Σ x log q, or 0."""
        n = rows.n_parts
        found = self.xp.empty(n if likely else 0)
        numbers = (np.float32(kappa), np.float32(smoothing), np.int32(n_topics), np.int32(relax), np.int32(likely))
        arrays = (rows.bounds, rows.indices, rows.data, B, W, common)
        width = np.int32(B.shape[1] // 4)
        self._run("document_pass", B.shape[1], n, 0, *arrays, *numbers, width, np.int32(n), found)
        return float(found.sum()) if likely else 0.0

    def linear_bayes(
        self, rows: Rows, P: Any, offsets: Any, prior: Any, Y: Any, explained: Any, tolerance: float, max_iter: int
    ) -> Any:
        """Y (n, K) and explained (n,), single, become those of `cotopics.linalg.kernels.mixture`; returns the steps."""
        n, K = Y.shape
        d, width = prior.U.shape[1], P.shape[1] // 4
        steps = self.xp.empty(n, np.int32)
        arrays = (rows.bounds, rows.indices, rows.data, P, offsets, prior.mean, prior.U, prior.Ut, prior.squares)
        numbers = (np.int32(K), np.int32(d), np.float32(tolerance), np.int32(max_iter), np.int32(width), np.int32(n))
        self._run(
            "linear_bayes", P.shape[1], n, 4 * (8 * width + 32), *arrays, prior.beyond, prior.v,
            np.float32(prior.rest), *numbers, Y, explained, steps,
        )  # fmt: skip
        return steps

    def one_topic_pass(
        self, rows: Rows, table: Any, topics: Any, smoothing: float, size: float, beta: float, P: Any
    ) -> tuple[float, float]:
        """P (n, K), single, becomes the new p(topic | document), as that of `cotopics.refine.kernels`.

        topics: tokens (n_words, K), totals and sizes (K,), table (n_words, K), double. Returns Σ likelihood and
        Σ |change|."""
        n, K = P.shape
        likelihoods, changes = self.xp.empty(n), self.xp.empty(n)
        arrays = (rows.bounds, rows.indices, rows.data, table, *topics)
        numbers = (np.float64(smoothing), np.float64(size), np.float64(beta), np.float64(len(table)))
        shared = 8 * (-(-K // 32) * 32)
        self._run(
            "one_topic_pass", None, n, shared, *arrays, *numbers, np.int32(K), np.int32(n), P, likelihoods, changes
        )
        return float(likelihoods.sum()), float(changes.sum())

    def _added(self, parts: Any, rows: Rows, n_columns: int) -> Any:
        """Parts (n_parts, ·) of rows added up in their order: (n_rows, n_columns) double."""
        n_rows = len(rows.first_part) - 1
        out = self.xp.empty((n_rows, n_columns))
        size = n_rows * n_columns
        if size:
            name = "combine_double" if parts.dtype == np.float64 else "combine"
            combine = _general(self.xp).get_function(name)
            numbers = (np.int32(n_columns), np.int32(parts.shape[1]), np.int64(n_rows))
            combine((-(-size // 256),), (256,), (parts, rows.first_part, *numbers, out))
        return out

    def _run(self, name: str, n_columns: int | None, n: int, shared: int, *arguments: Any) -> None:
        """A kernel with a warp for each of n rows, which needs so many bytes of shared memory.

        n_columns: of the matrix whose rows groups of lanes read; None where they do not."""
        if n == 0:
            return
        module = _general(self.xp) if n_columns is None else _for_rows(self.xp, *_shape(n_columns))
        function = module.get_function(name)
        warps = max(1, min(WARPS, SHARED // max(shared, 1)))
        if warps * shared > SHARED:
            function.max_dynamic_shared_size_bytes = warps * shared
        function((-(-n // warps),), (32 * warps,), arguments, shared_mem=warps * shared)


def check_topics(n_topics: int) -> None:
    """A DeviceError for more topics than kernels have registers for."""
    if n_topics > MAX_TOPICS:
        raise DeviceError(f"a GPU takes up to {MAX_TOPICS:,} topics, and n_topics={n_topics}; use device='cpu'")


def padded(xp: Any, M: Any) -> Any:
    """M (n, k) in single precision, columns of zeros added up to a multiple of four."""
    k = M.shape[1]
    out = xp.zeros((M.shape[0], -(-k // 4) * 4), np.float32)
    out[:, :k] = M
    return out


def _or_null(array: Any) -> Any:
    return np.uintp(0) if array is None else array


def _shape(n_columns: int) -> tuple[int, int]:
    """Lanes that read a row, and vectors of four numbers for each."""
    return next((lanes, vectors) for lanes, vectors in SHAPES if 4 * lanes * vectors >= n_columns)


@cache
def _general(xp: Any) -> Any:
    """Kernels for which the number of columns does not matter. CuPy keeps what it compiles on disk."""
    return xp.RawModule(code=GENERAL, options=OPTIONS)


@cache
def _for_rows(xp: Any, lanes: int, vectors: int) -> Any:
    """Kernels for rows of up to 4 · lanes · vectors numbers."""
    return xp.RawModule(code=FOR_ROWS, options=(*OPTIONS, f"-DG={lanes}", f"-DR={vectors}"))
