"""docs/coming-from.md: every call in a column "here" runs."""

import re
import shlex

import numpy as np
import pytest

from cotopics import TopicModel, choose_n_topics, export, load, metrics, plot
from cotopics.cli.main import main
from cotopics.corpus import as_corpus, count_words, find_phrases, read_corpus
from cotopics.effects import estimate_effects
from pages import ROOT
from runner import CliRunner

PAGE = (ROOT / "docs" / "coming-from.md").read_text(encoding="utf-8")
SUBJECTS = {
    "pets": "cat dog mouse rabbit paws tail",
    "sky": "stars moon comet planet orbit eclipse",
    "food": "bread butter soup cheese pepper onion",
    "sport": "ball goal match team referee penalty",
}


def sections():
    for section in PAGE.split("\n## ")[1:]:
        name, _, body = section.partition("\n")
        rows = re.findall(r"^\| (.+) \| (.+) \|$", body, flags=re.MULTILINE)[1:]
        yield pytest.param([call for _, here in rows for call in re.findall(r"`([^`]+)`", here)], id=name)


@pytest.fixture
def names(tmp_path, monkeypatch):
    """What the page says is there: texts, labels and dates of four subjects, counts, a fitted model."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    rng = np.random.default_rng(0)
    labels = [list(SUBJECTS)[i % 4] for i in range(160)]
    texts = [" ".join(rng.choice(SUBJECTS[label].split(), 25)) for label in labels]
    texts = [f"{text} {rng.choice(SUBJECTS[labels[i - 1]].split())}" for i, text in enumerate(texts)]
    rows = [f"{text},{label}" for text, label in zip(texts, labels, strict=True)]
    (tmp_path / "articles.csv").write_text("\n".join(["text,label", *rows]) + "\n", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    for i, text in enumerate(texts):
        (tmp_path / "folder" / f"{i:03}.txt").write_text(text, encoding="utf-8")
    corpus = count_words(texts)
    model = TopicModel(4).fit(texts)
    model.save("model.cotopics")
    effects = estimate_effects(model, corpus, {"label": labels}, "label")
    dates = [f"2024-{1 + i % 12:02}-01" for i in range(160)]
    found = {"X": corpus.counts, "words": corpus.vocabulary, "W": model.transform(corpus), "more": texts[:20]}
    found |= {"texts": texts, "labels": labels, "dates": dates, "corpus": corpus, "model": model, "effects": effects}
    found |= {"np": np, "TopicModel": TopicModel, "choose_n_topics": choose_n_topics, "export": export, "load": load}
    found |= {"metrics": metrics, "plot": plot, "as_corpus": as_corpus, "count_words": count_words}
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.pipeline import make_pipeline

    found |= {"find_phrases": find_phrases, "read_corpus": read_corpus, "estimate_effects": estimate_effects}
    return found | {"CountVectorizer": CountVectorizer, "make_pipeline": make_pipeline}


@pytest.mark.parametrize("calls", list(sections()))
def test_every_call_runs(calls, names):
    assert len(calls) > 7
    for call in calls:
        if call.startswith("cotopics "):
            result = CliRunner().invoke(main, shlex.split(call)[1:])
            assert result.exit_code == 0, (call, result.output)
        elif re.match(r"[\w.]+(?:\(|\[|_$)", call):
            model = load("model.cotopics") if "partial_fit" in call else names["model"]
            eval(call, names | {"model": model})


def test_every_peer_says_what_is_missing():
    assert PAGE.count("**Missing here:**") == PAGE.count("\n## ") == 7
