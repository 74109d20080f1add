"""C and anchor words → topics."""

from typing import Any

from cotopics.recover.base import Recovery
from cotopics.recover.kl import KullbackLeibler
from cotopics.recover.simplex_ls import SimplexLeastSquares
from cotopics.top import DecoupledPrograms

RECOVERIES: dict[str, type[Any]] = {"l2": SimplexLeastSquares, "kl": KullbackLeibler}

__all__ = ["RECOVERIES", "DecoupledPrograms", "KullbackLeibler", "Recovery", "SimplexLeastSquares"]
