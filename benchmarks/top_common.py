"""What the benchmarks of TOP share: planted topics as in 004, section 6, the methods, and what one fit is judged by."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from cotopics import TOP, AnchorWords, datasets
from cotopics.cooccur import cooccurrence
from cotopics.cooccur.convert import represent
from cotopics.errors import CotopicsError
from cotopics.metrics import topic_error

BENCHMARK = {"N": 1500, "n": 1500, "p": 1000, "K": 30}  # and p/100 anchors a topic, ξ = 1/p
Fit = tuple[float, int, float | None, float | None]


def recover(recovery: Any) -> Callable[[Any, int], Any]:
    """RECOVER of Arora et al. 2013, which is told K: from counts X to a fitted model.

    It gets the whole matrix, its fastest representation at these sizes.
    """

    def fit(X: Any, K: int) -> Any:
        C = represent(cooccurrence(X, representation="implicit"), "dense")
        return AnchorWords(K, rectifier=None, selector="fast", recovery=recovery).fit_cooccurrence(C)

    return fit


def top(n_repeats: int, c1: float = 1.1, c0: float = 0.01) -> Callable[[Any, int], Any]:
    """TOP, which is not told K: from counts X to a fitted model."""
    return lambda X, K: TOP(n_repeats=n_repeats, c1=c1, c0=c0).fit(X)


def recover_on_groups(c1: float) -> Callable[[Any, int], Any]:
    """RecoverL2 on all anchor words that TOP finds, so that the two differ in the second step only."""

    def fit(X: Any, K: int) -> Any:
        C = cooccurrence(X, representation="implicit")
        groups = TOP(n_repeats=1, c1=c1).fit_cooccurrence(C).anchor_groups_
        model = AnchorWords(len(groups), rectifier=None, anchors=groups, recovery="l2")
        return model.fit_cooccurrence(represent(C, "dense"))

    return fit


def draw(trial: int, **changes: int) -> tuple[Any, Any, list[range]]:
    """Counts, topics and each topic's anchors of a data set of the benchmark setting with some numbers changed.

    The same setting and trial give the same data set, whichever benchmark or panel asks.
    """
    s = {**BENCHMARK, **changes}
    size = s.setdefault("|I_k|", s["p"] // 100)
    seed = [s["N"], s["n"], s["p"], s["K"], size, trial]
    X, B, _ = datasets.make_corpus(s["n"], s["p"], s["K"], length=s["N"], anchors_per_topic=size, random_state=seed)
    return X, B, [range(k * size, (k + 1) * size) for k in range(s["K"])]


def measure(fit: Callable[[Any, int], Any], X: Any, B: Any, clock: Callable[[], float] = time.perf_counter) -> Fit:
    """Seconds from counts to topics, topics found, and L1/K and L1,∞ of the best K of them: None if they are fewer."""
    K = B.shape[1]
    started = clock()
    try:
        model = fit(X, K)
    except CotopicsError:
        return clock() - started, 0, None, None
    seconds = clock() - started
    if model.n_topics_ < K:
        return seconds, model.n_topics_, None, None
    return seconds, model.n_topics_, topic_error(model, B), topic_error(model, B, norm="l1inf")


def interleaved(methods: dict[str, Any], trial: int) -> list[tuple[str, Any]]:
    """The methods, another one first in every trial: what slows the machine down for a while meets all of them."""
    shift, items = trial % len(methods), list(methods.items())
    return items[shift:] + items[:shift]


def summary(statistic: Callable[[list[float]], Any], values: Iterable[float | None]) -> float | None:
    """The mean, or another statistic, of the values there are."""
    there = [x for x in values if x is not None]
    return float(statistic(there)) if there else None
