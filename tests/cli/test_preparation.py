"""A model remembers how texts became words, and what it was fitted to, but not where that was."""

import csv
import io

import numpy as np
import pytest

from cotopics import load
from cotopics.corpus import Preparation, find_phrases
from planted import write_jsonl

NOUNS = (["Häuser", "Dächer", "Fenster", "Mauern"], ["Katzen", "Hunde", "Vögel", "Pferde"])
TEXTS = [
    f"Die {a} und die {b} des alten Mannes: künstliche Intelligenz, nicht {theme[(i + 2) % 4]}"
    for i in range(15)
    for theme in NOUNS
    for a, b in [(theme[i % 4], theme[(i + 1) % 4])]
]
NEW = [
    "Das Dach eines Hauses, die Mauer",
    "der Hund; mit der Katze",
    "Alte künstliche Intelligenz: in den Häusern",
]
OPTIONS = ["--stop-words", "german", "--stem", "german", "--phrases"]


@pytest.fixture(scope="module")
def by_hand():
    prepare = Preparation(stop_words="german", stem="german")
    phrases = find_phrases(map(prepare, TEXTS))
    assert [prepare("künstliche")[0], prepare("Intelligenz")[0]] in [list(pair) for pair in phrases.pairs]
    return Preparation(stop_words="german", stem="german", phrases=phrases)


@pytest.fixture(params=[[], ["--stream"]], ids=["whole", "stream"])
def model(run, tmp_path, request):
    folder = tmp_path / "a folder of mine"
    folder.mkdir()
    out = tmp_path / "m.cotopics"
    result = run("fit", write_jsonl(folder / "artikel.jsonl", TEXTS), "-k", 2, *OPTIONS, *request.param, "-o", out)
    assert result.exit_code == 0, result.output
    return out


def test_new_texts_become_the_same_words(run, model, by_hand, tmp_path):
    fitted = load(model)
    words = list(fitted.vocabulary_)
    assert set(words) == {word for text in TEXTS for word in by_hand(text)}
    assert sum("_" in word for word in words) > 0
    counts = np.array([[by_hand(text).count(word) for word in words] for text in NEW])
    assert (counts.sum(axis=1) > 1).all()
    result = run("transform", model, write_jsonl(tmp_path / "new.jsonl", NEW))
    assert result.exit_code == 0, result.output
    shares = [[float(row["topic_0"]), float(row["topic_1"])] for row in csv.DictReader(io.StringIO(result.stdout))]
    assert np.array(shares) == pytest.approx(fitted.transform(counts), abs=1e-12)


def test_what_the_file_says_of_its_documents(model, by_hand, tmp_path):
    provenance = load(model).provenance_
    assert provenance["input"] == "artikel.jsonl"
    assert Preparation.from_json(provenance["preparation"]) == by_hand
    content = model.read_bytes()
    assert b"artikel.jsonl" in content
    assert str(tmp_path).encode() not in content
    assert b"a folder of mine" not in content


def test_a_folder_is_named_however_it_is_typed(run, tmp_path, monkeypatch):
    folder = tmp_path / "notes"
    folder.mkdir()
    for i, text in enumerate(TEXTS):
        (folder / f"{i}.txt").write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    for name in (".", "../notes", "../notes/", folder):
        assert run("fit", name, "-k", 2, "-o", tmp_path / "m").exit_code == 0
        assert load(tmp_path / "m").provenance_["input"] == "notes"


def test_models_that_say_nothing_take_every_word(run, model, tmp_path):
    fitted = load(model)
    fitted.provenance_ = None
    fitted.save(tmp_path / "bare")
    stems = tmp_path / "stems.txt"
    stems.write_text("haus dach\nhund katz", encoding="utf-8")
    assert run("transform", tmp_path / "bare", stems).exit_code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--stop-words", "klingon"], "klingon"),
        (["--stem", "klingon"], "klingon"),
        (["--lemmatise", "klingon"], "klingon"),
        (["--segment", "klingon"], "klingon"),
        (["--min-documents", "61"], "lower min_documents"),
        (["--max-documents", "1"], "max_documents=1 is below min_documents=5"),
        (["--min-length", "100"], "lower min_length"),
        (["--vocabulary-size", "1"], "1 is not in the range"),
        (["--min-documents", "-1"], "is not a share of documents"),
        (["--max-documents", "nan"], "is not a share of documents"),
        (["--max-documents", "most"], "neither a number of documents nor a share"),
        (["--on-error", "ignore"], "ignore"),
    ],
)
def test_wrong_options_are_one_clear_line(run, tmp_path, options, message):
    result = run("fit", write_jsonl(tmp_path / "t.jsonl", TEXTS), "-k", 2, *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
