"""Documents that are added to a fit, and taken out of it, without those that it has seen before.

What the fit keeps of earlier documents are sums (`topic_sums.py`). New documents take steps of expectation-maximisation
with the topics, to which the earlier ones contribute what they did when they were last seen: incremental
expectation-maximisation (Neal and Hinton 1998). What they contributed was found with topics of fewer documents, so it
counts for less as more come: how a word is shared out among topics is forgotten slowly (stepwise
expectation-maximisation; Cappé and Moulines 2009), and faster where documents drift; how often it occurs is not. To
take documents out, what they contribute to the topics as these are now is subtracted. Word counts and document
frequencies are exact; what the topics learned from a document is not, as topics have moved since.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.cooccur.weighting import rows_where
from cotopics.documents import InMemory
from cotopics.errors import ParameterError, warn_caller
from cotopics.infer import OneTopic, PriorAware, estimate_prior
from cotopics.infer.prior import ShareSums, share_sums
from cotopics.linalg.columns import columns_to_one
from cotopics.linalg.sparse_matrices import column_counts
from cotopics.models.ageing import (
    AGEING_OF_MANY,
    AGEING_OF_ONE,
    all_tokens,
    at_most,
    totals_of,
    weight_of_earlier,
    without,
)
from cotopics.models.fit import Fit, describe_correlation, over_all_words
from cotopics.models.new_topics import Group, new_groups, with_topics
from cotopics.models.recommended import Finish
from cotopics.models.topic_sums import TopicSums
from cotopics.records import Array, WordIds
from cotopics.refine import OneTopicPerDocument
from cotopics.refine.em import Prepared, moments
from cotopics.refine.tokens import Mixture, Tokens

DOCUMENT_STEPS = 15  # of documents that are taken out, until their topics are known


def check_can_change(fit: Fit, finish: Finish) -> TopicSums:
    """The sums of a fit, or a ParameterError that says why it has none."""
    if getattr(fit, "parts", None) is not None:
        raise ParameterError(
            "topics of this model were merged, dropped or split, so it keeps no sums of its documents; change the "
            "model from before that, and edit it again"
        )
    if fit.sums is None or not fit.sums.fits(fit.components) or not finish.steps:
        raise ParameterError(
            "this model keeps no sums of its documents (refine is 0 or a step object, or an early version "
            "saved it), so none can be added or taken out; fit all documents again"
        )
    return fit.sums


def with_documents(fit: Fit, counts: sp.csr_array, finish: Finish, n_new: int | str = 0) -> Fit:
    """The fit after documents (n, n_words) were added; words after those of the fit are new ones.

    n_new: how many topics may come with them, at most; "auto": as many as they speak for (`new_topics.py`)."""
    before = check_can_change(fit, finish).widened(counts.shape[1])
    old = _widened(fit, counts.shape[1])
    after = before.with_documents(counts)
    words = np.flatnonzero(after.frequency)
    X = _over(counts, words)
    most = int(n_new) if n_new and n_new != "auto" else None
    groups = new_groups(old, before, X, words, most) if X.shape[0] else []
    if most is not None and len(groups) < most:
        warn_caller(f"{len(groups)} new topics were found in these documents, not the {most} that n_new asks for")
    if not X.shape[0]:
        new = replace(old, sums=after)
    else:
        wider, sums = with_topics(old, before, groups if n_new else [], words)
        added = _one_topic_added if isinstance(fit.inference, OneTopic) else _mixtures_added
        sizes = np.array([len(group.rows) for group in groups if n_new], dtype=np.float64)
        new = added(wider, sums, after, X, words, finish, sizes)
    n_new_words = int(np.count_nonzero((before.frequency == 0) & (after.frequency > 0)))
    told = {"added": counts.shape[0], "new_words": n_new_words, **_movement(old, new, before, after)}
    return _finished(new, {**told, **_told_of(groups, words, old.n_topics if n_new else None)})


def _told_of(groups: list[Group], words: WordIds, first: int | None) -> dict[str, Any]:
    """What is said of documents that the topics explain badly: `first` is the number of the first new topic, if any."""
    if not groups:
        return {}
    described = [
        {"documents": len(group.rows), "words": words[group.leading].tolist()} for group in groups
    ]  # most to least surprising
    if first is None:
        return {"explained_badly": described}
    return {"new_topics": [{"topic": first + i, **each} for i, each in enumerate(described)]}


def without_documents(fit: Fit, counts: sp.csr_array, finish: Finish) -> Fit:
    """The fit after documents (n, n_words) were taken out; words that only they had have no probability any more."""
    before = check_can_change(fit, finish)
    after = before.without_documents(counts)
    known = np.flatnonzero(before.frequency)
    X = _over(counts, known)
    if X.shape[0] == 0:
        return _finished(replace(fit, sums=after), {"taken_out": counts.shape[0], "lost_words": 0})
    if isinstance(fit.inference, OneTopic):
        new = _one_topic_taken_out(fit, before, after, X, known)
    else:
        new = _mixtures_taken_out(fit, before, after, X, known, finish)
    n_lost = int(np.count_nonzero((before.frequency > 0) & (after.frequency == 0)))
    told = {"taken_out": counts.shape[0], "lost_words": n_lost, **_movement(fit, new, before, after)}
    return _finished(new, told)


# --- documents that are mixtures -------------------------------------------------------------------------------------


def _mixtures_added(
    old: Fit, before: TopicSums, after: TopicSums, X: sp.csr_array, words: WordIds, finish: Finish, sizes: Array
) -> Fit:
    em, idf = finish.step, after.idf
    kept, weight = _kept_mixtures(old, before, idf)[words], weight_of_earlier(before, after, AGEING_OF_MANY)
    here = np.flatnonzero(column_counts(X))
    X, shares = sp.csr_array(X[:, here]), after.weighted_shares[words[here]]
    prevalence, correlation = _with_sizes(old, before, sizes)
    refined = em(
        _prepared(X, idf[words[here]], np.append(shares, 1 - shares.sum())),
        _with_the_rest(_topics_so_far(old, kept, words, em.topic_smoothing), here),
        prevalence,
        _with_the_rest(weight * kept + em.topic_smoothing, here) - em.topic_smoothing,
    )
    found = kept.copy()  # of words that are not here, all tokens are those of earlier documents
    found[here] = all_tokens(refined.B[:-1] * refined.totals - em.topic_smoothing, kept[here], weight)
    B = columns_to_one(found + em.topic_smoothing)
    n, share = before.n_documents, old.inference.background  # type: ignore[attr-defined]
    m = weight * n  # documents that the earlier ones count for
    known = ShareSums(m, m * old.prevalence, m * old.correlation)
    p, background = after.word_shares[words[here]], share if finish.background is None else finish.background
    prior = estimate_prior(InMemory(X), B[here], prevalence, correlation, p, background, known)
    shares = (m + X.shape[0]) * prior.prevalence - m * old.prevalence  # of the new documents, added up
    return replace(
        old,
        components=over_all_words(B.T, words, old.components.shape[1]),
        prevalence=(n * old.prevalence + shares) / after.n_documents,
        correlation=prior.A,
        inference=PriorAware(background=prior.background),
        sums=replace(after, totals=totals_of(found, em.topic_smoothing), smoothing=em.topic_smoothing),
    )


def _mixtures_taken_out(
    fit: Fit, before: TopicSums, after: TopicSums, X: sp.csr_array, words: WordIds, finish: Finish
) -> Fit:
    B = np.ascontiguousarray(fit.components[:, words].T)
    share = fit.inference.background  # type: ignore[attr-defined]
    lost = share_sums(X, B, fit.prevalence, fit.correlation, before.word_shares[words], share)
    model = Mixture(finish.step.background * before.weighted_shares[words], finish.step.document_smoothing)
    tokens = Tokens.of_counts(X, before.idf[words], np.float32)
    W = tokens.first_topics(fit.prevalence)
    for _ in range(DOCUMENT_STEPS):
        tokens.update_documents(W, B, model, False)
    found, *_ = tokens.step(W, B, model, False, False)
    left = before.tokens(fit.components)
    left[words] = without(left[words], found, weight_of_earlier(after, before, AGEING_OF_MANY))
    left = at_most(left / before.idf[:, None], after.damped) * after.idf[:, None]
    n, n_left = before.n_documents, after.n_documents
    prevalence = np.maximum(n * fit.prevalence - lost.shares, 0)
    correlation = np.maximum(n * fit.correlation - lost.second, 0)
    return _left(fit, left, prevalence, correlation, n_left, after)


def _prepared(X: sp.csr_array, idf: Array, word_shares: Array) -> Prepared:
    """Documents X (n, n_words) ready for steps over their words and, in one more row, all others."""
    X = sp.csr_array((X.data, X.indices, X.indptr), shape=(X.shape[0], len(word_shares)))
    tokens = InMemory(X).pieces.map(Tokens.of_counts, np.append(idf, 0), np.float32)
    return Prepared(tokens, tokens.sum(Tokens.totals)[1] or 1.0, word_shares)


def _with_the_rest(rows: Array, here: WordIds) -> Array:
    """Rows of the words that are `here`, and the sum of all others: (len(here) + 1, n_topics).

    Words that no document has only count for what topics sum to, so that steps need not go through each of them."""
    return np.concatenate([rows[here], np.delete(rows, here, axis=0).sum(axis=0, keepdims=True)])


def _kept_mixtures(old: Fit, before: TopicSums, idf: Array) -> Array:
    """Tokens of earlier documents (n_words, n_topics), weighted by the idf of all documents."""
    return np.asarray(before.tokens(old.components) * (idf / before.idf)[:, None])


# --- documents of one topic each -------------------------------------------------------------------------------------


def _one_topic_added(
    old: Fit, before: TopicSums, after: TopicSums, X: sp.csr_array, words: WordIds, finish: Finish, sizes: Array
) -> Fit:
    smoothing, n = before.smoothing, before.n_documents
    kept, weight = before.tokens(old.components)[words], weight_of_earlier(before, after, AGEING_OF_ONE)
    step = OneTopicPerDocument(finish.steps or 1, smoothing, 0)
    others = weight * kept, weight * n * old.prevalence
    refined = step(X, _topics_so_far(old, kept, words, smoothing), _with_sizes(old, before, sizes)[0], others)
    found = all_tokens(refined.tokens, kept, weight)
    B, p = columns_to_one(found + smoothing), n * old.prevalence + X.shape[0] * refined.prevalence
    second, shares, _ = moments(old.inference(X, B, p / p.sum(), refined.A))
    return replace(
        old,
        components=over_all_words(B.T, words, old.components.shape[1]),
        prevalence=(n * old.prevalence + shares) / after.n_documents,
        correlation=(n * old.correlation + second) / after.n_documents,
        sums=replace(after, totals=totals_of(found, smoothing)),
    )


def _one_topic_taken_out(fit: Fit, before: TopicSums, after: TopicSums, X: sp.csr_array, words: WordIds) -> Fit:
    B = np.ascontiguousarray(fit.components[:, words].T)
    p_of_topic = OneTopic(1.0)(X, B, fit.prevalence, fit.correlation)
    left = before.tokens(fit.components)
    left[words] = without(left[words], X.T @ p_of_topic, weight_of_earlier(after, before, AGEING_OF_ONE))
    second, shares, _ = moments(fit.inference(X, B, fit.prevalence, fit.correlation))
    n, n_left = before.n_documents, after.n_documents
    prevalence = np.maximum(n * fit.prevalence - shares, 0)
    correlation = np.maximum(n * fit.correlation - second, 0)
    return _left(fit, at_most(left, after.occurrences), prevalence, correlation, n_left, after)


# --- both ------------------------------------------------------------------------------------------------------------


def _over(counts: sp.csr_array, words: WordIds) -> sp.csr_array:
    """The documents that have any word, over these words."""
    some = rows_where(counts, np.diff(counts.indptr) > 0)
    return some if len(words) == counts.shape[1] else sp.csr_array(some[:, words])


def _topics_so_far(old: Fit, kept: Array, words: WordIds, smoothing: float) -> Array:
    """Topics (n_words, n_topics) of the tokens that were kept; of topics without any, as the fit has them."""
    has_tokens = kept.sum(axis=0) > 0
    return np.where(has_tokens, columns_to_one(kept + smoothing), old.components[:, words].T)


def _with_sizes(old: Fit, before: TopicSums, sizes: Array) -> tuple[Array, Array]:
    """Prevalence and correlation of the fit, if its last topics have so many documents, each of one topic."""
    if not len(sizes):
        return old.prevalence, old.correlation
    own = np.pad(sizes, (old.n_topics - len(sizes), 0))
    n, total = before.n_documents, before.n_documents + own.sum()
    return (n * old.prevalence + own) / total, (n * old.correlation + np.diag(own)) / total


def _left(fit: Fit, tokens: Array, prevalence: Array, correlation: Array, n_left: int, after: TopicSums) -> Fit:
    """The fit of what is left: tokens (n_words, n_topics), and sums over documents' shares."""
    words = np.flatnonzero(after.frequency)
    B = columns_to_one(tokens[words] + after.smoothing)
    return replace(
        fit,
        components=over_all_words(B.T, words, len(after.frequency)),
        prevalence=prevalence / (prevalence.sum() or 1.0),
        correlation=correlation / (correlation.sum() or 1.0),
        sums=replace(after, totals=totals_of(tokens[words], after.smoothing)),
    )


def _widened(fit: Fit, n_words: int) -> Fit:
    """The fit over more words, at the end, that it knows nothing of."""
    new = ((0, 0), (0, n_words - fit.components.shape[1]))
    near = fit.anchor_cooccurrence
    near = None if near is None else np.pad(near, new)
    return replace(fit, components=np.pad(fit.components, new), anchor_cooccurrence=near)


def of_words(fit: Fit, words: WordIds) -> Fit:
    """The fit over some of its words. An anchor that is not among them is followed by the topic's likeliest word."""
    assert fit.sums is not None
    assert fit.background is not None
    components, near = fit.components[:, words], fit.anchor_cooccurrence
    groups, place = fit.anchor_groups, np.full(fit.components.shape[1], -1)
    place[words] = np.arange(len(words))
    if groups is not None:
        kept = [place[group][place[group] >= 0] for group in groups]
        groups = [group if len(group) else np.array([np.argmax(components[k])]) for k, group in enumerate(kept)]
    return replace(
        fit,
        components=components,
        background=fit.background[words],
        usage=None if fit.usage is None else fit.usage[words],
        anchor_groups=groups,
        anchor_cooccurrence=None if near is None else _rows_to_one(near[:, words]),
        sums=fit.sums.of_words(words),
    )


def _rows_to_one(rows: Array) -> Array:
    sums = rows.sum(axis=1, keepdims=True)
    return np.where(sums > 0, rows / np.where(sums > 0, sums, 1), 1 / rows.shape[1])


def _movement(old: Fit, new: Fit, before: TopicSums, after: TopicSums) -> dict[str, Any]:
    """How far each topic moved, as the share of its words that are others now, and prevalence before and after."""
    moved = np.abs(new.components[: old.n_topics] - old.components).sum(axis=1) / 2
    return {
        "documents": [before.n_documents + before.n_left_out, after.n_documents + after.n_left_out],
        "moved": moved.tolist(),
        "prevalence": [old.prevalence.tolist(), new.prevalence.tolist()],
    }


def _finished(fit: Fit, told: dict[str, Any]) -> Fit:
    assert fit.sums is not None
    documents = {
        **(fit.diagnostics.get("documents") or {}),
        "used": fit.sums.n_documents,
        "left_out": fit.sums.n_left_out,
    }
    documents.pop("copies", None)  # nobody has counted them
    diagnostics = {
        **fit.diagnostics,
        "documents": documents,
        "correlation": describe_correlation(fit.correlation),
        "update": told,
    }
    usage = None if fit.usage is None else fit.sums.usage
    return replace(
        fit, background=fit.sums.word_shares, usage=usage, n_tokens=fit.sums.n_tokens, diagnostics=diagnostics
    )
