"""tf-idf weights and co-occurrence on a device: what `TfidfWeights` and `Implicit` of `cooccur` do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cotopics.cooccur import Balanced
from cotopics.cooccur.base import Words
from cotopics.gpu.kernels import COUNTS, LOG_ONE_PLUS, ONE_PLUS_LOG, padded
from cotopics.gpu.matrices import DeviceMatrix
from cotopics.records import Array


@dataclass(frozen=True)
class DeviceWeights:
    """D = diag(scale) (1 + log X) diag(idf) for counts X on a device, where idf and scale are too."""

    X: DeviceMatrix
    idf: Any
    scale: Any

    @classmethod
    def of_unit_length(cls, X: DeviceMatrix, idf: Array, dtype: Any = None) -> DeviceWeights:
        xp, idf = X.device.xp, X.device.put(idf)
        squares = cls(X, idf, None)._by_document(square=True)
        return cls(X, idf, 1 / xp.sqrt(xp.where(squares > 0, squares, 1)))

    def balanced(self, sums: Array, n_documents: int, balance: Balanced) -> DeviceWeights:
        xp, sums = self.X.device.xp, self.X.device.put(sums)
        mean = float(sums @ sums) / max(n_documents, 1)
        degrees = xp.maximum(self._by_document(times=sums), balance.floor * mean)
        return replace(self, scale=self.scale * degrees**-balance.power)

    def words_divided(self, squares: Array, power: float) -> DeviceWeights:
        xp, squares = self.X.device.xp, self.X.device.put(squares)
        return replace(self, idf=self.idf * xp.where(squares > 0, squares, 1) ** (-power / 2))

    def column_sums(self) -> Any:
        return self._by_word(self.scale)

    def column_squares(self) -> Any:
        return self._by_word(self.scale, square=True)

    def total(self) -> float:
        """The sum of C's entries."""
        sums = self._by_document()
        return float(sums @ sums)

    def row_sums_of_gram(self) -> Any:
        """C1 = DᵀD1."""
        return self._by_word(self.scale * self._by_document())

    def formed(self) -> DeviceMatrix:
        """D, by document and by word."""
        kernels, X = self.X.device.kernels, self.X
        data = kernels.formed(X.by_document, own=self.scale, other=self.idf, how=ONE_PLUS_LOG)
        turned = kernels.formed(X.by_word, own=self.idf, other=self.scale, how=ONE_PLUS_LOG)
        return X.with_data(data, turned)

    def _by_document(self, times: Any = None, square: bool = False) -> Any:
        other = self.idf if times is None else self.idf * times
        rows, n = self.X.by_document, self.X.shape[0]
        return self.X.device.kernels.sums(rows, n, own=self.scale, other=other, how=ONE_PLUS_LOG, square=square)

    def _by_word(self, other: Any, square: bool = False) -> Any:
        rows, n = self.X.by_word, self.X.shape[1]
        return self.X.device.kernels.sums(rows, n, own=self.idf, other=other, how=ONE_PLUS_LOG, square=square)


@dataclass(frozen=True)
class DeviceCooccurrence:
    """C = DᵀD of formed weights D (documents × words): a piece of `cotopics.in_pieces.Partitioned`."""

    D: DeviceMatrix

    def restrict(self, words: Words) -> DeviceCooccurrence:
        return DeviceCooccurrence(self.D.columns(words))

    def __matmul__(self, V: Array) -> Any:
        """C V, for a block (n_words, k)."""
        device, k = self.D.device, V.shape[1]
        block = padded(device.xp, device.put(V))
        by_document = device.kernels.product(self.D.by_document, block, k)
        return device.kernels.product(self.D.by_word, by_document, k)

    def row_sums(self) -> Any:
        return (self @ np.ones((self.D.shape[1], 1)))[:, 0]

    def rows(self, words: Words) -> Any:
        V = np.zeros((self.D.shape[1], len(words)))
        V[np.asarray(words), np.arange(len(words))] = 1
        return (self @ V).T

    def diagonal(self) -> Any:
        return self.D.device.kernels.sums(
            self.D.by_word, self.D.shape[1], own=None, other=None, how=COUNTS, square=True
        )


class WeightedCooccurrence:
    """The same of weights that are not formed yet: row sums need no memory for them, and C of some words less."""

    def __init__(self, weights: DeviceWeights, documents: None = None) -> None:
        self.weights = weights

    def row_sums(self) -> Any:
        return self.weights.row_sums_of_gram()

    def restrict(self, words: Words) -> DeviceCooccurrence:
        return DeviceCooccurrence(self.weights.formed().columns(words))

    def of_all_words(self) -> DeviceCooccurrence:
        return DeviceCooccurrence(self.weights.formed())


# --- questions that `Partitioned` asks -------------------------------------------------------------------------------


def restricted(piece: DeviceCooccurrence | WeightedCooccurrence, words: Words) -> DeviceCooccurrence:
    return piece.restrict(words)


def times(piece: DeviceCooccurrence | WeightedCooccurrence, V: Array) -> Any:
    return _formed(piece) @ V


def rows_of(piece: DeviceCooccurrence | WeightedCooccurrence, words: Words) -> Any:
    return _formed(piece).rows(words)


def diagonal_of(piece: DeviceCooccurrence | WeightedCooccurrence) -> Any:
    return _formed(piece).diagonal()


def row_sums_of(piece: DeviceCooccurrence | WeightedCooccurrence) -> Any:
    return piece.row_sums()


def _formed(piece: DeviceCooccurrence | WeightedCooccurrence) -> DeviceCooccurrence:
    return piece.of_all_words() if isinstance(piece, WeightedCooccurrence) else piece


# --- sums over documents ---------------------------------------------------------------------------------------------


def word_totals(counts: DeviceMatrix, idf: Array | None = None) -> Any:
    """Tokens of every word (n_words,), damped where an idf is given."""
    how, own = (COUNTS, None) if idf is None else (LOG_ONE_PLUS, counts.device.put(idf))
    return counts.device.kernels.sums(counts.by_word, counts.shape[1], own=own, other=None, how=how)


def occurrences_and_damped(counts: DeviceMatrix) -> tuple[Any, Any]:
    sums = counts.device.kernels.sums
    return word_totals(counts), sums(counts.by_word, counts.shape[1], own=None, other=None, how=LOG_ONE_PLUS)
