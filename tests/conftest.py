"""What many tests need."""

import os
import signal
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import settings

# a first call compiles, and machines have other work
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def planted_corpus(n_documents=400, n_words=60, n_topics=4, length=40, seed=0):
    """Documents drawn from sparse topics with an anchor word each: (counts, B, W)."""
    rng = np.random.default_rng(seed)
    B = rng.dirichlet(np.full(n_words, 0.3), size=n_topics).T
    B[:n_topics] = 0
    B[np.arange(n_topics), np.arange(n_topics)] = 0.05
    B /= B.sum(axis=0)
    W = rng.dirichlet(np.full(n_topics, 0.3), size=n_documents)
    X = np.array([rng.multinomial(length, p) for p in W @ B.T])
    return sp.csr_array(X), B, W


@pytest.fixture(scope="session")
def corpus():
    return planted_corpus()


@pytest.fixture
def signals_are_heard():
    """Also where the tests were started in the background by a shell, which has them ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def data():
    """The folder of real corpora, or a skip that says how to get it."""
    folder = Path(os.environ.get("COTOPICS_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real corpora at {folder}; set COTOPICS_DATA to their folder")
    return folder
