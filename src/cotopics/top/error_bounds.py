"""How large the errors of a co-occurrence are, entry by entry: Bing et al. 2020, (50) and (51)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur import Cooccurrence, Implicit, as_cooccurrence
from cotopics.cooccur.base import Words
from cotopics.cooccur.implicit import DocumentLengths
from cotopics.errors import CooccurrenceError, CorpusError, ParameterError
from cotopics.records import Array

FREQUENCY_SCALE = 1000.0  # frequencies are multiplied by this in (50) and (51); see `ErrorBounds`
MAX_KEPT_ENTRIES = 1 << 24  # smaller C and E are kept in memory, not computed again: 128 MiB each
EXACT_ERROR = 1e-10  # relative error of R if C is exact: rounding


@dataclass(frozen=True)
class ErrorBounds:
    """The size of the errors |Ĉ − C| (η) and |R̂ − R| (δ), where R_jl = C_jl/(f_j f_l) is the lift of two words.

        η_jl = (root_j + root_l) √E_jl + (flat_j + flat_l) + √(cubic_j + cubic_l)                      (51)
        δ_jl = (η_jl + C_jl (relative_j + relative_l)) / (f_j f_l)                                     (50)

    with E_jl = (1/n) Σ_i X_ji X_li / N_i and vectors (n_words,) that hold the constants of the paper. If the
    co-occurrence is exact, δ is a rounding error.

    As printed, with frequencies X that sum to one in a document, these are bounds, but so wide that everything becomes
    one topic: δ is about thirty times R. The experiments of the paper first multiply X by the number of words p. R does
    not change, and the terms of δ, which fall as N^-½, N^-1 and N^-3/2, become smaller as if documents were p times as
    long. But then keeping more rare words would make δ smaller for all words. So here X is multiplied by 1,000, the p
    of the paper's experiments, for every vocabulary: δ is then the size of the errors, which are rarely three times as
    large. Where the leading terms decide, C1 of the paper is √(p/1,000) times our c1. `unit` of TOP changes the number;
    unit="words" is the paper's.
    """

    C: Cooccurrence
    E: (
        Cooccurrence | float
    )  # a number if all documents have one length: E is this times C with its uncorrected diagonal
    frequency: Array
    root: Array
    flat: Array
    cubic: Array
    relative: Array

    @property
    def vectors(self) -> Array:
        """1/f and the four vectors of (50) and (51) as rows, for compiled loops."""
        return np.array([1 / self.frequency, self.root, self.flat, self.cubic, self.relative])

    def restrict(self, words: Words) -> ErrorBounds:
        """The bounds of these words only, in this order."""
        words = np.asarray(words)
        E = self.E if isinstance(self.E, float) else self.E.restrict(words)
        per_word = ("frequency", "root", "flat", "cubic", "relative")
        return replace(self, C=self.C.restrict(words), E=E, **{name: getattr(self, name)[words] for name in per_word})

    def rows(self, words: Words) -> tuple[Array, Array]:
        """The rows of C and of E of these words, (len(words), n_words) each."""
        C, E, where = self.rows_within(np.asarray(words))
        return (C, E) if self._kept is None else (C[where], E[where])

    def rows_within(self, words: Any) -> tuple[Array, Array, Any]:
        """Two arrays that contain these rows of C and E, and the positions of the rows in them; no copy if kept."""
        if self._kept is None:
            return *self._computed(words), np.arange(len(words))
        return *self._kept, words

    def diagonal(self) -> Array:
        """C_ii, (n_words,)."""
        return self.C.diagonal() if self._kept is None else np.diagonal(self._kept[0])

    @cached_property
    def _kept(self) -> tuple[Array, Array] | None:
        """All of C and E if they are small, because their rows are needed several times."""
        n = len(self.frequency)
        return self._computed(np.arange(n)) if n * n <= MAX_KEPT_ENTRIES else None

    def _computed(self, words: Any) -> tuple[Array, Array]:
        C = self.C.rows(words)
        if not isinstance(self.E, float):
            E = self.E.rows(words)
        else:
            E = self.E * C
            if isinstance(self.C, Implicit):
                E[np.arange(len(words)), words] += self.E * self.C.correction[words]
        return C, E

    def eta(self, rows: Words, columns: Words) -> Array:
        """η between the words of `rows` and of `columns`, (len(rows), len(columns)); (51)."""
        return self.eta_from(self.rows(rows)[1][:, columns], np.asarray(rows), np.asarray(columns))

    def eta_from(self, E: Array, rows: Any, columns: Any) -> Array:
        """The same if E between these words is known already."""
        return (
            np.add.outer(self.root[rows], self.root[columns]) * np.sqrt(np.maximum(E, 0))
            + np.add.outer(self.flat[rows], self.flat[columns])
            + np.sqrt(np.add.outer(self.cubic[rows], self.cubic[columns]))
        )

    def delta(self, rows: Words, columns: Words) -> Array:
        """δ between the words of `rows` and of `columns`, (len(rows), len(columns)); (50)."""
        rows, columns = np.asarray(rows), np.asarray(columns)
        C = self.rows(rows)[0][:, columns]
        relative = C * np.add.outer(self.relative[rows], self.relative[columns])
        return (self.eta(rows, columns) + relative) / np.outer(self.frequency[rows], self.frequency[columns])


def error_bounds(C: Any, *, unit: float | str = FREQUENCY_SCALE) -> ErrorBounds:
    """The bounds of a co-occurrence that has its documents, or of an exact one (without documents).

    ErrorBounds are returned as they are. unit: what frequencies are multiplied by, or "words" for the number of words.
    """
    if unit != "words" and not (isinstance(unit, int | float) and unit > 0):
        raise ParameterError(f"unit={unit!r} must be a number above 0, or 'words' for the number of words")
    if isinstance(C, ErrorBounds):
        return C
    C = as_cooccurrence(C)
    if C.documents is None:
        f = C.row_sums()
        zeros = np.zeros_like(f)
        return ErrorBounds(C, 0.0, f, zeros, zeros, zeros, np.full_like(f, EXACT_ERROR / 2))
    if not isinstance(C, Implicit) or C.tokens is None:
        raise CooccurrenceError(
            f"TOP needs the counts of every document, and this {type(C).__name__.lower()} co-occurrence no longer "
            "has them. Fit the counts themselves, or cooccurrence(X, representation='implicit')"
        )
    if C.signs is not None:
        raise CorpusError(
            "documents were forgotten that had not been added. TOP needs every document, so forget documents only as "
            "they were added"
        )
    return _from_documents(C, C.tokens, float(C.shape[0]) if isinstance(unit, str) else float(unit))


def _from_documents(C: Implicit, tokens: DocumentLengths, unit: float) -> ErrorBounds:
    from cotopics.top.kernels import column_moments

    n, p = C.H_t.shape
    indptr, indices, data, N = C.H_t.indptr, C.H_t.indices, C.H_t.data, tokens.lengths
    scale = tokens.scale / N  # turns a row of Ĥᵀ into frequencies X
    sums, largest = np.zeros((3, p)), np.zeros(p)
    column_moments(indptr, indices, data, scale, N, sums, largest)
    f, x_over_N, x_over_N3 = sums / n  # means over documents of X, X/N and X/N³, for every word
    log_M = np.log(max(n, np.count_nonzero(f), float(N.max())))  # M = n ∨ p ∨ max N, for the p words that occur
    weights = scale**2 / N / n  # turn products of rows of Ĥᵀ into XXᵀ/(nN)
    E: Cooccurrence | float = float(weights[0])
    if (N[0] != N).any():
        weighted = data * np.repeat(np.sqrt(weights), np.diff(indptr))
        E = Implicit(sp.csr_array((weighted, indices, indptr), shape=(n, p)), np.zeros(p), C.documents)
    return ErrorBounds(
        C=C,
        E=E,
        frequency=f,
        root=3 * np.sqrt(6) * np.sqrt(log_M / n) * np.sqrt(largest / unit),
        flat=2 * log_M / n * largest / unit * float(np.mean(1 / N)),
        cubic=31**2 * log_M**4 / n * x_over_N3 / unit**3,
        relative=2 * np.sqrt(log_M / n) / np.where(f > 0, f, 1.0) * np.sqrt(x_over_N / unit),
    )
