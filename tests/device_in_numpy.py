"""The methods of `cotopics.gpu.kernels.CudaKernels` in plain numpy: slow, short, and the same for every machine.

A `Device` of these runs all the code of `cotopics.gpu` but CUDA C, which `gpu/test_kernels.py` compares with it.
What CUDA C could not read, arrays that do not lie row after row, is an error here too.
"""

import numpy as np
from scipy.special import digamma

from cotopics.gpu.device import Device
from cotopics.gpu.kernels import COUNTS, LOG_ONE_PLUS
from cotopics.gpu.matrices import repeated

TINY = 1e-30


def transformed(x, how):
    if how == COUNTS:
        return x
    return np.log1p(x) if how == LOG_ONE_PLUS else np.where(x >= 1, 1 + np.log(np.maximum(x, 1)), x)


def entry_rows(rows):
    parts = repeated(np, rows.bounds)
    return parts if rows.row_of is None else rows.row_of[parts]


def n_rows_of(rows):
    return rows.n_parts if rows.first_part is None else len(rows.first_part) - 1


class NumpyKernels:
    def sums(self, rows, n_rows, *, own, other, how, square=False):
        values = self._values(rows, own, other, how)
        return np.bincount(entry_rows(rows), weights=values**2 if square else values, minlength=n_rows)

    def formed(self, rows, *, own, other, how):
        return self._values(rows, own, other, how).astype(np.float32)

    def _values(self, rows, own, other, how):
        values = transformed(rows.data.astype(np.float64), how)
        values = values if own is None else values * own[entry_rows(rows)]
        return values if other is None else values * other[rows.indices]

    def product(self, rows, M, n_columns):
        found = self._added(rows, rows.data[:, None] * M[rows.indices])
        return found.astype(np.float32) if rows.row_of is None else found[:, :n_columns]

    def word_pass(self, rows, W, B, own, kappa, n_columns):
        own_rows, M = entry_rows(rows), W[rows.indices]
        q = np.maximum(kappa * np.einsum("ij,ij->i", M, B[own_rows]) + own[own_rows], TINY)
        return self._added(rows, (kappa * rows.data / q)[:, None] * M)[:, :n_columns]

    def document_pass(self, rows, B, W, common, kappa, smoothing, n_topics, *, relax, likely):
        own_rows, M = entry_rows(rows), B[rows.indices]
        q = np.maximum(kappa * np.einsum("ij,ij->i", M, W[own_rows]) + common[rows.indices], TINY)
        new = self._added(rows, (kappa * rows.data / q)[:, None] * M)[:, :n_topics] * W[:, :n_topics] + smoothing
        new /= new.sum(axis=1, keepdims=True)
        if relax:
            new *= np.clip(new / np.maximum(W[:, :n_topics], TINY), 0.1, 10) ** 0.75
            new /= new.sum(axis=1, keepdims=True)
        W[:, :n_topics] = new
        return float(rows.data @ np.log(q)) if likely else 0.0

    def linear_bayes(self, rows, P, offsets, prior, Y, explained, tolerance, max_iter):
        n, K = Y.shape
        steps = np.empty(n, np.int32)
        root = np.sqrt(prior.mean)
        for i in range(n):
            some = slice(rows.bounds[i], rows.bounds[i + 1])
            words, counts = rows.indices[some], rows.data[some]
            y, total, change, used = Y[i].astype(float), float(explained[i]), np.inf, 0
            while change > tolerance and used < max_iter:
                rest = prior.rest / max((1 - prior.rest) + total * prior.rest, 0.01)
                gain = prior.v / np.maximum((1 - prior.v) + total * prior.v, 0.01)
                spread = rest * prior.beyond + gain @ prior.squares
                apart = np.divide(1 - prior.mean, spread, out=np.full(K, total), where=spread > 0)
                t = np.maximum(apart, 0.01)
                weights = np.exp(digamma(np.maximum(y * t, 0.01)) - digamma(t))
                q = P[words, :K] @ weights + offsets[words]
                N = (counts / q) @ P[words, :K] * weights
                total = N.sum()
                moved = (N / root) @ prior.U * (gain - rest)
                new = np.maximum(prior.mean + rest * (N - total * prior.mean) + root * (moved @ prior.Ut), 0)
                new /= new.sum()
                change, y, used = np.abs(new - y).sum(), new, used + 1
            Y[i], explained[i], steps[i] = y, total, used if change <= tolerance else -1
        return steps

    def one_topic_pass(self, rows, table, topics, smoothing, size, beta, P):
        tokens, totals, sizes = topics
        likelihood, change = 0.0, 0.0
        for i in range(len(P)):
            some = slice(rows.bounds[i], rows.bounds[i + 1])
            words, x, own = rows.indices[some], rows.data[some].astype(float), P[i].astype(float)
            S = x @ table[words].astype(float)
            for k in np.flatnonzero(own > 1e-4):
                among = np.log(max(totals[k] - own[k] * x.sum(), 0) + len(table) * smoothing)
                S[k] = x @ (np.log(np.maximum(tokens[words, k] - own[k] * x, 0) + smoothing) - among)
            S = beta * S + np.log(np.maximum(sizes - own, 0) + size)
            new = np.exp(S - S.max())
            likelihood += S.max() + np.log(new.sum())
            new /= new.sum()
            change += np.abs(new - own).sum()
            P[i] = new
        return likelihood, change

    def _added(self, rows, values):
        out = np.zeros((n_rows_of(rows), values.shape[1]))
        np.add.at(out, entry_rows(rows), values.astype(np.float64))
        return out


class Strict:
    """The kernels, which take arrays that lie row after row only."""

    def __getattr__(self, name):
        def call(*arguments, **options):
            assert all(array.flags.c_contiguous for array in arrays_of((*arguments, *options.values())))
            return getattr(NumpyKernels, name)(NumpyKernels(), *arguments, **options)

        return call


def arrays_of(values):
    for value in values:
        if isinstance(value, tuple):
            yield from arrays_of(value)
        elif isinstance(value, np.ndarray):
            yield value


IN_NUMPY = Device("cuda: none, in numpy", np, Strict())
