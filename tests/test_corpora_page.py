"""docs/corpora.md is true: its files are written, its code is run, and what it says comes out, comes out."""

import ast
import re
from pathlib import Path

import pytest

from cotopics.corpus.files import PACKINGS
from cotopics.corpus.formats import ALIASES, COUNTS, DOCUMENTS
from cotopics.corpus.languages import STOPPED

PAGE = Path(__file__).parents[1] / "docs" / "corpora.md"
TEXT = PAGE.read_text(encoding="utf-8")
FILES = dict(re.findall(r"```text (\S+)\n(.*?)```", TEXT, flags=re.DOTALL))
CODE = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)


def run(code, names):
    """Run code; the value of an expression is what the comment after it, or alone on the next line, says."""
    lines = [*code.splitlines(), ""]
    for node in ast.parse(code).body:
        source = ast.get_source_segment(code, node)
        _, _, said = lines[node.end_lineno - 1].partition("  # ")
        if lines[node.end_lineno].startswith("# "):
            said = lines[node.end_lineno][2:]
        if isinstance(node, ast.Expr) and said:
            assert found(eval(source, names)) == said, source
        else:
            exec(compile(source, PAGE.name, "exec"), names)


def found(value):
    return f"'{value}'" if isinstance(value, str) else repr(value)


def test_the_code_on_the_page(tmp_path, monkeypatch):
    for package in ("pyarrow", "pandas", "Stemmer", "simplemma", "stopwordsiso", "icu4py"):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    names = {}
    for code in CODE:
        run(code, names)
    assert len(names["suggested"]) == 20
    assert names["model"].top_words(3)


def test_comments_are_compared():
    run("a = 1  # not an expression\na + 1  # 2", {})
    with pytest.raises(AssertionError):
        run("1 + 1  # 3", {})


def test_every_format_is_on_the_page():
    for suffix in (*DOCUMENTS, *COUNTS, *ALIASES, *PACKINGS):
        assert suffix in TEXT.lower(), suffix
    assert f"stop words of {len(STOPPED)} languages" in TEXT


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        assert (PAGE.parent / target).exists(), target
