"""The gallery shows every figure, and its pictures are there."""

import re
from pathlib import Path

from cotopics import plot

PAGE = Path(__file__).parents[1] / "docs" / "gallery.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_every_figure_is_shown():
    figures = set(plot.__all__) - {"require_format", "require_matplotlib", "write"}
    assert set(re.findall(r'"(\w+)\.png"', TEXT)) == figures
    assert all(f"plot.{name}(" in TEXT for name in figures)


def test_pictures_are_there():
    targets = re.findall(r"\]\(([^)]+)\)", TEXT)
    assert len(targets) == TEXT.count("plot.write(")
    for target in targets:
        content = (PAGE.parent / target).read_bytes()
        assert content.startswith(b"\x89PNG")
        assert len(content) < 200_000, target


def test_the_code_is_python():
    for code in re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL):
        compile(code, PAGE.name, "exec")
