"""How far a co-occurrence of documents may be from the truth, entry by entry: Bing et al. 2020, (50) and (51)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur import Cooccurrence, Implicit, as_cooccurrence
from cotopics.cooccur.base import Words
from cotopics.cooccur.implicit import DocumentLengths
from cotopics.errors import CooccurrenceError, CorpusError
from cotopics.records import Array

UNIT = 1000.0  # what frequencies are multiplied by in (50) and (51); see `Tolerance`
WHOLE = 1 << 24  # entries of C and of E that are kept instead of computed again: 128 MiB each
ROUNDING = 1e-10  # of an entry of R, where C is exact


@dataclass(frozen=True)
class Tolerance:
    """How large errors |Ĉ − C| and |R̂ − R| are, where R_jl = C_jl/(f_j f_l) compares two words' company with chance.

        η_jl = (root_j + root_l) √E_jl + (flat_j + flat_l) + √(cubic_j + cubic_l)                      (51)
        δ_jl = (η_jl + C_jl (relative_j + relative_l)) / (f_j f_l)                                     (50)

    with E_jl = (1/n) Σ_i X_ji X_li / N_i, and vectors (n_words,) that hold the constants of the paper. For a
    co-occurrence that is exact δ is rounding.

    As printed, with frequencies X that sum to one in a document, these bound the errors, and are so wide that
    everything is one topic: δ is some thirty times R. The experiments of the paper multiply X by the number of words p
    first. That leaves R as it is and narrows δ, whose terms fall as N^-½, N^-1 and N^-3/2, as if documents were p times
    as long; but then keeping more rare words would narrow it for all others. Here X is multiplied by 1,000, the p of
    the paper's experiments, for every vocabulary: δ then is the size of the errors, and rarely exceeded threefold.
    Where the leading terms decide, C1 of the paper is √(p/1,000) times our c1.
    """

    C: Cooccurrence
    E: Cooccurrence | float  # where all documents have one length, E is C before its diagonal is corrected, times this
    frequency: Array
    root: Array
    flat: Array
    cubic: Array
    relative: Array

    @property
    def vectors(self) -> Array:
        """1/f and the four vectors of (50) and (51), one a row: what compiled loops take."""
        return np.array([1 / self.frequency, self.root, self.flat, self.cubic, self.relative])

    def restrict(self, words: Words) -> Tolerance:
        """The same for these words only, in this order."""
        words = np.asarray(words)
        E = self.E if isinstance(self.E, float) else self.E.restrict(words)
        per_word = ("frequency", "root", "flat", "cubic", "relative")
        return replace(self, C=self.C.restrict(words), E=E, **{name: getattr(self, name)[words] for name in per_word})

    def rows(self, words: Words) -> tuple[Array, Array]:
        """Rows of C and of E of these words, (len(words), n_words) each."""
        C, E, where = self.rows_within(np.asarray(words))
        return (C, E) if self._whole is None else (C[where], E[where])

    def rows_within(self, words: Any) -> tuple[Array, Array, Any]:
        """The same rows, perhaps among others, and where each of them is."""
        if self._whole is None:
            return *self._computed(words), np.arange(len(words))
        return *self._whole, words

    def diagonal(self) -> Array:
        """C_ii, (n_words,)."""
        return self.C.diagonal() if self._whole is None else np.diagonal(self._whole[0])

    @cached_property
    def _whole(self) -> tuple[Array, Array] | None:
        """C and E where they are small, because their rows are asked for several times."""
        n = len(self.frequency)
        return self._computed(np.arange(n)) if n * n <= WHOLE else None

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
        """η of these words with those, (len(rows), len(columns)); (51)."""
        return self.eta_from(self.rows(rows)[1][:, columns], np.asarray(rows), np.asarray(columns))

    def eta_from(self, E: Array, rows: Any, columns: Any) -> Array:
        """The same where E of these words with those is known already."""
        return (
            np.add.outer(self.root[rows], self.root[columns]) * np.sqrt(np.maximum(E, 0))
            + np.add.outer(self.flat[rows], self.flat[columns])
            + np.sqrt(np.add.outer(self.cubic[rows], self.cubic[columns]))
        )

    def delta(self, rows: Words, columns: Words) -> Array:
        """δ of these words with those, (len(rows), len(columns)); (50)."""
        rows, columns = np.asarray(rows), np.asarray(columns)
        C = self.rows(rows)[0][:, columns]
        relative = C * np.add.outer(self.relative[rows], self.relative[columns])
        return (self.eta(rows, columns) + relative) / np.outer(self.frequency[rows], self.frequency[columns])


def tolerance(C: Any) -> Tolerance:
    """The bounds for a co-occurrence that keeps its documents, or for one that is exact (no documents are known).

    Bounds that are there already are given back.
    """
    if isinstance(C, Tolerance):
        return C
    C = as_cooccurrence(C)
    if C.documents is None:
        f = C.row_sums()
        nothing = np.zeros_like(f)
        return Tolerance(C, 0.0, f, nothing, nothing, nothing, np.full_like(f, ROUNDING / 2))
    if not isinstance(C, Implicit) or C.tokens is None:
        raise CooccurrenceError(
            f"TOP looks at the counts of every document, and this {type(C).__name__.lower()} co-occurrence no longer "
            "has them. Fit the counts themselves, or cooccurrence(X, representation='implicit')"
        )
    if C.signs is not None:
        raise CorpusError(
            "documents were forgotten that are not among those added: TOP looks at every document, "
            "so forget each as it was added"
        )
    return _from_documents(C, C.tokens)


def _from_documents(C: Implicit, tokens: DocumentLengths) -> Tolerance:
    n, p = C.H_t.shape
    indptr, indices, data, N = C.H_t.indptr, C.H_t.indices, C.H_t.data, tokens.lengths
    scale = tokens.scale / N  # of a row of Ĥᵀ, to frequencies X
    f, x_over_N, x_over_N3, largest = _moments(C.H_t, scale, N)
    log_M = np.log(max(n, np.count_nonzero(f), float(N.max())))  # M = n ∨ p ∨ max N; p words occur
    weights = scale**2 / N / n  # of a row of Ĥᵀ and its transpose, to XXᵀ/(nN)
    E: Cooccurrence | float = float(weights[0])
    if (N[0] != N).any():
        weighted = data * np.repeat(np.sqrt(weights), np.diff(indptr))
        E = Implicit(sp.csr_array((weighted, indices, indptr), shape=(n, p)), np.zeros(p), C.documents)
    return Tolerance(
        C=C,
        E=E,
        frequency=f,
        root=3 * np.sqrt(6) * np.sqrt(log_M / n) * np.sqrt(largest / UNIT),
        flat=2 * log_M / n * largest / UNIT * float(np.mean(1 / N)),
        cubic=31**2 * log_M**4 / n * x_over_N3 / UNIT**3,
        relative=2 * np.sqrt(log_M / n) / np.where(f > 0, f, 1.0) * np.sqrt(x_over_N / UNIT),
    )


def _moments(H_t: Any, scale: Array, N: Array) -> tuple[Array, Array, Array, Array]:
    """Means over documents of X, X/N and X/N³, and the largest X, of every word; rows of H_t times scale are X."""
    from cotopics.top.kernels import column_moments

    sums, largest = np.zeros((3, H_t.shape[1])), np.zeros(H_t.shape[1])
    column_moments(H_t.indptr, H_t.indices, H_t.data, scale, N, sums, largest)
    return *(sums / H_t.shape[0]), largest
