"""`choose_n_topics`: the evidence for each number of topics, and the one that is recommended."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics import progress
from cotopics.choice import COLUMNS, Choice
from cotopics.choose.evidence import MIN_ANCHOR_SHARE, evidence, max_topics
from cotopics.choose.halves import Halves, Trial
from cotopics.choose.recommend import difference_error, numbers_around, recommend
from cotopics.choose.search import MOST, best_of, contenders, search
from cotopics.choose.spectrum import EXTRA_DIRECTIONS, MAX_DIRECTIONS, Spectrum, read_spectrum
from cotopics.cooccur import check_counts
from cotopics.documents import Documents, InMemory, is_on_dask, sample_rows, scattered
from cotopics.errors import CooccurrenceError, ParameterError
from cotopics.models.recommended import REFINE, Finish, steps_worth
from cotopics.models.texts import counted
from cotopics.on_disk import OnDisk, is_stream, pack

MAX_TOKENS = 4_000_000  # of the documents to look at
TYPICAL = 10  # topics with which it is decided how documents are read
MAX_HALVINGS = 4  # fewer where one number is clearly the best


def choose_n_topics(
    X: Any, candidates: Sequence[int] | None = None, *, n_splits: int = 1, random_state: int | None = None
) -> Choice:
    """A recommended number of topics for X (counts, documents × words; texts; a Corpus), with the evidence.

    `TopicModel` itself is asked: it is fitted to two halves of the documents, and each half predicts words of the other
    half's documents. More topics predict better up to a point, and come back less and less when they are found in other
    documents. The reliable gain is what is gained over two topics, times the correlation between the halves that seven
    of ten topics reach; the smallest number for which it is nearly the largest is recommended, and numbers that could
    change this are tried in other halvings too. Where topics are planted, the spectrum of the co-occurrence breaks off
    after their number, TOP finds the same number at every tolerance, or what is behind the directions in which counts
    differ cannot be told from noise; then that is the number.

    X may be larger than memory: a stream (`cotopics.corpus.open_stream`), a `Path` or a list of them,
    `cotopics.on_disk.OnDisk`, or on Dask. Of more than four million words a sample of documents is looked at, and
    `Choice.sample` says of how many.
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
    finish = Finish(steps_worth(REFINE), REFINE)
    if is_stream(X):
        with nullcontext(X) if isinstance(X, OnDisk) else pack(X) as packed:
            return choose_for(packed, finish, wanted, n_splits, seed)
    if is_on_dask(X):
        from cotopics.distributed import as_partitions

        return choose_for(as_partitions(X, None), finish, wanted, n_splits, seed)
    return choose_for(InMemory(check_counts(counted(None, X, None).X)), finish, wanted, n_splits, seed)


def choose_for(
    documents: Documents,
    finish: Finish,
    wanted: list[int] | None = None,
    n_splits: int = 1,
    seed: np.random.SeedSequence | None = None,
) -> Choice:
    """The choice for documents in memory, on disk or on a cluster, of fits that `finish` describes."""
    seed = np.random.SeedSequence(0) if seed is None else seed
    counts, _ = documents.sample(MAX_TOKENS)
    sample = counts.shape[0] if counts.shape[0] < documents.n_documents else None
    different, shared = evidence(counts)
    limit = _limit(shared, wanted)
    most = min(limit, MAX_DIRECTIONS if wanted is None else max(wanted) + EXTRA_DIRECTIONS)
    spectrum = read_spectrum(shared, most, n_splits, np.random.default_rng(seed))
    trials = _tried(different, _numbers(different, seed), finish, spectrum, wanted, limit)
    found = recommend(trials, spectrum)
    K = np.array([trial.n_topics for trial in trials])
    return Choice(
        found.n_topics, found.reason, K, _table(trials, spectrum), spectrum.values[:most], spectrum.replication[:most],
        spectrum.by_c1, found.finest, found.coarser, sample,
    )  # fmt: skip


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


def _tried(
    counts: sp.csr_array, numbers: Any, finish: Finish, spectrum: Spectrum, wanted: list[int] | None, limit: int
) -> list[Trial]:
    """The trials of the numbers that were asked for, or that the spectrum says, or that a search finds.

    Where the spectrum decides, one halving shows what the numbers are like."""
    special = None if wanted is not None else numbers_around(spectrum, min(limit, MOST))
    first = Halves(counts, numbers, finish, limit)
    progress.tell("fitting two halves of the documents", 0, None)
    with progress.listening(lambda *_: None):  # what single fits tell would hide how far the search is
        first.settle(min(limit, TYPICAL))
    if wanted is not None or special is not None:
        trials = _each(first, wanted or special or [], wanted is not None)
    else:
        trials = search(lambda K: _asked(first, K), min(limit, MOST), first.noise)
    if not trials:
        raise CooccurrenceError("half of the documents have too few words for two topics. Give more documents")
    return trials if special is not None else _in_other_halves(trials, first, numbers)


def _in_other_halves(trials: list[Trial], first: Halves, numbers: Any) -> list[Trial]:
    """The same trials, with what other halvings say about the numbers that may be the answer, until one is left."""
    for _ in range(1, MAX_HALVINGS):
        close = contenders(trials, first.noise)
        if len(close) == 1:
            break
        numbers = scattered(numbers)
        other = Halves(first.counts, numbers, first.finish, max(close), first)
        again = {K: _asked(other, K, first) for K in close}
        trials = [_together(trial, again.get(trial.n_topics)) for trial in trials]
    return trials


def _each(halves: Halves, numbers: list[int], must: bool) -> list[Trial]:
    """The trials of these numbers; those that are too large are left out, or an error."""
    trials = []
    for K in numbers:
        trial = _asked(halves, K)
        if trial is None and must:
            raise CooccurrenceError(
                f"half of the documents have too few words for {K} topics. Give more documents, or smaller candidates"
            )
        trials += [] if trial is None else [trial]
    return trials


def _asked(halves: Halves, K: int, before: Halves | None = None) -> Trial | None:
    """The trial of K topics, None where they are too many; and tell what is being looked at. before: halves in which
    numbers were tried before."""
    known = (before or halves).trials
    best = f", best so far {best_of(known).n_topics}" if known else ""
    again = "" if before is None else " in other halves"
    progress.tell(f"trying {K} topics{again}{best}", len(halves.trials), None)
    try:
        with progress.listening(lambda *_: None):
            return halves.try_number(K)
    except CooccurrenceError:
        return None


def _together(trial: Trial, other: Trial | None) -> Trial:
    return trial if other is None else trial.with_halving(other)


def _table(trials: list[Trial], spectrum: Spectrum) -> dict[str, Any]:
    best = max(trials, key=lambda trial: trial.held_out[0])
    rows = [
        {
            **trial.measures,
            "held_out": trial.held_out[0],
            "held_out_error": difference_error(best.gains[0], trial.gains[0]),
            "agreement": float(trial.agreement.mean()),
            "weakest": float(trial.agreement.min()),
            "most_back": float(trial.most_back.mean()),
            "reliable_gain": trial.score,
            "gap": spectrum.gap_at(trial.n_topics),
            "replication": spectrum.replication_at(trial.n_topics),
        }
        for trial in trials
    ]
    return {name: np.array([row[name] for row in rows]) for name in COLUMNS}
