"""Texts → counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.corpus.record import Corpus
from cotopics.corpus.vocabulary import keep_words
from cotopics.errors import CorpusError, ParameterError

WORD = r"[^\W\d_]{2,}"  # runs of two letters or more, in any script
NO_WORD = "the texts hold no word of two letters or more that is not a stop word"


def count_words(
    texts: Iterable[str],
    *,
    labels: list[Any] | None = None,
    stop_words: str | Iterable[str] | None = "english",
    min_documents: int = 5,
    vocabulary_size: int | None = None,
) -> Corpus:
    """Count words in texts: lower case, runs of letters, without stop words and rare words.

    stop_words: "english", your own, or None. min_documents: words in fewer documents are left out. vocabulary_size:
    keep that many words, those with the highest tf-idf score (None: all).

    >>> corpus = count_words(["The cat sat.", "A cat, a dog!"], min_documents=1)
    >>> corpus.vocabulary, corpus.counts.toarray().tolist()
    (['cat', 'dog', 'sat'], [[1, 0, 1], [1, 1, 0]])
    """
    if isinstance(texts, str):
        raise CorpusError("texts is one string; give a list with one string per document")
    vectorizer = _vectorizer(stop_words)
    try:
        counts = sp.csr_array(vectorizer.fit_transform(texts))
    except ValueError as error:
        if "empty vocabulary" not in str(error):
            raise
        raise CorpusError(NO_WORD) from None
    corpus = Corpus(counts, [str(word) for word in vectorizer.get_feature_names_out()], labels)
    return keep_words(corpus, vocabulary_size=vocabulary_size, min_documents=min_documents)


def tokenizer(stop_words: str | Iterable[str] | None = "english") -> Callable[[str], list[str]]:
    """What gives the words of a text in their order, by the same rule as `count_words`.

    >>> tokenizer()("A cat, a DOG and a cat!")
    ['cat', 'dog', 'cat']
    """
    return _vectorizer(stop_words).build_analyzer()


def _vectorizer(stop_words: str | Iterable[str] | None) -> Any:
    from sklearn.feature_extraction.text import CountVectorizer

    if isinstance(stop_words, str) and stop_words != "english":
        raise ParameterError(f"stop_words={stop_words!r} is unknown; choose 'english', None, or give the words")
    chosen = stop_words if stop_words is None or isinstance(stop_words, str) else sorted(stop_words)
    return CountVectorizer(token_pattern=WORD, stop_words=chosen, dtype=np.int64)
