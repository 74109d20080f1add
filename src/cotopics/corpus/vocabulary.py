"""Which words to keep."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.corpus.record import Corpus
from cotopics.errors import CorpusError, ParameterError

Array = np.ndarray[Any, np.dtype[np.float64]]
Whole = np.ndarray[Any, np.dtype[np.integer[Any]]]


def tfidf_scores(counts: Any) -> Array:
    """tf · log(floor(M/df)) for every word of counts (documents × words); how 001's authors rank words.

    The floor gives zero to every word in more than half of the documents, so these rank last.
    """
    return _scores(*word_frequencies(counts), counts.shape[0])


def _scores(occurrences: Array, frequency: Whole, n_documents: int) -> Array:
    return occurrences * np.log(np.maximum(n_documents // np.maximum(frequency, 1), 1))


def word_frequencies(counts: Any) -> tuple[Array, Whole]:
    """tf and df of every word of counts (documents × words): its occurrences, and the documents that it is in."""
    return counts.sum(axis=0), np.bincount(counts.indices, minlength=counts.shape[1])


def frequent_words(
    occurrences: Array,
    frequency: Whole,
    n_documents: int,
    *,
    vocabulary_size: int | None = None,
    min_documents: int = 1,
) -> Whole:
    """Ids, ascending, of the words that `keep_words` keeps, from the tf and df of every word over n_documents."""
    kept = np.flatnonzero(frequency >= min_documents)
    if vocabulary_size is not None and len(kept) > vocabulary_size:
        scores = _scores(occurrences, frequency, n_documents)
        ranked = kept[np.argsort(-scores[kept], kind="stable")]
        kept = np.sort(ranked[:vocabulary_size])
    if len(kept) < 2:
        n_seen = np.count_nonzero(frequency)
        if n_seen < 2:
            raise CorpusError(
                f"the documents hold {'one word' if n_seen else 'no word'} in all, and co-occurrence takes two. Give "
                "other documents, or leave fewer words out before they are counted (stop_words)"
            )
        raise CorpusError(
            f"{len(kept)} of {len(frequency)} words are in {min_documents} documents or more; lower min_documents"
        )
    return kept


def check_vocabulary_size(vocabulary_size: int | None) -> None:
    if vocabulary_size is not None and vocabulary_size < 2:
        raise ParameterError(f"vocabulary_size={vocabulary_size} must be at least 2")


def keep_words(corpus: Corpus, *, vocabulary_size: int | None = None, min_documents: int = 1) -> Corpus:
    """The corpus with only the words in at least `min_documents` documents, and of these the `vocabulary_size` with
    the highest tf-idf score (None: all). Documents keep their places, even those that lose every word."""
    check_vocabulary_size(vocabulary_size)
    counts = corpus.counts
    kept = frequent_words(
        *word_frequencies(counts), counts.shape[0], vocabulary_size=vocabulary_size, min_documents=min_documents
    )
    dropped = counts.shape[1] - len(kept)
    notes = [*corpus.notes, f"{dropped} of {counts.shape[1]} words left out"] if dropped else corpus.notes
    return Corpus(counts[:, kept], [corpus.vocabulary[i] for i in kept], corpus.labels, notes)
