"""C and anchor words → topics."""

from cotopics.recover.base import Recovery
from cotopics.recover.simplex_ls import SimplexLeastSquares

RECOVERIES = {"l2": SimplexLeastSquares}

__all__ = ["RECOVERIES", "Recovery", "SimplexLeastSquares"]
