"""What benchmarks measure cell by cell: one file a benchmark, one JSON line a cell, in the order of their keys.

So a cell that is measured anew changes one line. The file is written beside and renamed: a run that is stopped leaves
every cell that it has finished, and two that run at once lose none.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cotopics.persistence.atomic import changing, write_atomically

Cell = dict[str, Any]


def read(path: Path, key: Sequence[str]) -> dict[tuple[Any, ...], Cell]:
    """The cells of a file by the values that they have at `key`; none where there is no file yet."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {tuple(cell[name] for name in key): cell for cell in map(json.loads, lines)}


def put(path: Path, key: Sequence[str], cell: Cell) -> None:
    """Keep a cell, in the place of one with the same key."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with changing(path):
        cells = read(path, key) | {tuple(cell[name] for name in key): cell}
        lines = [json.dumps(cells[place], ensure_ascii=False) + "\n" for place in sorted(cells)]
        write_atomically(path, "".join(lines).encode())
