"""What sums over documents satisfy, whoever wrote them; up to rounding, as documents may have been taken out again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.errors import ModelFileError
from cotopics.linalg.sparse_matrices import column_counts

ROUNDING = 1e-6  # of the largest number of its kind
LARGEST = 1e100  # as `check_counts` has it: products of two are still finite
SMALLEST = 1e-100  # and are not yet zero


def check_sums(name: str, sums: np.ndarray[Any, Any]) -> None:
    """A ModelFileError unless these can be sums of numbers that are not negative."""
    least, most = float(sums.min(initial=0)), float(sums.max(initial=0))
    if not (most < LARGEST and least >= -ROUNDING * max(most, 1)) or 0 < most < SMALLEST:
        raise ModelFileError(f"its {name} are not sums over documents: they are from {least:.3g} to {most:.3g}")


def check_documents(H_t: sp.csr_array, lengths: np.ndarray[Any, Any]) -> None:
    """A ModelFileError unless rows are h/√(n(n−1)) of documents with n tokens, each of their words there once."""
    if not H_t.has_canonical_format:
        raise ModelFileError("the words of its documents are not in order")
    if not (lengths < LARGEST).all() or not ((H_t.data > 0) & (H_t.data < LARGEST)).all():
        raise ModelFileError("its documents hold counts that are not above zero, or too large")
    tokens = H_t.sum(axis=1) * np.sqrt(lengths * (lengths - 1))
    if not (np.abs(tokens - lengths) <= ROUNDING * lengths).all():
        raise ModelFileError("its documents do not have as many words as it says")


def check_frequency(documents: Iterable[tuple[int, sp.csr_array]], frequency: Any, n_used: int) -> None:
    """A ModelFileError unless these documents, all that there are, are as many and hold as many words as it says."""
    left, found = n_used, np.zeros_like(frequency)
    for sign, H_t in documents:
        left -= sign * H_t.shape[0]
        found[: H_t.shape[1]] += sign * column_counts(H_t)
    if left != 0 or not np.array_equal(found, frequency):
        raise ModelFileError("the numbers of its documents and of those that each word is in are not those it holds")


def check_columns(columns: Any, squares: Any, row_sums: Any) -> None:
    """A ModelFileError unless these can be GΩ, G_ii and G1 of a G without negative entries and an Ω of 0 and ±1."""
    check_sums("squares", squares)
    check_sums("row_sums", row_sums)
    if 0 < np.abs(columns).max(initial=0) < SMALLEST:
        raise ModelFileError("its columns are next to nothing")
    room = ROUNDING * max(float(row_sums.max(initial=0)), 1)
    largest = np.maximum(columns.max(axis=1), -columns.min(axis=1)) if columns.size else squares
    if (np.maximum(largest, squares) > row_sums + room).any():
        raise ModelFileError("its columns or squares are larger than the sums of its rows")
