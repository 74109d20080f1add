"""cotopics edit, tree and find; names in the other commands."""

import csv
import io
import json

import numpy as np
import pytest

from conftest import planted_corpus
from cotopics import AnchorWords, load
from cotopics.models.edits import fingerprint

X, _, _ = planted_corpus()
WORDS = [f"w{i}" for i in range(60)]


@pytest.fixture(scope="module")
def model():
    return AnchorWords(4).fit(X, feature_names=WORDS)


@pytest.fixture
def folder(model, tmp_path, save_counts):
    model.save(tmp_path / "m.cotopics")
    save_counts(X).rename(tmp_path / "counts.npz")
    (tmp_path / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    return tmp_path


def test_edit(run, folder, model):
    out = folder / "new.cotopics"
    named = ("--rename", "3=courts", "--rename", "0=a = b")
    result = run("edit", folder / "m.cotopics", *named, "--merge", "0,2", "--drop", "1", "-o", out)
    assert result.exit_code == 0, result.output
    assert "4 topics became 2" in result.stderr
    new = load(out)
    assert new.topic_names_ == ["a = b", "courts"]
    expected = model.drop([1]).merge([[0, 1]])
    assert (new.components_ == expected.components_).all()
    assert load(folder / "m.cotopics").n_topics_ == 4


def test_reduce_merges_what_tree_shows(run, folder):
    groups = json.loads(run("tree", folder / "m.cotopics", "--cut", 2, "--json").stdout)
    assert sorted(k for group in groups for k in group) == [0, 1, 2, 3]
    assert run("edit", folder / "m.cotopics", "--reduce", 2, "-o", folder / "two.cotopics").exit_code == 0
    shares = load(folder / "m.cotopics").topic_prevalence_
    expected = [shares[group].sum() for group in groups]
    np.testing.assert_allclose(load(folder / "two.cotopics").topic_prevalence_, expected)


def test_tree(run, folder):
    lines = run("tree", folder / "m.cotopics").stdout.splitlines()
    assert len(lines) == 4
    record = json.loads(run("tree", folder / "m.cotopics", "--json").stdout)
    assert len(record["merges"]) == 3
    assert "group 1" in run("tree", folder / "m.cotopics", "--cut", 2).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "nothing to do"),
        (["--rename", "courts"], "3=courts"),
        (["--rename", "9=x"], "topics 0 to 3"),
        (["--merge", "1-2"], "1,4"),
        (["--merge", "0,1", "--merge", "1,2"], "more than once"),
        (["--merge", "0,1", "--drop", "1"], "merged and dropped"),
        (["--drop", "0,1,2,3"], "keep at least one"),
        (["--reduce", "9"], "from 1 to 4"),
    ],
)
def test_wrong_edits(run, folder, arguments, message):
    result = run("edit", folder / "m.cotopics", *arguments, "-o", folder / "new.cotopics")
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert not (folder / "new.cotopics").exists()


def test_edits_of_a_report(run, folder, model):
    edits = {
        "cotopics": "cotopics-edits",
        "model": fingerprint(model),
        "rename": {"1": "one", "2": None},
        "merge": [[0, 3]],
    }
    (folder / "edits.json").write_text(json.dumps(edits), encoding="utf-8")
    call = ("edit", folder / "m.cotopics", "--edits", folder / "edits.json", "-o", folder / "new.cotopics")
    assert run(*call).exit_code == 0
    assert load(folder / "new.cotopics").topic_names_[1] == "one"
    for wrong, message in (
        ({"model": "0" * 16}, "another model"),
        ({"cotopics": "x"}, "holds no edits"),
        ({"merge": [["a"]]}, "holds no edits"),
        ({"merge": 3}, "holds no edits"),
        ({"rename": {"x": "y"}}, "holds no edits"),
        ({"rename": {"0": 7}}, "not a name"),
        ({"drop": [9]}, "topics 0 to 3"),
    ):
        (folder / "edits.json").write_text(json.dumps({**edits, **wrong}), encoding="utf-8")
        result = run(*call)
        assert result.exit_code == 2
        assert message in result.stderr, result.stderr
    (folder / "edits.json").write_text("[" * 5000, encoding="utf-8")
    assert "holds no edits" in run(*call).stderr


def test_find(run, folder, model):
    word = model.top_words(1)[2][0]
    found = json.loads(
        run("find", folder / "m.cotopics", word, folder / "counts.npz", "--documents", 2, "--json").stdout
    )
    assert [(topic["topic"], topic["score"]) for topic in found] == [
        (k, round(score, 6)) for k, score in model.find_topics(word)
    ]
    best = [(d["document"], d["share"]) for d in found[0]["documents"]]
    assert best == [(row, round(share, 6)) for row, share in model.documents_of(X, found[0]["topic"], 2)]
    result = run("find", folder / "m.cotopics", f"{word} zebra")
    assert "'zebra'" in result.stderr
    assert model.topic_names_[found[0]["topic"]].split(",")[0] in result.stdout
    assert run("find", folder / "m.cotopics", "zebra").exit_code == 2


def test_names_in_headers_and_tables(run, folder, model):
    model.rename({1: "courts", 2: "document"}).save(folder / "named.cotopics")
    wide = run("transform", folder / "named.cotopics", folder / "counts.npz", "--names").stdout
    rows = list(csv.DictReader(io.StringIO(wide)))
    names = model.topic_names_
    assert list(rows[0]) == ["document", names[0], "courts", "document (topic 2)", names[3]]
    assert float(rows[5]["courts"]) == pytest.approx(model.transform(X)[5, 1])
    long = run("transform", folder / "named.cotopics", folder / "counts.npz", "--names", "--threshold", 0.3).stdout
    assert {row["name"] for row in csv.DictReader(io.StringIO(long)) if row["topic"] == "1"} == {"courts"}
    plain = run("transform", folder / "named.cotopics", folder / "counts.npz").stdout
    assert plain.splitlines()[0] == "document,topic_0,topic_1,topic_2,topic_3"
    assert "courts" in run("topics", folder / "named.cotopics").stdout
    assert {t["name"] for t in json.loads(run("topics", folder / "named.cotopics", "--json").stdout)} >= {"courts"}
    for what in ("topics", "words", "correlations", "graphml"):
        assert "courts" in run("export", folder / "named.cotopics", "--to", what).stdout
