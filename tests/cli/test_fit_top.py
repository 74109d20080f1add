"""cotopics fit --method top: it finds the number of topics, so nobody gives one."""

import json

import pytest

from cotopics import TOP, load
from cotopics.datasets import make_corpus


@pytest.fixture(scope="module")
def X():
    return make_corpus(300, 80, 6, length=300, anchors_per_topic=3, random_state=0)[0]


@pytest.fixture(scope="module")
def counts(X, save_counts):
    return save_counts(X)


def test_the_model_opens(run, counts, X, tmp_path):
    out = tmp_path / "m.cotopics"
    result = run("fit", counts, "--method", "top", "-o", out)
    assert result.exit_code == 0, result.output
    model, expected = load(out), TOP().fit(X)
    assert type(model) is TOP
    assert model.n_topics_ == 6
    assert (model.components_ == expected.components_).all()
    assert list(model.vocabulary_) == [f"w{i}" for i in range(80)]
    for group in model.anchor_groups_:
        assert " ".join(f"w{i}" for i in group) in result.stdout
    topics = json.loads(run("topics", out, "--json").stdout)
    assert {topic["anchor"] for topic in topics} == {" ".join(f"w{i}" for i in group) for group in model.anchor_groups_}


@pytest.mark.parametrize(("c1", "expected"), [("0.9", 0.9), ("2", 2.0), ("1e-1", 0.1), ("cv", "cv")])
def test_c1_reaches_the_model(run, counts, tmp_path, c1, expected):
    result = run("fit", counts, "--method", "top", "--c1", c1, "-o", tmp_path / "m")
    assert result.exit_code == 0, result.output
    model = load(tmp_path / "m")
    assert model.c1 == expected
    if c1 == "cv":
        assert model.n_topics_ == 6


def test_what_top_warns_of_is_a_message(run, counts, tmp_path):
    result = run("fit", counts, "--method", "top", "--c1", "1000")
    assert result.exit_code == 0, result.output
    assert "warning: all words look alike within their errors: TOP found one topic" in result.stderr
    assert "warning" not in run("fit", counts, "--method", "top", "--c1", "1000", "-q").stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", "top", "-k", "5"], "--topics cannot be used with --method top"),
        (["--method", "top", "-k", "auto"], "--topics cannot be used with --method top"),
        (
            ["--method", "top", "--topics", "10"],
            "--topics cannot be used with --method top",
        ),  # also where it is the default
        (["--method", "top", "--weighting", "counts"], "--weighting cannot be used with --method top"),
        (["--method", "top", "--rectifier", "ap"], "--rectifier is for --method anchor-words"),
        (["--method", "top", "--min-anchor-documents", "3"], "--min-anchor-documents is for --method anchor-words"),
        (["--method", "top", "--stream"], "--method cannot be used with --stream"),
        (["--c1", "2"], "--c1 is for --method top"),
        (["--method", "anchor-free", "--c1", "cv"], "--c1 is for --method top"),
        (["--method", "top", "--c1", "CV"], "neither a number nor 'cv'"),
        (["--method", "top", "--c1", ""], "neither a number nor 'cv'"),
        (["--method", "top", "--c1", "0"], "0 is not a finite number above 0"),
        (["--method", "top", "--c1", "-1"], "-1 is not a finite number above 0"),
        (["--method", "top", "--c1", "nan"], "nan is not a finite number above 0"),
        (["--method", "top", "--c1", "inf"], "inf is not a finite number above 0"),
    ],
)
def test_wrong_use_is_one_clear_line(run, counts, arguments, message):
    result = run("fit", counts, *arguments)
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    errors = [line for line in result.stderr.splitlines() if line.startswith(("cotopics:", "Error:"))]
    assert len(errors) == 1
    assert message in errors[0]


@pytest.mark.parametrize("c1", ["0", "-1", "nan", "inf", "CV"])
def test_c1_is_looked_at_before_any_file(run, c1):
    result = run("fit", "nothing.npz", "--method", "top", "--c1", c1)
    assert result.exit_code == 2
    assert "Invalid value for '--c1'" in result.stderr
    assert "nothing.npz" not in result.stderr
