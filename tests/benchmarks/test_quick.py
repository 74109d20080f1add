"""The regression guard flags what became slower, and nothing else."""

import importlib.util
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def quick():
    sys.path.insert(0, str(FOLDER))  # as for a script that is run from there
    try:
        spec = importlib.util.spec_from_file_location("quick", FOLDER / "quick.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield module
    finally:
        sys.path.remove(str(FOLDER))


def kept(ratio, noise=0.0):
    return {"ratio": ratio, "noise": noise, "seconds": ratio}


def test_a_ratio_that_grew_is_flagged_and_others_are_not(quick):
    stored = {"a": kept(1.0), "b": kept(2.0), "c": kept(3.0)}
    now = {"a": kept(1.0), "b": kept(2.4), "c": kept(1.5), "new": kept(9.0)}
    assert quick.slower(now, stored, tolerance=0.15) == ["b"]
    assert "SLOWER" in quick.table(now, stored).splitlines()[2]


def test_what_noise_explains_is_not_flagged(quick):
    assert quick.slower({"a": kept(1.3, noise=0.1)}, {"a": kept(1.0, noise=0.1)}, tolerance=0.15) == []
    assert quick.slower({"a": kept(1.4, noise=0.1)}, {"a": kept(1.0, noise=0.1)}, tolerance=0.15) == ["a"]


def test_the_smallest_of_all_rounds_counts(quick):
    """Rounds of 4, 3, 5 and 3 s against 2, 1, 1 and 2 s: 3/1; halves 4/1 and 3/1 differ by a third."""
    found = quick.ratios({"reference": [2.0, 1.0, 1.0, 2.0], "a": [4.0, 3.0, 5.0, 3.0]}, "reference")
    assert found == {"a": {"ratio": 3.0, "noise": pytest.approx(1 / 3), "seconds": 3.0}}


def test_every_task_is_measured_in_every_round_and_once_before(quick):
    calls = []
    tasks = {name: lambda name=name: calls.append(name) for name in "abc"}
    found = quick.measured(tasks, 4, until=float("inf"))
    assert "".join(calls) == "abc" + "abc" + "bca" + "cab" + "abc"
    assert {name: len(times) for name, times in found.items()} == {"a": 4, "b": 4, "c": 4}


def test_stored_ratios_are_of_the_tasks_there_are(quick):
    """What is kept but no longer measured would guard nothing."""
    import json

    names = {name for _, tasks in quick.groups(quick.planted(200, 300)).values() for name in tasks}
    kept = json.loads(quick.STORED.read_text(encoding="utf-8")) if quick.STORED.exists() else {}
    for record in kept.values():
        assert set(record["ratios"]) < names
