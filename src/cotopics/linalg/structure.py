"""Whether the arrays inside a sparse matrix fit together.

scipy believes what it is given, and compiled loops read wherever an index points. So a matrix from outside is looked at
before anything else is done with it, a change of its format included.
"""

from typing import Any

import numpy as np


def fault_of(X: Any) -> str | None:
    """What is wrong with the indices of a scipy sparse matrix, in words; None where nothing is. X is not changed."""
    if X.ndim != 2:
        return None
    if X.format in ("csr", "csc", "bsr"):
        block = X.blocksize if X.format == "bsr" else (1, 1)
        lines, across = (n // b for n, b in zip(X.shape, block, strict=True))
        if X.format == "csc":
            lines, across = across, lines
        return _fault_of_bounds(X, lines) or _fault_of_indices(X.indices[: X.indptr[-1]], across)
    if X.format == "coo":
        return _fault_of_indices(X.row, X.shape[0]) or _fault_of_indices(X.col, X.shape[1])
    if X.format == "lil":
        return next((fault for row in X.rows if (fault := _fault_of_indices(np.asarray(row), X.shape[1]))), None)
    return None


def _fault_of_bounds(X: Any, lines: int) -> str | None:
    bounds = X.indptr
    if bounds.ndim != 1 or len(bounds) != lines + 1 or bounds[0] != 0 or (bounds[1:] < bounds[:-1]).any():
        return f"its indptr does not rise from 0 in {lines} steps"
    if bounds[-1] > min(len(X.indices), len(X.data)):
        return f"its indptr ends at {bounds[-1]}, and there are {min(len(X.indices), len(X.data))} entries"
    return None


def _fault_of_indices(indices: Any, n: int) -> str | None:
    if len(indices) == 0:
        return None
    if indices.dtype.kind not in "iu":
        return f"it has indices of type {indices.dtype}"
    least, largest = int(indices.min()), int(indices.max())
    if least < 0 or largest >= n:
        return f"it has the index {least if least < 0 else largest}, and indices go from 0 to {n - 1}"
    return None
