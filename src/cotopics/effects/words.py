"""How a topic is talked about: its words in one group or period against the others, from the same fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur.counts import counts_over_words_of
from cotopics.effects.over import cells_of
from cotopics.effects.record import Estimates
from cotopics.errors import ParameterError
from cotopics.metrics.inputs import proportions
from cotopics.records import Array
from cotopics.refine.tokens import Mixture, Tokens
from cotopics.words import largest

PRIOR_TOKENS = 500.0  # of every topic in every group, spread as its words are in all of them


def words_by(
    model: Any,
    X: Any,
    groups: Sequence[Any] | None = None,
    *,
    dates: Sequence[Any] | None = None,
    by: str | None = None,
    n: int = 10,
) -> Estimates:
    """The words that a topic has more often in one group or period than in the others.

    Every word of a document is divided among its topics, as the model does; a word that comes again and again in one
    document counts little more than once, as log(1 + count). z is the difference of log-odds in standard errors, with a
    prior that draws rare words to the topic as a whole (Monroe, Colaresi and Quinn 2008, Eqs. 15 and 22).

    groups: one per document. dates: one per document, with `by`, as of `prevalence_over`. n: words of each.

    Returns Estimates with columns topic, name, group (or period), word, share (of the topic's words in this group),
    elsewhere (in the others), z; the largest z first.
    """
    if (groups is None) == (dates is None):
        raise ParameterError("give groups, or dates, one for each document")
    if not isinstance(n, int | np.integer) or n < 1:
        raise ParameterError(f"n={n!r} must be a whole number of words, at least 1")
    counts = counts_over_words_of(model, X)
    at, cells, kept = cells_of(counts.shape[0], dates, by, groups)
    names = [group or period for period, group in cells]
    there = [i for i in range(len(cells)) if (at[kept] == i).any()]
    if len(there) < 2:
        raise ParameterError("all documents are of one group, so there is nothing to compare")
    W = proportions(model, counts)
    B = model.fit_.document_words()
    tokens = np.stack([_tokens(counts, W, B, kept & (at == i)) for i in there])  # (n_groups, n_words, n_topics)
    words = model.vocabulary_
    columns: dict[str, list[Any]] = {name: [] for name in ("topic", "name", "group", "word", "share", "elsewhere", "z")}
    for k, topic in enumerate(model.topic_names_):
        z, share, elsewhere = log_odds(tokens[:, :, k])
        for g, leading in enumerate(largest(z, min(n, z.shape[1]))):
            for word in leading[np.isfinite(z[g, leading])]:  # others the topic lacks
                row = (k, topic, names[there[g]], int(word) if words is None else str(words[word]))
                numbers = (share[g, word], elsewhere[g, word], z[g, word])
                for name, value in zip(columns, (*row, *map(float, numbers)), strict=True):
                    columns[name].append(value)
    if dates is not None:
        columns = {"period" if name == "group" else name: values for name, values in columns.items()}
    return Estimates(columns)


def log_odds(tokens: Array) -> tuple[Array, Array, Array]:
    """z (n_groups, n_words) of every word in each group against the others, and its share in both.

    >>> z, share, elsewhere = log_odds(np.array([[60.0, 20.0], [20.0, 60.0]]))
    >>> z.round(1).tolist(), share.round(2).tolist()
    ([[3.3, -3.3], [-3.3, 3.3]], [[0.75, 0.25], [0.25, 0.75]])
    """
    total = tokens.sum(axis=0)
    prior = PRIOR_TOKENS * total / max(total.sum(), 1e-300)
    others = total - tokens
    own, other = tokens + prior, others + prior

    def odds(y: Array) -> Array:
        return np.asarray(np.log(np.maximum(y, 1e-300) / np.maximum(y.sum(axis=1, keepdims=True) - y, 1e-300)))

    error = np.sqrt(1 / np.maximum(own, 1e-300) + 1 / np.maximum(other, 1e-300))
    z = np.where(total > 0, (odds(own) - odds(other)) / error, -np.inf)
    sums = [np.maximum(y.sum(axis=1, keepdims=True), 1e-300) for y in (tokens, others)]
    return z, tokens / sums[0], others / sums[1]


def _tokens(counts: sp.csr_array, W: Array, B: Array, rows: Any) -> Array:
    """log(1 + count) of every word, divided among topics (n_words, n_topics), of some documents."""
    some = sp.csr_array(counts[np.flatnonzero(rows)], dtype=np.float64)
    some.data = np.log1p(some.data)
    known = np.flatnonzero(B.sum(axis=1) > 0)
    model = Mixture(np.zeros(len(known)), 0.0)
    found = np.zeros(B.shape)
    part = Tokens(sp.csr_array(some[:, known]))
    found[known], *_ = part.step(np.maximum(W[rows], 1e-12), np.ascontiguousarray(B[known]), model, False, False)
    return found
