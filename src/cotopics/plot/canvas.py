"""What figures share: matplotlib where it is, colours, and how a figure becomes a file."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

from cotopics.errors import ParameterError
from cotopics.persistence import write_beside

# Okabe and Ito (2008): told apart with every kind of colour vision
BLUE, ORANGE, GREEN, PURPLE, SKY, RED = "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00"
GREY = "#8A8A8A"
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


def bare(axes: Any) -> None:
    """Only what carries data: no box, a light grid."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#E5E5E5", linewidth=0.8)
    axes.set_axisbelow(True)


def write(axes: Any, path: str | os.PathLike[str]) -> None:
    """Write the figure of these axes to a .svg, .png or .pdf file; a figure drawn again gives the same file."""
    require_matplotlib()
    import matplotlib
    import numpy as np

    suffix = require_format(path)
    figure = np.ravel(np.asarray(axes, dtype=object))[0].figure
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}[suffix]
    content = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "cotopics", "svg.fonttype": "none"}):
        figure.savefig(content, format=suffix[1:], dpi=150, metadata=metadata)
    write_beside(Path(path), content.getvalue())
