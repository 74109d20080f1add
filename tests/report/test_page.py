"""docs/report.md is true: its figures are those of the benchmark, and its pictures are there."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")


def test_figures_are_those_measured():
    record = json.loads((ROOT / "benchmarks" / "results" / "report.json").read_text(encoding="utf-8"))
    measured = {name: (value, limit) for name, value, limit in record["rows"]}
    block = re.search("<!-- report-size -->\n(.*?)<!-- /report-size -->", PAGE, re.DOTALL)[1]
    names = ("size, MB", "opening, s (median of 5)", "writing, s (median of 3)",
             "writing, s of the processor (median of 3)")  # fmt: skip
    assert re.findall(r"[\d.]+(?= (?:MB|s)\b)", block) == [str(measured[name][0]) for name in names]
    for name in names[:2]:  # how long writing takes depends on what else the machine did
        value, limit = measured[name]
        assert value < limit


def test_pictures_are_there():
    for name in re.findall(r"\]\((images/[^)]+)\)", PAGE):
        assert (ROOT / "docs" / name).exists()
