"""Files that were changed and have right checksums: refused, or all that they are for works."""

import shutil
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from cotopics import TOP, AnchorFree, AnchorWords, TopicModel, load
from cotopics.cli.main import main
from cotopics.datasets import make_corpus
from cotopics.errors import ModelFileError
from cotopics.models.checks import TYPES
from cotopics.models.state import STEPS
from cotopics.persistence import MODEL, Record, read_record, write_record
from forged import forgeries, hold

FILES = Path(__file__).parent / "files" / "v2"
NAMES = sorted(path.name for path in FILES.iterdir() if path.suffix != ".json")


@pytest.fixture(params=NAMES)
def valid(request, tmp_path):
    return shutil.copy(FILES / request.param, tmp_path / request.param)


def test_a_valid_file_is_taken(valid):
    assert hold(valid)


def test_a_few_forgeries(valid):
    taken = [hold(path) for _, path in forgeries(valid, 60, seed=1)]
    assert 0 < sum(taken) < 0.5 * len(taken)


def changed(tmp_path, change, name="topic-model.cotopics"):
    """A model file in which a change was made, and right checksums."""
    record = read_record(FILES / name, MODEL)
    arrays = {key: array.copy() for key, array in record.arrays.items()}
    change(record.manifest, arrays)
    write_record(tmp_path / "m", Record(record.manifest, arrays), MODEL)
    return tmp_path / "m"


def row(name, value):
    return lambda manifest, arrays: arrays[name].__setitem__(0, value)


def option(name, value):
    return lambda manifest, arrays: manifest["parameters"].__setitem__(name, value)


def diagnostic(name, value):
    return lambda manifest, arrays: manifest["diagnostics"].__setitem__(name, value)


def step(**options):
    return {"step": "ExpectationMaximisation", "options": options}


REPORT = {"n_iter": 3, "converged": False, "history": {}}
SUMS = {"sum": 1.0, "least_entry": 0.0, "least_eigenvalue": 0.0}
INVALID = {
    "a topic without words": row("components_", 0),
    "a topic of one for every word": row("components_", 1),
    "a word below zero": lambda m, a: a["components_"][0].__setitem__(
        slice(0, 2), (-0.5, a["components_"][0, :2].sum() + 0.5)
    ),
    "prevalence below zero": lambda m, a: a["topic_prevalence_"].__setitem__(slice(None), (-1, 1, 1)),
    "no prevalence": lambda m, a: a["topic_prevalence_"].__setitem__(slice(None), 0),
    "a background of nothing": lambda m, a: a["background_"].__setitem__(slice(None), 0),
    "words that no document uses": lambda m, a: a.update(usage=0 * a["background_"]),
    "words used of another vocabulary": lambda m, a: a.update(usage=np.full(2, 0.5)),
    "anchors next to nothing": row("anchor_cooccurrence_", 0),
    "one-sided correlations": lambda m, a: a["topic_correlation_"].__setitem__((0, 1), 0.9),
    "huge correlations": lambda m, a: a["topic_correlation_"].__setitem__((0, 0), 1e200),
    "n_topics in words": option("n_topics", "three"),
    "no n_topics": option("n_topics", 0),
    "half a topic": option("n_topics", 2.5),
    "anchors of another kind": option("anchors", [[None]]),
    "anchors in a text": option("anchors", "word"),
    "steps below zero": option("refine", -1),
    "a step of another kind": option("refine", {"step": "PivotedQR", "options": {}}),
    "steps in words": option("refine", step(steps="many")),
    "a weighting that is a number": option("refine", step(weighting=1)),
    "true for a number": option("refine", step(background=True)),
    "a seed in words": option("random_state", "seed"),
    "documents in words": diagnostic("documents", {"used": "five", "left_out": 0}),
    "documents in a list": diagnostic("documents", [1]),
    "a step that is a number": diagnostic("recovery", 5),
    "rounds in a list": diagnostic("recovery", REPORT | {"n_iter": []}),
    "a history of texts": diagnostic("recovery", REPORT | {"history": {"gap": ["x"]}}),
    "a reason in numbers": diagnostic("recovery", REPORT | {"reason": 7}),
    "topics in words": diagnostic("correlation", SUMS | {"without_anchors": ["all"]}),
    "a sum in words": diagnostic("correlation", SUMS | {"sum": "one"}),
    "correlations that are a number": diagnostic("correlation", 1),
    "rank in words": diagnostic("anchors", REPORT | {"rank": "full"}),
    "converged perhaps": diagnostic("of a later version", REPORT | {"converged": "perhaps"}),
    "a choice of nothing": diagnostic("choice", {"reason": 7}),
    "seconds in words": diagnostic("seconds", {"anchors": "long"}),
    "documents inferred by a rectifier": lambda m, a: m.__setitem__("inference", {"step": "PivotedQR", "options": {}}),
    "documents inferred by a number": lambda m, a: m.__setitem__("inference", 3),
    "whose words": lambda m, a: m.__setitem__("words_from_input", "yes"),
}


@pytest.mark.parametrize("change", INVALID.values(), ids=list(INVALID))
def test_what_no_model_is(tmp_path, change):
    with pytest.raises(ModelFileError) as caught:
        load(changed(tmp_path, change))
    assert str(caught.value).startswith(f"{tmp_path / 'm'}: ")


def test_entries_of_later_versions_are_passed_over(tmp_path):
    path = changed(tmp_path, diagnostic("of a later version", {"share": 0.5, "names": ["x"]}))
    assert load(path).diagnostics_["of a later version"] == {"share": 0.5, "names": ["x"]}


def test_every_type_of_a_step_is_known():

    declared = {str(field.type) for step in STEPS.values() for field in fields(step)}
    assert {
        part for entry in declared for part in entry.removesuffix(", ...]").removeprefix("tuple[").split(" | ")
    } <= set(TYPES)


def test_what_cannot_be_opened_is_not_saved(tmp_path):
    model = load(FILES / "anchor-words.cotopics")
    model.components_[1] *= 2
    with pytest.raises(ModelFileError, match="components_ does not hold probabilities in row 1"):
        model.save(tmp_path / "m")
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("model", [AnchorWords(3), AnchorFree(3), TopicModel(3), TOP(n_repeats=1, c1=0.7)])
def test_what_a_fit_finds_is_valid(model, seed, tmp_path):
    """Few and short documents: probabilities of a few words are zero up to rounding, and some correlations negative."""
    X = make_corpus(60, 40, 3, length=30, random_state=seed)[0]
    model.fit(X).save(tmp_path / "m")
    assert load(tmp_path / "m").n_topics_ == model.n_topics_


@pytest.mark.parametrize("command", [["topics"], ["report", "-o", "r.html"], ["export", "--to", "csv", "-o", "e"]])
@pytest.mark.parametrize("change", ["a topic without words", "documents in words"])
def test_commands_say_so_in_one_line(tmp_path, monkeypatch, capsys, command, change):
    monkeypatch.chdir(tmp_path)
    path = changed(tmp_path, INVALID[change])
    with pytest.raises(SystemExit) as ended:
        main([command[0], str(path), *command[1:]])
    assert ended.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_pattern_that_would_never_end(tmp_path, capsys):
    """The pattern of a model's file is looked at before any text is."""
    prepared = {"preparation": {"token_pattern": "(?:[a-z ]+)*#", "stop_words": None}}
    path = changed(tmp_path, lambda manifest, arrays: manifest.__setitem__("provenance", prepared))
    (tmp_path / "new.txt").write_text("one plain sentence of some forty or fifty letters and no more\n")
    with pytest.raises(SystemExit) as ended:
        main(["transform", str(path), str(tmp_path / "new.txt"), "-o", str(tmp_path / "w.csv")])
    assert ended.value.code == 2
    assert "comes with the model" in capsys.readouterr().err
