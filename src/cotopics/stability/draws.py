"""Documents drawn again with replacement, and topics fitted to each draw from those that are there."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics import progress
from cotopics.cooccur.counts import counts_over_words_of
from cotopics.documents import InMemory, is_on_dask
from cotopics.errors import ParameterError
from cotopics.infer import OneTopic
from cotopics.linalg.columns import columns_to_one
from cotopics.linalg.sparse_matrices import row_sums
from cotopics.linalg.threads import one_blas_thread
from cotopics.metrics import association, match_topics
from cotopics.models.fit import add_columns
from cotopics.models.recount import topics_in_counts
from cotopics.on_disk import is_stream
from cotopics.records import Array
from cotopics.refine import ExpectationMaximisation
from cotopics.refine.em import UNSEEN
from cotopics.stability.afresh import agreement_of_parts
from cotopics.stability.record import N_WORDS, Bootstrap
from cotopics.stability.weighted import QUICK, WHOLE, Steps, Topics, shares_of_documents, topics_of_draw
from cotopics.words import leading_words_of, rank_words, uses_of_words

LEAST_DRAWS = 10
N_WHOLE = 3  # draws that take all steps as well, to see how much farther these go
MOST_FARTHER = 3.0


def bootstrap(model: Any, X: Any, n: int = 50, *, level: float = 0.95, random_state: Any = 0) -> Bootstrap:
    """How firmly the topics of a model stand: documents are drawn again with replacement, n times.

    Parameters
    ----------
    model : a fitted model
    X : the documents that it was fitted on, as its `transform` takes them: counts (n_documents, n_words), texts, or a
        Corpus
    n : draws. Each takes a few steps from the model's topics, so 50 cost as much as a few fits
    level : of the intervals
    random_state : an integer, or numpy's Generator; the same one gives the same draws

    Returns
    -------
    Bootstrap, with tables `prevalence()`, `correlations()` and `words()`, and `firmness` (n_topics,).

    Topics are found in every draw from those of the model, so intervals say how topics that are there would differ in
    other documents of the same kind. Firmness says whether a fit finds them at all: four fits start anew, each on a
    quarter of the documents, and it is the mean correlation of a topic's shares with those of its partner there.

    >>> from cotopics import TopicModel, datasets
    >>> X, B, W = datasets.make_corpus(200, 100, 3, length=80, anchors_per_topic=5, random_state=0)
    >>> found = bootstrap(TopicModel(3).fit(X), X, n=10)
    >>> row = next(iter(found.prevalence()))
    >>> row["low"] < row["prevalence"] < row["high"], row["firmness"] > 0.5
    (True, True)
    """
    _check(model, X, n, level)
    rng = _generator(random_state)
    counts = counts_over_words_of(model, X)
    words, documents = InMemory(counts).used
    known = model.components_.sum(axis=0)[words] > 0
    words, some = words[known], sp.csr_array(documents.counts[:, known])
    some = sp.csr_array(some[row_sums(some) > 0])
    if some.shape[0] < 2:
        raise ParameterError("fewer than two documents have words that the topics know, so none can be drawn again")
    firmness = agreement_of_parts(model, counts, rng).mean(axis=0)
    draws = _Draws(model, words, some)
    with one_blas_thread():
        reference = draws.topics(np.ones(some.shape[0]))
        whole = draws.topics(np.ones(some.shape[0]), WHOLE)
        found, farther = [], []
        for number in range(n):
            weights = rng.multinomial(some.shape[0], np.full(some.shape[0], 1 / some.shape[0])).astype(np.float64)
            found.append(draws.compared(weights, reference))
            if number < N_WHOLE:
                farther.append(draws.compared(weights, whole, WHOLE))
            progress.tell("drawing again", number + 1, n)
    prevalence, correlation, ranks = (np.stack(column) for column in zip(*found, strict=True))
    all_steps = [np.stack(column) for column in zip(*farther, strict=True)]
    own, quick, slow = (association(each).correlation for each in (model, reference.A, whole.A))
    return Bootstrap(
        tuple(model.topic_names_),
        model.topic_prevalence_,
        own,
        leading_words_of(model, min(N_WORDS, counts.shape[1])),
        _stretched(model.topic_prevalence_, prevalence - reference.prevalence, all_steps[0] - whole.prevalence),
        _stretched(own, correlation - quick, all_steps[1] - slow),
        draws.counted(),
        ranks,
        firmness,
        level,
        some.shape[0],
        model.vocabulary_,
    )


def _stretched(estimate: Array, moved: Array, farther: Array) -> Array:
    """The estimate in every draw: where the draw has moved to, as far as it would if all steps were taken.

    Steps go on in nearly the same direction. So the first draws, which take all steps as well (`farther`), say by what
    factor all of them are to be stretched: the median over entries of how much farther they go."""
    first, last = (np.sqrt(np.square(each[: len(farther)]).sum(axis=0)) for each in (moved, farther))
    known = (first > 0) & np.isfinite(last)
    factor = float(np.median(last[known] / first[known])) if known.any() else 1.0
    return np.asarray(estimate + float(np.clip(factor, 1, MOST_FARTHER)) * moved)


class _Draws:
    """The documents (n, n_words) that the topics know, over some words, and what a draw of them is compared by."""

    def __init__(self, model: Any, words: Any, counts: sp.csr_array) -> None:
        self.model, self.words, self.counts = model, words, counts
        self.fit, self.step = model.fit_, step_of(model)
        B = columns_to_one(self.fit.inferred.components[:, words].T + UNSEEN / len(words))
        self.start = Topics(B, self.fit.inferred.prevalence, self.fit.inferred.correlation)
        self.shares = shares_of_documents(counts, self.start, self.step, self.fit)
        uses = uses_of_words(model)
        self.uses = None if uses is None else uses[words]
        self.leading = leading_words_of(model, min(N_WORDS, model.components_.shape[1]))

    def topics(self, weights: Array, steps: Steps = QUICK) -> Topics:
        """Topics of documents that count so often (n,), merged as the model's are."""
        found = topics_of_draw(self.counts, weights, self.start, self.shares, self.step, self.fit, steps)
        part_of, K = self.fit.topic_of, self.fit.n_topics
        if part_of is None:
            return found
        A = add_columns(add_columns(found.A, part_of, K).T, part_of, K)
        tokens = add_columns(found.B * found.prevalence, part_of, K)
        return Topics(columns_to_one(tokens), add_columns(found.prevalence[None], part_of, K)[0], A)

    def counted(self) -> Array:
        """Prevalence (n_topics,) of the topics in words as they are; the model's own if documents have one topic."""
        if isinstance(self.fit.inference, OneTopic):
            return np.asarray(self.model.topic_prevalence_)
        _, prevalence = topics_in_counts(
            self.counts, self.fit.document_words(of_parts=True)[self.words], self.start.prevalence, self.start.A
        )
        return np.asarray(self.fit.add_up(prevalence[None])[0])

    def compared(self, weights: Array, reference: Topics, steps: Steps = QUICK) -> tuple[Array, Array, Array]:
        """Of one draw: prevalence, correlations, and ranks of the leading words of the topics as they are."""
        found = self.topics(weights, steps)
        order = match_topics(found.B, reference.B)
        B, prevalence = found.B[:, order], found.prevalence[order]
        R = association(found.A[np.ix_(order, order)]).correlation
        return prevalence, R, self._ranks(B, prevalence)

    def _ranks(self, B: Array, prevalence: Array) -> Array:
        """The rank, from 1, of the model's leading words in topics B, ranked as the model does (n_topics, n)."""
        order = rank_words(B.T, prevalence, float(self.model.relevance), B.shape[0], self.uses)
        rank = np.full((len(order), self.model.components_.shape[1]), B.shape[0] + 1)
        np.put_along_axis(rank, self.words[order], np.arange(1, B.shape[0] + 1)[None], axis=1)
        return np.take_along_axis(rank, self.leading, axis=1)


def step_of(model: Any) -> ExpectationMaximisation:
    """The expectation-maximisation that the fit of a model ended with, or that of plain counts."""
    finish = model._finish(True).step if hasattr(model, "_finish") else None
    if isinstance(finish, ExpectationMaximisation):
        return finish
    refine = getattr(model, "refine", None)
    return refine if isinstance(refine, ExpectationMaximisation) else ExpectationMaximisation()


def _generator(random_state: Any) -> np.random.Generator:
    try:
        return np.random.default_rng(random_state)
    except (ValueError, TypeError):
        raise ParameterError(
            f"random_state={random_state!r:.80} must be a whole number, 0 or more, or numpy's Generator"
        ) from None


def _check(model: Any, X: Any, n: Any, level: Any) -> None:
    if not hasattr(model, "fit_"):
        raise ParameterError(f"{type(model).__name__} is not a fitted model of cotopics")
    if not isinstance(n, int | np.integer) or isinstance(n, bool) or n < LEAST_DRAWS:
        raise ParameterError(f"n={n!r} must be a whole number of draws, at least {LEAST_DRAWS}")
    if not (isinstance(level, float) and 0 < level < 1):
        raise ParameterError(f"level={level!r} must be between 0 and 1, such as 0.95")
    if is_on_dask(X) or is_stream(X):
        raise ParameterError("bootstrap draws documents in memory; give counts, texts or a Corpus, a sample if need be")
