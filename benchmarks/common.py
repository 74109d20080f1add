"""What benchmarks share: where the corpora are, what machine this is, and how a table and its data are kept."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


def data_folder() -> Path:
    """The folder of real corpora: COTOPICS_DATA, or ../shared/data beside the project."""
    folder = Path(os.environ.get("COTOPICS_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not folder.is_dir():
        sys.exit(f"no corpora at {folder}; set COTOPICS_DATA to their folder")
    return folder


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    model = next(
        (line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line),
        platform.processor(),
    )
    packages = {name: version(name) for name in ("numpy", "scipy", "scikit-learn", "numba")}
    return {"processor": model, "cores": len(os.sched_getaffinity(0)), "python": platform.python_version(), **packages}


def described(found: dict[str, Any]) -> str:
    """A machine in a few words."""
    return f"{found['processor']}, {found['cores']} cores, Python {found['python']}, numpy {found['numpy']}"


def commit() -> str:
    """The commit that is measured, with a + where files differ from it; COTOPICS_COMMIT in a copy without history."""
    if "COTOPICS_COMMIT" in os.environ:
        return os.environ["COTOPICS_COMMIT"]
    git = ["git", "-C", str(Path(__file__).parent)]
    found = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    changed = subprocess.run([*git, "status", "--porcelain", "--", "../src"], capture_output=True, text=True).stdout
    return found + ("+" if changed.strip() else "")


def keep(
    script: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    notes: str = "",
    *,
    argument: str = "",
    measured_on: Sequence[str] = (),
) -> None:
    """Print a table and keep it, with the machine it was measured on, under results/ as .md and .json.

    `measured_on` names other machines than this one, or several; seconds of a table of several are not comparable.
    """
    name = f"{script}_{argument}" if argument else script
    cells = [["–" if x is None else f"{x:.4g}" if isinstance(x, float) else str(x) for x in row] for row in rows]
    widths = [max(len(row[i]) for row in [list(columns), *cells]) for i in range(len(columns))]
    lines = [
        "| " + " | ".join(x.ljust(w) for x, w in zip(row, widths, strict=True)) + " |" for row in [columns, *cells]
    ]
    lines.insert(1, "|" + "|".join("-" * (w + 2) for w in widths) + "|")
    where = machine()
    about = "; and on ".join(measured_on or [described(where)])
    arguments = ["PEERS" if Path(x).is_absolute() else x for x in sys.argv[1:]]  # no paths of this machine
    text = (
        f"`{' '.join(['python', f'benchmarks/{script}.py', *arguments])}`, on {about}.\n\n"
        + "\n".join(lines)
        + (f"\n\n{notes}" if notes else "")
        + "\n"
    )
    print(text)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(text, encoding="utf-8")
    record = {"machine": list(measured_on) or where, "columns": list(columns), "rows": [list(row) for row in rows]}
    (RESULTS / f"{name}.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
