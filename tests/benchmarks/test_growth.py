"""Exponents and the bound on memory, on points whose answer is known."""

import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def page():
    sys.path.insert(0, str(FOLDER))  # as for a script that is run from there
    try:
        import growth_page

        yield growth_page
    finally:
        sys.path.remove(str(FOLDER))


def records(times_counts):
    """Points whose seconds are n^1.5 and whose memory is counts × times_counts + 3 words × topics × 8 bytes."""
    sizes = [(d, 1000, 10) for d in (1000, 2000, 4000)] + [(1000, w, 10) for w in (2000, 4000)] + [(1000, 1000, 40)]
    for documents, words, topics in sizes:
        counts = 500 * documents
        peak = times_counts * counts + 3 * words * topics * 8
        yield {
            "method": "topic_model", "axis": "documents" if words == 1000 and topics == 10 else "words",
            "value": documents, "documents": documents, "words": words, "topics": topics,
            "seconds": documents**1.5, "bytes": peak, "counts_bytes": counts,
        }  # fmt: skip


def test_the_exponent_of_a_power_is_its_exponent(page):
    assert page.exponent([1, 2, 4], [3.0, 3 * 2**1.5, 3 * 4**1.5]) == pytest.approx(1.5)
    assert page.exponent([1, 2], [1.0, 2.0]) is None
    assert "| TopicModel | 1.50 |" in page.exponents(list(records(1)))


def test_the_bound_on_memory(page):
    """Counts once and 3 words × topics: c = 3 − counts/(words × topics × 8) at the smallest; four times: bold."""
    within, beyond = (page.bound(list(records(times))).splitlines()[-1] for times in (1, 4))
    assert "| 1.0 | 3.0 | 0.0 | 0 MB |" in within
    assert "| **4.0** | 3.0 | 0.0 | 0 MB |" in beyond


def test_a_point_that_failed_is_shown_and_not_fitted(page):
    failed = {"method": "top", "axis": "words", "value": 500, "failed": "more than 600 s"}
    assert page.shown(failed) == "**more than 600 s**"
    assert page.curve([failed], "top", "words") == []
