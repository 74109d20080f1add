"""C and anchor words → topics."""

from cotopics.recover.base import Recovery
from cotopics.recover.kl import KullbackLeibler
from cotopics.recover.simplex_ls import SimplexLeastSquares
from cotopics.registry import RECOVERIES
from cotopics.top import DecoupledPrograms

__all__ = ["RECOVERIES", "DecoupledPrograms", "KullbackLeibler", "Recovery", "SimplexLeastSquares"]
