"""C → a co-occurrence of the structure that topics imply: low rank, positive semidefinite, non-negative."""

from cotopics.rectify.alternating_projection import AlternatingProjection
from cotopics.rectify.base import Rectifier
from cotopics.rectify.diagonal import DiagonalCompletion
from cotopics.rectify.enn import EpsilonNonNegative
from cotopics.rectify.palm import ProximalMinimisation
from cotopics.registry import RECTIFIERS

__all__ = [
    "RECTIFIERS",
    "AlternatingProjection",
    "DiagonalCompletion",
    "EpsilonNonNegative",
    "ProximalMinimisation",
    "Rectifier",
]
