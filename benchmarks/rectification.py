"""001's Table 3 and Figure 3 on NIPS: topics with and without rectification, and how far its steps must go.

    python benchmarks/rectification.py             # 5,000 words by tf-idf, K = 5 and 50
    python benchmarks/rectification.py 1500        # K = 5, 10, 25 and 50, and more plain steps than the authors make
    python benchmarks/rectification.py planted     # planted topics: the error after fewer and more steps

The authors' code makes 150 plain steps; what every other stop is compared with.
"""

import sys
import time
import warnings

import numpy as np

from common import data_folder, keep
from cotopics import AnchorWords, cooccurrence
from cotopics.corpus import keep_words, read_corpus
from cotopics.datasets import sample_corpus
from cotopics.metrics import dissimilarity, topic_error
from cotopics.rectify import AlternatingProjection, EpsilonNonNegative

DRAWS = 5
AUTHORS = "ap, 150 plain steps"
METHODS = {
    "none": None,
    "dc": "dc",
    "ap (default)": "ap",
    "ap, change of 1e-4": AlternatingProjection(tolerance=1e-4),
    AUTHORS: AlternatingProjection(tolerance=0),
    "enn (default)": "enn",
    "enn, change of 1e-4": EpsilonNonNegative(tolerance=1e-4),
    "enn, 150 plain steps": EpsilonNonNegative(tolerance=0),
}
FURTHER = {f"ap, {steps} plain steps": AlternatingProjection(tolerance=0, max_iter=steps) for steps in (200, 250)}
PLANTED = {name: METHODS[name] for name in METHODS if name.startswith(("ap", "enn"))}
PLANTED |= {"enn, 500 plain steps": EpsilonNonNegative(tolerance=0, max_iter=500)}
COLUMNS = ["K", "rectifier", "steps", "plain steps", "converged", "processor seconds", "dissimilarity"]
COLUMNS += ["ΣA", "min A", "λmin(A)", "L1 to 150 AP steps", "anchors of these"]


def stop(model, name):
    """Steps, plain steps that they go as far as, and whether it says that it has converged."""
    if name in ("none", "dc"):
        return 0, 0, "–"
    step = model.diagnostics_["rectification"]
    plain = step["history"].get("plain_steps", [step["n_iter"]])[-1]
    return step["n_iter"], round(plain), "yes" if step["converged"] else "no"


def drawn(n_words, n_documents, n_topics, trial):
    """Counts and topics B: words as frequent as 1/rank, weights from Gamma(0.1), Dirichlet mixtures of few topics."""
    rng = np.random.default_rng([n_topics, trial])
    B = rng.gamma(0.1, size=(n_words, n_topics)) / np.arange(1, n_words + 1)[:, None]
    B /= B.sum(axis=0)
    X, _ = sample_corpus(B, n_documents, length=100, concentration=0.1, random_state=rng)
    used = np.flatnonzero(X.sum(axis=0) > 0)
    return X[:, used], B[used] / B[used].sum(axis=0)


def planted() -> None:
    """1,500 words, 2,000 documents: the distance to the planted topics after fewer and more steps; means of 5 draws."""
    warnings.simplefilter("ignore")
    rows = []
    AnchorWords(2).fit_cooccurrence(cooccurrence(drawn(100, 100, 2, 0)[0]))  # compile before the clock starts
    for n_topics in (10, 30):
        found: dict[str, list] = {name: [] for name in PLANTED}
        for trial in range(DRAWS):
            X, B = drawn(1500, 2000, n_topics, trial)
            C = cooccurrence(X)
            for name, rectifier in PLANTED.items():
                started = time.process_time()
                model = AnchorWords(n_topics, rectifier=rectifier).fit_cooccurrence(C)
                seconds = time.process_time() - started
                found[name].append([*stop(model, name), seconds, topic_error(model, B)])
        for name, cells in found.items():
            steps, plain, settled, seconds, error = zip(*cells, strict=True)
            says = f"{settled.count('yes')} of {DRAWS}"
            ranges = [f"{min(x)} to {max(x)}" if min(x) < max(x) else str(x[0]) for x in (steps, plain)]
            spread = float(np.std(error, ddof=1) / np.sqrt(DRAWS))
            rows.append([n_topics, name, *ranges, says, float(np.mean(seconds)), float(np.mean(error)), spread])
    notes = (
        "1,500 words as frequent as 1/rank, with weights from Gamma(0.1) in each topic, 2,000 documents of 100 words "
        f"from Dirichlet(0.1) mixtures; means of {DRAWS} draws. L1: distance to the planted topics, 0 to 2; ± one "
        "standard error. Steps: the work of so many; plain steps: as far as so many."
    )
    columns = [*COLUMNS[:6], "L1 to planted topics", "±"]
    keep("rectification", columns, rows, notes, argument="planted")


def main(n_words: int, topics: tuple[int, ...]) -> None:
    warnings.simplefilter("ignore")  # what does not converge is in the table
    corpus = keep_words(read_corpus(data_folder() / "nips" / "counts.npz", min_documents=1), vocabulary_size=n_words)
    X = corpus.counts[corpus.counts.sum(axis=1) >= 5]
    AnchorWords(2).fit(X[:100])  # compile before the clock starts
    rows = []
    about = f"NIPS, {X.shape[0]} documents, {X.shape[1]} words; dissimilarity is out of 20. "
    about += "Steps: the work of so many; plain steps: as far as so many."
    for n_topics in topics:
        fitted = {}
        for name, rectifier in {**METHODS, **(FURTHER if n_words < 5000 else {})}.items():
            started = time.process_time()
            model = AnchorWords(n_topics, rectifier=rectifier).fit(X, feature_names=corpus.vocabulary)
            fitted[name] = model, time.process_time() - started
            if n_topics == 5 and name in ("none", "ap (default)"):
                print(f"\nrectifier {name}:")
                for anchor, words in zip(model.anchors_, model.top_words(7), strict=True):
                    print(f"  {corpus.vocabulary[anchor]:>14}: {' '.join(words)}")
        reference = fitted[AUTHORS][0]
        for name, (model, seconds) in fitted.items():
            A = model.topic_correlation_
            quality = [dissimilarity(model), float(A.sum()), float(A.min()), float(np.linalg.eigvalsh(A)[0])]
            distance = [topic_error(model, reference), len(set(model.anchors_) & set(reference.anchors_))]
            rows.append([n_topics, name, *stop(model, name), round(seconds, 2), *quality, *distance])
        keep("rectification", COLUMNS, rows, about, argument="" if n_words == 5000 else str(n_words))


if __name__ == "__main__":
    if sys.argv[1:] == ["planted"]:
        sys.exit(planted())
    words = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    main(words, (5, 50) if words == 5000 else (5, 10, 25, 50))
