"""What is said of topics from one model to a later one: planted changes, each found and nothing else."""

from types import SimpleNamespace

import numpy as np
import pytest

from cotopics.metrics.matching import pair_topics
from cotopics.report.drift import changes

rng = np.random.default_rng(0)
TOPICS = np.kron(np.eye(5), np.ones(8)) * rng.dirichlet(np.ones(8), 5).reshape(1, -1) + 1e-4
TOPICS /= TOPICS.sum(axis=1, keepdims=True)


def model_of(rows, shares):
    return SimpleNamespace(
        components_=np.asarray(rows), topic_prevalence_=np.asarray(shares, dtype=float), vocabulary_=None
    )


def found(later, earlier):
    pairs = pair_topics(later.components_.T, earlier.components_.T)
    told = changes(later, earlier, pairs)
    return {(pair.first, pair.second): change for pair, change in zip(pairs, told, strict=True) if change}


@pytest.fixture
def earlier():
    return model_of(TOPICS[:4], [0.25, 0.25, 0.25, 0.25])


def test_nothing_changed(earlier):
    assert found(earlier, earlier) == {}


def test_grown_and_shrunk(earlier):
    later = model_of(TOPICS[:4], [0.4, 0.1, 0.26, 0.24])
    assert found(later, earlier) == {(0, 0): {"kind": "grew"}, (1, 1): {"kind": "shrank"}}


def test_new_and_gone(earlier):
    later = model_of(TOPICS, [0.2] * 5)
    assert found(later, earlier)[4, None] == {"kind": "new"}
    assert found(earlier, later)[None, 4] == {"kind": "gone"}


def test_split_and_merged(earlier):
    both = model_of([*TOPICS[:3], (TOPICS[3] + TOPICS[4]) / 2], [0.2, 0.2, 0.2, 0.4])
    apart = model_of(TOPICS, [0.2] * 5)
    (alone,) = [pair for pair in found(apart, both) if pair[1] is None]
    other = {3: 4, 4: 3}[alone[0]]
    assert found(apart, both)[alone] == {"kind": "split", "with": other}
    (alone,) = [pair for pair in found(both, apart) if pair[0] is None]
    assert found(both, apart)[alone] == {"kind": "merged", "with": 3}
