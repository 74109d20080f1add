"""Names of topics: given by a user, or made of the words that set a topic apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.corpus.phrases import find_phrases
from cotopics.corpus.preparation import Preparation, saved_preparation
from cotopics.errors import CorpusError
from cotopics.linalg.sparse_matrices import row_sums
from cotopics.records import Array
from cotopics.words import rank_words, uses_of_words

N_WORDS = 3  # of a name
PHRASE_RELEVANCE = 0.3  # the same where there are phrases, which are rarer than words
RELEVANCE = 0.6  # what words of names are ranked by: a name tells topics apart, and probability alone does not
LOOKED_AT = 20  # leading words from which a name is made
SAME_STEM = 3  # letters at least that two forms of a word share: car, cars
MAX_ENDING = 3  # letters that one form has more than another; fewer for short words
MIN_PHRASE = 10  # times that a phrase is in the texts


def topic_names(model: Any) -> list[str]:
    """One name for each topic: the one given, or its leading words, such as "orbit, space, solar"; no two are equal."""
    return _filled(model.fit_.names, made_names(model))


def made_names(model: Any) -> list[str]:
    """Names made of the words that set topics apart, whatever names were given."""
    relevance = min(RELEVANCE, float(model.relevance))
    P = model.components_
    ids = rank_words(P, model.topic_prevalence_, relevance, min(LOOKED_AT, P.shape[1]), uses_of_words(model))
    words = model.vocabulary_
    named = [
        [f"word {i}" if words is None else str(words[i]).replace("_", " ") for i in topic if P[k, i] > 0]
        for k, topic in enumerate(ids)
    ]
    return _joined(named)


def suggest_names(model: Any, X: Any, texts: Iterable[str]) -> list[str]:
    """Names made of words and phrases: pairs of neighbouring words of the texts that set a topic apart.

    X (documents × words) are the counts of the documents and texts their texts, in the same order. Candidates are the
    model's words and the phrases that `find_phrases` finds; they are ranked by how much more likely they are in a topic
    than elsewhere, less two standard errors.
    """
    known = (model.provenance_ or {}).get("preparation") is not None
    prepare = saved_preparation(model.provenance_) if known else Preparation()
    documents = [prepare(text) for text in texts]
    W = np.asarray(model.transform(X))
    if len(documents) != len(W):
        raise CorpusError(f"there are {len(documents)} texts and {len(W)} documents; give one text for each")
    phrases = find_phrases(documents, min_count=MIN_PHRASE)
    pairs = {pair: i for i, pair in enumerate(phrases.pairs)}
    counts = sp.hstack([sp.csr_array(X), _phrase_counts(documents, pairs)], format="csr")
    words = [f"word {i}" for i in range(model.n_features_in_)] if model.vocabulary_ is None else model.vocabulary_
    candidates = [str(word).replace("_", " ") for word in words] + [" ".join(pair) for pair in pairs]
    uses = np.asarray(counts.sum(axis=0), dtype=float).ravel()
    joint = _tokens_of_topics(model, sp.csr_array(X), W, counts)
    prevalence = joint.sum(axis=1) / joint.sum()
    P = joint / np.maximum(joint.sum(axis=1, keepdims=True), 1e-300)
    ids = rank_words(P, prevalence, PHRASE_RELEVANCE, LOOKED_AT, uses)
    return _joined([[candidates[i] for i in topic] for topic in ids])


def _tokens_of_topics(model: Any, X: Any, W: Array, counts: Any) -> Array:
    """How many tokens of words and phrases each topic has (n_topics, n_candidates).

    Words go to topics as the model says; a phrase goes where its documents do."""
    n_words = X.shape[1]
    words = model.components_ * model.topic_prevalence_[:, None] * float(row_sums(sp.csr_array(X)).sum())
    return np.hstack([words, np.asarray((sp.csr_array(counts)[:, n_words:].T @ W).T)])


def _phrase_counts(documents: Sequence[Sequence[str]], pairs: dict[tuple[str, str], int]) -> sp.csr_array:
    """How often each pair of neighbouring words is in each document, (n_documents, n_pairs)."""
    rows, columns = [], []
    for row, words in enumerate(documents):
        for pair in pairwise(words):
            if pair in pairs:
                rows.append(row)
                columns.append(pairs[pair])
    counts = sp.coo_array((np.ones(len(rows)), (rows, columns)), shape=(len(documents), len(pairs)))
    return sp.csr_array(counts)


def _joined(candidates: list[list[str]]) -> list[str]:
    """A name of the first few words of each list, without two forms of one word; longer where two would be equal."""
    lists = [_different(words) for words in candidates]
    lengths = [N_WORDS] * len(lists)
    while True:
        names = [", ".join(words[:n]) or "no words" for words, n in zip(lists, lengths, strict=True)]
        same = [k for k, name in enumerate(names) if names.count(name) > 1 and lengths[k] < len(lists[k])]
        if not same:
            return _numbered(names)
        for k in same:
            lengths[k] += 1


def _different(words: Sequence[str]) -> list[str]:
    """The words without those that are another form, or a part, of one before; a phrase takes its words' place."""
    kept: list[str] = []
    for word in words:
        parts = [i for i, other in enumerate(kept) if other in word.split(" ")]
        if parts and " " in word:
            kept[parts[0]] = word
            kept = [other for i, other in enumerate(kept) if i not in parts[1:]]
        elif not any(_same_word(word, part) for other in kept for part in (other, *other.split(" "))):
            kept.append(word)
    return kept


def _same_word(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    ending, most = long[len(short) :], min(MAX_ENDING, len(short) - SAME_STEM + 1)
    return short == long or (long.startswith(short) and ending.isalpha() and len(ending) <= most)


def _filled(given: Sequence[str | None] | None, made: list[str]) -> list[str]:
    return made if given is None else [name or own for name, own in zip(given, made, strict=True)]


def _numbered(names: list[str]) -> list[str]:
    """Names of which still equal ones got a number."""
    return [f"{name} ({names[:k].count(name) + 1})" if names.count(name) > 1 else name for k, name in enumerate(names)]
