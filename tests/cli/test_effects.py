"""cotopics effects: tables, pictures, and one clear line for what cannot be."""

import csv
import json

import numpy as np
import pytest

from conftest import planted_corpus
from cotopics import TopicModel
from cotopics.cli.display import InputProblem, new_table
from cotopics.cli.effects import _show_rows, read_fields
from cotopics.effects import estimate_effects

X, _, _ = planted_corpus()
WORDS = [f"w{i}" for i in range(60)]
N = X.shape[0]
FIELDS = {
    "rating": ["Liberal", "Conservative"] * (N // 2) + ["Liberal"] * (N % 2),
    "day": [str(i % 365 + 1) for i in range(N)],
    "date": [f"2008-{i % 12 + 1:02d}-01" for i in range(N)],
    "same": ["x"] * N,
    "season": ["2008-01-01"] * 6 + ["spring"] + ["2008-02-01"] * (N - 7),
    "soon": ["soon", "later"] * (N // 2) + ["soon"] * (N % 2),
    "own": [f"d{i % 150}" for i in range(N)],
    "pair": [f"p{i % 3}" for i in range(N)],
}


@pytest.fixture
def folder(tmp_path, save_counts):
    TopicModel(4, topics_per_document="many").fit(X, feature_names=WORDS).save(tmp_path / "m.cotopics")
    save_counts(X).rename(tmp_path / "counts.npz")
    (tmp_path / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    with open(tmp_path / "fields.csv", "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(FIELDS)
        rows.writerows(zip(*FIELDS.values(), strict=True))
    return tmp_path


def ask(run, folder, *options):
    files = (folder / "m.cotopics", folder / "counts.npz", "--metadata", folder / "fields.csv")
    return run("effects", *files, *options)


def test_a_contrast_is_that_of_python(run, folder):
    options = ("--formula", "rating + bs(day, df=4)", "--contrast", "rating=Liberal,Conservative")
    result = ask(run, folder, *options, "--json")
    assert result.exit_code == 0, result.output
    model = TopicModel(4, topics_per_document="many").fit(X, feature_names=WORDS)
    found = estimate_effects(model, X, FIELDS, "rating + bs(day, df=4)").contrast("rating", "Liberal", "Conservative")
    assert np.allclose([row["estimate"] for row in json.loads(result.stdout)], found.columns["estimate"], atol=1e-9)
    shown = ask(run, folder, *options)
    assert "rating: Liberal − Conservative" in shown.stdout
    assert f"{N} documents used" in shown.stderr


def test_over_time_in_groups_and_words(run, folder):
    rows = json.loads(ask(run, folder, "--over", "date", "--by", "month", "--groups", "rating", "--json").stdout)
    assert {row["period"] for row in rows} == {f"2008-{month:02d}" for month in range(1, 13)}
    assert {row["group"] for row in rows} == {"Liberal", "Conservative"}
    table = ask(run, folder, "--groups", "rating", "--topic", 0)
    assert table.exit_code == 0, table.output
    assert "mean share" in table.stdout
    assert len(ask(run, folder, "--groups", "rating", "--csv").stdout.splitlines()) == 1 + 4 * 2
    words = json.loads(ask(run, folder, "--groups", "rating", "--words", 3, "--json").stdout)
    assert len(words) == 4 * 2 * 3
    assert "elsewhere" in ask(run, folder, "--over", "date", "--by", "month", "--words", 1).stdout


def test_pictures(run, folder):
    for options in (("--formula", "rating"), ("--over", "date", "--by", "month")):
        result = ask(run, folder, *options, "--plot", folder / "figure.svg")
        assert result.exit_code == 0, result.output
        assert (folder / "figure.svg").read_text(encoding="utf-8").startswith("<?xml")
        (folder / "figure.svg").unlink()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--formula", "raing"], "did you mean 'rating'"),
        (["--formula", "rating +"], "formula"),
        (["--formula", "rating * (day"], "parenthesis that is not closed"),
        (["--formula", "__import__('os')"], "which cannot be used there"),
        (["--formula", "same"], "same value in all"),
        (["--formula", "days(soon)"], "'later' is not a date|'soon' is not a date"),
        (["--formula", "own * pair"], "more documents than terms|no document is of this kind"),
        (["--formula", "rating", "--contrast", "rating=Liberal,Green"], "no group 'Green'"),
        (["--formula", "rating", "--contrast", "rating"], "not a field and two of its values"),
        (["--formula", "rating", "--over", "date"], "two questions"),
        ([], "say what to compare"),
        (["--over", "soon"], "not a date"),
        (["--over", "when"], "there is no field 'when'"),
        (["--groups", "same", "--words", "3"], "one group"),
        (["--by", "month", "--groups", "rating"], "--by needs --over"),
        (["--groups", "rating", "--topic", "99"], "topic 99 is not there: the model has topics 0 to 3"),
        (["--formula", "rating", "--topic", "99"], "topic 99 is not there: the model has topics 0 to 3"),
        (["--contrast", "rating=Liberal,Conservative"], "--contrast needs --formula"),
        (["--groups", "rating", "--clusters", "pair"], "--clusters needs --formula"),
        (["--groups", "rating", "--missing", "error"], "--missing error needs --formula"),
        (["--groups", "rating", "--simultaneous"], "--simultaneous needs --formula"),
        (["--over", "date", "--correction", "bh"], "--correction bh needs --formula"),
        (["--groups", "rating", "--words", "3", "--level", "0.9"], "--words has no intervals; leave out --level"),
        (["--formula", "bs(day, df=4)", "--contrast", "day=1000,0"], "1 to 365; choose one of these"),
        (["--over", "season"], "row 8: 'spring' is not a date|correct it or leave the cell empty"),
    ],
)
def test_what_cannot_be_is_one_clear_line(run, folder, options, message):
    result = ask(run, folder, *options)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    said = result.stderr.splitlines()[-1]
    assert any(part in said for part in message.split("|")), result.stderr
    assert "Traceback" not in result.stderr


def test_the_row_of_a_wrong_date_is_named(run, folder):
    said = ask(run, folder, "--over", "season").stderr
    assert "fields.csv, row 8: 'spring' is not a date; write 2024" in said
    assert "; correct it or leave the cell empty" in said


def test_metadata_of_one_column_keeps_its_empty_cells_and_names_are_different(tmp_path):
    file = tmp_path / "fields.csv"
    file.write_text("a\nx\n\ny\n", encoding="utf-8")
    assert read_fields(str(file)) == {"a": ["x", "", "y"]}
    file.write_text("a,b\nx,y\n\nu,v\n", encoding="utf-8")
    assert read_fields(str(file)) == {"a": ["x", "u"], "b": ["y", "v"]}
    file.write_text("a,b, a\nx,y,z\n", encoding="utf-8")
    with pytest.raises(InputProblem, match="2 columns named 'a'"):
        read_fields(str(file))


def test_intervals_are_shown_as_they_are(capsys):
    row = {"topic": 0, "name": "t", "group": "g", "documents": 5, "estimate": -0.02, "low": -0.05, "high": -0.01}
    _show_rows(new_table(), [row], 0.95)
    assert "-0.0500 to -0.0100" in capsys.readouterr().out
