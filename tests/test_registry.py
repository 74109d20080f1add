"""Everything that can be chosen by name."""

import importlib
import subprocess
import sys

import click
import pytest

from cotopics import anchor_free, anchors, infer, recover, rectify, registry
from cotopics.corpus import formats
from cotopics.registry import COUNTS, DOCUMENTS, INFERENCES, RECTIFIERS, WEIGHTINGS, Registry

ROOMS = {
    "RECTIFIERS": rectify,
    "SELECTORS": anchors,
    "RECOVERIES": recover,
    "ANCHOR_FREE": anchor_free,
    "INFERENCES": infer,
    "DOCUMENTS": formats,
    "COUNTS": formats,
}


def option(command, name):
    parameters = importlib.import_module(f"cotopics.cli.{command}").command.params
    return next(parameter for parameter in parameters if parameter.name == name)


@pytest.mark.parametrize("name", ROOMS)
def test_every_entry_is_an_object_of_its_room(name):
    named = getattr(registry, name)
    assert named is getattr(ROOMS[name], name)
    for entry in named.values():
        assert callable(entry)
        assert getattr(entry, "func", entry).__module__.startswith(ROOMS[name].__name__)


def test_the_command_line_offers_what_is_named():
    assert set(option("fit", "rectifier").type.choices) == {"auto", "none", *RECTIFIERS}
    assert list(option("fit", "weighting").type.choices) == list(WEIGHTINGS)
    assert list(option("transform", "method").type.choices) == list(INFERENCES)
    for command in ("fit", "choose", "transform", "evaluate", "report", "export"):
        words = click.unstyle(option(command, "kind").help).rstrip(".").replace(",", " ").split()
        assert {kind.removeprefix(".") for kind in (*DOCUMENTS, *COUNTS)} <= set(words)


def test_a_new_rectifier_is_one_line(tmp_path):
    """Entered before the command is loaded, as a line of the registry is, it is offered, found and used."""
    script = (
        "from cotopics.registry import RECTIFIERS\n"
        "RECTIFIERS['mine'] = 'alternating_projection:AlternatingProjection'\n"
        "from cotopics.cli.main import main\n"
        "main()"
    )
    (tmp_path / "texts.txt").write_text("cat dog\ncat dog sun\nsun sky\nsky sun dog\n" * 5, encoding="utf-8")
    options = ["-k", "2", "--method", "anchor-words", "--min-documents", "1", "--rectifier", "mine"]
    command = [sys.executable, "-c", script, "fit", "texts.txt", *options, "-o", "m.cotopics"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "m.cotopics").exists()


def test_objects_are_imported_when_they_are_looked_up():
    script = (
        "import sys; from cotopics.registry import RECTIFIERS, DOCUMENTS\n"
        "assert 'ap' in RECTIFIERS and list(DOCUMENTS) and 'numpy' not in sys.modules\n"
        "RECTIFIERS['ap']; assert 'numpy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_an_entry_may_be_the_object_itself():
    named = Registry("cotopics", {"one": "errors:ParameterError"})
    named["two"] = dict
    assert {**named} == {"one": importlib.import_module("cotopics.errors").ParameterError, "two": dict}
    del named["one"]
    assert list(named) == ["two"]
    assert len(named) == 1
