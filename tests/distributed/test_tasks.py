"""Sums in the order of partitions, and how many parts of them are there at a time."""

import math

import dask
import numpy as np
import pytest
from dask.sizeof import sizeof
from distributed.client import FutureCancelledError
from distributed.scheduler import KilledWorker

from cotopics import CooccurrenceAccumulator, CooccurrenceSketch
from cotopics.distributed.tasks import compute, in_order, nbytes, task
from cotopics.documents import add_all
from cotopics.errors import CorpusError


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 33])
def test_every_part_is_in_the_sum_once_and_in_its_place(n):
    merged = in_order([task(str, number) for number in range(n)], lambda a, b: f"({a} {b})")
    text = compute(merged)
    assert [int(word) for word in text.replace("(", " ").replace(")", " ").split()] == list(range(n))
    depth = max(np.cumsum([(c == "(") - (c == ")") for c in text]))
    assert depth == (math.ceil(math.log2(n)) if n > 1 else 0)


def test_threads_that_finish_in_any_order_give_the_same_bits():
    parts = [np.random.default_rng(number).normal(size=100) * 10.0 ** (number % 17) for number in range(40)]

    def total(scheduler, workers):
        with dask.config.set(scheduler=scheduler, num_workers=workers):
            return compute(in_order([task(np.copy, part) for part in parts], add_all)).tobytes()

    assert len({total("synchronous", 1), total("threads", 1), total("threads", 2), total("threads", 7)}) == 1


class Part:
    """One that knows how many of its kind are there."""

    alive = most = 0

    def __init__(self):
        Part.alive += 1
        Part.most = max(Part.most, Part.alive)

    def __del__(self):
        Part.alive -= 1


@pytest.mark.parametrize("n", [2, 16, 100, 256])
def test_a_worker_holds_one_part_of_each_level(n):
    """At most ⌈log₂ P⌉ + 2 with the one that is being made of two: the formula in docs/scaling.md."""
    Part.alive = Part.most = 0
    with dask.config.set(scheduler="synchronous"):
        compute(in_order([task(Part) for _ in range(n)], lambda a, b: Part()))
    assert Part.most <= math.ceil(math.log2(n)) + 2


def test_dask_is_told_how_large_statistics_are(rng):
    X = rng.poisson(1.0, (30, 40))
    sketch = CooccurrenceSketch(10, landmarks=[0, 1]).update(X)
    assert sizeof(sketch) == nbytes(sketch) >= 40 * (10 * 8 + 8)  # columns, and signs of the rest
    accumulator = CooccurrenceAccumulator(keep_documents=True).update(X)
    assert sizeof(accumulator) >= 12 * np.count_nonzero(X)
    assert sizeof(accumulator.finish()) >= 12 * np.count_nonzero(X)


def test_workers_that_keep_dying_are_an_error_with_a_remedy(monkeypatch):
    def compute_nothing(*values):
        raise KilledWorker("added-1234", None, 101)

    monkeypatch.setattr("dask.compute", compute_nothing)
    with pytest.raises(CorpusError, match="died again and again over added-1234, of memory most likely"):
        compute(task(int, 1))


def test_a_cluster_that_goes_away_is_an_error(monkeypatch):
    def compute_nothing(*values):
        raise FutureCancelledError("added-1234", "scheduler-connection-lost")

    monkeypatch.setattr("dask.compute", compute_nothing)
    with pytest.raises(CorpusError, match=r"the cluster is gone \(scheduler-connection-lost\)"):
        compute(task(int, 1))


def test_tuples_are_added_entry_by_entry():
    left, right = (1, np.ones(2)), (2, np.ones(2))
    number, array = add_all(left, right)
    assert number == 3
    assert array.tolist() == [2, 2]
    assert left[1].tolist() == [1, 1]
