"""A model, and documents where there are some → one plain record of what the report shows."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from cotopics import progress
from cotopics.choose import Choice
from cotopics.cooccur.counts import counts_over_words_of
from cotopics.corpus import Corpus
from cotopics.errors import CorpusError, ParameterError
from cotopics.linalg.threads import one_blas_thread
from cotopics.metrics.inputs import proportions
from cotopics.metrics.matching import same_words
from cotopics.models.fitted import FittedTopics
from cotopics.report import documents, layout, overview, space, words
from cotopics.report.comparison import comparison
from cotopics.report.words import readable, short
from cotopics.word_matching import counts_over

DOTS = 1500  # words in the picture of the geometry
NEIGHBOURS = 8  # of a topic
MEETS = 0.01  # lift of the least of them
NAMING = 3  # words that stand for a topic


@one_blas_thread()  # as `metrics.evaluate`
def content(
    model: Any, corpus: Any = None, texts: Any = None, choice: Choice | None = None, compare: Any = None
) -> dict[str, Any]:
    """What the report shows of a fitted model: dicts, lists, strings, numbers and None, as JSON has them.

    corpus: a `Corpus`, or counts (documents × words); words are matched by name where both know them. texts: the
    documents' texts, or lists of words, one for each document. choice: what `choose_n_topics` found (None: what the
    model found where it chose its number itself). compare: another fitted model, to be shown beside this one. Words
    are numbers: places in "words".
    """
    check_is_fitted(model, "components_")
    if choice is not None and not isinstance(choice, Choice):
        raise ParameterError(
            f"choice is {type(choice).__name__}; give what choose_n_topics returned, or Choice.load(file)"
        )
    if compare is not None:
        if not isinstance(compare, FittedTopics):
            raise ParameterError(f"compare is {type(compare).__name__}; give a fitted model, or load(file)")
        check_is_fitted(compare, "components_")
        same_words(model, compare)  # what cannot be compared is said before the work
    given = None if corpus is None else _named(model, corpus)
    corpus = None if given is None else _over_words_of(model, given)
    if texts is not None:
        texts = _checked_texts(texts, corpus)
    W = None if corpus is None else proportions(model, corpus.counts)
    progress.tell("report", 1, 5)
    leading = words.prominent(model)
    beside = words.characteristic(model)
    dots = words.frequent(model, DOTS)
    groups = model.anchor_groups_ or [[] for _ in leading]
    needed = [word for topic, _ in leading for word in topic] + [word for topic in beside or [] for word in topic]
    needed += [int(word) for group in groups for word in group[: words.ANCHORS]] + dots
    shown = words.lexicon(model, needed)
    progress.tell("report", 2, 5)
    record: dict[str, Any] = {
        "title": _title(model),
        "overview": _overview(model, corpus, W),
        "choice": overview.choice_of_topics(model, choice),
        "words": words.names(model, shown.ids),
        "memberships": words.memberships(model, shown),
        "relevances": list(words.RELEVANCES),
        "relevance": round(round(float(model.relevance), 1), 1),
        "n_words": int(model.n_features_in_),
    }
    measures = record["overview"]["measures"]
    record["comparison"] = None if compare is None else _comparison(model, compare, measures, given, corpus)
    progress.tell("report", 4, 5)
    record |= _topics(model, shown, leading, beside, groups)
    record["space"] = space.geometry(model, None if corpus is None else corpus.counts, shown, dots)
    record |= _documents(model, corpus, texts, W, record["topics"])
    progress.tell("report", 5, 5)
    return record


def _title(model: Any) -> str:
    name = (model.provenance_ or {}).get("input")
    return readable(f"Topics of {name}", 120) if isinstance(name, str) and name else "Topics"


def _overview(model: Any, corpus: Any, W: Any) -> dict[str, Any]:
    counts, labels = (None, None) if corpus is None else (corpus.counts, corpus.labels)
    known = model.components_.sum(axis=0) > 0
    without = 0 if counts is None else int((counts[:, known].sum(axis=1) == 0).sum())
    notes = (model.provenance_ or {}).get("notes") or []
    notes = [str(note) for note in (*(notes if isinstance(notes, list) else []), *(corpus.notes if corpus else []))]
    found = {
        "facts": overview.facts(model, None if counts is None else counts.shape[0], list(dict.fromkeys(notes))),
        "parameters": overview.parameters(model),
        "seconds": overview.seconds(model),
        "warnings": overview.warnings(model, without),
        "measures": overview.measures(model, counts, labels, W=W),
    }
    return {name: _readable(value) for name, value in found.items()}


def _topics(model: Any, shown: words.Lexicon, leading: Any, beside: Any, groups: Any) -> dict[str, Any]:
    lift = layout.lifts(np.asarray(model.topic_correlation_))
    centre, radius = layout.topic_map(lift, model.topic_prevalence_)
    marginal = model.topic_prevalence_ @ model.components_
    named = model.top_words(NAMING, None, range(model.n_features_in_))
    topics = []
    for k, (found, orders) in enumerate(leading):
        p = model.components_[k]
        ranked = np.argsort(-lift[k].astype(np.float32), kind="stable")
        others = [int(j) for j in ranked if j != k and lift[k, j] >= MEETS]
        topics.append(
            {
                "name": " ".join(words.names(model, [int(word) for word in named[k]])),
                "prevalence": short(model.topic_prevalence_[k], 4),
                "x": round(float(centre[k, 0]), 4),
                "y": round(float(centre[k, 1]), 4),
                "r": round(float(radius[k]), 4),
                "words": [[shown[word], short(p[word]), short(p[word] / marginal[word])] for word in found],
                "orders": orders,
                "characteristic": None
                if beside is None
                else [[shown[word], short(model.anchor_cooccurrence_[k, word])] for word in beside[k]],
                "anchors": [_evidence(model, shown, k, int(word)) for word in groups[k][: words.ANCHORS]],
                "neighbours": others[:NEIGHBOURS],
            }
        )
    between = lift[np.triu_indices(len(lift), 1)]
    return {
        "topics": topics,
        "ranking": [int(k) for k in np.argsort(-model.topic_prevalence_, kind="stable")],
        "lift": [[round(float(value), 3) for value in row] for row in lift],
        "order": layout.cluster_order(lift),
        "threshold": round(float(np.sort(between)[::-1][: len(lift)][-1]), 2) if len(between) else 0,
    }


def _evidence(model: Any, shown: words.Lexicon, k: int, word: int) -> list[Any]:
    """An anchor, p(topic | anchor) and uses per million words."""
    joint = model.topic_prevalence_ * model.components_[:, word]
    share = joint[k] / joint.sum() if joint.sum() > 0 else 0.0
    return [shown[word], round(float(share), 3), short(1e6 * words.frequency(model)[word])]


def _documents(model: Any, corpus: Any, texts: Any, W: Any, topics: list[dict[str, Any]]) -> dict[str, Any]:
    if corpus is None:
        return {"documents": [], "n_documents": 0, "time": None}
    leading = documents.leading(corpus.counts, W)
    ids = documents.chosen(len(W), [d for found in leading for d in found])
    place = {d: i for i, d in enumerate(ids)}
    find = documents.word_finder(model)
    own = [set(map(int, found)) for found in model.top_words(documents.MARKED, None, range(model.n_features_in_))]
    for k, topic in enumerate(topics):
        topic["documents"] = [
            {
                "document": place[d],
                "share": round(float(W[d, k]), 3),
                "text": documents.excerpt(model, None if texts is None else texts[d], W[d], k, own[k], find),
            }
            for d in leading[k]
        ]
    return {
        "documents": documents.described(model, corpus, texts, W, ids),
        "n_documents": len(W),
        "time": documents.over_time(corpus.dates, W),
    }


def _comparison(model: Any, other: Any, measures: Any, given: Corpus | None, corpus: Corpus | None) -> dict[str, Any]:
    """given: the documents as they came; corpus: over the model's words, which are the other's where names lack."""
    if given is not None and model.vocabulary_ is not None and other.vocabulary_ is not None:
        corpus = _over_words_of(other, given)
    found: dict[str, Any] = _readable(comparison(model, other, measures, corpus))
    return found


def _named(model: Any, corpus: Any) -> Corpus:
    """Documents with the names of their words: counts alone have the model's."""
    if isinstance(corpus, Corpus):
        return corpus
    counts, known = counts_over_words_of(model, corpus), model.vocabulary_
    return Corpus(counts, [str(i) for i in range(counts.shape[1])] if known is None else list(map(str, known)))


def _over_words_of(model: Any, corpus: Corpus) -> Corpus:
    """A corpus whose columns are the model's words."""
    n_words, known = model.n_features_in_, model.vocabulary_
    if known is not None:
        counts, _ = counts_over(corpus.counts, corpus.vocabulary, known)
    else:
        counts = corpus.counts
    if counts.shape[1] != n_words:
        raise ParameterError(f"the model is over {n_words} words and the corpus has {counts.shape[1]}; give the same")
    if counts.shape[0] == 0:
        raise CorpusError("the corpus has no document; give some, or leave it out")
    return Corpus(
        counts, list(map(str, range(n_words))), corpus.labels, corpus.notes, corpus.ids, corpus.dates, corpus.metadata
    )


def _checked_texts(texts: Any, corpus: Any) -> list[Any]:
    if corpus is None:
        raise ParameterError("texts are shown with their documents' topics; give corpus= too")
    if isinstance(texts, str):
        raise ParameterError("texts is one string; give one text for each document")
    texts = [None if isinstance(text, float) and np.isnan(text) else text for text in texts]  # as a dataframe has none
    if len(texts) != corpus.counts.shape[0]:
        raise ParameterError(f"there are {corpus.counts.shape[0]} documents and {len(texts)} texts")
    for number, text in enumerate(texts):
        if not (text is None or isinstance(text, str) or _is_list_of_words(text)):
            raise ParameterError(f"text {number} is {type(text).__name__}; give strings, lists of words, or None")
    return texts


def _is_list_of_words(text: Any) -> bool:
    return isinstance(text, list | tuple | np.ndarray) and all(isinstance(word, str) for word in text)


def _readable(value: Any) -> Any:
    """The same with every string fit to be shown."""
    if isinstance(value, str):
        return readable(value, 400)
    if isinstance(value, list):
        return [_readable(entry) for entry in value]
    if isinstance(value, dict):
        return {key: _readable(entry) for key, entry in value.items()}
    return value
