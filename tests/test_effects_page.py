"""docs/effects.md and docs/stability.md are true: their code runs on real corpora, and their tables are measured."""

import re
import warnings
from pathlib import Path

import pytest

import pages

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "docs" / "effects.md", ROOT / "docs" / "stability.md"]
TABLE = re.compile(r"<!-- table: (\w+) -->\n(.*?)\n<!-- end -->", re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_page_runs_and_shows_what_it_says(page, data, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shown, drawn = pages.run(page, tmp_path, data)
    pages.check(shown)
    for name in drawn:
        assert (page.parent / name).read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_tables_are_those_of_the_benchmarks(page):
    found = TABLE.findall(page.read_text(encoding="utf-8"))
    assert found
    for name, table in found:
        measured = (ROOT / "benchmarks" / "results" / f"{name}.md").read_text(encoding="utf-8")
        assert table in measured
