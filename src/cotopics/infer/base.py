"""What every inference is given and gives back, and what they share."""

from __future__ import annotations

from collections.abc import Callable

from sklearn.exceptions import ConvergenceWarning

from cotopics.errors import warn_caller
from cotopics.linalg import Mixtures
from cotopics.records import Array

Inference = Callable[..., Array]  # (X, B, prevalence, A, words) → W


def converged(mixtures: Mixtures, name: str) -> Array:
    """W of mixtures, with a warning that counts those which did not converge."""
    warn_of_unfinished(int((mixtures.steps < 0).sum()), len(mixtures.steps), name)
    return mixtures.Y


def warn_of_unfinished(unfinished: int, n: int, name: str) -> None:
    """A warning that counts the documents which did not converge, if any."""
    if unfinished:
        warn_caller(
            f"{name} did not converge for {unfinished} of {n} documents; what it came to is used. "
            "Give a step object with a larger max_iter or tolerance to change this",
            ConvergenceWarning,
        )
