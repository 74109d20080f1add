"""What docs/architecture.md and docs/decisions say of the tree is true of it."""

import re
from pathlib import Path

import pytest

from cotopics import metrics, models, registry
from cotopics.cli.main import COMMANDS
from test_layers import LAYERS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "docs" / "architecture.md", *sorted((ROOT / "docs" / "decisions").glob("*.md"))]
FOLDERS = (ROOT / "src" / "cotopics", ROOT)  # that names of files start from
NAME = re.compile(r"`([\w/]+(?:\.(?:py|md|js|html|toml|jsonl)|/))`")
LINK = re.compile(r"\]\(([^)#]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_is_named_exists(page):
    text = page.read_text(encoding="utf-8")
    named = NAME.findall(text)
    assert [name for name in named if not any((folder / name).exists() for folder in FOLDERS)] == []
    assert [link for link in LINK.findall(text) if not (page.parent / link).exists()] == []
    assert named or page.name == "README.md", "a decision names the files where it applies"


def test_every_decision_is_in_the_index():
    index = PAGES[0].parent.joinpath("decisions", "README.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES[1:] if page.name not in index and page.name != "README.md"] == []


def test_every_room_is_in_the_table():
    text = PAGES[0].read_text(encoding="utf-8")
    rooms = {path.name for path in FOLDERS[0].iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    files = {path.name for path in FOLDERS[0].glob("*.py")} - {"__init__.py"}
    missing = [
        name for name in (*(f"`{room}/`" for room in rooms), *(f"`{file}`" for file in files)) if name not in text
    ]
    assert missing == []


def test_the_layers_are_those_of_the_test():
    text = PAGES[0].read_text(encoding="utf-8")
    shown = text.partition("holds this.\n\n```\n")[2].partition("```")[0]
    assert shown.replace(" |", "").split("\n")[:-1] == LAYERS.strip().split("\n")


def test_every_dictionary_is_one():
    table = PAGES[0].read_text(encoding="utf-8").partition("## The rooms")[2].partition("## The rules")[0]
    rooms = [vars(metrics), vars(models), vars(registry), {"COMMANDS": COMMANDS}]
    listed = set(re.findall(r"`([A-Z_]{5,})`", table))
    assert len(listed) > 8
    assert [name for name in listed if not any(name in room for room in rooms)] == []
