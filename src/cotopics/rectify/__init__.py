"""C → a co-occurrence of the structure that topics imply: low rank, positive semidefinite, non-negative."""

from typing import Any

from cotopics.rectify.alternating_projection import AlternatingProjection
from cotopics.rectify.base import Rectifier
from cotopics.rectify.diagonal import DiagonalCompletion
from cotopics.rectify.enn import EpsilonNonNegative
from cotopics.rectify.palm import ProximalMinimisation

RECTIFIERS: dict[str, type[Any]] = {
    "ap": AlternatingProjection,
    "dc": DiagonalCompletion,
    "enn": EpsilonNonNegative,
    "palm": ProximalMinimisation,
}

__all__ = [
    "RECTIFIERS",
    "AlternatingProjection",
    "DiagonalCompletion",
    "EpsilonNonNegative",
    "ProximalMinimisation",
    "Rectifier",
]
