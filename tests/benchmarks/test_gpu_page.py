"""docs/gpu.md shows the tables that were measured."""

import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def page():
    sys.path.insert(0, str(FOLDER))  # as for a script that is run from there
    try:
        import gpu_page

        yield gpu_page
    finally:
        sys.path.remove(str(FOLDER))


def test_the_tables_are_those_of_the_results(page):
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.filled(text) == text
    assert len(page.PLACE.findall(text)) == 3
