"""How topics correlate: each pair's colour; 001, Fig. 3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cotopics.layout import clustered_order
from cotopics.metrics import association
from cotopics.plot.canvas import diverging, one_axes
from cotopics.plot.words import TEXT, topic_names


def correlation_heatmap(model: Any, *, labels: Sequence[str] | None = None, ax: Any = None) -> Any:
    """The coefficients of topics' shares over documents (`metrics.association`), a square each; returns axes.

    model: fitted, or A (n_topics, n_topics). Topics are in the order of a clustering, so that groups are blocks along
    the diagonal. Below zero is blue, above it vermilion; the diagonal, which is 1 and says nothing, and pairs without a
    coefficient are grey. Shares sum to one, so most pairs are a little below zero. labels: names of the topics (None:
    numbers and leading words).
    """
    R = association(model).correlation
    n = len(R)
    order = clustered_order(R)
    names = topic_names(model, labels, n)
    pairs = np.where(np.eye(n, dtype=bool), np.nan, R)[np.ix_(order, order)]
    most = float(np.nanmax(np.abs(pairs))) if np.isfinite(pairs).any() else 1.0
    side = min(max(0.26 * n, 2.4), 14)
    ax = one_axes(ax, (side + 1.3 + 0.07 * max(map(len, names)), side + 0.9))
    image = ax.imshow(np.ma.masked_invalid(pairs), cmap=diverging(), vmin=-most or -1, vmax=most or 1)
    size = float(np.clip(44 * side / n, 3.5, 8))
    ax.set_yticks(range(n), [names[k] for k in order], fontsize=size, **TEXT)
    ax.set_xticks(range(n), [str(k) for k in order], fontsize=size, rotation=90 if n > 9 else 0)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    bar = ax.figure.colorbar(image, ax=ax, shrink=min(1, 3 / side), pad=0.02)
    bar.set_label("correlation of shares", fontsize=8)
    bar.ax.tick_params(labelsize=7)
    bar.outline.set_visible(False)
    ax.set_title("Which topics go together in documents", fontsize=10, loc="left")
    return ax
