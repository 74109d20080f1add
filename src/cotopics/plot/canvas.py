"""What figures share: matplotlib where it is, colours, and how a figure becomes a file."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from cotopics.errors import ParameterError
from cotopics.persistence import write_atomically

# Okabe and Ito (2008): told apart with every kind of colour vision
BLUE, ORANGE, GREEN, PURPLE, SKY, RED = "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00"
GREY, LIGHT, BLACK = "#8A8A8A", "#E5E5E5", "#222222"
SERIES = (BLUE, ORANGE, GREEN, RED, PURPLE, SKY, BLACK)  # lines of one panel, in this order
MARKERS = ("o", "s", "^", "D", "v", "P", "X")  # with them: told apart in black and white too
FORMATS = (".svg", ".png", ".pdf")


def require_matplotlib() -> None:
    """An error that says what to install, where matplotlib is not."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ParameterError('figures need matplotlib: pip install "cotopics[plot]"') from None


def require_format(path: str | os.PathLike[str]) -> str:
    """The suffix of a figure's file, or an error that says which there are."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise ParameterError(f"{os.fspath(path)}: figures are written as {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    return suffix


def new_axes(rows: int, columns: int, size: tuple[float, float]) -> Any:
    """Axes (rows, columns) of a new figure, without a window and without pyplot's list of open figures."""
    require_matplotlib()
    from matplotlib.figure import Figure

    return Figure(figsize=size, layout="constrained").subplots(rows, columns, squeeze=False)


def one_axes(ax: Any, size: tuple[float, float]) -> Any:
    """The axes given, or those of a new figure."""
    return new_axes(1, 1, size)[0, 0] if ax is None else ax


def panels(axes: Any, n: int, columns: int, size: tuple[float, float]) -> Any:
    """n axes (n,): those given, or of a new figure with so many columns, each of this size."""
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
    """Only what carries data: no box, a light grid."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis=grid, color=LIGHT, linewidth=0.8)
    axes.set_axisbelow(True)


def diverging() -> Any:
    """Colours from below zero, blue, by white to above it, vermilion; grey where there is no number."""
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("cotopics", [BLUE, "#FFFFFF", RED])
    return colours.with_extremes(bad=LIGHT)


@contextmanager
def any_script() -> Iterator[None]:
    """Letters that a font lacks are drawn as boxes, without a warning for each; .svg files have them as text."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not support .* natively")
        yield


def write(axes: Any, path: str | os.PathLike[str]) -> None:
    """Write the figure of these axes to a .svg, .png or .pdf file; a figure drawn again gives the same file."""
    require_matplotlib()
    import matplotlib

    suffix = require_format(path)
    figure = np.ravel(np.asarray(axes, dtype=object))[0].figure.figure  # the whole, where axes are in a part of it
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}[suffix]
    content = io.BytesIO()
    with any_script(), matplotlib.rc_context({"svg.hashsalt": "cotopics", "svg.fonttype": "none"}):
        figure.savefig(content, format=suffix[1:], dpi=150, metadata=metadata)
    write_atomically(Path(path), content.getvalue())
