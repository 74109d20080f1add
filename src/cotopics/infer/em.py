"""Documents' topic proportions by maximum likelihood, the topics held fixed; Hofmann 1999's folding in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.infer.base import converged
from cotopics.linalg import likeliest_mixtures
from cotopics.linalg.mixture import scaled_rows
from cotopics.records import Array


@dataclass(frozen=True)
class EM:
    """max Σ_i h_i log ((1 − background) Bw + background · p)_i + Σ_k s_k log w_k over the simplex for documents h.

    smoothing is a count added to every topic, α − 1 of a Dirichlet prior: with 0 it is the likelihood alone, and most
    entries of w are zero. Of smoothing, the share `by_prevalence` goes to topics in proportion to their prevalence
    (Wallach, Mimno and McCallum 2009), the rest to all alike: s_k is smoothing on average. `background` is the share of
    a document that is words as the whole corpus uses them, p, and speaks for no topic. A document is done when a step
    changes w by less than `tolerance` in all.

    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> B, prevalence = np.array([[0.8, 0.0], [0.0, 0.8], [0.2, 0.2]]), np.array([0.5, 0.5])
    >>> X = sp.csr_array([[4.0, 0.0, 1.0], [2.0, 2.0, 1.0]])
    >>> EM()(X, B, prevalence, np.diag(prevalence)).round(2).tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """

    smoothing: float = 0.0
    by_prevalence: float = 0.0
    background: float = 0.0
    tolerance: float = 1e-4
    max_iter: int = 2000

    def __post_init__(self) -> None:
        if not 0 <= self.smoothing < np.inf:
            raise ParameterError(f"smoothing={self.smoothing} must be a number of tokens, 0 or more")
        if not 0 < self.tolerance < np.inf or self.max_iter < 1:
            raise ParameterError(f"tolerance={self.tolerance} must be above 0 and max_iter={self.max_iter} at least 1")
        if not 0 <= self.by_prevalence <= 1 or not 0 <= self.background < 1:
            raise ParameterError("by_prevalence and background are shares: from 0 to 1, background below 1")

    def __call__(self, X: Any, B: Array, prevalence: Array, A: Array, words: Array | None = None) -> Array:
        p = B @ (prevalence / prevalence.sum()) if words is None else words
        shares = len(prevalence) * prevalence / prevalence.sum()
        mixtures = likeliest_mixtures(
            X,
            scaled_rows(B).times(1 - self.background),
            common=self.background * p,
            smoothing=self.smoothing * (1 - self.by_prevalence + self.by_prevalence * shares),
            tolerance=self.tolerance,
            max_iter=self.max_iter,
        )
        return converged(mixtures, "EM")
