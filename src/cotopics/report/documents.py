"""Documents: which are shown, what of their text, which words of it are a topic's, and topics over time."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from cotopics.corpus import Preparation
from cotopics.errors import ParameterError
from cotopics.layout import shares_by_period
from cotopics.records import Array
from cotopics.report.words import LETTERS, names, readable, short

DOCUMENTS = 1500  # that can be searched
LEADING = 5  # of a topic
SNIPPET = 240  # characters of a document
EXCERPT = 700  # characters of a leading document
SCANNED = 10_000  # characters in which its excerpt is looked for
LISTED = 20  # words of a document without a text
MARKED = 150  # leading words of a topic, which are marked in its documents
LEAST = 0.03  # share of a topic in a document that is worth showing
LONG_ENOUGH = 20  # words of a document that leads a topic, where there are such
PERIODS = 60  # with those that have no documents
BLANKS = re.compile(r"\s*\n\s*")
RUN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")

Text = str | Sequence[str] | None


def leading(counts: Any, W: Array) -> list[list[int]]:
    """For each topic, the documents with most of it among those that are long enough to tell."""
    length = np.asarray(counts.sum(axis=1))
    least = min(LONG_ENOUGH, float(np.median(length[length > 0])) if (length > 0).any() else 0)
    long = np.flatnonzero((length >= least) & (length > 0))
    ranked = np.argsort(-W[long].astype(np.float32), axis=0, kind="stable")[:LEADING]
    return [[int(long[i]) for i in ranked[:, k] if W[long[i], k] >= LEAST] for k in range(W.shape[1])]


def chosen(n_documents: int, needed: list[int]) -> list[int]:
    """The documents that are needed, and others evenly from all, up to DOCUMENTS; in their order."""
    if n_documents <= DOCUMENTS:
        return list(range(n_documents))
    evenly = np.linspace(0, n_documents - 1, max(DOCUMENTS - len(set(needed)), 1)).astype(int)
    return sorted({*needed, *evenly.tolist()})


def described(model: Any, corpus: Any, texts: Any, W: Array, ids: list[int]) -> list[dict[str, Any]]:
    """One record for each of these documents."""
    found = []
    for d in ids:
        shares = np.argsort(-W[d].astype(np.float32), kind="stable")
        record: dict[str, Any] = {
            "number": d,
            "shares": [n for k in shares if W[d, k] >= LEAST for n in (int(k), round(1000 * W[d, k]))],
            "length": int(corpus.counts[[d]].sum()),
            "text": _snippet(model, corpus, None if texts is None else texts[d], d),
        }
        for name, values in (("id", corpus.ids), ("label", corpus.labels), ("date", corpus.dates)):
            if values is not None and values[d] not in (None, ""):
                record[name] = readable(str(values[d]), LETTERS)
        found.append(record)
    return found


def excerpt(
    model: Any, text: Text, w: Array, topic: int, own: set[int], word_ids: Callable[[str], list[int]]
) -> list[str]:
    """The part of a text with most words of a topic: pieces in turn not the topic's and the topic's.

    w (n_topics,): the document's mixture. A word is the topic's if it is one of its `own`, and p(topic | word,
    document) is above one half.
    """
    if text is None:
        return []
    text = BLANKS.sub("\n", text[:SCANNED] if isinstance(text, str) else " ".join(text)[:SCANNED])
    mine = _belonging(model, own, w, topic)
    marks = [run.span() for run in RUN.finditer(text) if not mine.isdisjoint(word_ids(run[0]))]
    first = _densest(marks, text)
    pieces, at, last = [], first, min(first + EXCERPT, len(text))
    for start, end in marks:
        if start >= at and end <= last:
            pieces += [text[at:start], text[start:end]]
            at = end
    pieces.append(text[at:last])
    if first > 0:
        pieces[0] = f"… {pieces[0].lstrip()}"
    if last < len(text):
        pieces[-1] = f"{pieces[-1]} …"
    return [readable(piece, EXCERPT + 4) for piece in pieces]


def word_finder(model: Any) -> Callable[[str], list[int]]:
    """What finds the ids of the model's words in a run of letters, prepared as the model's texts were."""
    saved = (model.provenance_ or {}).get("preparation")
    prepare = Preparation(stop_words=None) if saved is None else Preparation.from_json(saved)
    words = [] if model.vocabulary_ is None else model.vocabulary_
    known = {str(word): i for i, word in enumerate(words)}

    @cache
    def find(run: str) -> list[int]:
        return [known[word] for word in (run, *prepare(run)) if word in known]

    return find


def over_time(dates: list[str] | None, W: Array) -> dict[str, Any] | None:
    """Mean shares of topics by year, month or day, the finest that is not too many; None without a course over time.

    Periods without documents are there too, with shares of None, unless there are more than PERIODS in all.
    """
    try:
        course = shares_by_period(W, dates or [""] * len(W), strict=False)
    except ParameterError:  # no document has a date
        return None
    names, shares, number = np.array(course.names), course.shares, course.documents
    if len(names) > PERIODS:
        names, shares, number = names[number > 0], shares[number > 0], number[number > 0]
    if len(names) < 2:
        return None
    by_topic = [[None if np.isnan(share) else short(share) for share in column] for column in shares.T]
    return {"periods": names.tolist(), "documents": number.tolist(), "shares": by_topic}


def _snippet(model: Any, corpus: Any, text: Text, d: int) -> str:
    if text is not None:
        text = text[: 4 * SNIPPET] if isinstance(text, str) else " ".join(text[:SNIPPET])
        return readable(" ".join(text.split()), SNIPPET)
    row = corpus.counts[[d]]
    order = np.argsort(-row.data, kind="stable")[:LISTED]
    return readable(" · ".join(names(model, row.indices[order])), SNIPPET)


def _belonging(model: Any, own: set[int], w: Array, topic: int) -> set[int]:
    """Those of a topic's own words that are the topic's in a document of mixture w (n_topics,)."""
    words = np.array(sorted(own), dtype=np.int64)
    joint = w[:, None] * model.components_[:, words]
    return set(words[joint[topic] > 0.5 * joint.sum(axis=0)].tolist())


def _densest(marks: list[tuple[int, int]], text: str) -> int:
    """Where an excerpt begins that holds most marks: at a word a little before the first of them."""
    if len(text) <= EXCERPT or not marks:
        return 0
    starts = np.array([start for start, _ in marks])
    held = np.searchsorted(starts, starts + EXCERPT - 100) - np.arange(len(starts))
    first = max(0, min(int(starts[held.argmax()]) - 40, len(text) - EXCERPT))
    blank = re.compile(r"\s").search(text, first, first + 40) if first else None
    return first if blank is None else blank.end()
