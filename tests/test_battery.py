"""The battery runs, each suite with a few inputs, and notices faults that are planted."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="the battery forks, limits and kills processes as Linux does"
)


def run(code_or_arguments, *, code=False):
    """The battery in a process of its own, from which it may fork."""
    what = ["-c", code_or_arguments] if code else ["-m", "battery", *code_or_arguments]
    return subprocess.run([sys.executable, *what], cwd=ROOT, capture_output=True, text=True, timeout=600)


def suites():
    sys.path.insert(0, str(ROOT))
    try:
        from battery.suites import SUITES
    finally:
        sys.path.remove(str(ROOT))
    return SUITES


def test_every_suite_runs_with_a_few_inputs():
    names = list(suites())
    done = run(["--count", "2"])
    assert done.returncode in (0, 1), done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    assert rows[0] == ["suite", "tried", "failed", "seconds"]
    assert [row[0] for row in rows[1 : len(names) + 2]] == [*names, "all"]
    assert all(row[1] == "2" or "skipped:" in row for row in rows[1 : len(names) + 1])


PLANT = """
import battery.__main__, os, signal, sys, time
import numpy as np
from battery import harness, page
from battery.suites import SUITES
from cotopics.models.fitted import FittedTopics
from cotopics.persistence import record

{fault}
result = harness.run({name!r}, SUITES[{name!r}], 0, range({count}))
harness.show([result], 0)
sys.exit(len(result.failed) == 0)
"""
FAULTS = {
    "a transform that returns NaN": (
        "counts",
        "FittedTopics.transform = lambda self, X, *a: np.full((X.shape[0], self.n_topics_), np.nan)",
        "not finite",
    ),
    "a transform that warns": (
        "counts",
        "FittedTopics.transform = lambda self, X, *a: np.zeros((X.shape[0], 1)) / np.zeros((1, 1))",
        "RuntimeWarning",
    ),
    "a fit that changes its input": (
        "counts",
        "from cotopics.models.estimator import TopicEstimator\n"
        "def fit(self, X, **others):\n"
        "    if hasattr(X, 'data') and len(getattr(X, 'shape', ())) == 2: X *= 0\n"
        "    raise ValueError('a clear line')\n"
        "TopicEstimator.fit = fit",
        "changed its input",
    ),
    "an error of numpy": (
        "counts",
        "from cotopics.models.estimator import TopicEstimator\nTopicEstimator._check_documents = lambda *a, **o: [][1]",
        "IndexError",
    ),
    "a crash": (
        "counts",
        "FittedTopics.transform = lambda self, X, *a: os.kill(os.getpid(), signal.SIGSEGV)",
        "the process died: SIGSEGV",
    ),
    "checksums that nobody looks at": ("damage", "record._check_arrays = lambda *a: None", "damage was not noticed"),
    "a file that is written in place": (
        "kills",
        "import contextlib\n"
        "@contextlib.contextmanager\n"
        "def atomic_writer(path):\n"
        "    with open(path, 'wb', buffering=0) as file: yield file\n"
        "record.atomic_writer = atomic_writer",
        "neither the old nor the new file",
    ),
    "a table whose cells run": (
        "cells",
        "from cotopics.export import tables\ntables.defused = lambda text: text",
        "a spreadsheet would run",
    ),
}
COUNTS = {"counts": 12, "damage": 400, "kills": 40, "cells": 6}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_noticed(fault):
    name, code, message = FAULTS[fault]
    done = run(PLANT.format(fault=code, name=name, count=COUNTS[name]), code=True)
    assert done.returncode == 0, done.stderr
    assert message in done.stdout
    assert f"python -m battery {name} --seed 0 --only " in done.stdout


def test_an_input_without_end_is_a_failure():
    slow = "SLOW = replace(SUITES['pairs'], attempt=lambda trial: time.sleep(99), seconds=1)"
    code = f"from dataclasses import replace\n{slow}"
    source = PLANT.format(fault=code, name="pairs", count=2).replace("SUITES['pairs'], 0", "SLOW, 0")
    done = run(source, code=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("did not end within 1 s") == 2


def test_the_same_number_is_the_same_input():
    source = (
        "import battery.__main__\nfrom battery.suite import Trial\nfrom battery.matrices import matrix\n"
        "import numpy as np\nfrom pathlib import Path\n"
        "draw = lambda: matrix(Trial(np.random.default_rng([3, 5]), Path(), Path(), 5))\n"
        "assert np.array_equal(draw(), draw())"
    )
    assert run(source, code=True).returncode == 0


def test_wrong_use_is_told():
    for arguments, message in (
        (["no-such"], "there is no suite"),
        (["counts", "--write"], "--write is for all suites"),
        (["--only", "3"], "--only is for one suite"),
    ):
        done = run(arguments)
        assert done.returncode == 2
        assert message in done.stderr


def test_the_page_has_every_suite():
    text = (ROOT / "docs" / "battery.md").read_text(encoding="utf-8")
    for name, suite in suites().items():
        assert f"| {name} | " in text
        assert suite.about in text
