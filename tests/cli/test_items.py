"""Items on the command line: tags that stand out, words next to the anchor, names with blanks."""

import csv
import io
import json

import pytest

from cotopics import AnchorFree, AnchorWords
from cotopics.corpus import counts_from_baskets

BASKETS = [["green tea", "milk"], ["green tea", "milk", "milk"], ["beer", "=chips"], ["beer", "beer", "=chips"]] * 3
TAGS = ["snack|salty", "drink|with alcohol", "drink|hot", "drink|cold"]  # of =chips, beer, green tea, milk


def saved(estimator, path):
    corpus = counts_from_baskets(BASKETS)
    estimator.fit(corpus.counts, feature_names=corpus.vocabulary).save(path)
    return path


@pytest.fixture
def model(tmp_path):
    return saved(AnchorWords(2), tmp_path / "baskets.cotopics")


@pytest.fixture
def free(tmp_path):
    return saved(AnchorFree(2), tmp_path / "free.cotopics")


@pytest.fixture
def tags(tmp_path):
    path = tmp_path / "tags.txt"
    path.write_text("\n".join(TAGS), encoding="utf-8")
    return path


def test_tags_in_json(run, model, tags):
    topics = json.loads(run("topics", model, "--tags", tags, "--json", "-n", 2).stdout)
    (tea,) = (topic for topic in topics if "milk" in topic["words"])
    assert {entry["tag"] for entry in tea["tags"]} == {"hot", "cold", "drink"}
    drink = next(entry for entry in tea["tags"] if entry["tag"] == "drink")
    assert drink["share"] == pytest.approx(1)
    assert 1 < drink["lift"] < 2
    (beer,) = (topic for topic in topics if "beer" in topic["words"])
    assert {entry["tag"] for entry in beer["tags"]} == {"snack", "salty", "with alcohol"}
    assert "tags" not in json.loads(run("topics", model, "--json").stdout)[0]


def test_tags_in_csv(run, model, tags):
    rows = list(csv.DictReader(io.StringIO(run("topics", model, "--tags", tags, "--csv", "-n", 2).stdout)))
    (tea,) = (row for row in rows if "milk" in row["words"])
    assert "drink 100% ×" in tea["tags"]
    assert set(tea["words"].split("; ")) == {"green tea", "milk"}  # names with blanks keep apart
    assert "tags" not in run("topics", model, "--csv").stdout.splitlines()[0]


def test_tags_in_the_table(run, model, tags):
    shown = run("topics", model, "--tags", tags)
    assert shown.exit_code == 0
    assert "tags: share, lift" in shown.stdout
    assert "with alcohol" in " ".join(shown.stdout.split())
    assert "tags: share" not in run("topics", model).stdout


def test_tags_without_anchors(run, free, tags):
    topics = json.loads(run("topics", free, "--tags", tags, "--json").stdout)
    assert all(topic["tags"] for topic in topics)
    assert run("topics", free, "--tags", tags).exit_code == 0


def test_words_next_to_the_anchor(run, model):
    for options in ([], ["--characteristic"]):
        assert "words next to the anchor" in run("topics", model, *options).stdout
        for topic in json.loads(run("topics", model, "--json", "-n", 2, *options).stdout):
            assert set(topic["characteristic_words"]) == set(topic["words"])  # the topics share no item
    assert "words next to the anchor" not in run("topics", model, "--no-characteristic").stdout
    assert json.loads(run("topics", model, "--json", "--no-characteristic").stdout)[0]["characteristic_words"] is None
    rows = list(csv.DictReader(io.StringIO(run("topics", model, "--csv", "--characteristic").stdout)))
    assert all(row["characteristic_words"] for row in rows)


def test_no_words_next_to_anchors_that_are_not_there(run, free):
    refused = run("topics", free, "--characteristic")
    assert refused.exit_code == 2
    assert refused.stdout == ""
    assert "AnchorFree has none" in refused.stderr
    assert run("topics", free, "--no-characteristic").exit_code == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no file"),
        (b"a\nb\nc\n", "has 3 lines and the model 4 words"),
        (b"\xff\n\n\n\n", "not UTF-8"),
    ],
)
def test_wrong_tags_are_one_clear_line(run, model, tmp_path, content, message):
    path = tmp_path / "wrong.txt"
    if content is not None:
        path.write_bytes(content)
    refused = run("topics", model, "--tags", path)
    assert refused.exit_code == 2
    assert message in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    assert run("topics", model, "--tags", tmp_path).exit_code == 2  # a folder


def test_a_file_of_blank_lines_has_no_tags(run, model, tmp_path):
    path = tmp_path / "none.txt"
    path.write_text("\n\n\n\n", encoding="utf-8")
    assert json.loads(run("topics", model, "--tags", path, "--json").stdout)[0]["tags"] == []
    assert run("topics", model, "--tags", path).exit_code == 0
