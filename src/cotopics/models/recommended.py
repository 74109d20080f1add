"""The recommended fit, from top to bottom: two starts, a trial of both, expectation-maximisation, and documents.

With many topics of long documents there is one start. Balancing keeps large groups of similar documents from taking all
of a few topics; where topics are many, there are enough for all groups.

Topics are learned from damped and idf-weighted counts, half of which are taken to be background, words as the whole
corpus uses them: topics keep the words that set them apart. How documents are read, as mixtures with a prior of their
own or as having one topic each, is decided afterwards, on the counts as they are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cotopics.cooccur import Balanced, Cooccurrence
from cotopics.documents import Documents, InMemory, n_copies
from cotopics.infer import OneTopic, PriorAware, estimate_prior
from cotopics.linalg.columns import columns_to_one
from cotopics.linalg.threads import one_blas_thread
from cotopics.metrics import match_topics
from cotopics.models.anchor_start import Recipe, anchor_start
from cotopics.models.fit import (
    Fit,
    Start,
    clock,
    describe_correlation,
    describe_step,
    over_all_words,
    refine,
    refined_fit,
)
from cotopics.models.recommended_start import SharedEigenpairs, recommended_recipe
from cotopics.models.topic_sums import sums_of, usage
from cotopics.models.topics_per_document import compare
from cotopics.records import Array, WordIds
from cotopics.refine import ExpectationMaximisation, OneTopicPerDocument, Refined, merge_topics, word_shares
from cotopics.refine.em import RELAXED_STEP, UNSEEN, moments_of
from cotopics.refine.one_topic import PreparedCounts, prepare_counts

STARTS: dict[str, Any] = {"balanced": Balanced(2 / 3), "tfidf": "tfidf"}  # weightings; the first is preferred
MANY_TOPICS = 50  # with so many or more, the second alone is the start, which saves the time of the first,
LONG_DOCUMENT = 40  # where documents have so many words: shorter ones may have one topic each, which takes both
PREFERRED = 1.05  # the second must gain so many times as much as the first: large groups weigh more in the likelihood
REFINE = 30  # plain steps' worth of expectation-maximisation
TRIAL = 6  # plain steps' worth from each start, where there are two
TRIAL_TOKENS = 500_000  # of the documents that these steps look at, about so many,
ENOUGH_OF_TRIAL = 0.1  # of that number of non-zeros: less is left to chance by few or alike documents, and all are read
BACKGROUND = 0.5  # share of the weighted tokens of every document, in expectation-maximisation
WEIGHT_TYPE = np.float32  # of tf-idf weights: enough for eigenvectors to three digits
BEFORE_MERGING = 2 / 3  # of the steps asked for, before topics of one-topic documents are merged: all were no better
UNION_STEPS = 5  # of the topics of all starts together
MERGED_STEPS = 10  # of what they become
MANY_RELEVANCE = 0.7  # what words are ranked by, where documents have many topics
ONE_RELEVANCE = 0.5, 0.4  # where they have one: the first in long documents, and the second more in short ones,
SHORT_DOCUMENT = 8  # words or fewer: lift is mostly noise there


@dataclass(frozen=True)
class Finish:
    """What follows the start.

    step: the likelihood finish, a step of `cotopics.refine`, or None. steps: how many of it, None if a user gave a step
    of his own. topics_per_document: "one", "many" or "auto". background: the share of every document that is words as
    the whole corpus uses them, None where it is to be found.

    What is known from a fit of as many topics to documents like these need not be found again: start, the name of the
    one that was taken; read_background, where `background` is None, the share that documents are read with; sharpness,
    with which documents of one topic are read.
    """

    step: Any
    steps: int | None = None
    topics_per_document: str = "auto"
    background: float | None = None
    start: str | None = None
    read_background: float | None = None
    sharpness: float | None = None


def recommended_fit(C: Cooccurrence, name: str, documents: Documents | None, recipe: Recipe, finish: Finish) -> Fit:
    """The fit of documents, where C is the co-occurrence of the first start and `name` what diagnostics call it."""
    with one_blas_thread():  # once for all the small pieces of work
        return _recommended_fit(C, name, documents, recipe, finish)


def _recommended_fit(C: Cooccurrence, name: str, documents: Documents | None, recipe: Recipe, finish: Finish) -> Fit:
    starts = {name: anchor_start(C, recipe)}
    del C  # its weights are as large as the counts
    if documents is None:
        return Fit(**vars(starts[name]), relevance=MANY_RELEVANCE)
    words, some = documents.used
    if finish.step is None:
        start = starts[name]
        return _as_mixtures(start, _without_zeros(start, words), start.correlation, documents, finish)

    def with_other() -> dict[str, Start]:
        other = "balanced" if name == "tfidf" else "tfidf"
        second = anchor_start(documents.cooccurrence(STARTS[other], WEIGHT_TYPE), recipe)
        return {**starts, other: second} if other == "tfidf" else {other: second, **starts}

    if name != "tfidf" and finish.start is None:
        starts = with_other()
    start, refined = _refined(starts, name, words, some, finish)
    with clock(start.diagnostics["seconds"], "topics per document"):
        kind, reason, sharpness = _topics_per_document(some, refined, finish)
    if kind == "one":
        starts = with_other() if len(starts) == 1 else starts
        fit = _as_one_topic(starts, start, refined, documents, finish, sharpness)
    else:
        fit = refined_fit(start, refined, words, documents)
        fit = _as_mixtures(fit, refined.B, refined.A, documents, finish)
        if finish.steps is not None:  # of a step of the user's own, nobody knows what its topics are made of
            fit = replace(fit, sums=sums_of(documents, refined.totals, finish.step.topic_smoothing))
    told = {**fit.diagnostics["documents"], "topics_per_document": kind, "reason": reason}
    if isinstance(documents, InMemory):
        told["copies"] = n_copies(documents.counts)
    return replace(fit, diagnostics={**fit.diagnostics, "documents": told})


def fit_documents(documents: Documents, n_topics: int, finish: Finish, eigenpairs: SharedEigenpairs) -> Fit:
    """The recommended fit of documents, without anchors that a user gave; one of several, which share eigenpairs."""
    name = first_start(documents, n_topics, finish)
    recipe = replace(recommended_recipe(n_topics), rectifier=eigenpairs)
    return recommended_fit(documents.cooccurrence(STARTS[name], WEIGHT_TYPE), name, documents, recipe, finish)


def first_start(documents: Documents, n_topics: int, finish: Finish) -> str:
    """The name of the start that documents get first; of the only one where it is known which, or where topics are many
    and documents long."""
    if finish.start is not None:
        return finish.start
    if finish.step is None or n_topics < MANY_TOPICS:
        return "balanced"
    return "tfidf" if documents.n_tokens >= LONG_DOCUMENT * documents.used[1].n_documents else "balanced"


# --- topics ----------------------------------------------------------------------------------------------------------


def _refined(
    starts: dict[str, Start], name: str, words: WordIds, some: Documents, finish: Finish
) -> tuple[Start, Refined]:
    """The start that a trial says is likelier, if there are two, and what expectation-maximisation makes of it."""
    gains = _tried(starts, words, some, finish) if len(starts) > 1 else {}
    taken = name
    if gains and gains["tfidf"] > gains[name] + (PREFERRED - 1) * abs(gains[name]):
        taken = "tfidf"
    start = starts[taken]
    start.diagnostics["start"] = {"weighting": taken, "gain": gains}
    with clock(start.diagnostics["seconds"], "refinement"):
        return start, refine(finish.step, some, _without_zeros(start, words), start.prevalence)


def _without_zeros(start: Start, words: WordIds) -> Array:
    """Topics (n_words, n_topics) of a start that rule no word out, as an anchor and words left out are in the start."""
    return columns_to_one(start.components[:, words].T + UNSEEN / len(words))


def _tried(starts: dict[str, Start], words: WordIds, some: Documents, finish: Finish) -> dict[str, float]:
    """By how much a token of some documents is likelier after a few steps from each start than by p(word), in nats."""
    trial, documents = steps_worth(TRIAL, finish.background), some
    if some.n_tokens > TRIAL_TOKENS:
        sample = InMemory(some.sample(TRIAL_TOKENS)[0])
        documents = sample if sample.counts.nnz > ENOUGH_OF_TRIAL * TRIAL_TOKENS else some
    prepared = trial.prepare(documents)
    p = prepared.word_shares[prepared.word_shares > 0]

    def gain(start: Start) -> float:
        refined = trial(prepared, start.components[:, words].T, start.prevalence)
        return float(refined.history["likelihood"][-1] - p @ np.log(p))

    return {key: gain(start) for key, start in starts.items()}


def steps_worth(plain_steps: int, background: float | None = None) -> ExpectationMaximisation:
    """The recommended EM, as much as so many plain steps."""
    steps, share = math.ceil(plain_steps / RELAXED_STEP), BACKGROUND if background is None else background
    return ExpectationMaximisation(steps, weighting="damped", background=share, over_relax=True, single=True)


# --- documents -------------------------------------------------------------------------------------------------------


def _topics_per_document(some: Documents, refined: Refined, finish: Finish) -> tuple[str, str, float]:
    """ "one" or "many", why, and how sharply documents of one topic are to be read, where that was looked for."""
    asked = finish.topics_per_document
    if finish.steps is None:
        return "many", "refine is a step object, whose documents have many topics", np.nan
    if finish.background and asked != "one":
        return "many", "background is given, which only documents of many topics have", np.nan
    if asked == "many":
        return "many", "topics_per_document='many' was asked for", np.nan
    if asked == "one" and finish.sharpness is not None:
        return "one", "topics_per_document='one' was asked for", finish.sharpness
    evidence = compare(some, refined.B, refined.prevalence)
    if asked == "one":
        return "one", "topics_per_document='one' was asked for", evidence.sharpness
    return "one" if evidence.is_one else "many", evidence.sentence(), evidence.sharpness


def _as_mixtures(found: Start, B: Array, A: Array, documents: Documents, finish: Finish) -> Fit:
    """The fit whose documents are mixtures of its topics, with a prior that the documents themselves speak for."""
    _, some = documents.used
    with clock(found.diagnostics["seconds"], "prior of shares"):
        background = finish.read_background if finish.background is None else finish.background
        prior = estimate_prior(some, B, found.prevalence, A, word_shares(some), background)
    return Fit(
        **{
            **vars(found),
            "prevalence": prior.prevalence,
            "correlation": prior.A,
            "background": word_shares(documents),
            "usage": usage(documents),
            "inference": PriorAware(background=prior.background),
            "relevance": MANY_RELEVANCE,
            "n_tokens": documents.n_tokens,
            "diagnostics": {**found.diagnostics, "correlation": describe_correlation(prior.A)},
        }
    )


def _as_one_topic(
    starts: dict[str, Start],
    start: Start,
    refined: Refined,
    documents: Documents,
    finish: Finish,
    sharpness: float,
) -> Fit:
    """The fit whose documents have one topic each.

    No start is the best one for all corpora, and likelihood does not tell which is. So steps are taken from every one,
    and from the refined topics; then from the topics of all of them together; and these are merged until there are as
    many as asked for, which again is followed by steps.
    """
    words, some = documents.used
    with clock(start.diagnostics["seconds"], "one topic a document"):
        one = OneTopicPerDocument(math.ceil(BEFORE_MERGING * (finish.steps or 1)))
        smoothing = one.smoothing_of(some.n_tokens, len(words), start.n_topics)
        topics = [(each.components[:, words].T, each.prevalence) for each in starts.values()]
        prepared = prepare_counts(some)  # for all steps
        found = [one.topics(prepared, *each) for each in (*topics, (refined.B, refined.prevalence))]
        final = _merged(found, prepared, smoothing)
        taken, *_ = found[list(starts).index(start.diagnostics["start"]["weighting"])]
        order = match_topics(final.B, taken)  # so that topics belong to the anchors of the start
        is_empty = final.prevalence[order] * some.n_documents < 1
        B = np.where(is_empty, taken, final.B[:, order])  # words of a topic without documents are those of its start
        infer = OneTopic(sharpness)
        second, shares, n = some.pieces.sum(moments_of, infer, B, final.prevalence[order])
    totals = np.where(is_empty, 0, final.tokens[:, order].sum(axis=0) + len(words) * smoothing)
    diagnostics = {
        **start.diagnostics,
        "refinement": {**describe_step(final), "without_documents": np.flatnonzero(is_empty).tolist()},
        "correlation": describe_correlation(second / n),
    }
    return Fit(
        components=over_all_words(B.T, words, start.components.shape[1]),
        prevalence=shares / n,
        correlation=second / n,
        diagnostics=diagnostics,
        anchor_groups=start.anchor_groups,
        anchor_cooccurrence=start.anchor_cooccurrence,
        background=word_shares(documents),
        inference=infer,
        relevance=relevance_of_one_topic(documents.n_tokens / max(some.n_documents, 1)),
        n_tokens=documents.n_tokens,
        sums=sums_of(documents, totals, smoothing),
    )


def relevance_of_one_topic(n_words: float) -> float:
    """What words are ranked by if documents of so many words, on average, have one topic each."""
    in_long, more = ONE_RELEVANCE
    return in_long + more * min(1.0, SHORT_DOCUMENT / max(n_words, 1.0))


def _merged(found: list[tuple[Array, Array, Array]], prepared: PreparedCounts, smoothing: float) -> Refined:
    """Topics of several fits (B, prevalence, tokens) together, merged to as many as each of them has."""
    n_topics = found[0][0].shape[1]
    last = OneTopicPerDocument(MERGED_STEPS, smoothing, 0)
    B, prevalence = (np.concatenate([each[i] for each in found], axis=-1) for i in (0, 1))
    has_documents = prevalence * prepared.n_documents >= 1
    together = OneTopicPerDocument(UNION_STEPS, smoothing, 0)
    _, shares, tokens = together.topics(prepared, B[:, has_documents], prevalence[has_documents])
    has_documents = shares * prepared.n_documents >= 1
    shares, tokens = shares[has_documents], tokens[:, has_documents]
    if len(shares) <= n_topics:  # the documents speak for no more
        return last(prepared, *found[0][:2])
    part_of = merge_topics(tokens, n_topics)
    merged = np.stack([tokens[:, part_of == k].sum(axis=1) for k in range(n_topics)], axis=1) + smoothing
    sizes = np.array([shares[part_of == k].sum() for k in range(n_topics)])
    return last(prepared, merged / merged.sum(axis=0), sizes)
