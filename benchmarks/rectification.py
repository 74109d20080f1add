"""001's Table 3 and Figure 3 on NIPS: topics with and without rectification, and how far its steps must go.

    python benchmarks/rectification.py             # 5,000 words by tf-idf, K = 5 and 50
    python benchmarks/rectification.py 1500        # K = 5, 10, 25 and 50, and more plain steps than the authors make

The authors' code makes 150 plain steps; what every other stop is compared with.
"""

import sys
import time
import warnings

import numpy as np

from common import data_folder, keep
from cotopics import AnchorWords
from cotopics.corpus import keep_words, read_corpus
from cotopics.metrics import dissimilarity, topic_error
from cotopics.rectify import AlternatingProjection, EpsilonNonNegative

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
COLUMNS = ["K", "rectifier", "steps", "plain steps", "converged", "processor seconds", "dissimilarity"]
COLUMNS += ["ΣA", "min A", "λmin(A)", "L1 to 150 AP steps", "anchors of these"]


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
            A, step = model.topic_correlation_, model.diagnostics_["rectification"] or {"n_iter": 0}
            steps = step["n_iter"] if name not in ("none", "dc") else 0
            plain = round(step["history"].get("plain_steps", [steps])[-1]) if steps else 0
            quality = [dissimilarity(model), float(A.sum()), float(A.min()), float(np.linalg.eigvalsh(A)[0])]
            distance = [topic_error(model, reference), len(set(model.anchors_) & set(reference.anchors_))]
            settled = {True: "yes", False: "no"}[step["converged"]] if steps else "–"
            rows.append([n_topics, name, steps, plain, settled, round(seconds, 2), *quality, *distance])
        keep("rectification", COLUMNS, rows, about, argument="" if n_words == 5000 else str(n_words))


if __name__ == "__main__":
    words = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    main(words, (5, 50) if words == 5000 else (5, 10, 25, 50))
