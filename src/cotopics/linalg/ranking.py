"""The positions of the largest numbers of each row, without sorting whole rows."""

from typing import Any

import numpy as np

SORT_WHOLE_BELOW = 8  # rows shorter than this many times k are sorted whole


def leading(scores: Any, k: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Positions of the k largest numbers of each row of scores (m, n), largest first: (m, k), or (m, n) if n < k.

    As in a stable sort, equal numbers keep their order and NaN comes last.

    >>> leading(np.array([[1.0, 3.0, 2.0, 3.0]]), 3).tolist()
    [[1, 3, 2]]
    """
    falling = -np.asarray(scores)
    m, n = falling.shape
    if n < SORT_WHOLE_BELOW * k:
        return np.argsort(falling, axis=1, kind="stable")[:, :k]
    found = np.empty((m, k), dtype=np.int64)
    for i, row in enumerate(falling):
        last = np.partition(row, k - 1)[k - 1]
        among = np.arange(n) if np.isnan(last) else np.flatnonzero(row <= last)
        found[i] = among[np.argsort(row[among], kind="stable")[:k]]
    return found
