"""What benchmarks measure cell by cell: one file a benchmark, one JSON line a cell, in the order of their keys.

So a cell that is measured anew changes one line. The file is written beside and renamed: a run that is stopped leaves
every cell that it has finished, and two that run at once lose none. Cells of draws name their "machine" (jobs.py),
so that a table names all that it is made from, and not the one that makes it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from cotopics.persistence.atomic import changing, write_atomically

Cell = dict[str, Any]
EARLIER = "AMD EPYC, 2 cores, Python 3.11.7, numpy 2.4.6"  # of cells from before they named their machine


def read(path: Path, key: Sequence[str]) -> dict[tuple[Any, ...], Cell]:
    """The cells of a file by the values that they have at `key`; none where there is no file yet."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {tuple(cell[name] for name in key): cell for cell in map(json.loads, lines)}


def machines(cells: Iterable[Cell]) -> list[str]:
    """Where cells, and what was added to them later, were measured, for `common.keep`."""
    return sorted({one.get("machine", EARLIER) for cell in cells for one in (cell, *cell.get("added", {}).values())})


def machine_of(cell: Cell, measure: str) -> str:
    """Where one of a cell's measures was taken."""
    return str(cell.get("added", {}).get(measure, cell).get("machine", EARLIER))


def timed_on(cells: Iterable[Cell]) -> str:
    """The machine that measured most of these cells: the seconds of a table are of that one alone."""
    found = Counter(cell.get("machine", EARLIER) for cell in cells)
    return max(sorted(found), key=lambda name: found[name]) if found else ""


def about_seconds(cells: Iterable[Cell]) -> str:
    """A sentence on whose seconds a table has, where it is made from several machines' cells."""
    cells = list(cells)
    return f" Seconds are of what was measured on {timed_on(cells)}." if len(machines(cells)) > 1 else ""


def put(path: Path, key: Sequence[str], cell: Cell, *, add: bool = False) -> None:
    """Keep a cell, in the place of one with the same key; or `add` its measures to those of that one.

    Added ones have a "commit" and a "machine" of their own, in "added", where these are others than the cell's."""
    path.parent.mkdir(parents=True, exist_ok=True)
    place = tuple(cell[name] for name in key)
    with changing(path):
        cells = read(path, key)
        known = cells.get(place) if add else None
        is_whole = known is None or known["measures"].keys() <= cell["measures"].keys()
        cells[place] = cell if is_whole else _with_more(known, cell)
        lines = [json.dumps(cells[place], ensure_ascii=False) + "\n" for place in sorted(cells)]
        write_atomically(path, "".join(lines).encode())


def _with_more(known: Cell, cell: Cell) -> Cell:
    """A cell with the measures of another one."""
    origin = {name: cell[name] for name in ("commit", "machine") if name in cell}
    added = {name: one for name, one in known.get("added", {}).items() if name not in cell["measures"]}
    if any(known.get(name) != value for name, value in origin.items()):
        added |= dict.fromkeys(cell["measures"], origin)
    found = known | {"measures": known["measures"] | cell["measures"]}
    return found | {"added": added} if added else {name: value for name, value in found.items() if name != "added"}
