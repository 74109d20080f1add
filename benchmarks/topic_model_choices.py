"""What each choice in TopicModel is worth: the model with one of them changed, on every labelled corpus.

    python benchmarks/topic_model_choices.py [corpus ...]
    python benchmarks/topic_model_choices.py starts [corpus ...]    one start or two, with many topics

Nothing is timed but starts. Planted corpora are documents of 20 topics of which the true proportions are known: a
document's label is its largest topic.
"""

from __future__ import annotations

import importlib
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from common import keep
from cotopics import AnchorFree, TopicModel, datasets, metrics
from cotopics.models import recommended as topic_model
from cotopics.rectify import EpsilonNonNegative
from cotopics.refine import ExpectationMaximisation
from methods import N_WORDS

LABELLED = ("bbc_news", "searchsnippets", "reuters21578", "newsgroups20", "tdt2")
MANY = (30, 50, 100)  # topics that starts are compared with
MANY_CORPORA = ("bbc_news", "reuters21578", "newsgroups20", "tdt2", "arxiv")
PLANTED = {"planted, 100 words each": 100, "planted, 15 words each": 15}


def damped(steps: int = 18, background: float = topic_model.BACKGROUND) -> ExpectationMaximisation:
    return ExpectationMaximisation(steps, weighting="damped", background=background, over_relax=True, single=True)


class Rectified(TopicModel):
    """The start rectified until it converges."""

    def _recipe(self, C: Any, n_topics: int) -> Any:
        return replace(super()._recipe(C, n_topics), rectifier=EpsilonNonNegative(max_iter=150))


CHOICES: dict[str, dict[str, Any]] = {  # what is changed; PREFERRED decides which start is taken
    "as it is": {},
    "likelier of two starts": {"preferred": topic_model.PREFERRED},
    "balanced start alone": {"preferred": np.inf},
    "tf-idf start alone": {"preferred": 0.0},
    "start rectified to the end": {"model": Rectified},
    "AnchorFree's start": {"model": AnchorFree, "refine": damped()},
    "no refinement": {"refine": 0},
    "refine=15": {"refine": 15},
    "refine=60": {"refine": 60},
    "no background": {"refine": damped(background=0)},
    "background 0.8": {"refine": damped(background=0.8)},
    "plain counts": {"refine": ExpectationMaximisation(18, background=topic_model.BACKGROUND, over_relax=True)},
    "30 plain steps": {"refine": ExpectationMaximisation(30, weighting="damped", background=topic_model.BACKGROUND)},
    "documents: many topics": {"topics_per_document": "many"},
    "documents: one topic": {"topics_per_document": "one"},
    "documents: maximum likelihood": {"infer": "em"},
    "documents: 'prior'": {"infer": "prior"},
    "words by probability": {"relevance": 1.0},
}


@contextmanager
def preference(value: float | None) -> Iterator[None]:
    """Two starts whatever the number of topics, and what the second must gain to be taken; None: as it is."""
    before = topic_model.PREFERRED, topic_model.MANY_TOPICS
    if value is not None:
        topic_model.PREFERRED, topic_model.MANY_TOPICS = value, sys.maxsize
    try:
        yield
    finally:
        topic_model.PREFERRED, topic_model.MANY_TOPICS = before


def outcome(X: Any, labels: Any, K: int, choice: dict[str, Any]) -> list[float]:
    """NMI, accuracy, NPMI and diversity."""
    options = {name: choice[name] for name in ("refine", "topics_per_document") if name in choice}
    with preference(choice.get("preferred")):
        model = choice.get("model", TopicModel)(K, **options).fit(X)
    topics = model.transform(X, choice.get("infer")).argmax(axis=1)
    shown = model.top_words(N_WORDS, relevance=choice.get("relevance"))
    B = np.zeros((X.shape[1], K))
    for k, words in enumerate(shown):
        B[words, k] = np.arange(N_WORDS, 0, -1)
    return [
        metrics.nmi(labels, topics),
        metrics.clustering_accuracy(labels, topics),
        metrics.npmi(B / B.sum(axis=0), X, n_words=N_WORDS),
        len(np.unique(shown)) / np.size(shown),
    ]


def problem(name: str) -> tuple[Any, Any, int]:
    if name not in PLANTED:
        module = importlib.import_module(f"problems.{name}")
        found = module.load()
        return found.X, found.labels, module.USUAL
    _, B, _ = datasets.make_corpus(10, 2000, 20, length=10, anchors_per_topic=2, random_state=0)
    X, W = datasets.sample_corpus(B, 5000, length=PLANTED[name], concentration=0.1, random_state=0)
    return sp.csr_matrix(X), W.argmax(axis=1), 20


def starts(*names: str) -> None:
    """One start or two where topics are many; as many topics are asked for on every corpus."""
    rows = []
    for name in names or MANY_CORPORA:
        X, labels, _ = problem(name)
        for K in MANY:
            for what in ("likelier of two starts", "balanced start alone", "as it is"):
                found, started = outcome(X, labels, K, CHOICES[what]), time.perf_counter()
                with preference(CHOICES[what].get("preferred")):
                    model = TopicModel(K).fit(X)
                seconds, taken = time.perf_counter() - started, model.diagnostics_["start"]["weighting"]
                kind = model.diagnostics_["documents"]["topics_per_document"]
                rows.append([name, K, what, taken, kind, *found, seconds])
                print(*rows[-1], file=sys.stderr, flush=True)
    columns = ["corpus", "topics", "choice", "start", "topics a document", "NMI", "accuracy", "NPMI", "diversity"]
    notes = "Both starts are worked out, and one of them taken, in the first two of each three lines."
    keep("topic_model_choices", [*columns, "seconds of a fit"], rows, notes, argument="starts")


def main(*names: str) -> None:
    warnings.simplefilter("ignore")
    if names[:1] == ("starts",):
        starts(*names[1:])
        return
    rows = []
    for name in names or [*LABELLED, *PLANTED]:
        X, labels, K = problem(name)
        for what, choice in CHOICES.items():
            rows.append([name, what, *outcome(X, labels, K, choice)])
            print(*rows[-1], file=sys.stderr, flush=True)
    keep("topic_model_choices", ["corpus", "choice", "NMI", "accuracy", "NPMI", "diversity"], rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
