"""Puts the tables of cores.py and gpu.py into docs/gpu.md.

python benchmarks/gpu_page.py
"""

from __future__ import annotations

import re
from pathlib import Path

from common import RESULTS

PAGE = Path(__file__).parents[1] / "docs" / "gpu.md"
PLACE = re.compile(r"(<!-- made by benchmarks/gpu_page.py from (\w+) -->\n).*?(<!-- to here -->)", flags=re.DOTALL)


def filled(text: str) -> str:
    """The page with the tables of today's results; a table that was not made yet leaves its place empty."""

    def table(place: re.Match[str]) -> str:
        file = RESULTS / f"{place[2]}.md"
        return place[1] + (file.read_text(encoding="utf-8") if file.exists() else "") + place[3]

    return PLACE.sub(table, text)


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
