"""What docs/items.md says to paste, pasted; what it says comes out, comes out."""

import re
from pathlib import Path

from cotopics.cli.main import main
from runner import CliRunner

PAGE = Path(__file__).parents[1] / "docs" / "items.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_examples(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"```python\n(.*?)```\n(?:\n[^`\n][^`]*?\n)?\n```\n(.*?)```", TEXT, flags=re.DOTALL)
    assert len(examples) == TEXT.count("```python") == 3
    for code, output in examples:
        exec(compile(code, PAGE.name, "exec"), {})
        assert capsys.readouterr().out == output
    (command,) = re.findall(r"^cotopics (.*?) +#", TEXT, flags=re.MULTILINE)
    shown = CliRunner().invoke(main, command.split())
    assert shown.exit_code == 0
    assert "italian 64% ×2.7" in shown.stdout


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        assert (PAGE.parent / target).exists(), target
