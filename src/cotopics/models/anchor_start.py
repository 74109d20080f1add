"""Topics by anchor words: rectify the co-occurrence, choose anchors, express every word by them (Lee et al. 2015).

`AnchorWords` is these steps with a user's options; `TopicModel` starts from them, with options of its own.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cotopics.anchors import resolve_groups
from cotopics.cooccur import Cooccurrence, Sketch, represent
from cotopics.correlation import topic_correlation
from cotopics.errors import CooccurrenceError, ParameterError
from cotopics.models.fit import (
    Start,
    clock,
    describe_correlation,
    describe_input,
    describe_step,
    over_all_words,
    words_with_pairs,
)
from cotopics.records import Anchors, Topics, WordIds
from cotopics.rectify import DiagonalCompletion
from cotopics.word_matching import word_ids

FULL_MATRIX_LIMIT = 4 << 30  # bytes of a full words × words matrix that nobody asked for by name
RESULT_COPIES = 8  # arrays of words × topics at the end: the factor, its product with anchors, memberships, topics, ...


def all_words(C: Cooccurrence, words: WordIds, n_topics: int) -> WordIds:
    return words


@dataclass(frozen=True)
class Recipe:
    """How topics are found by anchor words.

    Parameters
    ----------
    n_topics : int
    rectifier, selector, recovery : step objects
        The rectifier may be None.
    candidates : function of C and n_topics
        Mask (n_words,) of the words that the selector may choose.
    given : list of arrays of word ids
        Anchors of the first topics, given by the user; a group acts as one merged word.
    words : function of C, the words that occur together with others, and n_topics
        The words to look at, in the order in which steps see them.
    representation : str
        The form of C that the steps work on, see `AnchorWords`.
    """

    n_topics: int
    rectifier: Any
    selector: Any
    recovery: Any
    candidates: Callable[[Cooccurrence, int], Any]
    given: tuple[WordIds, ...] = ()
    words: Callable[[Cooccurrence, WordIds, int], WordIds] = all_words
    representation: str = "auto"


def anchor_start(C: Cooccurrence, recipe: Recipe) -> Start:
    """The topics that a recipe finds in a co-occurrence."""
    n_topics, n_words = recipe.n_topics, C.shape[0]
    paired = words_with_pairs(C, n_topics)
    words = recipe.words(C, paired, n_topics)
    position = np.full(n_words, -1)
    position[words] = np.arange(len(words))
    given = [position[group] for group in recipe.given]
    candidates = position[words[recipe.candidates(C, n_topics)[words]]]
    seconds: dict[str, float] = {}

    with clock(seconds, "cooccurrence"):
        C = C if np.array_equal(words, np.arange(n_words)) else C.restrict(words)
        C, memory = _represented(C, recipe)
    with clock(seconds, "rectification"):
        rectified = None if recipe.rectifier is None else recipe.rectifier(C, n_topics)
        C_rect = C if rectified is None else rectified.C
    with clock(seconds, "anchors"):
        anchors: Anchors = recipe.selector(C_rect, n_topics, candidates=candidates, given=given)
    with clock(seconds, "recovery"):
        topics: Topics = recipe.recovery(C_rect, anchors)
        correlation = topic_correlation(C_rect, anchors, topics)

    rows = anchors.merged_rows(C_rect.nonnegative_rows(anchors.all_words))
    return Start(
        components=over_all_words(topics.B.T, words, n_words),
        prevalence=topics.prevalence,
        correlation=correlation.A,
        anchor_groups=[words[group] for group in anchors.groups],
        anchor_cooccurrence=over_all_words(rows / rows.sum(axis=1, keepdims=True), words, n_words),
        diagnostics={
            **describe_input(C, n_words, paired),
            "rare_words": len(paired) - len(words),
            "expected_bytes": memory,
            "rectification": None if rectified is None else describe_step(rectified),
            "anchors": {"rank": anchors.rank, **describe_step(anchors)},
            "recovery": describe_step(topics),
            "correlation": describe_correlation(correlation.A, correlation.isolated),
            "seconds": seconds,
        },
    )


def before_and_after(
    C: Cooccurrence, recipe: Recipe, *, most_full: int
) -> tuple[WordIds, Cooccurrence, Cooccurrence] | None:
    """The words that a recipe looks at, and their co-occurrence before and after rectification.

    For pictures: found anew rather than kept, as a model's file would grow by words that nobody looks at. None where
    there is no rectifier. An error where it works on a full matrix of more words than `most_full`.
    """
    if recipe.rectifier is None:
        return None
    words = recipe.words(C, words_with_pairs(C, recipe.n_topics), recipe.n_topics)
    if getattr(recipe.rectifier, "needs_full_matrix", False) and len(words) > most_full:
        raise CooccurrenceError(f"{type(recipe.rectifier).__name__} of {len(words)} words is too much work to repeat")
    C, _ = _represented(C.restrict(words), recipe)
    return words, C, recipe.rectifier(C, recipe.n_topics).C


def given_groups(anchors: Any, C: Cooccurrence, vocabulary: Any, n_topics: int) -> tuple[WordIds, ...]:
    """Groups of word ids from the anchors that the user gave, or an error where a fit cannot use them."""
    if anchors is None:
        return ()
    groups = resolve_groups(anchors, C.shape[0], None if vocabulary is None else word_ids(vocabulary))
    if len(groups) > n_topics:
        raise ParameterError(f"anchors are given for {len(groups)} topics, and n_topics={n_topics}")
    has_pairs = C.row_sums() > 0
    for word in np.concatenate(groups) if groups else []:
        if not has_pairs[word]:
            name = word if vocabulary is None else repr(vocabulary[word])
            raise ParameterError(f"anchor {name} never occurs together with another word; choose another")
    return tuple(groups)


def _represented(C: Cooccurrence, recipe: Recipe) -> tuple[Cooccurrence, int]:
    """C in the form asked for, and the bytes that the fit is expected to take; an error before too many are."""
    rectifier = recipe.rectifier
    if recipe.representation != "dense":
        check_full_matrix(C.shape[0], rectifier, ", or insist with representation='dense'")
    if isinstance(C, Sketch) and (rectifier is None or isinstance(rectifier, DiagonalCompletion)):
        raise ParameterError("a sketch has entries below zero, which must be rectified; use rectifier='enn'")
    C = C if recipe.representation == "sketch" else represent(C, recipe.representation)
    return C, expected_bytes(C, rectifier, recipe.n_topics)


def check_full_matrix(n_words: int, rectifier: Any, remedy: str = "") -> None:
    """An error if a rectifier would form a full matrix of more bytes than may be taken unasked."""
    limit, needed = largest_full_matrix(), 8 * n_words**2
    if getattr(rectifier, "needs_full_matrix", False) and needed > limit:
        raise CooccurrenceError(
            f"{type(rectifier).__name__} works on the full {n_words} × {n_words} matrix, "
            f"{needed / 2**30:.1f} GiB, and {limit / 2**30:.1f} GiB may be taken unasked. Use "
            f"rectifier='enn', which comes close to it and never forms it, keep fewer words{remedy}"
        )


# --- memory ----------------------------------------------------------------------------------------------------------


def expected_bytes(C: Cooccurrence, rectifier: Any, n_topics: int) -> int:
    """Bytes that a fit holds at its fullest: the co-occurrence, what the rectifier works on, and the topics."""
    n_words = C.shape[0]
    work = rectifier.memory(n_words, n_topics) if hasattr(rectifier, "memory") else 0
    return C.nbytes + max(work, RESULT_COPIES * 8 * n_words * n_topics)


def largest_full_matrix() -> int:
    """Bytes that a full matrix may take unasked: 4 GiB, or half of what is free where that is less."""
    return min(FULL_MATRIX_LIMIT, available_bytes() // 2)


def available_bytes() -> int:
    """Memory that this process can still get, as far as the system says; a very large number where it does not."""
    free = [math.inf]
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        free += [int(line.split()[1]) << 10 for line in meminfo.read_text().splitlines() if "MemAvailable" in line]
    cgroup = Path("/sys/fs/cgroup")  # a container's share of the machine
    try:
        most = (cgroup / "memory.max").read_text().strip()
        if most != "max":
            free.append(max(int(most) - int((cgroup / "memory.current").read_text()), 0))
    except OSError:
        pass  # not in one
    try:
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit != resource.RLIM_INFINITY:
            used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
            free.append(max(limit - used, 0))
    except (ImportError, OSError):
        pass  # not every system has limits to read
    least = min(free)
    return 1 << 62 if least == math.inf else int(least)
