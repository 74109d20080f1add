"""Cases of benchmarks that are shared out over processes: each is measured once, and kept before the next."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = """
import os, sys, time
from functools import partial
from pathlib import Path
sys.path.insert(0, "{benchmarks}")
from cells import put
from jobs import origin, share_out

PATH = Path("cells.jsonl")

def prepared():
    return os.environ["OMP_NUM_THREADS"]

def work(threads, case, slow):
    if case == 13:
        raise ValueError("an unlucky case")
    time.sleep(60 if case == slow else 0)
    put(PATH, ("case",), {{"case": case, "measures": {{sys.argv[1]: threads}}, **origin()}}, add=True)

if __name__ == "__main__":
    jobs, slow, *cases = (int(x) for x in sys.argv[2:])
    share_out(prepared, partial(work, slow=slow), cases, jobs)
"""


NONE = -1  # no case is slow


@pytest.fixture
def start(tmp_path):
    """Start the script with a method's name, how many processes, the slow case, and the cases."""
    (tmp_path / "script.py").write_text(SCRIPT.format(benchmarks=ROOT / "benchmarks"))
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "COTOPICS_COMMIT": "abc"}

    def run(*arguments):
        command = [sys.executable, "script.py", *map(str, arguments)]
        with open(tmp_path / "errors.txt", "w") as errors:
            return subprocess.Popen(command, cwd=tmp_path, env=environment, start_new_session=True, stderr=errors)

    return run


def kept(folder):
    path = folder / "cells.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return {cell["case"]: cell for cell in map(json.loads, lines)}


def test_every_case_is_kept_with_what_it_was_measured_on(start, tmp_path):
    assert start("a", 2, NONE, *range(5)).wait() == 0
    assert start("b", 1, NONE, *range(5)).wait() == 0
    found = kept(tmp_path)
    assert {case: cell["measures"] for case, cell in found.items()} == {i: {"a": "1", "b": "1"} for i in range(5)}
    assert {cell["commit"] for cell in found.values()} == {"abc"}
    assert all(cell["machine"].endswith(", 2 processes at once") for cell in found.values())
    assert {tuple(cell["added"]) for cell in found.values()} == {("b",)}  # measured later, by one process
    assert not any("at once" in cell["added"]["b"]["machine"] for cell in found.values())


def test_a_run_that_is_stopped_keeps_what_it_finished(start, tmp_path):
    run = start("a", 2, 1, *range(6))  # the second case sleeps for a minute
    for _ in range(300):
        if len(kept(tmp_path)) == 5:
            break
        time.sleep(0.1)
    os.killpg(run.pid, signal.SIGTERM)
    assert run.wait() != 0
    assert sorted(kept(tmp_path)) == [0, 2, 3, 4, 5]
    assert kept(tmp_path)[0]["machine"].endswith(", 2 processes at once")
    assert start("b", 1, NONE, 1).wait() == 0
    assert sorted(kept(tmp_path)) == [0, 1, 2, 3, 4, 5]


def test_a_case_that_fails_leaves_the_others_alone(start, tmp_path):
    assert start("a", 2, NONE, *range(15)).wait() == 1
    errors = (tmp_path / "errors.txt").read_text()
    assert "an unlucky case" in errors
    assert "1 of 15 cases failed" in errors
    assert sorted(kept(tmp_path)) == [i for i in range(15) if i != 13]


def test_a_table_names_all_machines_that_it_is_made_from(start, tmp_path):
    assert start("a", 2, NONE, *range(3)).wait() == 0
    assert start("a", 1, NONE, 2).wait() == 0
    code = f"""if True:
        import sys
        sys.path.insert(0, {str(ROOT / "benchmarks")!r})
        import common
        from cells import Path, machines, read
        common.RESULTS = Path("results")
        cells = read(Path("cells.jsonl"), ("case",)).values()
        common.keep("table", ["case"], [[cell["case"]] for cell in cells], measured_on=machines(cells))"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True, capture_output=True)
    first = (tmp_path / "results" / "table.md").read_text().splitlines()[0]
    alone, several = first.split("`, on ")[1].split("; and on ")
    assert several == f"{alone}, 2 processes at once."
