"""A table as people have it, through the command line: each option that it needs, and the message that names it."""

import csv
import html
import random

import pytest

from cotopics import load

WORDS = {"space": ["nasa", "orbit", "moon", "rocket", "shuttle"], "ice": ["hockey", "goal", "puck", "skates", "rink"]}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A csv with semicolons, HTML, an empty row, duplicates and European dates."""
    path = tmp_path_factory.mktemp("messy") / "posts.csv"
    draw = random.Random(0)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["body", "day", "author", "section"])
        for m in range(120):
            section = "space" if m % 2 else "ice"
            words = [*draw.choices(WORDS[section], k=8), "mr", "https", "Sagte"]
            text = f"<p>{html.escape(' '.join(words))}&nbsp;&amp; 🚀</p>"
            writer.writerow([text, f"{1 + m % 28:02}.{1 + m % 12:02}.202{m % 3}", f"author {m % 5}", section])
        writer.writerow([text, "01.01.2022", "author 0", "space"])
        writer.writerow(["", "unknown", "author 0", "ice"])
    return path


FIELDS = ["--text-field", "body", "--date-field", "day"]


def fit(run, table, output, *more):
    result = run("fit", table, *FIELDS, "-k", 2, "-o", output, *more)
    assert result.exit_code == 0, result.stderr
    return result


def test_everything_at_once(run, table, tmp_path):
    model, shares = tmp_path / "posts.cotopics", tmp_path / "shares.csv"
    (tmp_path / "mine.txt").write_text("https # of links\nsagte\n", encoding="utf-8")
    own = ["--stop-words", "english", "--stop-words", tmp_path / "mine.txt", "--stop-words", "+mr"]
    result = fit(run, table, model, "--html", "--drop-duplicates", *own)
    assert "1 document left out with the text of an earlier one" in result.stderr
    assert "1 document without text" in result.stderr
    assert "dates are read as %d.%m.%Y" in result.stderr
    assert "1 date is not understood, such as 'unknown'" in result.stderr
    assert f"cotopics report {model} {table} --text-field body --date-field day" in result.stderr
    words = sorted(word for group in WORDS.values() for word in group)
    assert sorted(load(model).vocabulary_) == words
    assert run("transform", model, table, *FIELDS, "--metadata-field", "author", "-o", shares).exit_code == 0
    with shares.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["document", "date", "author", "topic_0", "topic_1"]
    assert len(rows) == 122
    assert (rows[0]["date"], rows[1]["date"], rows[0]["author"]) == ("2020-01-01", "2021-02-02", "author 0")
    assert rows[-1]["date"] == "unknown"


def test_what_is_said_without_the_options(run, table, tmp_path):
    said = fit(run, table, tmp_path / "m").stderr
    assert "(--html)" in said
    assert "(--drop-duplicates)" in said
    assert "nbsp" in load(tmp_path / "m").vocabulary_


@pytest.mark.parametrize(
    ("given", "left_out", "kept"),
    [
        ([], {"the"}, {"mr", "https"}),
        (["+mr,https"], {"the", "mr", "https"}, {"sagte"}),
        (["none"], set(), {"mr", "https"}),
        (["none", "+mr"], {"mr"}, {"https"}),
        (["english", "+mr"], {"mr"}, {"https"}),
        (["german"], {"sagte"}, {"mr"}),
        (["german", "english"], {"sagte"}, {"mr"}),
    ],
)
def test_own_stop_words(run, table, tmp_path, given, left_out, kept):
    options = [word for value in given for word in ("--stop-words", value)]
    fit(run, table, tmp_path / "m", "--html", *options)
    words = set(load(tmp_path / "m").vocabulary_)
    assert not left_out & words
    assert kept <= words


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--stop-words", "english, mr"], "'mr' is the code of Marathi; for its list write marathi, for the word +mr"),
        (["--stop-words", "english", "--stop-words", "mr"], "for the word +mr"),
        (["--stop-words", "mine.txt"], "there is no such file; words themselves are listed as +a,b"),
        (["--stop-words", "none", "--stop-words", "german"], "none means no language"),
        (["--text-field", "text"], "text_field, or --text-field"),
        (["--date-field", "when"], "no document has a field 'when'; name one that is there with --date-field"),
        (["--date-format", "day"], "is not a format of dates"),
        (["--delimiter", "::"], "must be one character"),
        (["--anchors", "unheard"], "--anchors 'unheard': no such word is kept"),
        (["--anchors", "nasa", "--method", "anchor-free"], "--anchors is for --method topic-model"),
        (["-k", 500], "n_topics=500 is more than the 121 documents"),
    ],
)
def test_messages_name_the_option(run, table, tmp_path, options, message):
    fields = ["--text-field", "body"] if "--text-field" not in options else []
    result = run("fit", table, *fields, "-o", tmp_path / "m", *options)
    assert result.exit_code == 2
    assert message in result.stderr


def test_anchors(run, table, tmp_path):
    fit(run, table, tmp_path / "m", "--html", "--anchors", "Rocket, MOON", "--anchors", "skates")
    model = load(tmp_path / "m")
    named = [{model.vocabulary_[word] for word in group} for group in model.anchor_groups_]
    assert named == [{"rocket", "moon"}, {"skates"}]
    assert set(model.top_words(5)[0]) >= {"rocket", "moon"}


def test_anchors_are_prepared_like_the_texts(run, table, tmp_path):
    fit(run, table, tmp_path / "m", "--html", "--stem", "english", "--anchors", "skating")
    model = load(tmp_path / "m")
    assert model.vocabulary_[model.anchors_[0]] == "skate"


def test_many_topics_are_warned_of_before_the_work(run, table, tmp_path):
    result = run("fit", table, *FIELDS, "-k", 45, "--min-documents", 1, "--stop-words", "none", "-o", tmp_path / "m")
    said = result.stderr.splitlines()
    assert any("n_topics=45 is many for 121 documents" in line for line in said)


def test_a_model_without_a_preparation_says_so(run, table, tmp_path):
    from cotopics import TopicModel
    from cotopics.corpus import read_corpus

    corpus = read_corpus(table, text_field="body")
    TopicModel(2).fit(corpus.counts, feature_names=corpus.vocabulary).save(tmp_path / "m")
    assert "does not say how its texts became words" in run("transform", tmp_path / "m", table, *FIELDS).stderr
    TopicModel(2).fit(corpus).save(tmp_path / "m")
    assert "does not say" not in run("transform", tmp_path / "m", table, *FIELDS).stderr


def test_a_delimiter_by_name(run, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("body\tday\n" + "nasa orbit\t2020\n" * 9 + "hockey goal\t2021\n" * 9, encoding="utf-8")
    assert run("fit", path, "-k", 2, "--text-field", "body", "--delimiter", "tab").exit_code == 0


def test_stop_words_in_a_config_file(run, table, tmp_path):
    (tmp_path / "c.toml").write_text('[fit]\nstop-words = ["german", "+mr"]\nhtml = true\n', encoding="utf-8")
    fit(run, table, tmp_path / "m", "--config", tmp_path / "c.toml")
    assert not {"mr", "sagte"} & set(load(tmp_path / "m").vocabulary_)
