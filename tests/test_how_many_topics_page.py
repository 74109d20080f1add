"""docs/how-many-topics.md says what the runs found, and its limits in bold."""

import json
import re
from pathlib import Path

import pytest

from cotopics.choose.spectrum import LIKE_NOISE, MIN_MEAN_COUNT

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "how-many-topics.md").read_text(encoding="utf-8")
RESULTS = ROOT / "benchmarks" / "results"
MOST_FITS = 12  # a choice should take the time of so many, at most


def results(name):
    return json.loads((RESULTS / f"choose_{name}.json").read_text(encoding="utf-8"))["rows"]


def lines(pattern):
    return [tuple(re.split(r" \| ", found)) for found in re.findall(pattern, PAGE, flags=re.MULTILINE)]


def test_the_table_of_corpora_is_that_of_the_runs():
    table = lines(r"^\| (\[[^|]+\]\(\.\./benchmarks/results/choose_\w+\.md\).*) \|$")
    assert len(table) == 10
    for title, *cells in table:
        ((_, number, others, finest, coarser, here, best, seconds, fits),) = results(
            re.search(r"choose_(\w+)\.md", title)[1]
        )
        in_fits = f"**{fits:.1f}**" if fits > MOST_FITS else f"{fits:.1f}"
        found = ["–", "–"] if here is None else [f"{here:.3f}", best]
        assert cells == [str(number), others, str(finest), coarser, *found, f"{seconds:.1f}", in_fits], title


def test_the_table_of_lengths_is_that_of_the_run():
    table = lines(r"^\| ([\d,]+ \| \d+ \| \d+) \|$")
    assert table == [(f"{length:,}", str(above), str(number)) for length, above, number, _ in results("lengths")]


def test_arxiv_is_that_of_the_run():
    ((_, number, _, sample, seconds, _),) = results("stream_arxiv")
    text = " ".join(PAGE.split())
    assert f"{seconds:.0f} seconds): {number} topics, by a sample of {sample:,} documents" in text


def test_no_real_corpus_looks_like_noise():
    """Documents of one are half as long as its list of words, and more than noise is left there."""
    (long,) = (row for row in results("noise") if row[1] >= MIN_MEAN_COUNT * row[2])
    assert long[0] == "nips"
    assert f"{long[4]:.2f} is left there" in PAGE
    assert long[4] > 1 + 10 * LIKE_NOISE


def test_planted_numbers_come_back_but_for_one():
    """Those of the page's sentence, and the one in bold."""
    wrong = [(name, number) for name, number, *_ in results("planted") if int(name.split()[0]) != number]
    assert {name for name, _ in wrong} == {"40 planted, 0 anchors a topic"}
    assert "**40 topics without any anchor words in 1,500 documents of 300 words: it says 2**" in " ".join(PAGE.split())
    assert {number for _, number in wrong} == {2}


NAMES = {
    "BBC news": "bbc_news",
    "Reuters": "reuters21578",
    "20 Newsgroups": "newsgroups20",
    "search snippets": "searchsnippets",
}


@pytest.mark.parametrize("title", NAMES)
def test_the_table_of_peers_is_that_of_the_runs(title):
    table = [cells for cells in lines(r"^\| ([^|]+ \| [^|]+ \| \d+ \| [\d.]+) \|$") if cells[0] == title]
    assert table == [
        (title, rule, str(number), f"{sec:.1f}") for _, rule, number, sec in results(f"peers_{NAMES[title]}")
    ]
