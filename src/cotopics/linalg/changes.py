"""What becomes of the numbers of a sparse matrix before they are added: nothing, a square, or a logarithm.

Most are small whole numbers, whose logarithms come from a table.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cotopics.arrays import Array

SMALL = 256  # numbers below have a place in the tables
_WHOLE = np.arange(SMALL, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Change:
    """A formula by its number in `kernels/sparse.py`, its values of small whole numbers, and if these are squared."""

    formula: int
    table: Array
    squared: bool = False

    def square(self) -> "Change":
        return replace(self, squared=True)

    @property
    def arguments(self) -> tuple[Any, int, bool]:
        """As kernels take them."""
        return self.table, self.formula, self.squared


UNCHANGED = Change(0, np.empty(0))
SQUARED = UNCHANGED.square()
ONES = Change(1, np.empty(0))  # to count entries
ONE_PLUS_LOG = Change(2, np.append(0.0, 1 + np.log(_WHOLE[1:])))  # x itself where it is below 1
LOG1P = Change(3, np.log1p(_WHOLE))
