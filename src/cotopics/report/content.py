"""A model, with or without documents → one plain record of everything that the report shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from cotopics import progress
from cotopics.choice import Choice
from cotopics.cooccur.counts import counts_over_words_of
from cotopics.corpus import Corpus
from cotopics.errors import CorpusError, ParameterError
from cotopics.layout import lift_distance, lifts, nearest_neighbours, topic_circles
from cotopics.linalg.threads import one_blas_thread
from cotopics.metrics.inputs import n_without_words, proportions
from cotopics.metrics.matching import same_words
from cotopics.models.edits import fingerprint
from cotopics.models.fitted import FittedTopics
from cotopics.report import documents, lexicon, overview, space
from cotopics.report.comparison import comparison
from cotopics.report.lexicon import Lexicon, readable, short
from cotopics.stability import Bootstrap
from cotopics.word_matching import counts_over
from cotopics.words import leading_words_of

MAX_DOTS = 1500  # words in the picture of the geometry
MAX_NEIGHBOURS = 8  # of a topic
MIN_NEIGHBOUR_LIFT = 0.01
MAX_NAME = 200  # characters of a topic's name


@one_blas_thread()  # for the reason in `metrics.evaluate`
def content(
    model: Any,
    corpus: Any = None,
    texts: Any = None,
    choice: Choice | None = None,
    compare: Any = None,
    stability: Bootstrap | None = None,
) -> dict[str, Any]:
    """What the report shows of a fitted model, in types that JSON has. The arguments are those of `write`.

    Words are positions in record["words"]. They are matched with those of the corpus by name if both know them.
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
        same_words(model, compare)  # an error now if the models cannot be compared, not after the work
    if stability is not None and not (isinstance(stability, Bootstrap) and len(stability.names) == model.n_topics_):
        raise ParameterError("stability is not of this model; give what cotopics.stability.bootstrap returned for it")
    given = None if corpus is None else _named(model, corpus)
    corpus = None if given is None else _over_words_of(model, given)
    if texts is not None:
        texts = _checked_texts(texts, corpus)
    W = None if corpus is None else proportions(model, corpus.counts)
    progress.tell("report", 1, 5)
    leading = lexicon.prominent(model)
    characteristic = lexicon.characteristic(model)
    dots = lexicon.frequent(model, MAX_DOTS)
    anchors = [[int(word) for word in group[: lexicon.MAX_ANCHORS]] for group in model.anchor_groups_ or []]
    lists = [*(topic for topic, _ in leading), *(characteristic or []), *anchors, dots]
    shown = lexicon.lexicon(model, [word for words in lists for word in words])
    progress.tell("report", 2, 5)
    record: dict[str, Any] = {
        "title": _title(model),
        "model": fingerprint(model),
        "overview": _overview(model, corpus, W),
        "choice": overview.choice_of_topics(model, choice),
        "words": lexicon.names(model, shown.ids),
        "memberships": lexicon.memberships(model, shown),
        "relevances": list(lexicon.RELEVANCES),
        "relevance": round(float(model.relevance), 1),
        "n_words": int(model.n_features_in_),
    }
    measures = record["overview"]["measures"]
    record["comparison"] = None if compare is None else _comparison(model, compare, measures, given, corpus)
    progress.tell("report", 4, 5)
    record |= _topics(model, shown, leading, characteristic, anchors)
    if stability is not None:
        _add_stability(record, stability)
    record["space"] = space.geometry(model, None if corpus is None else corpus.counts, shown, dots)
    record |= _documents(model, corpus, texts, W, record["topics"])
    progress.tell("report", 5, 5)
    return record


def _title(model: Any) -> str:
    name = (model.provenance_ or {}).get("input")
    return readable(f"Topics of {name}", 120) if isinstance(name, str) and name else "Topics"


def _overview(model: Any, corpus: Any, W: Any) -> dict[str, Any]:
    counts, labels = (None, None) if corpus is None else (corpus.counts, corpus.labels)

    notes = (model.provenance_ or {}).get("notes") or []
    notes = [str(note) for note in (*(notes if isinstance(notes, list) else []), *(corpus.notes if corpus else []))]
    found = {
        "facts": overview.facts(model, None if counts is None else counts.shape[0], list(dict.fromkeys(notes))),
        "parameters": overview.parameters(model),
        "seconds": overview.seconds(model),
        "warnings": overview.warnings(model, 0 if counts is None else n_without_words(model, counts)),
        "measures": overview.measures(model, counts, labels, W=W),
    }
    return {name: _readable(value) for name, value in found.items()}


def _topics(model: Any, shown: Lexicon, leading: Any, characteristic: Any, anchors: Any) -> dict[str, Any]:
    lift = lifts(model)
    centre, radius = topic_circles(lift, model.topic_prevalence_)
    marginal = model.topic_prevalence_ @ model.components_
    topic_names, given = model.topic_names_, model.fit_.names or [None] * model.n_topics_
    topics = []
    for k, (found, orders) in enumerate(leading):
        p = model.components_[k]
        ranked = np.argsort(-lift[k].astype(np.float32), kind="stable")
        others = [int(j) for j in ranked if j != k and lift[k, j] >= MIN_NEIGHBOUR_LIFT]
        topics.append(
            {
                "name": readable(topic_names[k], MAX_NAME),
                "given": given[k] is not None,
                "prevalence": short(model.topic_prevalence_[k], 4),
                "x": round(float(centre[k, 0]), 4),
                "y": round(float(centre[k, 1]), 4),
                "r": round(float(radius[k]), 4),
                "words": [[shown[word], short(p[word]), short(p[word] / marginal[word])] for word in found],
                "orders": orders,
                "characteristic": None
                if characteristic is None
                else [[shown[word], short(model.anchor_cooccurrence_[k, word])] for word in characteristic[k]],
                "anchors": [_evidence(model, shown, k, word) for word in (anchors[k] if anchors else [])],
                "neighbours": others[:MAX_NEIGHBOURS],
            }
        )
    between = lift[np.triu_indices(len(lift), 1)]
    return {
        "topics": topics,
        "ranking": [int(k) for k in np.argsort(-model.topic_prevalence_, kind="stable")],
        "lift": [[round(float(value), 3) for value in row] for row in lift],
        "order": nearest_neighbours(lift_distance(lift)).tolist(),
        "threshold": round(float(np.sort(between)[::-1][: len(lift)][-1]), 2) if len(between) else 0,
    }


def _add_stability(record: dict[str, Any], found: Bootstrap) -> None:
    """Intervals of prevalence, and a mark for topics that do not come back in fits of other documents."""
    for topic, row in zip(record["topics"], found.prevalence(), strict=True):
        topic["interval"] = [short(row["low"], 4), short(row["high"], 4)]
        topic["firmness"] = round(row["firmness"], 2)
    weak = np.flatnonzero(~found.is_firm)
    record["weak"] = weak.tolist()
    if len(weak):
        named = ", ".join(map(str, weak[:10])) + (", …" if len(weak) > 10 else "")
        record["overview"]["warnings"].append(
            f"Topics that do not come back when parts of the documents are fitted anew; take them with care: {named}."
        )


def _evidence(model: Any, shown: Lexicon, k: int, word: int) -> list[Any]:
    """An anchor, p(topic | anchor) and uses per million words."""
    joint = model.topic_prevalence_ * model.components_[:, word]
    share = joint[k] / joint.sum() if joint.sum() > 0 else 0.0
    return [shown[word], round(float(share), 3), short(1e6 * lexicon.frequency(model)[word])]


def _documents(model: Any, corpus: Any, texts: Any, W: Any, topics: list[dict[str, Any]]) -> dict[str, Any]:
    if corpus is None:
        return {"documents": [], "n_documents": 0, "time": None, "groups": None}
    leading = documents.leading(corpus.counts, W)
    ids = documents.chosen(len(W), [d for found in leading for d in found])
    place = {d: i for i, d in enumerate(ids)}
    find = documents.word_finder(model)
    own = [set(found) for found in leading_words_of(model, documents.N_MARKED_WORDS).tolist()]
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
        "groups": documents.by_label(corpus.labels, W),
    }


def _comparison(model: Any, other: Any, measures: Any, given: Corpus | None, corpus: Corpus | None) -> dict[str, Any]:
    """given: the documents as they were given; corpus: over the model's words, the same for both without names."""
    if given is not None and model.vocabulary_ is not None and other.vocabulary_ is not None:
        corpus = _over_words_of(other, given)
    found: dict[str, Any] = _readable(comparison(model, other, measures, corpus))
    return found


def _named(model: Any, corpus: Any) -> Corpus:
    """Documents with the names of their words; plain counts have the model's words."""
    if isinstance(corpus, Corpus):
        return corpus
    counts, known = counts_over_words_of(model, corpus), model.vocabulary_
    return Corpus(counts, [str(i) for i in range(counts.shape[1])] if known is None else list(map(str, known)))


def _over_words_of(model: Any, corpus: Corpus) -> Corpus:
    """A corpus whose columns are the model's words."""
    n_words, known, counts = model.n_features_in_, model.vocabulary_, corpus.counts
    if known is not None:
        counts, _ = counts_over(counts, corpus.vocabulary, known)
    if counts.shape[1] != n_words:
        raise ParameterError(
            f"the model is over {n_words} words and the corpus has {counts.shape[1]}; give a corpus with the same words"
        )
    if counts.shape[0] == 0:
        raise CorpusError("the corpus has no document; give some, or leave it out")
    return replace(corpus, counts=counts, vocabulary=list(map(str, range(n_words))))


def _checked_texts(texts: Any, corpus: Any) -> list[Any]:
    if corpus is None:
        raise ParameterError("texts are shown with their documents' topics; give corpus= too")
    if isinstance(texts, str):
        raise ParameterError("texts is one string; give one text for each document")
    texts = [None if isinstance(text, float) and np.isnan(text) else text for text in texts]  # missing in a dataframe
    if len(texts) != corpus.counts.shape[0]:
        raise ParameterError(f"there are {corpus.counts.shape[0]} documents and {len(texts)} texts")
    for number, text in enumerate(texts):
        if not (text is None or isinstance(text, str) or _is_list_of_words(text)):
            raise ParameterError(f"text {number} is {type(text).__name__}; give strings, lists of words, or None")
    return texts


def _is_list_of_words(text: Any) -> bool:
    return isinstance(text, list | tuple | np.ndarray) and all(isinstance(word, str) for word in text)


def _readable(value: Any) -> Any:
    """The same value, with every string cut and without invisible characters."""
    if isinstance(value, str):
        return readable(value, 400)
    if isinstance(value, list):
        return [_readable(entry) for entry in value]
    if isinstance(value, dict):
        return {key: _readable(entry) for key, entry in value.items()}
    return value
