"""Rectifiers: C → a co-occurrence with the structure that topics imply: low rank, positive semidefinite, non-negative.

Each is a frozen dataclass of its options and is called as `rectifier(C, n_topics) → Rectified`. `memory(n_words,
n_topics)` is the number of bytes that it works on.
"""

from collections.abc import Callable
from typing import Any

from cotopics.records import Rectified
from cotopics.rectify.alternating_projection import AlternatingProjection
from cotopics.rectify.diagonal import DiagonalCompletion
from cotopics.rectify.enn import EpsilonNonNegative
from cotopics.rectify.palm import ProximalMinimisation
from cotopics.registry import RECTIFIERS

Rectifier = Callable[[Any, int], Rectified]

__all__ = [
    "RECTIFIERS",
    "AlternatingProjection",
    "DiagonalCompletion",
    "EpsilonNonNegative",
    "ProximalMinimisation",
    "Rectifier",
]
