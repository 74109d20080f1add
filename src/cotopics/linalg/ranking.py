"""The largest numbers of each row, without sorting all of them."""

from typing import Any

import numpy as np

FEW = 8  # rows so many times as long as what is wanted of them are not sorted whole


def leading(scores: Any, k: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Positions of the k largest of each row of scores (m, n), the largest first: (m, k), or (m, n) where n < k.

    Equal ones come in the order of their positions, and NaN last, as a stable sort has them.

    >>> leading(np.array([[1.0, 3.0, 2.0, 3.0]]), 3).tolist()
    [[1, 3, 2]]
    """
    falling = -np.asarray(scores)
    m, n = falling.shape
    if n < FEW * k:
        return np.argsort(falling, axis=1, kind="stable")[:, :k]
    found = np.empty((m, k), dtype=np.int64)
    for i, row in enumerate(falling):
        last = np.partition(row, k - 1)[k - 1]
        among = np.arange(n) if np.isnan(last) else np.flatnonzero(row <= last)
        found[i] = among[np.argsort(row[among], kind="stable")[:k]]
    return found
