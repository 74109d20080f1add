"""Statistics that are kept: documents are added month by month, and taken out again."""

import json

import numpy as np
import pytest

from cotopics import AnchorWords, CooccurrenceAccumulator, load
from cotopics.cooccur import load_statistics
from planted import TEXTS, WORDS, X, write_jsonl

FIT = ("-k", 4, "--min-documents", 1, "--stream")
HALF = len(TEXTS) // 2


@pytest.fixture
def months(tmp_path):
    """January has every word, in the same order as in both months together."""
    texts = [" ".join(WORDS), *TEXTS]
    for name, part in (("january", texts[:HALF]), ("february", texts[HALF:]), ("both", texts)):
        write_jsonl(tmp_path / f"{name}.jsonl", part)
    return tmp_path


@pytest.fixture
def january(run, months):
    """The file of january's statistics, and its bytes."""
    result = run("fit", months / "january.jsonl", *FIT, "--statistics", months / "news.statistics", "-q")
    assert result.exit_code == 0, result.output
    return months / "news.statistics"


def close(one, other):
    """Whether two statistics files hold the same up to rounding."""
    (a, words, _), (b, others, _) = load_statistics(one), load_statistics(other)
    assert words == others
    assert a.n_documents == b.n_documents
    assert (a._frequency == b._frequency).all()
    A, B = a.finish().toarray(), b.finish().toarray()
    return np.abs(A - B).max() < 1e-9 * np.abs(B).max()


def test_month_by_month_is_all_at_once(run, months, january):
    added = run("fit", months / "february.jsonl", *FIT, "--statistics", january, "-o", months / "m")
    assert added.exit_code == 0, added.output
    assert f"{HALF} documents in {january}, {len(TEXTS) + 1 - HALF} documents, {len(WORDS)} words" in added.stderr
    at_once = run("fit", months / "both.jsonl", *FIT, "--statistics", months / "both", "-o", months / "b")
    assert at_once.exit_code == 0, at_once.output
    assert close(january, months / "both")
    one, other = load(months / "m"), load(months / "b")
    assert one.vocabulary_.tolist() == other.vocabulary_.tolist() == WORDS
    assert one.anchors_.tolist() == other.anchors_.tolist()
    assert np.abs(one.components_ - other.components_).max() < 1e-6
    assert one.provenance_["input"] == "january.jsonl, february.jsonl"
    assert one.provenance_["preparation"] == other.provenance_["preparation"]


def test_words_that_come_later_are_left_out(run, months, january, tmp_path):
    later = write_jsonl(tmp_path / "later.jsonl", [f"{TEXTS[0]} unheard", "unheard of"])
    assert run("fit", later, *FIT, "--statistics", january).exit_code == 0
    sums, words, _ = load_statistics(january)
    assert words == WORDS
    assert sums.n_documents == HALF + 2


def test_what_was_added_is_forgotten(run, months, january):
    before = january.read_bytes()
    (months / "kept").write_bytes(before)
    run("fit", months / "february.jsonl", *FIT, "--statistics", january)
    both = january.read_bytes()
    result = run("forget", january, months / "february.jsonl", "-o", months / "left")
    assert result.exit_code == 0, result.output
    assert f"{len(TEXTS) + 1 - HALF} documents taken out, {HALF} left in {months / 'left'}" in result.stderr
    assert january.read_bytes() == both
    assert close(months / "left", months / "kept")
    assert run("forget", january, months / "february.jsonl", "-q").stderr == ""
    assert january.read_bytes() == (months / "left").read_bytes()
    for name in ("left", "kept"):
        (months / name).rename(months / f"{name}.statistics")
        assert run("fit", months / f"{name}.statistics", "-k", 4, "-o", months / name).exit_code == 0
    one, other = load(months / "left"), load(months / "kept")
    assert one.anchors_.tolist() == other.anchors_.tolist()
    assert np.abs(one.components_ - other.components_).max() < 1e-6


def test_statistics_are_fitted_as_they_are(run, months, january):
    assert (
        run("fit", months / "january.jsonl", *FIT, "--method", "anchor-words", "-o", months / "direct").exit_code == 0
    )
    result = run("fit", january, "-k", 4, "-o", months / "m")
    assert result.exit_code == 0, result.output
    assert f"{HALF} documents in {january}" in result.stderr
    assert (months / "m").read_bytes() == (months / "direct").read_bytes()


def test_all_that_was_added_may_be_forgotten(run, months, january):
    assert run("forget", january, months / "january.jsonl").exit_code == 0
    refused = run("fit", january, "-k", 4)
    assert refused.exit_code == 2
    assert len(refused.stderr.strip().splitlines()) == 2  # how many documents there are, and that they are too few
    assert run("fit", months / "january.jsonl", *FIT, "--statistics", january, "-o", months / "m").exit_code == 0
    assert load(months / "m").n_topics_ == 4


def test_statistics_that_python_wrote(run, months, tmp_path):
    """With words, and a provenance of one's own."""
    path = tmp_path / "own.statistics"
    sums = CooccurrenceAccumulator().update(X)
    sums.save(path, WORDS, {"files": ["mine"]})
    assert run("fit", path, "-k", 4, "-o", tmp_path / "m").exit_code == 0
    expected = AnchorWords(4, rectifier="enn", min_anchor_documents=0.005).fit_cooccurrence(sums)
    assert load(tmp_path / "m").components_ == pytest.approx(expected.components_, abs=1e-12)
    assert run("fit", months / "february.jsonl", *FIT, "--statistics", path, "-o", tmp_path / "m").exit_code == 0
    assert load(tmp_path / "m").provenance_["input"] == "february.jsonl"
    sums.save(path)
    for command in (["fit", months / "february.jsonl", *FIT, "--statistics", path], ["forget", path, "x.jsonl"]):
        refused = run(*command)
        assert refused.exit_code == 2
        assert "what its words are" in refused.stderr
    assert run("fit", path, "-k", 4).exit_code == 0


WRONG = [
    (["fit", "{january}", "--statistics", "{s}"], "--statistics needs --stream"),
    (["fit", "{s}", "--stream"], "--stream is for documents"),
    (["fit", "{s}", "--stop-words", "german"], "--stop-words is for documents"),
    (["fit", "{s}", "--min-documents", "3"], "--min-documents is for documents"),
    (["fit", "{s}", "--method", "top"], "--method cannot be used with --statistics"),
    (["fit", "{s}", "--seed", "3"], "nothing is random"),
    (["fit", "{s}", "-k", "auto"], "-k auto is for --method topic-model"),
    (["fit", "{s}", "-o", "{s}"], "would replace a file that is read"),
    (["fit", "{s}", "-k", "500"], "topics"),
    (["fit", "nothing.statistics"], "nothing.statistics"),
    (["fit", "{model}.statistics"], "this is a model file"),
    (["fit", "{february}", "--stream", "--statistics", "{model}.statistics"], "this is a model file"),
    (["fit", "{february}", "--stream", "--statistics", "{january}"], "january.jsonl"),
    (["fit", "{february}", "--stream", "--statistics", "{february}"], "would replace a file that is read"),
    (["fit", "{february}", "--stream", "--statistics", "{new}", "-o", "{new}"], "would replace a file that is read"),
    (["fit", "{february}", "--stream", "--statistics", "{folder}"], "is not a file name"),
    (["fit", "{february}", "--stream", "--statistics", "{folder}/no/s"], "the folder of"),
    (["forget", "{s}", "{february}"], "holds documents that are not in"),
    (["forget", "{s}", "{both}"], "holds documents that are not in"),
    (["forget", "{s}", "nothing.jsonl"], "there is no file nothing.jsonl"),
    (["forget", "{s}", "{january}", "-o", "{january}"], "would replace a file that is read"),
    (["forget", "{model}.statistics", "{january}"], "only topic-model can forget"),
    (["forget", "nothing.statistics", "{january}"], "nothing.statistics"),
    (["forget", "{january}", "{january}"], "january.jsonl"),
    (["topics", "{s}"], "this is a statistics file"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_wrong_use_is_one_clear_line_and_changes_nothing(run, months, january, arguments, message):
    AnchorWords(2).fit(X, feature_names=WORDS).save(months / "model.statistics")
    names = {path.stem: path for path in months.glob("*.jsonl")}
    names |= {"s": january, "model": months / "model", "folder": months, "new": months / "new"}
    before = {path.name: path.read_bytes() for path in months.iterdir()}
    result = run(*(argument.format(**names) for argument in arguments))
    assert result.exit_code == 2
    assert message in result.stderr
    last = result.stderr.splitlines()[-1]
    assert last.startswith("cotopics: ")
    assert isinstance(result.exception, SystemExit)
    assert {path.name: path.read_bytes() for path in months.iterdir()} == before


def test_a_damaged_month_changes_nothing(run, months, january):
    before = january.read_bytes()
    damaged = months / "damaged.jsonl"
    damaged.write_text((months / "february.jsonl").read_text() + json.dumps({"body": 3}), encoding="utf-8")
    for command in (["fit", damaged, *FIT, "--statistics", january], ["forget", january, damaged]):
        result = run(*command)
        assert result.exit_code == 2
        assert "damaged.jsonl, line" in result.stderr
        assert january.read_bytes() == before
