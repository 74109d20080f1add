"""What a fit is based on and how it went: words among anchors, eigenvalues, evidence for n_topics, convergence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cotopics.choice import Choice
from cotopics.choose import ROUNDING as EIGENVALUE_FLOOR  # relative to the largest
from cotopics.cooccur import as_cooccurrence
from cotopics.errors import ParameterError
from cotopics.layout import convex_hull, word_plane
from cotopics.linalg import top_eigenpairs
from cotopics.metrics.inputs import anchors_of, fitted_part
from cotopics.plot.canvas import (
    BLUE,
    GREY,
    MARKERS,
    RED,
    SERIES,
    bare,
    one_axes,
    panels,
    place_labels,
    shown,
)
from cotopics.records import Array

MAX_VECTOR_DOTS = 2000  # vector files hold more dots as one image


def cooccurrence_space(C: Any, anchors: Any, *, feature_names: Sequence[str] | None = None, ax: Any = None) -> Any:
    """Words as dots in the principal plane of the rows of C divided by their sums; returns axes.

    Lee et al. 2015, Fig. 1, and Lee et al. 2021, Fig. 2. C: a co-occurrence (matrix, Cooccurrence, accumulator), before
    or after rectification (`rectify`). anchors: a fitted model, or a word id or a group of them for each topic. The
    hull of the anchors is drawn. Words outside it are not mixtures of topics, and good anchors leave few. A group of
    anchors is one point, the mean of its words weighted by frequency. feature_names: the words (None: those of the
    model); names of anchors are written if there is room.

    >>> C = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 2]]) / 8
    >>> axes = cooccurrence_space(C, [0, 1], feature_names=["rain", "sun", "sky"])
    >>> {"rain", "sun"} & {text.get_text() for text in axes.texts} != set()
    True
    """
    given = fitted_part(anchors, "anchors_", None, "anchors") if hasattr(anchors, "components_") else anchors
    groups = getattr(anchors, "anchor_groups_", None)
    plane, sums = word_plane(C)
    found = anchors_of(None, len(given), len(plane), given if groups is None else groups)
    names = getattr(anchors, "vocabulary_", None) if feature_names is None else feature_names
    if names is not None and len(names) != len(plane):
        raise ParameterError(f"there are {len(names)} feature_names and C has {len(plane)} words")
    lost = [int(word) for word in found.all_words if np.isnan(plane[word, 0])]
    if lost:
        raise ParameterError(f"anchors {lost} are in no pair of this co-occurrence; give the one they were found in")
    corners = np.array([np.average(plane[group], axis=0, weights=sums[group]) for group in found.groups])
    hull = corners[convex_hull(corners)]
    ax = one_axes(ax, (6.4, 5.6))
    many = len(plane) > MAX_VECTOR_DOTS
    ax.scatter(*plane.T, s=5 if many else 9, color=BLUE, alpha=0.45, linewidths=0, rasterized=many, label="words")
    ax.fill(*hull.T, facecolor=RED, alpha=0.08, edgecolor="none")
    ax.plot(*np.vstack([hull, hull[:1]]).T, color=RED, linewidth=1.2, label="hull of the anchors")
    ax.scatter(*corners.T, s=30, color=RED, edgecolors="white", linewidths=0.6, zorder=3, label="anchor words")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.margins(0.12)
    ax.set_xlabel("first principal component of rows", fontsize=8)
    ax.set_ylabel("second", fontsize=8)
    texts = [_name(group, names) for group in found.groups]
    place_labels(ax, corners, np.zeros(len(corners)), texts, margin=4)
    return ax


def _name(group: Any, names: Any) -> str:
    """The first word of a group, and the number of other words."""
    more = f" +{len(group) - 1}" if len(group) > 1 else ""
    return shown(group[0] if names is None else names[group[0]]) + more


def spectrum(C: Any, n: int = 50, *, n_topics: int | None = None, label: str | None = None, ax: Any = None) -> Any:
    """The n largest eigenvalues relative to the first, on a logarithmic scale; returns axes.

    C: a co-occurrence (matrix, Cooccurrence, accumulator), eigenvalues (m,), or the Choice of `choose_n_topics`. An
    exact co-occurrence of K topics has K eigenvalues above zero, so a break in the curve suggests a number of topics.
    Eigenvalues of zero or less are left out. n_topics: a number to mark. To compare several spectra, draw them on the
    same axes, each with a `label`.

    >>> axes = spectrum(np.array([1.0, 0.5, 0.1]), n_topics=2)
    >>> axes.get_yscale()
    'log'
    """
    values = _eigenvalues(C, n)
    above = values > EIGENVALUE_FLOOR * values[0]
    ax = one_axes(ax, (6.4, 3.8))
    line = sum(str(drawn.get_gid()).startswith("spectrum") for drawn in ax.get_lines()) % len(SERIES)
    place = np.arange(1, len(values) + 1)
    ax.plot(
        place[above], values[above] / values[0], color=SERIES[line], marker=MARKERS[line], markersize=4, linewidth=1,
        label=label, gid=f"spectrum-{line}",
    )  # fmt: skip
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
    """The n largest eigenvalues, largest first."""
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
        raise ParameterError("there is no eigenvalue above zero to draw")
    return values


class _Series(NamedTuple):
    """What diagnostics_[step]["history"][name] holds, along what, and whether its scale is logarithmic."""

    step: str
    name: str
    title: str
    along: str = "step"
    logarithmic: bool = False


HISTORIES = (
    _Series("rectification", "change", "change of the co-occurrence", logarithmic=True),
    _Series("rectification", "negative_mass", "mass below zero", logarithmic=True),
    _Series("anchors", "residual", "distance of each anchor from those before", "anchor", logarithmic=True),
    _Series("topics", "log_det", "log |det|, larger is better", "round"),
    _Series("refinement", "likelihood", "log-likelihood of a token"),
    _Series("refinement", "held_out", "the same, of tokens set aside"),
)


def convergence(model: Any, *, axes: Any = None) -> Any:
    """The histories that the steps of a fit recorded, one panel each; returns axes (n_panels,).

    model: fitted, or its diagnostics_. Only histories of two values or more are drawn: of rectification, the choice of
    anchors, linear programs and refinement. axes: one for each history, or more (None: a new figure).

    >>> from cotopics import AnchorWords, datasets
    >>> X, B, W = datasets.make_corpus(200, 60, 3, length=50, anchors_per_topic=1, random_state=0)
    >>> len(convergence(AnchorWords(3).fit(X))) > 0
    True
    """
    diagnostics = model if isinstance(model, dict) else getattr(model, "diagnostics_", None)
    if diagnostics is None:
        raise ParameterError(f"{type(model).__name__} has no diagnostics_; give a fitted model")
    found = [(series, *_values(diagnostics, series)) for series in HISTORIES]
    found = [(series, x, y) for series, x, y in found if len(y) > 1]
    if not found:
        raise ParameterError("no step of this fit has a history of two values or more, so there is nothing to draw")
    axes = panels(axes, len(found), 2 if len(found) == 4 else 3, (3.4, 2.6))
    for panel, (series, x, y) in zip(axes, found, strict=True):
        panel.plot(x, y, color=BLUE, marker="o", markersize=3.5 if len(y) < 40 else 0, linewidth=1.2)
        if series.logarithmic and (np.asarray(y) > 0).any():
            panel.set_yscale("log", nonpositive="mask")
        ended = "" if diagnostics[series.step].get("converged", True) else ", not converged"
        panel.set_title(f"{series.step}{ended}\n{series.title}", fontsize=9, loc="left")
        panel.set_xlabel(series.along, fontsize=8)
        panel.tick_params(which="both", labelsize=7)
        panel.xaxis.get_major_locator().set_params(integer=True)
        bare(panel)
    return axes


def _values(diagnostics: dict[str, Any], series: _Series) -> tuple[list[float], list[float]]:
    step = diagnostics.get(series.step)
    history = step.get("history", {}) if isinstance(step, dict) else {}
    y = list(history.get(series.name, []))
    x = history.get("step", []) if series.name == "likelihood" else []  # it is not recorded after every step
    return (list(x) if len(x) == len(y) else list(range(1, len(y) + 1))), y
