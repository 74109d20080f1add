"""What a fit finds is a value that never changes: functions make it, estimators keep it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from cotopics.cooccur import Cooccurrence, Implicit
from cotopics.diagnostics import unconverged_steps, unsupported_topics
from cotopics.documents import Documents, InMemory
from cotopics.errors import CooccurrenceError, ParameterError, warn_caller
from cotopics.infer import Inference, PriorAware
from cotopics.linalg.columns import columns_to_one
from cotopics.models.topic_sums import TopicSums
from cotopics.records import Array, WordIds
from cotopics.refine import ExpectationMaximisation, Refined, word_shares


@dataclass(frozen=True)
class Start:
    """Topics of a co-occurrence, before any document is read.

    Parameters
    ----------
    components : (n_topics, n_words), rows sum to one: p(word | topic)
    prevalence : (n_topics,), sums to one
    correlation : (n_topics, n_topics), symmetric
    diagnostics : what each step reported, in plain values that a file can hold
    anchor_groups : word ids, the first of each is its topic's anchor; None where a method has no anchors
    anchor_cooccurrence : (n_topics, n_words), rows sum to one: p(word | next to the anchors); None likewise
    """

    components: Array
    prevalence: Array
    correlation: Array
    diagnostics: dict[str, Any]
    anchor_groups: list[WordIds] | None = None
    anchor_cooccurrence: Array | None = None

    @property
    def n_topics(self) -> int:
        return len(self.components)

    @property
    def anchors(self) -> WordIds | None:
        return None if self.anchor_groups is None else np.array([group[0] for group in self.anchor_groups])


@dataclass(frozen=True)
class Fit(Start):
    """All that a fitted model knows: the entries of `Start`, and

    Parameters
    ----------
    background : (n_words,): p(word) in the documents; None where none were read
    usage : (n_words,), sums to one: p(word) if what a document repeats counts for less, Σ log(1 + count), where topics
        are of weighted words; else None
    inference : how documents' topics are found, a step of `cotopics.infer` with all its options
    relevance : what words are ranked by (`cotopics.words`)
    n_tokens : how many words the documents have, which says how sure probabilities are; None where it is not known
    names : what a user called the topics, None for those without a given name
    parts : where topics were merged, the topics as they were before; documents are inferred with these, and their
        shares are added up (`models/operations.py`)
    topic_of : (n_parts,): the topic that each part belongs to
    sums : what is kept of the documents, so that others can be added and these taken out; None where that cannot be
    """

    background: Array | None = None
    usage: Array | None = None
    inference: Inference = field(default_factory=PriorAware)
    relevance: float = 1.0
    n_tokens: float | None = None
    names: tuple[str | None, ...] | None = None
    parts: Start | None = None
    topic_of: WordIds | None = None
    sums: TopicSums | None = None

    @property
    def inferred(self) -> Start:
        """The topics that documents are inferred with: the parts where topics were merged."""
        return self if self.parts is None else self.parts

    def add_up(self, W: Array) -> Array:
        """Documents' shares of the inferred topics (n_documents, n_parts), added up: (n_documents, n_topics)."""
        return W if self.topic_of is None else add_columns(W, self.topic_of, self.n_topics)

    def document_words(self, *, of_parts: bool = False) -> Array:
        """p(word | a document of topic k alone) (n_words, n_topics): the topic, and the share that is background.

        of_parts: of the topics that documents are inferred with."""
        share = getattr(self.inference, "background", 0.0)
        B = (self.inferred if of_parts else self).components.T
        return B if self.background is None else (1 - share) * B + share * self.background[:, None]

    def predicted_words(self) -> Array:
        """p(word | a document of topic k alone) (n_words, n_topics), to predict words of other documents with.

        Topics of weighted words are not how often their documents use a word. So every word is made as much likelier,
        or less, as it takes for a document of all topics, each as prevalent as it is, to use it as documents did. Words
        that are in no document share what words that occur once say they should have (Good 1953)."""
        B = self.document_words()
        if self.background is None:
            return B
        if self.usage is not None:
            used = B @ self.prevalence
            B = columns_to_one(B * (self.usage / np.where(used > 0, used, 1))[:, None])
        is_unseen, n = self.background == 0, self.n_tokens or 0
        n_once = np.count_nonzero(np.rint(self.background * n) == 1)
        if not n_once or not is_unseen.any():
            return B
        mass = n_once / (n + n_once)
        return np.where(is_unseen[:, None], mass / np.count_nonzero(is_unseen), (1 - mass) * B)


def add_columns(W: Array, group_of: WordIds, n_groups: int) -> Array:
    """Columns of W (m, n), added up within groups, in their order: (m, n_groups). group_of (n,): the group of each."""
    sums = np.zeros((W.shape[0], n_groups))
    for column, group in enumerate(group_of):
        sums[:, group] += W[:, column]
    return sums


def finish(start: Start, step: Any, documents: Documents | None) -> Fit:
    """The fit that `step` (of `cotopics.refine`, or None) makes of a start by reading the documents."""
    if step is None or documents is None:
        return Fit(**vars(start))
    with clock(start.diagnostics["seconds"], "refinement"):
        words, some = documents.used
        refined = refine(step, some, start.components[:, words].T, start.prevalence)
    return refined_fit(start, refined, words, documents)


def refine(step: Any, documents: Documents, B: Array, prevalence: Array) -> Refined:
    """What a refinement, ours or a user's own, makes of topics B (n_words, n_topics)."""
    if isinstance(step, ExpectationMaximisation):
        return step(documents, B, prevalence)
    if not isinstance(documents, InMemory):
        raise ParameterError(
            "of documents that are not in memory, refine is a number of steps, or a "
            "cotopics.refine.ExpectationMaximisation"
        )
    refined = step(documents.counts, B, prevalence)
    if not isinstance(refined, Refined):
        raise ParameterError(f"refine returned {type(refined).__name__}, not a cotopics.refine.Refined")
    return refined


def refined_fit(start: Start, refined: Refined, words: WordIds, documents: Documents) -> Fit:
    """The fit with refined topics over these words; anchors stay those of the start."""
    diagnostics = {
        **start.diagnostics,
        "refinement": describe_step(refined),
        "correlation": describe_correlation(refined.A),
    }
    return Fit(
        **vars(
            replace(
                start,
                components=over_all_words(refined.B.T, words, start.components.shape[1]),
                prevalence=refined.prevalence,
                correlation=refined.A,
                diagnostics=diagnostics,
            )
        ),
        background=word_shares(documents),
    )


def documents_of(C: Cooccurrence) -> InMemory | None:
    """The documents behind a co-occurrence, where it keeps them."""
    if isinstance(C, Implicit) and C.tokens is not None and C.signs is None:
        return InMemory(C.counts())
    return None


# --- words -----------------------------------------------------------------------------------------------------------


def words_with_pairs(C: Cooccurrence, n_topics: int) -> WordIds:
    """Words that share a document with another. The others are left out of a fit and get no probability.

    A row of C sums to the word's mean frequency in documents of two tokens or more (with weighting="counts"), so it is
    zero exactly for words that are in none of those.
    """
    words = np.flatnonzero(C.row_sums() > 0)
    if n_topics > len(words):
        raise CooccurrenceError(
            f"n_topics={n_topics} is more than the {len(words)} words that occur together with others. "
            "Ask for fewer topics, or keep more words"
        )
    return words


def over_all_words(rows: Any, words: WordIds, n_words: int) -> Any:
    """Rows over some words (k, len(words)) → rows over all words (k, n_words), zero elsewhere."""
    full = np.zeros((rows.shape[0], n_words))
    full[:, words] = rows
    return full


def in_enough_documents(C: Cooccurrence, name: str, least: Any) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Mask of the words in as many documents as parameter `name` says: a number (int) or a share (float)."""
    if not isinstance(least, int | float | np.integer | np.floating) or isinstance(least, bool) or not least >= 0:
        raise ParameterError(f"{name}={least!r} must be a number of documents or a share of them")
    if least == 0:
        return np.ones(C.shape[0], dtype=bool)
    if isinstance(least, float | np.floating) and least > 1:
        raise ParameterError(f"{name}={least} is a share above 1; give an int for a number of documents")
    if C.documents is None:
        raise ParameterError(
            f"{name} needs to know which documents words are in, and this co-occurrence does not; "
            "fit documents or an accumulator, or set it to 0"
        )
    if isinstance(least, float | np.floating):
        least = least * C.documents.n_used
    return np.asarray(C.documents.frequency >= least)


# --- diagnostics -----------------------------------------------------------------------------------------------------


@contextmanager
def clock(seconds: dict[str, float], name: str) -> Iterator[None]:
    """Note how long the block took."""
    start = time.perf_counter()
    yield
    seconds[name] = round(time.perf_counter() - start, 4)


def describe_step(step: Any) -> dict[str, Any]:
    """What a step's record says about how it went, in plain numbers that a file can hold."""
    history = {name: [float(value) for value in values] for name, values in step.history.items()}
    described = {"n_iter": int(step.n_iter), "converged": bool(step.converged), "history": history}
    return {**described, "reason": step.reason} if getattr(step, "reason", "") else described


def describe_correlation(A: Any, unmet: Sequence[int] = ()) -> dict[str, Any]:
    """What can be said of A; `unmet` are topics whose anchors say nothing of it."""
    least = float(np.linalg.eigvalsh(A)[0])
    found = {"sum": float(A.sum()), "least_entry": float(A.min()), "least_eigenvalue": least}
    return {**found, "without_anchors": list(unmet)} if unmet else found


def describe_input(C: Cooccurrence, n_words: int, words: WordIds) -> dict[str, Any]:
    """Documents and words that a fit used and left out."""
    documents = C.documents
    return {
        "documents": None if documents is None else {"used": documents.n_used, "left_out": documents.n_left_out},
        "words": {"used": len(words), "without_pairs": n_words - len(words)},
        "representation": "implicit" if isinstance(C, Implicit) else type(C).__name__.lower(),
    }


def warn_of(fit: Fit, may_stop_early: Sequence[str]) -> None:
    """Say what a user should know: steps that did not converge, topics that the data do not support."""
    for finding in unconverged_steps(fit.diagnostics, may_stop_early):
        warn_caller(str(finding), ConvergenceWarning)
    for finding in unsupported_topics(fit.diagnostics, fit.n_topics):
        warn_caller(str(finding))
