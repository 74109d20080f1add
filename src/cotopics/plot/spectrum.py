"""The eigenvalues of a co-occurrence."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.choose import Choice
from cotopics.cooccur import as_cooccurrence
from cotopics.errors import ParameterError
from cotopics.linalg import top_eigenpairs
from cotopics.plot.canvas import GREY, MARKERS, SERIES, bare, one_axes
from cotopics.records import Array

ROUNDING = 1e-12  # of the largest


def spectrum(C: Any, n: int = 50, *, n_topics: int | None = None, label: str | None = None, ax: Any = None) -> Any:
    """The n largest eigenvalues relative to the first, on a logarithmic scale; returns axes.

    C: a co-occurrence (matrix, Cooccurrence, accumulator), eigenvalues (m,), or the Choice of `choose_n_topics`. An
    exact co-occurrence of K topics has K that are not zero: where the curve breaks is a number of topics. Eigenvalues
    of zero or less have no place on the scale and are left out. n_topics: a number to mark. Draw on the axes of another
    spectrum, each with a `label`, to compare them.
    """
    values = _eigenvalues(C, n)
    above = values > ROUNDING * values[0]
    ax = one_axes(ax, (6.4, 3.8))
    line = sum(str(drawn.get_gid()).startswith("spectrum") for drawn in ax.get_lines()) % len(SERIES)
    place = np.arange(1, len(values) + 1)
    ax.plot(
        place[above],
        values[above] / values[0],
        color=SERIES[line],
        marker=MARKERS[line],
        markersize=4,
        linewidth=1,
        label=label,
        gid=f"spectrum-{line}",
    )
    ax.set_yscale("log")
    if n_topics is not None:
        ax.axvline(n_topics, color=GREY, linestyle="--", linewidth=1)
    ax.set_xlabel("eigenvalue, largest first")
    ax.set_ylabel("relative to the largest")
    bare(ax)
    if label is not None:
        ax.legend(frameon=False, fontsize=8)
    return ax


def _eigenvalues(C: Any, n: int) -> Array:
    """The n largest, largest first."""
    if n < 1:
        raise ParameterError(f"n={n} must be at least 1")
    if isinstance(C, Choice):
        values = C.spectrum
    elif np.ndim(C) == 1:
        values = np.asarray(C, dtype=np.float64)
    else:
        C = as_cooccurrence(C)
        values = top_eigenpairs(C, min(n, C.shape[0]), tolerance=1e-8).values
    values = np.sort(values)[::-1][:n]
    if len(values) == 0 or not values[0] > 0 or not np.isfinite(values).all():
        raise ParameterError("no eigenvalue is above zero: there is nothing to see")
    return values
