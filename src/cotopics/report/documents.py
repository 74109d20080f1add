"""The documents of a report: which are shown, their excerpts with marked words, and topics over time."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from scipy import stats

from cotopics.corpus.preparation import saved_preparation
from cotopics.errors import ParameterError
from cotopics.layout import shares_by_period
from cotopics.records import Array
from cotopics.report.lexicon import MAX_LETTERS, names, readable, short

MAX_DOCUMENTS = 1500  # that can be searched
N_LEADING = 5  # documents of a topic
SNIPPET_LENGTH = 240  # characters of a document
EXCERPT_LENGTH = 700  # characters of a leading document
SCANNED_LENGTH = 10_000  # characters that are searched for the best excerpt
N_SNIPPET_WORDS = 20  # of a document without a text
N_MARKED_WORDS = 150  # leading words of a topic, which are marked in its documents
MIN_SHARE = 0.03  # of a topic that is shown for a document
MIN_LEADING_LENGTH = 20  # words of a leading document, if there are documents that long
MAX_LABELS = 60  # whose mean shares are shown
MAX_PERIODS = 60  # if periods without documents are shown
LINE_BREAKS = re.compile(r"\s*\n\s*")
LETTERS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")

Text = str | Sequence[str] | None


def leading(counts: Any, W: Array) -> list[list[int]]:
    """For each topic, the documents with the largest share of it, among those that are not too short."""
    length = np.asarray(counts.sum(axis=1))
    least = min(MIN_LEADING_LENGTH, float(np.median(length[length > 0])) if (length > 0).any() else 0)
    long = np.flatnonzero((length >= least) & (length > 0))
    ranked = np.argsort(-W[long].astype(np.float32), axis=0, kind="stable")[:N_LEADING]
    return [[int(long[i]) for i in ranked[:, k] if W[long[i], k] >= MIN_SHARE] for k in range(W.shape[1])]


def chosen(n_documents: int, needed: list[int]) -> list[int]:
    """The needed documents and an even sample of the others, about MAX_DOCUMENTS, in their order."""
    if n_documents <= MAX_DOCUMENTS:
        return list(range(n_documents))
    evenly = np.linspace(0, n_documents - 1, max(MAX_DOCUMENTS - len(set(needed)), 1)).astype(int)
    return sorted({*needed, *evenly.tolist()})


def described(model: Any, corpus: Any, texts: Any, W: Array, ids: list[int]) -> list[dict[str, Any]]:
    """One record for each of these documents."""
    found = []
    for d in ids:
        shares = np.argsort(-W[d].astype(np.float32), kind="stable")
        record: dict[str, Any] = {
            "number": d,
            "shares": [n for k in shares if W[d, k] >= MIN_SHARE for n in (int(k), round(1000 * W[d, k]))],
            "length": int(corpus.counts[[d]].sum()),
            "text": _snippet(model, corpus, None if texts is None else texts[d], d),
        }
        for name, values in (("id", corpus.ids), ("label", corpus.labels), ("date", corpus.dates)):
            if values is not None and values[d] not in (None, ""):
                record[name] = readable(str(values[d]), MAX_LETTERS)
        found.append(record)
    return found


def excerpt(
    model: Any, text: Text, w: Array, topic: int, own: set[int], word_ids: Callable[[str], list[int]]
) -> list[str]:
    """The part of a text with most words of a topic, in pieces: every second piece is a word of the topic.

    w (n_topics,): the document's mixture. A word belongs to the topic if it is one of its `own` words and
    p(topic | word, document) is above one half.
    """
    if text is None:
        return []
    text = LINE_BREAKS.sub("\n", (text if isinstance(text, str) else " ".join(text))[:SCANNED_LENGTH])
    mine = _belonging(model, own, w, topic)
    marks = [run.span() for run in LETTERS.finditer(text) if not mine.isdisjoint(word_ids(run[0]))]
    first = _densest(marks, text)
    pieces, at, last = [], first, min(first + EXCERPT_LENGTH, len(text))
    for start, end in marks:
        if start >= at and end <= last:
            pieces += [text[at:start], text[start:end]]
            at = end
    pieces.append(text[at:last])
    if first > 0:
        pieces[0] = f"… {pieces[0].lstrip()}"
    if last < len(text):
        pieces[-1] = f"{pieces[-1]} …"
    return [readable(piece, EXCERPT_LENGTH + 4) for piece in pieces]


def word_finder(model: Any) -> Callable[[str], list[int]]:
    """A function that finds the ids of the model's words in a run of letters, prepared like the model's texts."""
    prepare = saved_preparation(model.provenance_)
    words = [] if model.vocabulary_ is None else model.vocabulary_
    known = {str(word): i for i, word in enumerate(words)}

    @cache
    def find(run: str) -> list[int]:
        return [known[word] for word in (run, *prepare(run)) if word in known]

    return find


def over_time(dates: list[str] | None, W: Array) -> dict[str, Any] | None:
    """Mean shares of topics by year, month or day; None if there are fewer than two periods.

    Periods without documents are included, with shares of None, unless there are more than MAX_PERIODS in all. errors
    are half the length of an interval of 95 % of each mean; None where there are fewer than two documents.
    """
    try:
        course = shares_by_period(W, dates or [""] * len(W), strict=False)
        squares = shares_by_period(np.square(W), dates or [""] * len(W), strict=False).shares
    except ParameterError:  # no document has a date
        return None
    periods, shares, number = np.array(course.names), course.shares, course.documents
    there: Any = number > 0 if len(periods) > MAX_PERIODS else slice(None)
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt(np.maximum(squares - np.square(shares), 0) / (number - 1.0)[:, None])
        errors = stats.t.ppf(0.975, np.maximum(number - 1, 1))[:, None] * np.where(number[:, None] > 1, spread, np.nan)
    if len(periods[there]) < 2:
        return None
    found = {"periods": periods[there].tolist(), "documents": number[there].tolist()}
    return found | {"shares": _by_topic(shares[there]), "errors": _by_topic(errors[there])}


def _by_topic(rows: Array) -> list[list[float | None]]:
    """(n_periods, n_topics) as a list for each topic, None where nothing is known."""
    return [[None if np.isnan(value) else short(value) for value in column] for column in rows.T]


def _snippet(model: Any, corpus: Any, text: Text, d: int) -> str:
    if text is not None:
        text = text[: 4 * SNIPPET_LENGTH] if isinstance(text, str) else " ".join(text[:SNIPPET_LENGTH])
        return readable(" ".join(text.split()), SNIPPET_LENGTH)
    row = corpus.counts[[d]]
    order = np.argsort(-row.data, kind="stable")[:N_SNIPPET_WORDS]
    return readable(" · ".join(names(model, row.indices[order])), SNIPPET_LENGTH)


def _belonging(model: Any, own: set[int], w: Array, topic: int) -> set[int]:
    """The words among a topic's own that belong to it in a document of mixture w (n_topics,)."""
    words = np.array(sorted(own), dtype=np.int64)
    joint = w[:, None] * model.components_[:, words]
    return set(words[joint[topic] > 0.5 * joint.sum(axis=0)].tolist())


def by_label(labels: Sequence[Any] | None, W: Array) -> dict[str, Any] | None:
    """The mean share of each topic in the documents of each label; None where labels are missing, one or very many."""
    if labels is None:
        return None
    known = [str(label) for label in labels if label not in (None, "")]
    found = sorted(set(known))
    if not 2 <= len(found) <= MAX_LABELS:
        return None
    place = {label: i for i, label in enumerate(found)}
    rows = np.array([d for d, label in enumerate(labels) if label not in (None, "")])
    own = np.array([place[label] for label in known])
    sizes = np.bincount(own, minlength=len(found))
    shares = np.array([np.bincount(own, W[rows, k], len(found)) / sizes for k in range(W.shape[1])])
    return {
        "names": [readable(label, MAX_LETTERS) for label in found],
        "documents": sizes.tolist(),
        "shares": [[short(share) for share in topic] for topic in shares.tolist()],
    }


def _densest(marks: list[tuple[int, int]], text: str) -> int:
    """Where the excerpt with most marks begins: at a word shortly before the first of them."""
    if len(text) <= EXCERPT_LENGTH or not marks:
        return 0
    starts = np.array([start for start, _ in marks])
    n_marks = np.searchsorted(starts, starts + EXCERPT_LENGTH - 100) - np.arange(len(starts))
    first = max(0, min(int(starts[n_marks.argmax()]) - 40, len(text) - EXCERPT_LENGTH))
    blank = re.compile(r"\s").search(text, first, first + 40) if first else None
    return first if blank is None else blank.end()
