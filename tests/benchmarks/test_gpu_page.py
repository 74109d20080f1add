"""docs/gpu.md shows the tables that were measured."""

from gpu_page import PAGE, PLACE, filled


def test_the_tables_are_those_of_the_results():
    text = PAGE.read_text(encoding="utf-8")
    assert filled(text) == text
    assert len(PLACE.findall(text)) == 3
