"""Whether topics come back: fits from scratch to parts of the documents, and how alike documents' shares are.

Steps from topics that are there hardly leave them, however arbitrary they are. So a few fits start anew, each on a part
of the documents that no other fit sees; parts are small, so together they cost about as much as two fits of all. A
topic has come back if its shares in documents go with those of its partner in such a fit, as `choose` has it.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment
from sklearn.base import clone

from cotopics.errors import CotopicsError
from cotopics.infer import OneTopic
from cotopics.metrics.inputs import proportions
from cotopics.records import Array

N_PARTS = 4
MAX_READ = 2000  # documents whose shares are compared


def agreement_of_parts(model: Any, counts: sp.csr_array, rng: np.random.Generator) -> Array:
    """(n_parts, n_topics): the correlation of each topic's shares with those of its partner in a fit of one part.

    counts (n_documents, n_words), over the words of the model. Zero where a part cannot be fitted; a single
    topic always comes back."""
    if model.n_topics_ == 1:
        return np.ones((N_PARTS, 1))
    order = rng.permutation(counts.shape[0])
    read = sp.csr_array(counts[np.sort(order[:MAX_READ])])
    W = proportions(model, read)
    found = np.zeros((N_PARTS, W.shape[1]))
    for number, part in enumerate(np.array_split(order, N_PARTS)):
        V = _shares_by_part(model, sp.csr_array(counts[np.sort(part)]), read)
        if V is not None:
            found[number] = _best_correlations(W, V)
    return found


def _shares_by_part(model: Any, part: sp.csr_array, read: sp.csr_array) -> Array | None:
    """Shares (n, n_topics) of documents by a fit of the part, with the parameters that the model was fitted with."""
    fresh = clone(model)
    parameters = fresh.get_params()
    if "n_topics" in parameters:
        fresh.set_params(n_topics=model.fit_.inferred.n_topics)
    if "topics_per_document" in parameters:
        fresh.set_params(topics_per_document="one" if isinstance(model.fit_.inference, OneTopic) else "many")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is said of a part is of no interest
        try:
            return proportions(fresh.fit(part, feature_names=model.vocabulary_), read)
        except CotopicsError:
            return None


def _best_correlations(W: Array, V: Array) -> Array:
    """The correlation of each column of W (n, k) with its partner in V (n, m); zero where it has none, or is below."""
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.nan_to_num(np.corrcoef(W.T, V.T)[: W.shape[1], W.shape[1] :])
    rows, partners = linear_sum_assignment(-r)
    best = np.zeros(W.shape[1])
    best[rows] = np.maximum(r[rows, partners], 0)
    return best
