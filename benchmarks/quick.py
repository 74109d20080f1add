"""Has anything become slower? Main steps and fits against fixed work of others, in one process, in under 3 minutes.

    python benchmarks/quick.py              compare with results/quick.json; exit 1 where something is slower
    python benchmarks/quick.py --store      keep what is measured now, where the machine is quiet enough to tell

A machine's seconds say little from one day to the next; its ratios say more. Each round measures every task of a group
and the group's reference in turn, and the smallest of all rounds counts. Noise is what the halves of the rounds
differ by, and is added to the tolerance. On corpora at hand, or on planted documents where there are none; the two
are kept apart.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from common import RESULTS, commit, machine

STORED = RESULTS / "quick.json"
TOLERANCE = 0.15  # slower by more than this, and by more than noise, is slower
NOISY = 0.25  # noise from here on: the machine is busy, and nothing can be said
ROUNDS = 8
AT_LEAST = 15.0  # seconds a group: short tasks need more rounds
SECONDS = 140.0  # in all; rounds that do not fit are left out
Tasks = dict[str, Callable[[], Any]]


def counts() -> tuple[str, Any]:
    """BBC news where it is at hand, else planted documents of its size; with the name of what it is."""
    folder = Path(os.environ.get("COTOPICS_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if (folder / "bbc_news").is_dir():
        from problems import bbc_news

        return "bbc_news", bbc_news.load().X
    return "planted", planted()


def planted(n_documents: int = 2000, n_words: int = 5000) -> Any:
    from cotopics.datasets import make_corpus

    return sp.csr_matrix(make_corpus(n_documents, n_words, 10, length=300, random_state=0)[0])


def groups(X: Any) -> dict[str, tuple[str, Tasks]]:
    """Name of the group → its reference, and its tasks, the reference among them."""
    return {"sparse": ("scipy sparse product", sparse(X)), "dense": ("dgemm", dense(X)), "fits": ("NMF", fits(X))}


def sparse(X: Any) -> Tasks:
    """What goes through the non-zeros, against scipy's XᵀXV."""
    from cotopics.cooccur import cooccurrence
    from cotopics.infer import EM
    from cotopics.linalg.gram import gram_times
    from cotopics.refine import ExpectationMaximisation

    rng, k = np.random.default_rng(0), 20
    H = sp.csr_array(X.astype(np.float64))
    V, B = rng.random((X.shape[1], k)), rng.dirichlet(np.full(X.shape[1], 0.05), k).T
    prevalence = np.full(k, 1 / k)
    steps = ExpectationMaximisation(3, weighting="damped", background=0.5, over_relax=True, single=True)
    ready, inference = steps.prepare(H), EM(smoothing=1.0, background=0.5)
    B = steps(ready, B, prevalence).B
    A = np.eye(k) / k
    return {
        "scipy sparse product": lambda: H.T @ (H @ V),
        "gram_times": lambda: gram_times(H, V),
        "EM, 3 steps": lambda: steps(ready, B, prevalence),
        "inference by EM": lambda: inference(H, B, prevalence, A),
        "co-occurrence made": lambda: cooccurrence(X, weighting="tfidf", representation="implicit"),
    }


def dense(X: Any) -> Tasks:
    """What is made of matrix products and small problems, against a product of matrices."""
    from cotopics.linalg import simplex_least_squares
    from cotopics.linalg.thin_factors import times_negative_part

    rng, n, k = np.random.default_rng(0), 10_000, 20
    M, Y, V = rng.random((900, 900)), *rng.standard_normal((2, n, k)).astype(np.float32)
    R, P = rng.random((k, 60)), rng.dirichlet(np.full(k, 0.1), n)
    F = (P @ R + 0.05 * rng.standard_normal((n, 60))) @ R.T
    return {
        "dgemm": lambda: M @ M,
        "ENN's negative part": lambda: times_negative_part(Y, np.arange(1200), V),
        "simplex least squares": lambda: simplex_least_squares(R @ R.T, F),
    }


def fits(X: Any) -> Tasks:
    """Whole fits against scikit-learn's NMF on tf-idf."""
    from cotopics import AnchorFree, AnchorWords, TopicModel
    from methods import sklearn_nmf

    k = 10
    model = TopicModel(k).fit(X)
    words = AnchorWords(k, rectifier="enn", representation="implicit", min_anchor_documents=0.005)
    return {
        "NMF": lambda: sklearn_nmf.fit(X, k),
        "TopicModel": lambda: TopicModel(k).fit(X),
        "TopicModel.transform": lambda: model.transform(X),
        "AnchorWords, ENN": lambda: words.fit(X),
        "AnchorFree": lambda: AnchorFree(k).fit(X),
    }


def measured(tasks: Tasks, rounds: int, until: float, at_least: float = 0.0) -> dict[str, list[float]]:
    """Seconds of every task, round by round, in an order that turns; one unmeasured round first.

    More rounds where they take less than `at_least` seconds in all, fewer (but three) where the time is over.
    """
    names, found = list(tasks), {name: [] for name in tasks}
    for task in tasks.values():
        task()
    started, number = time.perf_counter(), 0
    while number < rounds or time.perf_counter() < started + at_least:
        for name in names[number % len(names) :] + names[: number % len(names)]:
            gc.collect()
            before = time.perf_counter()
            tasks[name]()
            found[name].append(time.perf_counter() - before)
        number += 1
        if time.perf_counter() > until and number >= 3:
            break
    return found


def ratios(seconds: dict[str, list[float]], reference: str) -> dict[str, dict[str, float]]:
    """Smallest seconds over those of the reference, and noise: how far the two halves of the rounds differ."""
    found = {}
    for name, times in seconds.items():
        if name != reference:
            both = zip(times, seconds[reference], strict=True)
            a, b = (list(zip(*half, strict=True)) for half in _halves(list(both)))
            first, second = (min(half[0]) / min(half[1]) for half in (a, b))
            noise = abs(first / second - 1)
            found[name] = {"ratio": min(times) / min(seconds[reference]), "noise": noise, "seconds": min(times)}
    return found


def _halves(rounds: list[Any]) -> tuple[list[Any], list[Any]]:
    return rounds[::2], rounds[1::2]


def slower(now: dict[str, Any], stored: dict[str, Any], tolerance: float = TOLERANCE) -> list[str]:
    """Names of tasks whose ratio has grown by more than the tolerance and the noise of both runs."""
    return [
        name
        for name, found in now.items()
        if name in stored
        and found["ratio"] > stored[name]["ratio"] * (1 + tolerance + found["noise"] + stored[name]["noise"])
    ]


def table(now: dict[str, Any], stored: dict[str, Any]) -> str:
    lines = [f"{'':24} {'ratio':>8} {'stored':>8} {'change':>7} {'noise':>6} {'seconds':>8}"]
    worse = slower(now, stored)
    for name, found in now.items():
        old = stored.get(name)
        change = "" if old is None else f"{found['ratio'] / old['ratio'] - 1:+.0%}"
        kept = "–" if old is None else f"{old['ratio']:.3f}"
        mark = "  SLOWER" if name in worse else ""
        line = f"{name:24} {found['ratio']:8.3f} {kept:>8} {change:>7} {found['noise']:6.0%} {found['seconds']:8.4f}"
        lines.append(line + mark)
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", action="store_true", help="keep these ratios instead of comparing with those kept")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # planted documents need not converge
    started = time.perf_counter()
    corpus, X = counts()
    now: dict[str, Any] = {}
    for number, (reference, tasks) in enumerate(groups(X).values(), 1):
        now |= ratios(measured(tasks, options.rounds, started + number * SECONDS / 3, AT_LEAST), reference)
    kept = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    stored = kept.get(corpus, {}).get("ratios", {})
    print(f"on {corpus}, in {time.perf_counter() - started:.0f} s\n\n{table(now, stored)}")
    noisy = [name for name, found in now.items() if found["noise"] > NOISY]
    if noisy:
        print(f"\ntoo noisy to tell (load {os.getloadavg()[0]:.1f}; try when nothing else runs): {', '.join(noisy)}")
    if options.store and noisy:
        print("nothing is kept: it would hide what becomes slower")
        return 1
    if options.store:
        kept[corpus] = {"machine": machine(), "commit": commit(), "load": os.getloadavg()[0], "ratios": now}
        STORED.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        print(f"\nkept in {STORED.name}")
        return 0
    if not stored:
        print("\nnothing is kept to compare with: python benchmarks/quick.py --store")
        return 0
    worse = slower(now, stored)
    print(f"\nslower by more than {TOLERANCE:.0%} and noise: {', '.join(worse) or 'nothing'}")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
