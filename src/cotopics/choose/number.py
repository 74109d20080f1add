"""`choose_n_topics`: the evidence for each number of topics, and the one that is recommended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics import progress
from cotopics.choice import COLUMNS, Choice
from cotopics.choose.evidence import MIN_ANCHOR_SHARE, evidence, max_topics
from cotopics.choose.halves import Halves, Trial
from cotopics.choose.recommend import difference_error, numbers_around, recommend
from cotopics.choose.search import MOST, search
from cotopics.choose.spectrum import EXTRA_DIRECTIONS, MAX_DIRECTIONS, Spectrum, read_spectrum
from cotopics.cooccur import check_counts
from cotopics.documents import Documents, InMemory, is_on_dask, sample_of_stream, sample_rows, scattered
from cotopics.errors import CooccurrenceError, ParameterError
from cotopics.models.recommended import REFINE, Finish, steps_worth

MAX_TOKENS = 4_000_000  # of the documents to look at


def choose_n_topics(
    X: Any, candidates: Sequence[int] | None = None, *, n_splits: int = 1, random_state: int | None = None
) -> Choice:
    """A recommended number of topics for counts X (documents × words), with the evidence.

    `TopicModel` itself is asked: it is fitted to two halves of the documents, and each half predicts words of the other
    half's documents. More topics predict better up to a point, and come back less and less when they are found in other
    documents. The reliable gain is what is gained over two topics, times the share of the topics that come back; the
    smallest number for which it is within one standard error of the largest is recommended. Where topics are planted,
    the spectrum of the co-occurrence breaks off after their number, or TOP finds the same number at every tolerance;
    then that is the number.

    X may be on Dask. Of more than four million words a sample of documents is looked at, and the Choice says so.
    candidates: numbers of topics to compare (None: numbers are searched, coarse ones first). n_splits: how often the
    documents are halved to see where the spectrum breaks off. random_state: how they are halved; None is fixed, and
    follows from the documents' words, not from their order.

    >>> from cotopics.datasets import make_corpus
    >>> X, B, W = make_corpus(800, 300, 7, length=200, anchors_per_topic=3, random_state=0)
    >>> choice = choose_n_topics(X)
    >>> choice.n_topics, choice.n_topics_top[1.1]
    (7, 7)
    """
    wanted = None if candidates is None else _checked_candidates(candidates)
    if not isinstance(n_splits, int | np.integer) or n_splits < 1:
        raise ParameterError(f"n_splits={n_splits!r} must be a whole number of at least 1")
    try:
        seed = np.random.SeedSequence(0 if random_state is None else random_state)
    except (TypeError, ValueError):
        raise ParameterError(f"random_state={random_state!r} must be a whole number, 0 or more, or None") from None
    if is_on_dask(X):
        from cotopics.distributed import as_partitions

        documents: Documents = as_partitions(X, None)
    else:
        documents = InMemory(check_counts(X))
    return choose_for(documents, Finish(steps_worth(REFINE), REFINE), wanted, n_splits, seed)


def choose_for(
    documents: Documents,
    finish: Finish,
    wanted: list[int] | None = None,
    n_splits: int = 1,
    seed: np.random.SeedSequence | None = None,
) -> Choice:
    """The choice for documents in memory or on a cluster, of fits that `finish` describes."""
    seed = np.random.SeedSequence(0) if seed is None else seed
    counts, _ = documents.sample(MAX_TOKENS)
    sample = counts.shape[0] if counts.shape[0] < documents.n_documents else None
    different, shared = evidence(counts)
    limit = _limit(shared, wanted)
    most = min(limit, MAX_DIRECTIONS if wanted is None else max(wanted) + EXTRA_DIRECTIONS)
    spectrum = read_spectrum(shared, most, n_splits, np.random.default_rng(seed))
    halves = Halves(different, _numbers(different, seed), finish, limit)
    trials = _tried(halves, spectrum, wanted, min(limit, MOST))
    found = recommend(trials, spectrum)
    K = np.array([trial.n_topics for trial in trials])
    return Choice(
        found.n_topics, found.reason, K, _table(trials, spectrum), spectrum.values[:most], spectrum.replication[:most],
        spectrum.by_c1, found.finest, found.coarser, sample,
    )  # fmt: skip


def choose_from_stream(chunks: Iterable[Any]) -> Choice:
    """The choice for counts that come in chunks (documents × words, all over the same words), on a sample of them."""
    counts, n_documents = sample_of_stream(chunks, MAX_TOKENS)
    choice = choose_n_topics(counts)
    return replace(choice, sample=counts.shape[0] if counts.shape[0] < n_documents else None)


def _limit(counts: Any, wanted: list[int] | None) -> int:
    """The largest number that can be compared; an error where that is not enough."""
    limit = max_topics(counts)
    least = 2 if wanted is None else max(wanted)
    if limit < least:
        scarce = "documents" if limit == counts.shape[0] // 4 else "words that many documents have"
        raise CooccurrenceError(
            f"{counts.shape[0]} different documents of two tokens or more and {counts.shape[1]} words are enough for "
            f"up to {limit} topics, not {least}: each needs four documents and a word in {MIN_ANCHOR_SHARE:.1%} of "
            f"them, and there must be more words than topics. Give more {scarce}"
            + (", or smaller candidates" if wanted is not None and limit >= 2 else "")
        )
    return limit


def _checked_candidates(candidates: Sequence[int]) -> list[int]:
    try:
        given = list(candidates)
        numbers, whole = sorted({int(K) for K in given}), all(int(K) == K for K in given)
    except (TypeError, ValueError, OverflowError):
        numbers, whole = [], False
    if not whole or not numbers or numbers[0] < 2:
        raise ParameterError(f"candidates={candidates!r} must be whole numbers of at least 2, such as [5, 10, 20]")
    return numbers


def _numbers(counts: sp.csr_array, seed: np.random.SeedSequence) -> Any:
    """A number for each document that looks random: it follows from the document's words and the seed."""
    has = InMemory(counts)
    _, numbers = sample_rows(counts, has.frequency, 1)
    return scattered(numbers ^ np.uint64(seed.generate_state(1, np.uint64)[0]))


def _tried(halves: Halves, spectrum: Spectrum, wanted: list[int] | None, most: int) -> list[Trial]:
    """The trials of the numbers that were asked for, or that the spectrum says, or that a search finds."""
    numbers = wanted or numbers_around(spectrum, most)

    def ask(K: int) -> Trial | None:
        progress.tell(_told(halves, K), len(halves.trials), None if numbers is None else len(numbers))
        try:
            with progress.listening(lambda *_: None):  # what single fits tell would hide how far the search is
                return halves.try_number(K)
        except CooccurrenceError:
            if wanted is not None:
                raise CooccurrenceError(
                    f"half of the documents have too few words for {K} topics. Give more documents, or smaller "
                    "candidates"
                ) from None
            return None

    trials = search(ask, most) if numbers is None else [trial for trial in map(ask, numbers) if trial is not None]
    if not trials:
        raise CooccurrenceError("half of the documents have too few words for two topics. Give more documents")
    return trials


def _told(halves: Halves, K: int) -> str:
    """What is being looked at, and what was found so far."""
    if not halves.trials:
        return f"trying {K} topics"
    best = max(halves.trials.values(), key=lambda trial: trial.score)
    return f"trying {K} topics, best so far {best.n_topics}"


def _table(trials: list[Trial], spectrum: Spectrum) -> dict[str, Any]:
    best = max(trials, key=lambda trial: trial.held_out)
    rows = [
        {
            **trial.measures,
            "held_out": trial.held_out,
            "held_out_error": difference_error(best.gains, trial.gains),
            "agreement": float(trial.agreement.mean()),
            "share_back": trial.share_back,
            "weakest": float(trial.agreement.min()),
            "reliable_gain": trial.score,
            "gap": spectrum.gap_at(trial.n_topics),
            "replication": spectrum.replication_at(trial.n_topics),
        }
        for trial in trials
    ]
    return {name: np.array([row[name] for row in rows]) for name in COLUMNS}
