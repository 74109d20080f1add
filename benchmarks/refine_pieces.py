"""What pieces of documents do for refinement: likelihood after some passes, with one piece and with many.

    python benchmarks/refine_pieces.py

50,000 arXiv abstracts in the order of the file, 50 topics; the start is AnchorWords', or topics that share half of
their words. The likelihood is the mean log-probability of a token of 5,000 other documents, half of whose tokens were
seen (`metrics.held_out_likelihood`).
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np

from common import data_folder, keep
from cotopics import AnchorWords, metrics
from cotopics.corpus import read_corpus
from cotopics.refine import ExpectationMaximisation

N_TOPICS, N_TRAIN, N_TEST = 50, 50_000, 5_000
PIECES, PASSES = (1, 4, 16, 64), (1, 2, 5, 10, 20)


def main() -> None:
    warnings.simplefilter("ignore")
    X = read_corpus(data_folder() / "arxiv" / "counts.npz", min_documents=200).counts
    X = X[np.flatnonzero(X.sum(axis=1) >= 2)]
    train, test = X[:N_TRAIN], X[-N_TEST:]
    model = AnchorWords(N_TOPICS, rectifier="enn", min_anchor_documents=0.005).fit(train)
    B, prevalence = model.components_.T.copy(), model.topic_prevalence_.copy()
    common = (B @ prevalence)[:, None]
    rows: list[list[Any]] = []
    for name, start in (("AnchorWords", B), ("half of it shared", 0.5 * B + 0.5 * common)):
        for n_pieces in PIECES:
            for steps in PASSES:
                refined = ExpectationMaximisation(steps, n_pieces=n_pieces)(train, start, prevalence)
                model.components_, model.topic_prevalence_ = refined.B.T, refined.prevalence
                model.topic_correlation_ = refined.A
                rows.append([name, n_pieces, steps, metrics.held_out_likelihood(model, test)])
                print(rows[-1], file=sys.stderr, flush=True)
    notes = f"{N_TRAIN:,} documents, {X.shape[1]:,} words, {train.nnz:,} non-zeros, K = {N_TOPICS}. Higher is better."
    keep("refine_pieces", ["start", "pieces", "passes", "log-likelihood of a token"], rows, notes)


if __name__ == "__main__":
    main()
