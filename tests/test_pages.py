"""Pages of the site are true: their code and commands run, from top to bottom, and show what the pages say."""

import os
from pathlib import Path

import pytest

from pages import ROOT, Missing, check, parts, run, run_code
from platforms import needs_scripts

PAGES = [
    *sorted((ROOT / "docs" / "tutorials").glob("*.md")),
    *(ROOT / "docs" / name for name in ("index.md", "elsewhere.md", "extend.md", "from-files.md", "which-method.md")),
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


@pytest.mark.parametrize("name", ["how-many-topics.md", "short-texts.md"])
def test_a_page_about_counts_that_the_reader_has(name, corpus):
    """Their code is run with counts X; what it shows is of real corpora, and other tests hold that."""
    names = {"X": corpus[0]}
    for part in parts((ROOT / "docs" / name).read_text(encoding="utf-8")):
        if part.kind == "python":
            run_code(part.body, name, names)


def test_every_page_with_code_is_run_by_a_test():
    """By one of these, or by a test that names it."""
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    pages = [page for page in (ROOT / "docs").glob("*.md") if "```python\n" in page.read_text(encoding="utf-8")]
    assert len(pages) > 10
    assert [page.name for page in pages if page.name not in tests] == []


def test_the_letters_are_those_of_their_script(tmp_path, monkeypatch):
    """And so they hold what the tutorials say was planted."""
    folder = ROOT / "docs" / "tutorials"
    names = {"__name__": "make_letters"}
    exec(compile((folder / "make_letters.py").read_text(encoding="utf-8"), "make_letters.py", "exec"), names)
    for name in ("letters", "notes"):
        names[f"write_{name}"](tmp_path / f"{name}.csv")
        made, kept = ((home / f"{name}.csv").read_text(encoding="utf-8") for home in (tmp_path, folder))
        assert made == kept
