"""What tells documents that were added before: one number of 128 bits, for mistakes and not against forgers."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

LANES = (0x243F6A8885A308D3, 0x13198A2E03707344)  # of 64 bits each; the first digits of π

Numbers = np.ndarray[Any, np.dtype[np.uint64]]


def fingerprint(X: sp.csr_array) -> Numbers:
    """(2,) of the documents of X (documents × words), whatever their order.

    Those of pieces add up to that of the whole, so it does not matter how documents were cut.

    >>> X = sp.csr_array([[2, 1, 0], [0, 0, 0], [0, 1, 1]])
    >>> whole = fingerprint(X)
    >>> (fingerprint(X[[2, 0]]) + fingerprint(X[[1]]) == whole).all().item()
    True
    >>> (fingerprint(X[:, [1, 0, 2]]) == whole).any().item()
    False
    """
    counts = _mixed(X.data.astype(np.float64).view(np.uint64))
    found = np.zeros(len(LANES), np.uint64)
    for lane, start in enumerate(LANES):
        entries = _mixed(_mixed(X.indices.astype(np.uint64) + np.uint64(start)) ^ counts)
        until = np.concatenate([np.zeros(1, np.uint64), np.cumsum(entries, dtype=np.uint64)])
        documents = until[X.indptr[1:]] - until[X.indptr[:-1]]  # sums of 64 bits go round, and differences with them
        found[lane] = _mixed(documents + np.uint64(start)).sum(dtype=np.uint64)
    return found


def _mixed(numbers: Numbers) -> Numbers:
    """Numbers that share no pattern with these: Steele, Lea and Flood 2014, the last step of SplitMix64."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))
