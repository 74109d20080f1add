"""A weighted sum of co-occurrences, such as a large one plus a sparse correction. All but norms is linear."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

import numpy as np

from cotopics.cooccur.base import Array, Cooccurrence, Words


class Combined(Cooccurrence):
    """C = Σ weight · term."""

    def __init__(self, terms: Sequence[Cooccurrence], weights: Sequence[float]) -> None:
        self.terms = tuple(terms)
        self.weights = tuple(weights)
        self.documents = next((term.documents for term in terms if term.documents is not None), None)

    def _sum(self, answer: Callable[[Cooccurrence], Array]) -> Array:
        return reduce(np.add, (w * answer(term) for w, term in zip(self.weights, self.terms, strict=True)))

    @property
    def shape(self) -> tuple[int, int]:
        return self.terms[0].shape

    @property
    def nbytes(self) -> int:
        return sum(term.nbytes for term in self.terms)

    def __matmul__(self, V: Array) -> Array:
        return self._sum(lambda term: term @ V)

    def rows(self, words: Words) -> Array:
        return self._sum(lambda term: term.rows(words))

    def diagonal(self) -> Array:
        return self._sum(lambda term: term.diagonal())

    def toarray(self) -> Array:
        total = np.zeros(self.shape)
        for weight, term in zip(self.weights, self.terms, strict=True):
            for words in term.row_blocks():
                total[words] += weight * term.rows(words)
        return total

    def restrict(self, words: Words) -> Combined:
        return type(self)([term.restrict(words) for term in self.terms], self.weights)
