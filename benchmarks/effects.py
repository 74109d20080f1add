"""Are the intervals of effects right? Planted topics and effects, known and fitted topics; and political blogs of 2008.

    python benchmarks/effects.py [--draws 20]     intervals that hold the planted truth; effects found where none is
    python benchmarks/effects.py covariates       shares without covariates in the prior, and with them as stm has it
    python benchmarks/effects.py poliblog         Liberal − Conservative of 20 topics beside R's stm, and the time

A planted document has w ~ Dirichlet(3 μ), where μ is linear in its group (two) and its time (0 to 1), a lognormal
number of words, and words from topics that share some of their words. Half of the topics differ between groups, and
half change over time. Known topics are the planted ones; fitted ones are those of `TopicModel` on the same documents,
matched with the planted ones by their words.
"""

from __future__ import annotations

import argparse
import csv
import time
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from common import data_folder, keep
from cotopics import TopicModel
from cotopics.documents import InMemory
from cotopics.effects import estimate_effects
from cotopics.infer import PriorAware, estimate_prior
from cotopics.metrics import match_topics

SETTINGS = (  # documents, words a document, topics, share of words that all topics have, words a topic leads by, effect
    (500, 120, 10, 0.0, 160, 0.08),
    (500, 300, 10, 0.3, 160, 0.08),
    (1000, 60, 10, 0.3, 80, 0.08),
    (2000, 120, 10, 0.3, 480, 0.08),
    (3000, 200, 20, 0.15, 160, 0.06),
    (5000, 120, 10, 0.3, 160, 0.15),
    (5000, 200, 20, 0.5, 80, 0.06),
)
N_WORDS, CONCENTRATION = 2000, 3.0


@dataclass(frozen=True)
class Planted:
    """Counts, topics B (n_words, n_topics), shares W, and effects (2, n_topics) of group and time in `metadata`."""

    X: sp.csr_array
    B: Any
    W: Any
    effects: Any
    metadata: dict[str, list[Any]]
    mean: Any  # (n_topics,), expected shares of a document of any group and time


def planted(setting: tuple[Any, ...], rng: np.random.Generator, *, none: bool = False) -> Planted:
    n, length, K, common, leading, effect = setting
    base = 1 / (np.arange(N_WORDS) + 10.0)
    base /= base.sum()
    B = np.stack([rng.dirichlet(base * leading + 1e-4) for _ in range(K)], axis=1)
    B = (1 - common) * B + common * base[:, None]
    group, when = rng.integers(0, 2, n), rng.random(n)
    effects = np.zeros((2, K))
    if not none:
        signs = np.where(np.arange(K // 2) % 2 == 0, 1.0, -1.0) * effect / 2
        effects[0, : K // 2], effects[1, K - K // 2 :] = signs - signs.mean(), signs - signs.mean()
    mean = 0.5 * rng.dirichlet(np.full(K, 8.0)) + 0.5 / K
    shortest = np.abs(effects).max(axis=0) / 2 + 0.002  # no expected share is below zero anywhere
    mean = np.maximum(mean, shortest)
    mean /= mean.sum()
    expected = mean + np.outer(group - 0.5, effects[0]) + np.outer(when - 0.5, effects[1])
    W = rng.standard_gamma(CONCENTRATION * np.maximum(expected, 1e-3))
    W /= W.sum(axis=1, keepdims=True)
    lengths = np.maximum(5, rng.lognormal(np.log(length) - 0.18, 0.6, n).astype(int))
    P = W @ B.T
    X = sp.csr_array(rng.multinomial(lengths, P / P.sum(axis=1, keepdims=True)))
    metadata = {"group": np.where(group, "b", "a").tolist(), "time": when.tolist()}
    return Planted(X, B, W, effects, metadata, mean)


def with_topics(model: Any, B: Any, W: Any) -> Any:
    """A model that knows these topics."""
    known = copy(model)
    moments = {"prevalence": W.mean(axis=0), "correlation": W.T @ W / len(W)}
    known._fitted = replace(model.fit_, components=B.T.copy(), inference=PriorAware(), **moments)
    return known


def found(model: Any, data: Planted, **options: Any) -> dict[str, Any]:
    """Estimates, lower and upper ends (2, n_topics) of the effects of group and time."""
    table = estimate_effects(model, data.X, data.metadata, "group + time", **options).table()
    rows = [table.where(term=term).columns for term in ("group=b", "time")]
    return {name: np.stack([row[name] for row in rows]) for name in ("estimate", "low", "high")}


def held(effects: dict[str, Any], truth: Any, order: Any) -> tuple[int, int, float, float]:
    """How many intervals hold the truth, of how many; Σ estimate · truth and Σ truth², for the slope."""
    low, high, estimate = (effects[name][:, order] for name in ("low", "high", "estimate"))
    return (
        int(((low <= truth) & (truth <= high)).sum()),
        truth.size,
        float((estimate * truth).sum()),
        float(np.square(truth).sum()),
    )


def coverage(n_draws: int) -> None:
    ways = {
        "known topics": {"topics": "known"},
        "fitted topics": {},
        "fitted, taken as known": {"topics": "known"},
        "fitted, posterior": {"topics": "known", "shares": "posterior"},
    }
    rows = []
    for number, setting in enumerate(SETTINGS):
        sums = {way: np.zeros(4) for way in ways}
        called = dict.fromkeys(ways, 0)
        for draw in range(n_draws):
            for none in (False, True):
                data = planted(setting, np.random.default_rng([number, draw, none]), none=none)
                K = data.B.shape[1]
                model = TopicModel(K, topics_per_document="many").fit(data.X)
                order = match_topics(model.components_.T, data.B)
                for way, options in ways.items():
                    is_known = way == "known topics"
                    effects = found(with_topics(model, data.B, data.W) if is_known else model, data, **options)
                    if none:
                        called[way] += int(((effects["low"] > 0) | (effects["high"] < 0)).sum())
                    else:
                        sums[way] += held(effects, data.effects, np.arange(K) if is_known else order)
        for way, (inside, total, products, squares) in sums.items():
            what = (
                f"{setting[0]} of {setting[1]} words, {setting[2]} topics, {setting[3]:.0%} shared, ±{setting[5] / 2}"
            )
            rows.append([what, way, inside / total, products / squares, called[way] / total])
        print(rows[-4:], flush=True)
    for way in ways:
        mine = np.array([row[2:] for row in rows if row[1] == way])
        rows.append(["all", way, *mine.mean(axis=0).tolist()])
    notes = f"{n_draws} corpora a line with effects and as many without. The slope is that of estimates on the truth."
    columns = ["documents", "topics", "intervals that hold the truth", "slope", "significant where no effect is"]
    keep("effects", columns, rows, notes)


def by_group(data: Planted, B: Any) -> Any:
    """Effects of the group (n_topics,) if the prior of documents' shares has a mean of its own in each group.

    This is what a model with covariates of prevalence does: the prior of every group is that which its documents speak
    for, and the effect is the difference of their means."""
    group = np.array(data.metadata["group"])
    words, means = np.asarray(data.X.sum(axis=0)).ravel() / data.X.sum(), []
    for name in ("b", "a"):
        some = InMemory(sp.csr_array(data.X[group == name], dtype=np.float64))
        mean, A = data.W.mean(axis=0), data.W.T @ data.W / len(data.W)
        for _ in range(20):  # rounds of documents and of the prior, from the moments of all documents
            prior = estimate_prior(some, B, mean, A, words, 0.0)
            mean, A = prior.prevalence, prior.A
        means.append(mean)
    return means[0] - means[1]


def covariates(n_draws: int) -> None:
    rows = []
    for length in (10, 30, 100, 300):
        found: dict[str, list[Any]] = {}
        truth = []
        for draw in range(n_draws):
            data = planted((2000, length, 10, 0.3, 160, 0.12), np.random.default_rng([length, draw]))
            B = (data.B + 1e-9) / (data.B + 1e-9).sum(axis=0)
            model = with_topics(TopicModel(10, topics_per_document="many").fit(data.X), B, data.W)
            truth.append(data.effects[0])
            ways = {
                "posterior, one prior": {"shares": "posterior", "topics": "known"},
                "unbiased": {"topics": "known"},
            }
            for way, options in ways.items():
                found.setdefault(way, []).append(effect_of_group(model, data, options))
            found.setdefault("posterior, a prior for each group", []).append(by_group(data, B))
        T = np.stack(truth)
        for way, estimates in found.items():
            E = np.stack(estimates)
            slope = float((E * T).sum() / np.square(T).sum())
            rows.append([length, way, slope, float(np.sqrt(np.square(E - T).mean()))])
    notes = f"Known topics, 2,000 documents, effects of ±0.06 between two groups, {n_draws} corpora a line."
    keep(
        "effects", ["words a document", "shares", "slope", "root mean square error"], rows, notes, argument="covariates"
    )


def effect_of_group(model: Any, data: Planted, options: dict[str, Any]) -> Any:
    table = estimate_effects(model, data.X, data.metadata, "group", **options).table()
    return np.asarray(table.where(term="group=b").columns["estimate"])


STM = {  # Liberal − Conservative by R's stm 1.3.7: words that tell the topic, and its estimate (None: no effect)
    "courts and torture": ("court tortur", 0.020),
    "the Bush administration": ("bush administr", 0.066),
    "McCain and Palin": ("mccain palin", 0.031),
    "Iran and terrorism": ("iran terrorist", -0.033),
    "Obama with Wright and Ayers": ("wright ayer", -0.037),
    "the economy": ("economi financi", None),
}


def poliblog(_: int) -> None:
    folder = data_folder() / "poliblog"
    X = sp.csr_array(sp.load_npz(folder / "counts.npz"))
    words = (folder / "vocab.txt").read_text(encoding="utf-8").split()
    with open(folder / "metadata.csv", encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    metadata = {name: [line[name] for line in lines] for name in lines[0]}
    TopicModel(20).fit(X[:500])  # compile
    clock, began = time.perf_counter(), time.process_time()
    model = TopicModel(20).fit(X, feature_names=words)
    effects = estimate_effects(model, X, metadata, "rating + bs(day, df=4)")
    contrast = list(effects.contrast("rating", "Liberal", "Conservative"))
    wall, processor = time.perf_counter() - clock, time.process_time() - began
    rows = []
    for name, (query, stm) in STM.items():
        for topic in dict.fromkeys(model.word_topics(word)[0][0] for word in query.split()):
            row = contrast[topic]
            sign = "none" if row["low"] <= 0 <= row["high"] else "+" if row["estimate"] > 0 else "−"
            interval = f"{row['estimate']:+.3f} ({row['low']:+.3f} to {row['high']:+.3f})"
            leading = " ".join(model.top_words(6)[topic])
            rows.append([name, "none" if stm is None else f"{stm:+.3f}", topic, leading, interval, sign])
    notes = f"Model and effects: {processor:.1f} s of processor time, {wall:.1f} s on a machine that others used too."
    columns = ["stm's topic", "stm", "topic", "its words", "Liberal − Conservative, 95 %", "sign"]
    keep("effects", columns, rows, notes, argument="poliblog")


WHAT = {"coverage": coverage, "covariates": covariates, "poliblog": poliblog}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", default="coverage", choices=list(WHAT))
    parser.add_argument("--draws", type=int, default=20)
    arguments = parser.parse_args()
    WHAT[arguments.what](arguments.draws)


if __name__ == "__main__":
    main()
