"""What new documents speak of that earlier ones did not.

Of the earlier documents only sums are at hand, and these say in how many documents each word was. A word that is in
many more of the new documents than that and the topics' prevalence among them let expect leads to a group of
documents: those that are explained better by each other's words than by the topics. The group is a topic of its own if
much of what sets it apart is beyond expectation; a theme that the earlier documents had too, though no topic is about
it, is not new.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.linalg.sparse_matrices import column_counts, number_blocks, row_sums
from cotopics.models.fit import Fit
from cotopics.models.topic_sums import TopicSums
from cotopics.records import Array, WordIds
from cotopics.refine import OneTopicPerDocument

SURPRISE = 6.0  # standard deviations of the number of documents with a word, from which it leads to a group
MIN_DOCUMENTS = 10  # of a group, or
MIN_SHARE = 0.25  # of the new documents that a topic has on average, where that is more
NEW_SHARE = 0.4  # of what sets a group apart, in logarithms, that is by words beyond expectation
COMMON = 0.1  # of what every topic says are words as all documents use them
STEPS = 10  # of a group, until no document comes or goes
MAX_TRIES = 50  # words that lead to a group, or to none


@dataclass(frozen=True)
class Group:
    """Documents (rows of the new ones) that go together, their word counts (n_words,), and the words that lead."""

    rows: WordIds
    counts: Array
    leading: WordIds


def new_groups(fit: Fit, before: TopicSums, X: sp.csr_array, words: WordIds, most: int | None = None) -> list[Group]:
    """Groups among documents X (n, len(words)), none empty, that a fit of other documents explains badly.

    `most`: so many at most, the most surprising first. None: those that are large and new enough to be a topic."""
    news = _News(fit, before, X, words)
    least = max(MIN_DOCUMENTS, MIN_SHARE * X.shape[0] / fit.n_topics) if most is None else MIN_DOCUMENTS
    is_left, tried = np.ones(X.shape[0], bool), np.zeros(len(words), bool)
    groups: list[Group] = []
    for _ in range(MAX_TRIES):
        if most is not None and len(groups) >= most:
            break
        surprise = np.where(tried, 0, news.surprise(is_left))
        word = int(np.argmax(surprise))
        if surprise[word] < SURPRISE:
            break
        tried[word] = True
        rows = news.grown(word, is_left)
        if len(rows) >= least and (most is not None or news.share_that_is_new(rows) >= NEW_SHARE):
            parts = news.parts(rows, least)
            groups += [Group(part, news.counts_of(part), news.leading(part)) for part in parts]
            is_left[rows] = False
    return groups[:most]


def with_topics(fit: Fit, before: TopicSums, groups: list[Group], words: WordIds) -> tuple[Fit, TopicSums]:
    """The fit and its sums with a topic for each group, after the others, of which no document has a share so far."""
    n = len(groups)
    rows = np.zeros((n, fit.components.shape[1]))
    for row, group in zip(rows, groups, strict=True):
        row[words] = group.counts / group.counts.sum()
    anchors, near, names = fit.anchor_groups, fit.anchor_cooccurrence, fit.names
    wider = replace(
        fit,
        components=np.concatenate([fit.components, rows]),
        prevalence=np.pad(fit.prevalence, (0, n)),
        correlation=np.pad(fit.correlation, (0, n)),
        anchor_groups=None if anchors is None else [*anchors, *(words[group.leading[:1]] for group in groups)],
        anchor_cooccurrence=None if near is None else np.concatenate([near, rows]),
        names=None if names is None else (*names, *[None] * n),
        diagnostics=_with_rank(fit.diagnostics, n),
    )
    return wider, replace(before, totals=np.pad(before.totals, (0, n)))


def _with_rank(diagnostics: dict[str, Any], n: int) -> dict[str, Any]:
    """Diagnostics of a fit that got n topics more: those it started from are as independent as they were."""
    anchors = diagnostics.get("anchors") or {}
    return {**diagnostics, "anchors": {**anchors, "rank": anchors["rank"] + n}} if "rank" in anchors else diagnostics


class _News:
    """New documents, and what the topics of the earlier ones say of them."""

    def __init__(self, fit: Fit, before: TopicSums, X: sp.csr_array, words: WordIds) -> None:
        self.X, self.fit = X, fit
        self.B = np.ascontiguousarray(fit.components[:, words].T)
        known = before.frequency[words]
        unseen = min(known[known > 0], default=1) - 1  # rarer words may have been left out by whoever counted
        self.rate = np.where(known > 0, known, unseen) / max(before.n_documents, 1)
        self.earlier = before.word_shares[words]
        total = np.asarray(X.sum(axis=0), dtype=np.float64)
        self.p = total / total.sum()
        self.by_word = X.tocsc()
        self.lengths = row_sums(X)
        self._shares: Array | None = None

    def surprise(self, is_left: Any) -> Array:
        """By how many standard deviations more of these documents have each word than is expected, (n_words,)."""
        found = column_counts(sp.csr_array(self.X[is_left])) if not is_left.all() else column_counts(self.X)
        plain = is_left.sum() * self.rate
        if (_deviations(found, plain) < SURPRISE).all():  # topics need not be looked at
            return np.zeros(len(found))
        return _deviations(found, self.expected(is_left))

    def expected(self, rows: Any) -> Array:
        """How many of these documents would have each word, if they were like the earlier ones of their topics."""
        shares = self.shares[rows].mean(axis=0)
        then, now = self.B @ self.fit.prevalence, self.B @ shares
        return len(self.shares[rows]) * self.rate * np.where(then > 0, now / np.where(then > 0, then, 1), 1)

    @property
    def shares(self) -> Array:
        """Topics of the documents (n, n_topics), by the words that the earlier documents had too."""
        if self._shares is None:
            is_known = self.earlier > 0
            known = sp.csr_array(self.X[:, is_known])
            fit = self.fit
            B, p = np.ascontiguousarray(self.B[is_known]), self.earlier[is_known]
            self._shares = np.asarray(fit.inference(known, B, fit.prevalence, fit.correlation, p))
            self._explained = self._log_likelihoods()
        return self._shares

    def _log_likelihoods(self) -> Array:
        """log p(word) (n_numbers,), of every word of every document, by its topics."""
        X, background = self.X, getattr(self.fit.inference, "background", 0.0)
        W, found = self._shares, np.empty(X.nnz)
        assert W is not None
        row_of = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
        for some in number_blocks(X):
            columns = X.indices[some]
            topics = np.einsum("ij,ij->i", W[row_of[some]], self.B[columns])
            model = (1 - background) * topics + background * self.earlier[columns]
            found[some] = np.log((1 - COMMON) * model + COMMON * self.p[columns])
        return found

    def grown(self, word: int, is_left: Any) -> WordIds:
        """The documents that are explained better by those with this word than by the topics, and by these, and so on.

        What a document itself says is left out of what it is compared with, or every one would explain itself best."""
        X, rows = self.X, self.by_word.indices[self.by_word.indptr[word] : self.by_word.indptr[word + 1]]
        rows = rows[is_left[rows]]
        row_of = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
        old = np.bincount(row_of, X.data * self._explained, minlength=X.shape[0])
        for _ in range(STEPS):
            is_own, counts = np.zeros(X.shape[0]), self.counts_of(rows)
            is_own[rows] = 1
            rest = counts[X.indices] - is_own[row_of] * X.data
            totals = np.maximum(counts.sum() - is_own * self.lengths, 1)
            p = (1 - COMMON) * rest / totals[row_of] + COMMON * self.p[X.indices]
            new = np.bincount(row_of, X.data * np.log(p), minlength=X.shape[0])
            grown = np.flatnonzero((new > old) & is_left)
            if len(grown) == 0 or np.array_equal(grown, rows):
                return np.asarray(grown)
            rows = grown
        return np.asarray(rows)

    def parts(self, rows: WordIds, least: float, most_overlap: float | None = None) -> list[WordIds]:
        """The documents as one group, or as several that differ as much from each other as those of topics do."""
        most_overlap = self._overlap_of_topics(rows, least) if most_overlap is None else most_overlap
        one, other = self._halves(rows)
        if min(len(one), len(other)) < least or _overlap(self.counts_of(one), self.counts_of(other)) > most_overlap:
            return [rows]
        return [*self.parts(one, least, most_overlap), *self.parts(other, least, most_overlap)]

    def _overlap_of_topics(self, rows: WordIds, least: float) -> float:
        """The words that the other documents of a topic share with those of the topic nearest to it, at the median."""
        topic_of = self.shares.argmax(axis=1)
        topic_of[rows] = -1
        own = [np.flatnonzero(topic_of == k) for k in range(self.shares.shape[1])]
        counts = [self.counts_of(each) for each in own if len(each) >= least]
        nearest = [max(_overlap(p, q) for q in counts if q is not p) for p in counts] if len(counts) > 1 else [0.0]
        return float(np.median(nearest))

    def _halves(self, rows: WordIds) -> tuple[WordIds, WordIds]:
        """Those that have the leading word and those that have not, until each is where its words are likelier."""
        X = sp.csr_array(self.X[rows])
        has_word = np.asarray(X[:, self.leading(rows, 1)].sum(axis=1)).ravel() > 0
        if has_word.all() or not has_word.any():
            return rows, rows[:0]
        counts = np.stack([self.counts_of(rows[has_word]), self.counts_of(rows[~has_word])], axis=1)
        B, sizes = counts / counts.sum(axis=0), np.array([has_word.sum(), (~has_word).sum()])
        is_first = OneTopicPerDocument(STEPS, annealed=0)(X, B, sizes / sizes.sum()).W.argmax(axis=1) == 0
        return rows[is_first], rows[~is_first]

    def share_that_is_new(self, rows: WordIds) -> float:
        """Of what sets these documents apart from their topics: the share that is by words beyond expectation."""
        more = self._beyond_topics(rows)
        return float(more @ self._beyond_expectation() / (more.sum() or 1.0))

    def leading(self, rows: WordIds, n: int = 10) -> WordIds:
        """The words that set these documents apart most, and are new."""
        score = self._beyond_topics(rows) * self._beyond_expectation()
        return np.argsort(-score, kind="stable")[: max(1, min(n, np.count_nonzero(score)))]

    def _beyond_expectation(self) -> Array:
        """Of the documents with each word, the share that is beyond expectation, (n_words,)."""
        found, expected = column_counts(self.X), self.expected(np.ones(self.X.shape[0], bool))
        return np.maximum(1 - expected / np.maximum(found, 1), 0)

    def _beyond_topics(self, rows: WordIds) -> Array:
        """How much likelier the words of these documents make them than their topics do, word by word (n_words,)."""
        counts, background = self.counts_of(rows), getattr(self.fit.inference, "background", 0.0)
        topics = self.B @ (self.lengths[rows] @ self.shares[rows] / self.lengths[rows].sum())
        model = (1 - background) * topics + background * self.earlier
        one, other = ((1 - COMMON) * each + COMMON * self.p for each in (counts / counts.sum(), model))
        there = counts > 0
        return np.where(there, np.maximum(counts * np.log(np.where(there, one, 1) / np.where(there, other, 1)), 0), 0)

    def counts_of(self, rows: WordIds) -> Array:
        return np.asarray(self.X[rows].sum(axis=0), dtype=np.float64)


def _overlap(one: Array, other: Array) -> float:
    """Σ min(p, q) of the words of two groups, (n_words,) each."""
    return float(np.minimum(one / one.sum(), other / other.sum()).sum())


def _deviations(found: Any, expected: Array) -> Array:
    return np.asarray((found - expected) / np.sqrt(expected + 1))
