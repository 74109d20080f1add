"""001's Figure 4: anchor words without rectification, by diagonal completion and by alternating projection, against K.

    python benchmarks/rectification_quality.py nips [K …]     # 5,000 words by tf-idf; also movielens, playlists

Recovery, approximation and coherence are against the documents, not against what rectification made of them. The
paper's Gibbs sampler is not run here.
"""

from __future__ import annotations

import sys
import warnings

from common import keep
from cotopics import AnchorWords, cooccurrence
from cotopics.errors import CotopicsError
from cotopics.metrics import approximation_error, coherence, dissimilarity, dominancy, recovery_error, specificity
from rectifiers import corpus

TOPICS = (5, 10, 15, 20, 25, 50, 75, 100)
METHODS = {"Baseline": None, "DC": "dc", "AP": "ap"}
COLUMNS = ["K", "method", "Recovery", "Approximation", "Dominancy", "Specificity", "Dissimilarity", "Coherence"]


def main(name: str, topics: tuple[int, ...] = TOPICS) -> None:
    warnings.simplefilter("ignore")  # what does not converge still has its row
    X = corpus(name, 5000)
    C = cooccurrence(X)
    rows = []
    for n_topics in topics:
        for method, rectifier in METHODS.items():
            model = AnchorWords(n_topics, rectifier=rectifier).fit(X)
            found = [recovery_error(model, C), approximation_error(model, C)]
            try:
                found.append(dominancy(model))
            except CotopicsError:  # an anchor that never meets itself: 001, footnote 12
                found.append(None)
            found += [specificity(model, C), dissimilarity(model), coherence(model, X)]
            rows.append([n_topics, method, *found])
            print(*rows[-1], file=sys.stderr, flush=True)
    keep("rectification_quality", COLUMNS, rows, f"{name}, {X.shape[0]} documents, {X.shape[1]} words.", argument=name)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "nips", tuple(map(int, sys.argv[2:])) or TOPICS)
