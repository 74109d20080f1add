"""001's Table 3 and Figure 3 on NIPS (5,000 words by tf-idf): topics with and without rectification."""

import time
import warnings

import numpy as np

from common import data_folder, keep
from cotopics import AnchorWords
from cotopics.corpus import keep_words, read_corpus
from cotopics.metrics import dissimilarity, topic_error
from cotopics.rectify import AlternatingProjection

METHODS = {
    "none": None,
    "dc": "dc",
    "ap, 1e-3": AlternatingProjection(tolerance=1e-3),
    "ap, 1e-4 (default)": AlternatingProjection(),
    "ap, 1e-5": AlternatingProjection(tolerance=1e-5),
    "ap, 150 steps": AlternatingProjection(tolerance=0),
}


def main() -> None:
    warnings.simplefilter("ignore")  # what does not converge is in the table
    corpus = keep_words(read_corpus(data_folder() / "nips" / "counts.npz", min_documents=1), vocabulary_size=5000)
    X = corpus.counts[corpus.counts.sum(axis=1) >= 5]
    AnchorWords(2).fit(X[:100])  # compile before the clock starts
    rows = []
    for n_topics in (5, 50):
        fitted = {}
        for name, rectifier in METHODS.items():
            started = time.perf_counter()
            model = AnchorWords(n_topics, rectifier=rectifier).fit(X, feature_names=corpus.vocabulary)
            fitted[name] = model, time.perf_counter() - started
            if n_topics == 5 and name in ("none", "ap, 1e-4 (default)"):
                print(f"\nrectifier {name}:")
                for anchor, words in zip(model.anchors_, model.top_words(7), strict=True):
                    print(f"  {corpus.vocabulary[anchor]:>14}: {' '.join(words)}")
        reference = fitted["ap, 150 steps"][0]
        for name, (model, seconds) in fitted.items():
            A, step = model.topic_correlation_, model.diagnostics_["rectification"] or {}
            quality = [dissimilarity(model), float(A.sum()), float(A.min()), float(np.linalg.eigvalsh(A)[0])]
            distance = [topic_error(model, reference), len(set(model.anchors_) & set(reference.anchors_))]
            rows.append([n_topics, name, step.get("n_iter", 0), round(seconds, 1), *quality, *distance])
    columns = [
        "K",
        "rectifier",
        "steps",
        "seconds",
        "dissimilarity",
        "ΣA",
        "min A",
        "λmin(A)",
        "L1 to 150 steps",
        "same anchors",
    ]
    keep(
        "rectification", columns, rows, f"NIPS, {X.shape[0]} documents, {X.shape[1]} words; dissimilarity is out of 20."
    )


if __name__ == "__main__":
    main()
