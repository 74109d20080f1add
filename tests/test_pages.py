"""Pages of the site are true: their code and commands run, from top to bottom, and show what the pages say."""

import os
from pathlib import Path

import pytest

from pages import ROOT, Missing, check, run
from platforms import needs_scripts

PAGES = [
    *sorted((ROOT / "docs" / "tutorials").glob("*.md")),
    *(ROOT / "docs" / name for name in ("elsewhere.md", "extend.md", "from-files.md", "which-method.md")),
]


@needs_scripts
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    corpora = Path(os.environ.get("COTOPICS_DATA", ROOT.parent / "shared" / "data"))
    try:
        shown, drawn = run(page, tmp_path, corpora)
    except Missing as missing:
        pytest.skip(f"there is no {corpora / str(missing)}; set COTOPICS_DATA to the folder of real corpora")
    check(shown)
    assert [name for name in drawn if not (page.parent / name).exists()] == []


def test_the_letters_are_those_of_their_script(tmp_path, monkeypatch):
    """And so they hold what the tutorials say was planted."""
    folder = ROOT / "docs" / "tutorials"
    names = {"__name__": "make_letters"}
    exec(compile((folder / "make_letters.py").read_text(encoding="utf-8"), "make_letters.py", "exec"), names)
    for name in ("letters", "notes"):
        names[f"write_{name}"](tmp_path / f"{name}.csv")
        made, kept = ((home / f"{name}.csv").read_text(encoding="utf-8") for home in (tmp_path, folder))
        assert made == kept
