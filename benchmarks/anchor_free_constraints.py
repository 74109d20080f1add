"""Which words AnchorFree should hold non-negative: draws of F categories of TDT2 by min_constraint_documents."""

import numpy as np

from anchor_free_corpora import balanced, cluster, load
from common import keep
from cotopics import AnchorFree
from cotopics.metrics import clustering_accuracy, coherence, similarity_count

DRAWS = 12
SHARES = (0, 5, 0.01, 0.03)


def main() -> None:
    rows = []
    for name in ("tdt2", "reuters21578"):
        X, labels, idf = load(name)
        categories = np.unique(labels)
        for n_topics in (3, 5, 10):
            results = {least: [] for least in SHARES}
            for draw in range(DRAWS):
                rng = np.random.default_rng([n_topics, draw])
                chosen = np.isin(labels, rng.choice(categories, n_topics, replace=False))
                words = np.bincount(X[chosen].indices, minlength=X.shape[1]) > 0
                part, truth = X[chosen][:, words], labels[chosen]
                C = balanced(part, idf[words])
                for least in SHARES:
                    model = AnchorFree(n_topics, solver="pds", min_constraint_documents=least).fit_cooccurrence(C)
                    accuracy = clustering_accuracy(truth, cluster(model.transform(part, method="nnls"), n_topics))
                    results[least].append([accuracy, coherence(model, part), similarity_count(model)])
            for least, values in results.items():
                rows.append([name, n_topics, least, *(float(round(x, 3)) for x in np.mean(values, axis=0))])
    columns = ["corpus", "F", "min_constraint_documents", "ClustAcc", "Coh", "SimCount"]
    keep("anchor_free_constraints", columns, rows, f"Means over {DRAWS} draws; 0 constrains every word.")


if __name__ == "__main__":
    main()
