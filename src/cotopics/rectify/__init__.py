"""C → a co-occurrence of the structure that topics imply: low rank, positive semidefinite, non-negative."""

from cotopics.rectify.alternating_projection import AlternatingProjection
from cotopics.rectify.base import Rectifier
from cotopics.rectify.diagonal import DiagonalCompletion

RECTIFIERS = {"ap": AlternatingProjection, "dc": DiagonalCompletion}

__all__ = ["RECTIFIERS", "AlternatingProjection", "DiagonalCompletion", "Rectifier"]
