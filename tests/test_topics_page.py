"""docs/topics.md is true: its code runs on 20 Newsgroups, and its figures are those of the benchmark."""

import json
import re
import warnings
from pathlib import Path

import numpy as np
from sklearn.metrics import normalized_mutual_info_score

from cotopics.models.topic_work import TopicWork

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "topics.md").read_text(encoding="utf-8")
RESULTS = ROOT / "benchmarks" / "results"
MAX_LOSS = 0.02  # of NMI, against a fit of as many topics
ROUNDED = 0.0005


def test_the_walk_through(data, tmp_path, monkeypatch, capsys):
    """Every line of the page, in order; the steps keep what the table says."""
    (tmp_path / "newsgroups.jsonl.gz").symlink_to(data / "newsgroups20" / "docs.jsonl.gz")
    monkeypatch.chdir(tmp_path)
    names = {}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*have no word that the topics know")
        for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
            exec(block, names)
    curated, guided, X = names["again"], names["guided"], names["X"]
    assert curated.n_topics_ == 20
    assert any(name.startswith("space flight") for name in curated.topic_names_)
    long = np.asarray(X.sum(axis=1)).ravel() >= 2
    labels = np.array(names["corpus"].labels)[long]
    score = normalized_mutual_info_score(labels, curated.transform(X[long]).argmax(axis=1))
    assert score >= figures()["a fit of 20"] - MAX_LOSS - 0.01  # figures are of the machine that measured them
    words = list(guided.vocabulary_)
    assert not guided.components_[:, [words.index("just"), words.index("like")]].any()
    assert (tmp_path / "report.html").stat().st_size < 3_000_000
    assert "→" in capsys.readouterr().out


def figures():
    rows = json.loads((RESULTS / "topic_work.json").read_text(encoding="utf-8"))["rows"]
    return {name: value for name, _, value in rows}


def test_merging_by_the_tree_loses_little():
    found = figures()
    assert found["named"] == found["a fit of 30"]  # names change no number
    assert found["reduced to 20 by the tree"] >= found["a fit of 20"] - MAX_LOSS
    alone = found["a fit of 30, reduced to 20 by the tree and nothing else"]
    assert alone >= found["a fit of 30"] - MAX_LOSS


def test_the_tables_are_those_measured():
    for block, name in (("steps", "topic_work"), ("tree", "topic_work_tree")):
        lines = re.search(f"<!-- {block} -->\n(.*?)<!-- /{block} -->", PAGE, re.DOTALL)[1].splitlines()[2:]
        rows = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))["rows"]
        assert [[cell.strip() for cell in line.strip("|").split("|")] for line in lines] == [
            [str(cell) for cell in row] for row in rows
        ]


def test_the_tree_finds_families_better_than_word_distances():
    rows = json.loads((RESULTS / "topic_work_tree.json").read_text(encoding="utf-8"))["rows"]
    for n in (30, 50):
        found = {name: scores for k, name, *scores in rows if k == n}
        ours = found.pop("cotopics")
        assert all(ours[i] >= other[i] - ROUNDED for other in found.values() for i in range(4))


def test_every_method_is_on_the_page():
    methods = {name for name in vars(TopicWork) if not name.startswith("_")}
    assert all(f"`{name}" in PAGE for name in methods)
