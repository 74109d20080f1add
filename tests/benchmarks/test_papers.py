"""The page of the papers decides by itself what falls short, and leads somewhere."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "papers.md"


@pytest.fixture(scope="module")
def printed():
    sys.path.insert(0, str(ROOT / "benchmarks"))  # as for a script that is run from there
    try:
        import printed.paper_000
        import printed.paper_001
        import printed.paper_002
        import printed.paper_003
        import printed.paper_004

        yield printed
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))


def test_what_falls_short_is_bold(printed):
    assert printed.beside(0.9, 0.88, more_is_better=True, digits=2) == "0.90 / **0.88**"
    assert printed.beside(0.9, 0.92, more_is_better=True, digits=2) == "0.90 / 0.92"
    assert printed.beside(20, 27, more_is_better=False, digits=0) == "20 / **27**"
    assert printed.beside(20, None, more_is_better=False, digits=0) == "20 / –"
    assert printed.claims([("so", "not so", False)]).splitlines()[2] == "| so | **not so** | **no** |"


def test_a_difference_below_the_papers_last_digit_is_none(printed):
    assert printed.beside(0.98, 0.979, more_is_better=True, digits=2) == "0.98 / 0.98"
    assert printed.beside(0.98, 0.974, more_is_better=True, digits=2) == "0.98 / **0.97**"


def test_every_table_and_figure_is_listed(printed):
    """As many as the papers number: 000 has 17 tables and 4 figures, and so on."""
    numbers = {
        printed.paper_000: (17, 4),
        printed.paper_001: (3, 4),
        printed.paper_002: (1, 4),
        printed.paper_003: (2, 2),
        printed.paper_004: (2, 5),
    }
    for paper, (tables, figures) in numbers.items():
        names = [item.name for item in paper.ITEMS]
        assert len(names) == len(set(names))
        assert {f"Table {i + 1}" for i in range(tables)} == {name for name in names if name.startswith("Table")}
        assert {f"Figure {i + 1}" for i in range(figures)} == {name for name in names if name.startswith("Figure")}


def test_an_item_without_ours_says_why(printed):
    for paper in (printed.paper_000, printed.paper_001, printed.paper_002, printed.paper_003, printed.paper_004):
        for item in paper.ITEMS:
            assert item.why or (item.body and item.results), item.name


def test_methods_are_compared_over_draws_that_both_have(printed, monkeypatch):
    """A method with one easy draw is not better than one with that draw and a hard one."""
    from printed import draws_000

    easy, hard = [0.9, 0.9, -300.0, 5.0, 1.0], [0.5, 0.5, -900.0, 50.0, 1.0]
    slow = "ENN, anchors in 50"
    monkeypatch.setattr(
        draws_000, "drawn", lambda corpus: {3: [{draws_000.PDS: easy, slow: easy}, {draws_000.PDS: hard}]}
    )
    assert draws_000.means("any", 3, [draws_000.PDS, slow], "ClustAcc") == (1, [0.9, 0.9])
    assert draws_000.leads("any", 3, "ClustAcc", [slow]) is True
    assert draws_000.mean("any", 3, draws_000.PDS, "SimCount") == 27.5
    assert draws_000.leads("any", 4, "ClustAcc", [slow]) is None


def test_seconds_of_a_table_are_those_of_one_machine(printed, tmp_path):
    """The one that measured most; how good topics are does not depend on the machine."""
    from anchor_free_corpora import KEY, table
    from cells import about_seconds, put, read

    path = tmp_path / "cells.jsonl"
    for draw, (accuracy, seconds, machine) in enumerate(((0.5, 1.0, "slow"), (0.6, 3.0, "slow"), (0.7, 100.0, "busy"))):
        measures = {"SPA": [accuracy, 0.5, -1.0, 2.0, seconds], "one cluster": [accuracy, 0.0, None, None, None]}
        put(path, KEY, {"F": 3, "draw": draw, "measures": measures, "machine": machine})
    first, second = table(path, ["SPA", "one cluster"], {})
    assert [first[i] for i in (2, 4, 8)] == pytest.approx([3, 0.6, 2.0])
    assert second[8] is None
    assert "measured on slow" in about_seconds(read(path, KEY).values())
    assert about_seconds([{"machine": "slow"}]) == ""


def test_what_is_added_to_a_draw_keeps_where_it_was_measured(printed, tmp_path):
    from anchor_free_corpora import KEY, table
    from cells import machine_of, machines, put, read

    path, place = tmp_path / "cells.jsonl", {"F": 3, "draw": 0}
    slow, busy = ({"commit": machine[0], "machine": machine} for machine in ("slow", "busy"))
    for name, seconds, origin in (("SPA", 1.0, slow), ("LDA", 9.0, busy), ("ENN", 3.0, slow)):
        put(path, KEY, {**place, "measures": {name: [0.5, 0.5, -1.0, 2.0, seconds]}, **origin}, add=True)
    (cell,) = read(path, KEY).values()
    assert [machine_of(cell, name) for name in ("SPA", "LDA", "ENN")] == ["slow", "busy", "slow"]
    assert machines([cell]) == ["busy", "slow"]
    assert [row[8] for row in table(path, ["SPA", "LDA", "ENN"], {})] == [1.0, None, 3.0]
    put(path, KEY, {**place, "measures": {"LDA": [0.5, 0.5, -1.0, 2.0, 7.0]}, **slow}, add=True)
    assert machines(read(path, KEY).values()) == ["slow"]
    assert [row[8] for row in table(path, ["LDA"], {})] == [7.0]


def test_the_page_is_that_of_the_results(printed):
    """Whoever keeps new results writes the page anew: `python benchmarks/papers.py`."""
    import papers

    assert PAGE.read_text(encoding="utf-8") == papers.page()


def test_what_is_bold_has_a_cause():
    sections = PAGE.read_text(encoding="utf-8").split("\n### ")[1:]
    assert [text.split("\n")[0] for text in sections if "**" in text and "Why bold:" not in text] == []


def test_links_lead_somewhere():
    """But for the page of the peers, which is made from results of its own."""
    targets = set(re.findall(r"\]\(([^)]+)\)", PAGE.read_text(encoding="utf-8"))) - {"side-by-side.md"}
    assert targets
    assert [target for target in targets if not (PAGE.parent / target).exists()] == []
