"""docs/scaling.md is true: its code runs, its figures are those of the results, its links lead somewhere."""

import importlib.util
import json
import re
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

from planted import TEXTS, write_jsonl

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "scaling.md"
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("scaling_page", ROOT / "benchmarks" / "scaling_page.py")
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "benchmarks")
        spec.loader.exec_module(module)
    return module


def test_the_first_example(tmp_path, monkeypatch):
    """On threads here; tests/distributed has processes."""
    monkeypatch.setattr("cotopics.distributed.connected", nullcontext)
    monkeypatch.chdir(tmp_path)
    Path("shards").mkdir()
    for number, some in enumerate(np.array_split(TEXTS, 4)):
        write_jsonl(Path("shards", f"part{number}.jsonl"), some.tolist())
    (code, *_) = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    names = {}
    exec(compile(code.replace("50", "4"), PAGE.name, "exec"), names)
    assert names["leading"].shape == (len(TEXTS),)
    assert names["W"].shape[1] == 4


def test_the_figures_are_those_of_the_results(script):
    assert script.page(TEXT) == TEXT


def test_the_memory_of_a_worker_is_that_of_the_formula(script):
    """10⁵ words, 100 topics: a sketch of 1,300 columns takes 1.17 GB, and 10⁹ documents of 32 words 10⁴ pieces."""
    record = json.loads((ROOT / "benchmarks" / "results" / "dask.json").read_text(encoding="utf-8"))
    found = script.projected(script.constants(record) | {"nnz": 32}, 1e9, 1e5)
    assert found["leaves"] == pytest.approx(1e4)
    assert found["sketch held"] == pytest.approx((14 + 2) * 9 * 1e5 * 1300)
    assert found["sketch moved"] == pytest.approx((1e4 - 1) * 9 * 1e5 * 1300)


def test_links_lead_somewhere():
    for target in re.findall(r"\]\((?!http)([^)]+)\)", TEXT):
        assert (PAGE.parent / target).exists(), target
