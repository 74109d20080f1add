"""The runner goes on where it stopped; pages say what the cells say, and what is behind a peer in bold."""

import argparse
import importlib
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from conftest import planted_corpus

ROOT = Path(__file__).parents[2]


@pytest.fixture
def bench(monkeypatch):
    """run.py and page.py, as for scripts that are run from their folder."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return SimpleNamespace(**{name: importlib.import_module(name) for name in ("cells", "run", "page")})


@pytest.fixture
def tiny(bench, monkeypatch, tmp_path):
    """A problem of 200 documents, and a file for its cells."""
    X, _, W = planted_corpus(n_documents=200, n_words=60, length=40)
    problems = importlib.import_module("problems")
    problem = problems.Problem(X.astype(np.int64), W.argmax(axis=1).astype(str))
    monkeypatch.setitem(sys.modules, "problems.tiny", SimpleNamespace(TITLE="tiny", USUAL=4, load=lambda: problem))
    monkeypatch.setattr(bench.run, "CELLS", tmp_path / "cells.jsonl")
    return problem


def options(**changed):
    given = {"topics": [3, 4], "again": [], "limit": 600.0, "peers": sys.executable}
    return argparse.Namespace(**{**given, **changed})


def answers(seconds):
    """What answer_of would give, for one method after another; every call is noted."""
    calls = []

    def answer_of(method, counts, n_topics, interpreter, limit):
        calls.append((method, n_topics))
        if seconds.get(method, 0) > limit:
            return {"failed": f"more than {limit:.0f} s"}
        words = [list(range(10 * k, 10 * k + 10)) for k in range(n_topics)]
        return {"words": words, "topics": [0] * 200, "seconds": 1.0, "MB": 100.0, "version": "1"}

    return answer_of, calls


def test_what_is_there_is_not_measured_again_unless_it_is_asked_for(bench, tiny, monkeypatch):
    answer_of, calls = answers({})
    monkeypatch.setattr(bench.run, "answer_of", answer_of)
    bench.run.fill("tiny", ["topic_model"], options(topics=[3]))
    bench.run.fill("tiny", ["topic_model", "sklearn_nmf"], options())
    assert calls == [("topic_model", 3), ("sklearn_nmf", 3), ("topic_model", 4), ("sklearn_nmf", 4)]
    bench.run.fill("tiny", ["topic_model", "sklearn_nmf"], options(again=["sklearn_nmf"]))
    assert calls[4:] == [("sklearn_nmf", 3), ("sklearn_nmf", 4)]
    record = bench.run.load_cells()["tiny", 3, "topic_model"]
    assert (record["documents"], record["words"], record["version"]) == (200, 60, "1")
    assert record["measures"].keys() == set(bench.run.names("measures"))
    assert record["measures"]["nmi"] == 0


def test_a_method_that_takes_too_long_is_not_tried_with_more_topics(bench, tiny, monkeypatch):
    answer_of, calls = answers({"sklearn_nmf": 601})
    monkeypatch.setattr(bench.run, "answer_of", answer_of)
    bench.run.fill("tiny", ["sklearn_nmf"], options(topics=[3]))
    bench.run.fill("tiny", ["sklearn_nmf"], options(topics=[3, 4]))  # nor after a stop
    assert calls == [("sklearn_nmf", 3)]
    failed = bench.run.load_cells()["tiny", 4, "sklearn_nmf"]["failed"]
    assert failed == "more than 600 s with fewer topics"


def test_a_cell_that_is_measured_again_changes_its_line_alone(bench, tmp_path):
    file, key = tmp_path / "cells.jsonl", ("method", "n_topics")
    for n_topics, method in ((100, "a"), (20, "b"), (5, "a")):
        bench.cells.put(file, key, {"n_topics": n_topics, "method": method, "seconds": 1.0})
    before = file.read_text().splitlines()
    bench.cells.put(file, key, {"n_topics": 100, "method": "a", "seconds": 2.0})
    after = file.read_text().splitlines()
    assert [line for line in after if line not in before] == ['{"n_topics": 100, "method": "a", "seconds": 2.0}']
    assert list(bench.cells.read(file, key)) == [("a", 5), ("a", 100), ("b", 20)]
    assert [path.name for path in tmp_path.iterdir()] == ["cells.jsonl"]


def test_runs_at_the_same_time_lose_no_cell(bench, tmp_path):
    file, key = tmp_path / "cells.jsonl", ("n_topics",)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n_topics: bench.cells.put(file, key, {"n_topics": n_topics}), range(40)))
    assert list(bench.cells.read(file, key)) == [(n_topics,) for n_topics in range(40)]


def test_a_method_in_a_process_of_its_own(bench, tiny):
    bench.run.fill("tiny", ["topic_model"], options(topics=[4]))
    record = bench.run.load_cells()["tiny", 4, "topic_model"]
    assert record["measures"]["accuracy"] > 0.8
    assert record["measures"]["seconds"] > 0


def test_a_method_that_fails_says_why(bench, tiny):
    bench.run.fill("tiny", ["topic_model"], options(topics=[100]))
    record = bench.run.load_cells()["tiny", 100, "topic_model"]
    assert "n_topics=100 is more than the 60 words" in record["failed"]


def test_a_competitor_is_a_file(bench):
    for folder, asked in (("methods", "TITLE PACKAGE fit"), ("problems", "TITLE USUAL load"), ("measures", "TITLE")):
        assert bench.run.names(folder)
        for name in bench.run.names(folder):
            module = importlib.import_module(f"{folder}.{name}")
            assert all(hasattr(module, what) for what in asked.split()), name


def cells(**changed):
    """TopicModel and two peers on BBC news at 20 topics, all the same but for what is changed: method → measures."""
    same = {"nmi": 0.5, "accuracy": 0.5, "npmi": 0.5, "diversity": 1.0, "seconds": 1.0, "memory": 100.0}
    methods = {"topic_model": {}, "sklearn_nmf": {}, "tomotopy_lda": {"seconds": 10.0}}
    facts = {"problem": "bbc_news", "n_topics": 20, "documents": 1, "words": 1, "non-zeros": 1}
    return {
        ("bbc_news", 20, m): {**facts, "method": m, "measures": {**same, **own, **changed.get(m, {})}}
        for m, own in methods.items()
    }


def test_what_is_reached_is_not_bold(bench):
    assert "**" not in bench.page.goals(cells())
    assert "**" not in bench.page.every_method(cells())
    assert "**" not in bench.page.for_the_readme(cells())


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"sklearn_nmf": {"seconds": 0.9}}, "**0.9**"),
        ({"tomotopy_lda": {"seconds": 9.9}}, "**9.9**"),
        ({"sklearn_nmf": {"npmi": 0.6}}, "**0.500** (0.600)"),
        ({"tomotopy_lda": {"nmi": 0.502}}, "**0.500** (0.502)"),
    ],
)
def test_what_is_missed_is_bold_and_counted(bench, changed, field):
    text = bench.page.goals(cells(**changed))
    assert field in text
    assert "0 of 1" in text


def test_the_readme_says_who_is_better(bench):
    text = bench.page.for_the_readme(cells(sklearn_nmf={"seconds": 0.5, "nmi": 0.6}, tomotopy_lda={"seconds": 123.0}))
    assert "| **1** · 0.5 · 123 | **0.500** · 0.600 · 0.500 | 0.500 · 0.500 · 0.500 |" in text


def test_the_readme_says_who_took_too_long(bench):
    found = cells()
    found["bbc_news", 20, "tomotopy_lda"] = {"failed": "more than 600 s"}
    assert "| 1 · 1 · > 600 | 0.500 · 0.500 · – |" in bench.page.for_the_readme(found)


def test_the_readme_around_the_table_stays(bench, tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{bench.page.BEGIN}\nold\n{bench.page.END}\nafter\n")
    for _ in range(2):
        bench.page.put_into_readme(readme, "| new |\n")
    assert readme.read_text() == f"before\n{bench.page.BEGIN}\n| new |\n{bench.page.END}\nafter\n"
    readme.write_text(f"before\n{bench.page.BEGIN}\nold\nafter\n")
    with pytest.raises(SystemExit, match="to here"):
        bench.page.put_into_readme(readme, "| new |\n")
    assert "after" in readme.read_text()


def test_the_pages_are_those_of_the_cells(bench):
    found = bench.page.load_cells()
    page = (ROOT / "docs" / "side-by-side.md").read_text(encoding="utf-8")
    assert bench.page.goals(found) in page
    assert bench.page.every_method(found) in page
    assert bench.page.for_the_readme(found) in (ROOT / "README.md").read_text(encoding="utf-8")
