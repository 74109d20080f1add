"""Which words and documents to keep."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from cotopics.arrays import Array, Integers
from cotopics.corpus.corpus import Corpus
from cotopics.corpus.languages import stop_list
from cotopics.errors import CorpusError, ParameterError


def tfidf_scores(counts: Any) -> Array:
    """tf · log(floor(M/df)) for every word of counts (documents × words), by which Lee et al. 2015 rank words.

    The floor gives zero to every word in more than half of the documents, so these rank last.

    Word 0 is in one document of four, word 1 in two, word 2 in all:

    >>> import scipy.sparse as sp
    >>> tfidf_scores(sp.csr_array([[2, 0, 1], [0, 1, 1], [0, 1, 1], [0, 0, 1]])).round(3).tolist()
    [2.773, 1.386, 0.0]
    """
    return _scores(*word_frequencies(counts), counts.shape[0])


def _scores(occurrences: Array, frequency: Integers, n_documents: int) -> Array:
    return occurrences * np.log(np.maximum(n_documents // np.maximum(frequency, 1), 1))


def word_frequencies(counts: Any) -> tuple[Array, Integers]:
    """tf and df of every word of counts (documents × words): its occurrences, and the number of documents with it."""
    return counts.sum(axis=0), np.bincount(counts.indices, minlength=counts.shape[1])


def frequent_words(
    occurrences: Array,
    frequency: Integers,
    n_documents: int,
    *,
    vocabulary_size: int | None = None,
    min_documents: int | float = 1,
    max_documents: int | float | None = None,
) -> Integers:
    """Ids, ascending, of the words that `keep_words` keeps, from the tf and df of every word over n_documents."""
    least, most = document_bounds(min_documents, max_documents, n_documents)
    kept = np.flatnonzero((frequency >= least) & (frequency <= most))
    if vocabulary_size is not None and len(kept) > vocabulary_size:
        scores = _scores(occurrences, frequency, n_documents)
        ranked = kept[np.argsort(-scores[kept], kind="stable")]
        kept = np.sort(ranked[:vocabulary_size])
    if len(kept) >= 2:
        return kept
    if np.count_nonzero(frequency >= least) >= 2:
        raise CorpusError(f"all words but {len(kept)} are in more than {most} documents; raise max_documents")
    n_seen = np.count_nonzero(frequency)
    if n_seen >= 2:
        raise CorpusError(
            f"{len(kept)} of {len(frequency)} words are in {least} documents or more; lower min_documents"
        )
    raise CorpusError(
        f"the documents hold {'one word' if n_seen else 'no word'} in all, but co-occurrence needs two. Give other "
        "documents, or leave out fewer words before they are counted (stop_words)"
    )


def check_vocabulary_size(vocabulary_size: int | None) -> None:
    if vocabulary_size is not None and vocabulary_size < 2:
        raise ParameterError(f"vocabulary_size={vocabulary_size} must be at least 2")


def document_bounds(min_documents: int | float, max_documents: int | float | None, n_documents: int) -> tuple[int, int]:
    """The fewest and the most documents that a word may be in; an int is a number, a float a share of them.

    >>> document_bounds(0.1, 0.5, 30), document_bounds(2, None, 30)
    ((3, 15), (2, 30))
    """
    least = _documents("min_documents", min_documents, n_documents, math.ceil, -1e-9)  # 0.1 · 30 is slightly above 3
    most = n_documents
    if max_documents is not None:
        most = _documents("max_documents", max_documents, n_documents, math.floor, 1e-9)
        if most < least:
            raise ParameterError(
                f"max_documents={max_documents} is below min_documents={min_documents}: {most} and {least} of "
                f"{n_documents} documents. An int is a number of documents, a float a share"
            )
    return least, most


def _documents(option: str, value: Any, n_documents: int, whole: Any, slack: float) -> int:
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and value >= 0:
        return int(value)
    if isinstance(value, float | np.floating) and 0 <= value <= 1:
        return int(whole(value * n_documents + slack))
    raise ParameterError(f"{option}={value!r:.80} must be a number of documents (int) or a share of them (0.0 to 1.0)")


def keep_words(
    corpus: Corpus,
    *,
    vocabulary_size: int | None = None,
    min_documents: int | float = 1,
    max_documents: int | float | None = None,
    stop_words: str | Iterable[str] | None = None,
    min_length: int = 0,
) -> Corpus:
    """The corpus with fewer words and documents, by these filters in this order; its notes say how many each left out.

    stop_words: words to leave out, or one string that names languages, as in `Preparation`. min_documents and
    max_documents: the fewest and most documents that a word may be in, as a number (int) or a share (float).
    vocabulary_size: of the remaining words, keep this many, those with the highest tf-idf score (None: all).
    min_length: leave out documents with fewer words than this; by default all keep their rows, even without any word.

    >>> from cotopics.corpus import counts_from_baskets
    >>> corpus = counts_from_baskets([["tea", "milk"], ["milk", "salt"], ["tea"]])
    >>> keep_words(corpus, min_documents=2).vocabulary
    ['milk', 'tea']
    """
    check_vocabulary_size(vocabulary_size)
    least, most = document_bounds(min_documents, max_documents, corpus.counts.shape[0])
    n_words, notes = f"{corpus.counts.shape[1]} words", [*corpus.notes]
    if stop_words is not None:
        stop = stop_list(stop_words) if isinstance(stop_words, str) else {word.lower() for word in stop_words}
        listed = [i for i, word in enumerate(corpus.vocabulary) if word.lower() not in stop]
        notes += _note(corpus.counts.shape[1] - len(listed), n_words, "stop words")
        corpus = _with_words(corpus, listed)
    occurrences, frequency = word_frequencies(corpus.counts)
    kept = frequent_words(
        occurrences,
        frequency,
        corpus.counts.shape[0],
        vocabulary_size=vocabulary_size,
        min_documents=min_documents,
        max_documents=max_documents,
    )
    rare, common = int((frequency < least).sum()), int((frequency > most).sum())
    notes += _note(rare, n_words, f"in fewer than {least} documents")
    notes += _note(common, n_words, f"in more than {most} documents")
    notes += _note(len(frequency) - rare - common - len(kept), n_words, "with the lowest tf-idf scores")
    return keep_long(replace(_with_words(corpus, kept), notes=notes), min_length)


def _note(number: int, total: str, why: str) -> list[str]:
    return [f"{number} of {total} left out: {why}"] if number else []


def _with_words(corpus: Corpus, kept: Any) -> Corpus:
    if len(kept) == len(corpus.vocabulary):
        return corpus
    return replace(corpus, counts=corpus.counts[:, kept], vocabulary=[corpus.vocabulary[i] for i in kept])


def keep_long(corpus: Corpus, min_length: int) -> Corpus:
    """The corpus without the documents of fewer than min_length words."""
    if min_length <= 0:
        return corpus
    n_documents = corpus.counts.shape[0]
    kept = np.flatnonzero(corpus.counts.sum(axis=1) >= min_length)
    if len(kept) == 0:
        raise CorpusError(f"none of {n_documents} documents has {min_length} words or more left; lower min_length")
    if len(kept) == n_documents:
        return corpus
    notes = _note(n_documents - len(kept), f"{n_documents} documents", f"fewer than {min_length} words left in them")
    columns = {name: _entries(getattr(corpus, name), kept) for name in ("labels", "ids", "dates", "metadata")}
    return replace(corpus, counts=corpus.counts[kept], notes=[*corpus.notes, *notes], **columns)


def _entries(column: Any, kept: Integers) -> Any:
    """The entries of these documents in a column, or in each of a dict of columns."""
    if isinstance(column, dict):
        return {name: _entries(values, kept) for name, values in column.items()}
    return None if column is None else [column[i] for i in kept]


def word_spread(counts: Any) -> Array:
    """How evenly the occurrences of each word of counts (documents × words) are spread over the M documents.

    The entropy of p(document | word) divided by its largest value, −Σ p ln p / ln M: 1 for a word that is equally often
    in every document, 0 for a word in one document only.

    Below, the first word is twice in each of four documents: 1. The second is once in two of them: ln 2 / ln 4. The
    third is in one.

    >>> import scipy.sparse as sp
    >>> word_spread(sp.csr_array([[2, 1, 0], [2, 1, 0], [2, 0, 5], [2, 0, 0]])).round(6).tolist()
    [1.0, 0.5, 0.0]
    """
    occurrences, _ = word_frequencies(counts)
    p = counts.data / occurrences[counts.indices]
    entropy = np.bincount(counts.indices, -p * np.log(p), counts.shape[1])
    return entropy / math.log(max(counts.shape[0], 2))


def suggest_stop_words(corpus: Corpus, n: int = 20) -> list[str]:
    """The n words that are spread most evenly over the documents, and so say least about each; see `word_spread`.

    Look at them before you use them as `stop_words` of `keep_words` or `extra_stop_words` of a `Preparation`: in a
    corpus about one subject, its name is among them.

    >>> from cotopics.corpus import count_words
    >>> texts = ["say cat", "say dog", "say cat dog dog", "say fish"]
    >>> suggest_stop_words(count_words(texts, min_documents=1), 2)  # ln 4, ln 2, H(1/3, 2/3), 0
    ['say', 'cat']
    """
    if n < 0:
        raise ParameterError(f"n={n} must be 0 or more")
    spread = word_spread(corpus.counts).round(12)
    return [corpus.vocabulary[i] for i in np.argsort(-spread, kind="stable")[:n]]
