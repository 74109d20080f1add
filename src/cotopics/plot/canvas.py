"""What figures share: matplotlib if it is installed, colours, text, labels, and files.

Words are drawn as text, never as markup, and short enough to read.
"""

from __future__ import annotations

import io
import os
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.persistence import write_atomically
from cotopics.records import Array

# Okabe and Ito (2008): these differ for every kind of colour vision
BLUE, ORANGE, GREEN, PURPLE, SKY, RED = "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00"
GREY, LIGHT, BLACK = "#8A8A8A", "#E5E5E5", "#222222"
SERIES = (BLUE, ORANGE, GREEN, RED, PURPLE, SKY, BLACK)  # lines of one panel, in this order
MARKERS = ("o", "s", "^", "D", "v", "P", "X")  # for the same lines: these differ in black and white too
FORMATS = (".svg", ".png", ".pdf")
TEXT = {"parse_math": False, "usetex": False}  # "$x^2$" is an ordinary word
MAX_WORD_LENGTH = 18
MAX_NAME_LENGTH = 44  # of a topic
N_NAMING_WORDS = 3
FONT_SIZE = 8  # points
MAX_OVERLAP = 0.15  # share of a label that may cover others
# control characters, lone surrogates, line ends and changes of direction: they are invisible and break files
INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def require_matplotlib() -> None:
    """Raise an error that says what to install, if matplotlib is missing.

    >>> require_matplotlib()
    """
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ParameterError('figures need matplotlib: pip install "cotopics[plot]"') from None


def require_format(path: str | os.PathLike[str]) -> str:
    """The suffix of a figure's file, or an error that lists the possible ones.

    >>> require_format("topics.SVG")
    '.svg'
    """
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise ParameterError(f"{os.fspath(path)}: figures are written as {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    return suffix


def new_axes(rows: int, columns: int, size: tuple[float, float]) -> Any:
    """Axes (rows, columns) of a new figure: in a notebook one of pyplot, which appears below the cell.

    Elsewhere it is a figure without a window and without pyplot, which nobody has to close.
    """
    require_matplotlib()
    from matplotlib.figure import Figure

    if in_notebook():
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=size, layout="constrained")
    else:
        figure = Figure(figsize=size, layout="constrained")
    return figure.subplots(rows, columns, squeeze=False)


def in_notebook() -> bool:
    """Whether this runs in a kernel of Jupyter; IPython is not imported for this."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell is not None and getattr(shell, "kernel", None) is not None


def one_axes(ax: Any, size: tuple[float, float]) -> Any:
    """The given axes, or those of a new figure."""
    return new_axes(1, 1, size)[0, 0] if ax is None else ax


def panels(axes: Any, n: int, columns: int, size: tuple[float, float]) -> Any:
    """n axes (n,): the given ones, or those of a new figure with this many columns, each of this size."""
    if axes is not None:
        given = np.ravel(np.asarray(axes, dtype=object))
        if len(given) < n:
            raise ParameterError(f"there are {n} panels to draw and {len(given)} axes")
        return given[:n]
    columns = min(columns, n)
    rows = -(-n // columns)
    grid = new_axes(rows, columns, (size[0] * columns, size[1] * rows)).ravel()
    for unused in grid[n:]:
        unused.remove()
    return grid[:n]


def bare(axes: Any, *, grid: str = "y") -> None:
    """Remove the box and add a light grid."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis=grid, color=LIGHT, linewidth=0.8)
    axes.set_axisbelow(True)


def diverging() -> Any:
    """Colours from blue (below zero) through white to vermilion (above zero); grey for missing numbers."""
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("cotopics", [BLUE, "#FFFFFF", RED])
    return colours.with_extremes(bad=LIGHT)


@contextmanager
def any_script() -> Iterator[None]:
    """Letters that a font lacks become boxes, without a warning for each; .svg files keep them as text."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not support .* natively")
        yield


def write(axes: Any, path: str | os.PathLike[str]) -> None:
    """Write the figure of these axes to a .svg, .png or .pdf file; the same figure gives the same file.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/figure.svg"
    >>> write(new_axes(1, 1, (2, 1))[0, 0], path)
    >>> os.path.getsize(path) > 0
    True
    """
    require_matplotlib()
    import matplotlib

    suffix = require_format(path)
    figure = np.ravel(np.asarray(axes, dtype=object))[0].figure.figure  # the whole figure, if axes are in a subfigure
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}[suffix]
    content = io.BytesIO()
    with any_script(), matplotlib.rc_context({"svg.hashsalt": "cotopics", "svg.fonttype": "none"}):
        figure.savefig(content, format=suffix[1:], dpi=150, metadata=metadata)
    write_atomically(Path(path), content.getvalue())


def shown(word: Any, max_length: int = MAX_WORD_LENGTH) -> str:
    """A word as it is drawn: cut to `max_length`, with U+FFFD in place of invisible characters.

    >>> shown("$x$"), shown("a\\nb"), shown("antidisestablishmentarianism")
    ('$x$', 'a\ufffdb', 'antidisestablishm…')
    """
    text = str(word)
    short = text if len(text) <= max_length else text[: max_length - 1] + "…"
    return INVISIBLE.sub("\ufffd", short)


def topic_names(topics: Any, labels: Sequence[Any] | None, n_topics: int, n: int = N_NAMING_WORDS) -> list[str]:
    """The name of each topic: from `labels`; or its number, with the name given or n leading words if there are any."""
    if labels is not None:
        if len(labels) != n_topics:
            raise ParameterError(f"there are {n_topics} topics and {len(labels)} labels")
        return [shown(label, MAX_NAME_LENGTH) for label in labels]
    if not hasattr(topics, "top_words"):
        return [f"topic {k}" for k in range(n_topics)]
    if n == N_NAMING_WORDS and hasattr(topics, "topic_names_"):
        return [shown(f"{k}: {name}", MAX_NAME_LENGTH) for k, name in enumerate(topics.topic_names_)]
    lists = [" ".join(map(shown, words)) for words in topics.top_words(n)]
    given = getattr(getattr(topics, "fit_", None), "names", None) or [None] * n_topics
    return [
        shown(f"{k}: {name or words}", MAX_NAME_LENGTH)
        for k, (name, words) in enumerate(zip(given, lists, strict=True))
    ]


def chosen_topics(only: Sequence[int] | None, n_topics: int) -> list[int]:
    """The topics named by `only`, checked; all topics if it is None."""
    chosen = list(range(n_topics)) if only is None else [int(k) for k in only]
    if not chosen or min(chosen) < 0 or max(chosen) >= n_topics:
        raise ParameterError(f"only={only!r} must name topics from 0 to {n_topics - 1}")
    return chosen


def place_labels(ax: Any, points: Array, radii: Array, texts: Sequence[str], *, margin: float = 1.5) -> list[Any]:
    """Write texts next to circles with these centres (n, 2) and radii (n,), where they cover other things least.

    Large circles come first. Each text takes the best of eight places around its circle: free of earlier texts, other
    circles and the edge of the axes. A text that would cover others by more than MAX_OVERLAP of itself is left out.
    Returns the written texts. margin: between circle and text, in points. Places fit the present size of the figure.
    """
    with any_script():
        ax.figure.figure.draw_without_rendering()  # this decides where the axes are
        pixels = ax.transData.transform(points)
        reach = ax.transData.transform(points + np.column_stack([radii, np.zeros(len(radii))]))[:, 0] - pixels[:, 0]
        room = ax.get_window_extent()
        to_points = 72 / ax.figure.dpi
        edge = (reach + margin / to_points / 2)[:, None]
        taken = np.column_stack([pixels - edge, pixels + edge])  # left, bottom, right, top
        written = []
        boxes = np.zeros((0, 4))
        for i in np.argsort(-radii, kind="stable").tolist():
            label = ax.annotate(
                texts[i], points[i], (0, 0), textcoords="offset points", fontsize=FONT_SIZE, ha="center", va="center",
                **TEXT,
            )  # fmt: skip
            label.set_bbox({"facecolor": "white", "alpha": 0.7, "edgecolor": "none", "pad": 0.5})
            label.set_in_layout(False)
            extent = label.get_window_extent()
            places = _around(reach[i] + margin / to_points, extent.width, extent.height)
            candidates = np.array([[*(pixels[i] + p - half), *(pixels[i] + p + half)] for p, half in places])
            covered = _overlap(candidates, np.concatenate([boxes, np.delete(taken, i, axis=0)])).sum(axis=1)
            cost = covered + 3 * _outside(candidates, room)
            best = int(np.argmin(np.round(cost, 3) + 0.01 * np.arange(len(places))))  # of equal ones, the first
            if covered[best] > MAX_OVERLAP * extent.width * extent.height:
                label.remove()
                continue
            label.set_position(tuple(to_points * places[best][0]))
            boxes = np.vstack([boxes, candidates[best]])
            written.append(label)
    return written


def _around(reach: float, width: float, height: float) -> list[tuple[Array, Array]]:
    """Eight places around a circle, below first: the centre of the text and half its size, in pixels."""
    half = np.array([width, height]) / 2
    x, y = reach + half[0], reach + half[1]
    slanted = 0.7 * reach + half
    signs = [(0, -1), (0, 1), (1, 0), (-1, 0)]
    straight = [np.array([dx * x, dy * y]) for dx, dy in signs]
    return [(p, half) for p in straight + [slanted * s for s in ((1, -1), (-1, -1), (1, 1), (-1, 1))]]


def _overlap(A: Array, B: Array) -> Array:
    """The areas that boxes A (n, 4) and B (m, 4) share, (n, m)."""
    low = np.maximum(A[:, None, :2], B[None, :, :2])
    high = np.minimum(A[:, None, 2:], B[None, :, 2:])
    return np.asarray(np.maximum(high - low, 0).prod(axis=2))


def _outside(A: Array, room: Any) -> Array:
    """The areas of boxes A (n, 4) outside of `room`, (n,)."""
    inside = _overlap(A, np.array([[room.x0, room.y0, room.x1, room.y1]]))[:, 0]
    return np.asarray((A[:, 2:] - A[:, :2]).prod(axis=1) - inside)
