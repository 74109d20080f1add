"""Imports point down only, and names on one line do not import each other."""

import ast
from pathlib import Path

import pytest

import cotopics

LAYERS = """
cli
report plot export
choose effects stability
models
layout distributed on_disk gpu
rectify anchors recover anchor_free correlation refine infer metrics datasets hierarchy names
top
in_pieces
documents words diagnostics choice
records
cooccur corpus
linalg persistence word_matching
arrays errors progress registry tabular
"""
LEVEL = {name: level for level, line in enumerate(reversed(LAYERS.split("\n"))) for name in line.split()}
ROOT = Path(cotopics.__file__).parent
MODULES = [path for path in sorted(ROOT.rglob("*.py")) if path.parent != ROOT or path.stem in LEVEL]
# A model writes its own report, because users look for it there. The import is inside the method: a model of which no
# report is wanted loads none, and by the time it is called both rooms are whole.
# A model with n_topics="auto" asks how many topics there are, and the answer comes from fits of the model itself.
UPWARD = {("models/fitted.py", "report"), ("models/topic_model.py", "choose")}


def room(path):
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom):
            names = [f"cotopics.{name}" for name in names] if node.module == "cotopics" else [node.module or ""]
        for name in (name for name in names if name.startswith("cotopics.") and name != "cotopics.__version__"):
            target = name.split(".")[1]
            if (path.relative_to(ROOT).as_posix(), target) in UPWARD:
                assert node.col_offset > 0, "not when the module is imported"
                continue
            assert target == room(path) or LEVEL[target] < LEVEL[room(path)], f"{room(path)} imports {target}"


def test_every_module_has_a_level():
    assert {room(path) for path in ROOT.rglob("*.py")} - {"__init__"} == set(LEVEL)
