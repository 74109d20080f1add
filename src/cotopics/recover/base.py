"""What every recovery is given and gives back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cotopics.records import Anchors, Array, Topics

Recovery = Callable[[Any, Anchors], Topics]


def by_bayes(membership: Array, row_sums: Array) -> tuple[Array, Array]:
    """B_ik ∝ p(topic k | word i) p(word i) and p(topic); 001, section 3."""
    joint = membership * (row_sums / row_sums.sum())[:, None]
    prevalence = joint.sum(axis=0)
    return joint / prevalence, prevalence
