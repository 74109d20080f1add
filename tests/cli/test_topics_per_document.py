"""cotopics fit --topics-per-document and --background."""

import json

import pytest

from cotopics import load


@pytest.fixture
def titles(tmp_path):
    subjects = {"sea": "boat sail wave harbour fish storm", "sky": "plane wing cloud pilot airport flight"}
    path = tmp_path / "titles.jsonl"
    rows = []
    for name, text in subjects.items():
        words = text.split()
        for i in range(60):
            picked = [words[(i + j * (1 + i % 4)) % 6] for j in range(4)]
            rows.append(json.dumps({"text": " ".join(picked), "label": name}))
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def test_what_is_found_is_said(run, titles, tmp_path):
    result = run("fit", titles, "-k", "2", "-o", tmp_path / "m.cotopics")
    assert result.exit_code == 0, result.output
    reason = load(tmp_path / "m.cotopics").diagnostics_["documents"]["reason"]
    assert reason in " ".join(result.stderr.split())


@pytest.mark.parametrize(("kind", "said"), [("one", "one topic each"), ("many", "several topics each")])
def test_what_is_asked_for_is_done(run, titles, tmp_path, kind, said):
    result = run("fit", titles, "-k", "2", "--topics-per-document", kind, "-o", tmp_path / "m.cotopics")
    assert f"Documents have {said}: topics_per_document='{kind}' was asked for" in " ".join(result.stderr.split())
    assert load(tmp_path / "m.cotopics").topics_per_document == kind


def test_a_background_that_is_given(run, titles, tmp_path):
    result = run("fit", titles, "-k", "2", "--background", "0.25", "-o", tmp_path / "m.cotopics")
    assert result.exit_code == 0, result.output
    assert load(tmp_path / "m.cotopics").fit_.inference.background == 0.25


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--background", "1"], "neither a share from 0 to below 1 nor 'auto'"),
        (["--background", "much"], "neither a share from 0 to below 1 nor 'auto'"),
        (["--topics-per-document", "two"], "is not one of"),
        (["--topics-per-document", "one", "--method", "anchor-words"], "is for --method topic-model"),
        (["--background", "0.5", "--method", "anchor-free"], "is for --method topic-model"),
        (["--topics-per-document", "one", "--background", "0.5"], "have no background"),
    ],
)
def test_what_cannot_be_asked_for(run, titles, options, message):
    result = run("fit", titles, "-k", "2", *options)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
