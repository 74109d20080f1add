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
from cotopics.records import Array
from cotopics.word_matching import word_ids
from cotopics.words import rank_words, uses_of_words

N_WORDS = 3  # of a name
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
    return _joined(_leading_words(model))


def _leading_words(model: Any) -> list[list[str]]:
    """The words that set each topic apart, as they are shown."""
    relevance = min(RELEVANCE, float(model.relevance))
    P = model.components_
    ids = rank_words(P, model.topic_prevalence_, relevance, min(LOOKED_AT, P.shape[1]), uses_of_words(model))
    words = model.vocabulary_
    return [
        [f"word {i}" if words is None else str(words[i]).replace("_", " ") for i in topic if P[k, i] > 0]
        for k, topic in enumerate(ids)
    ]


def suggest_names(model: Any, X: Any, texts: Iterable[str]) -> list[str]:
    """Names made of words and of phrases: pairs of neighbouring words of the texts that set a topic apart.

    X (documents × words) are the counts of the documents and texts their texts, in the same order. Phrases are those
    that `find_phrases` finds. Each of their uses is shared out among topics by the topics of the document and of both
    words. A topic's name begins with the phrase that is most more likely in it than elsewhere (less two standard
    errors, as `words.relevances` has it), if most uses of the phrase are the topic's; words follow as in `topic_names`.
    """
    known = (model.provenance_ or {}).get("preparation") is not None
    prepare = saved_preparation(model.provenance_) if known else Preparation()
    documents = [prepare(text) for text in texts]
    W = np.asarray(model.transform(X))
    if len(documents) != len(W):
        raise CorpusError(f"there are {len(documents)} texts and {len(W)} documents; give one text for each")
    pairs = [pair for pair in find_phrases(documents, min_count=MIN_PHRASE).pairs if pair[0] != pair[1]]
    phrases = [" ".join(pair).replace("_", " ") for pair in pairs]
    leading = _leading_phrases(_uses_in_topics(model, W, documents, pairs))
    words = _leading_words(model)
    return _joined([[*(phrases[i] for i in own), *found] for own, found in zip(leading, words, strict=True)])


def _leading_phrases(uses: Array) -> list[list[int]]:
    """The phrase that leads each topic, or none: uses (n_topics, n_phrases)."""
    if not uses.sum() > 0:
        return [[] for _ in uses]
    total = uses.sum(axis=0)
    P = uses / np.maximum(uses.sum(axis=1, keepdims=True), 1e-300)
    ids = rank_words(P, uses.sum(axis=1) / uses.sum(), RELEVANCE, 1, total)[:, 0]
    return [[int(i)] if own[i] >= max(MIN_PHRASE, total[i] / 2) else [] for own, i in zip(uses, ids, strict=True)]


def _uses_in_topics(
    model: Any, W: Array, documents: Sequence[Sequence[str]], pairs: Sequence[tuple[str, str]]
) -> Array:
    """How many uses of each pair (a, b) belong to each topic (n_topics, n_pairs): ∝ W_dk B_ak B_bk in document d."""
    place = {pair: i for i, pair in enumerate(pairs)}
    uses = [(d, place[pair]) for d, words in enumerate(documents) for pair in pairwise(words) if pair in place]
    document, phrase = np.array(uses, dtype=np.int64).reshape(-1, 2).T
    ids = word_ids([] if model.vocabulary_ is None else model.vocabulary_)
    likely = np.ones((len(pairs), model.n_topics_))
    for i, pair in enumerate(pairs):
        for word in pair:
            own = model.components_[:, ids[word]] if ids.get(word, -1) >= 0 else np.zeros(0)
            likely[i] *= own / own.sum() if own.sum() > 0 else 1
    joint = W[document] * likely[phrase]
    joint /= np.maximum(joint.sum(axis=1, keepdims=True), 1e-300)
    of_pair = sp.csr_array((np.ones(len(uses)), (phrase, np.arange(len(uses)))), shape=(len(pairs), len(uses)))
    return np.asarray((of_pair @ joint).T)


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
