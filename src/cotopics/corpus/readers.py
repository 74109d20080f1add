"""Files → texts or counts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from cotopics import progress
from cotopics.corpus.files import kind_of, load_counts, read_column, text_lines
from cotopics.corpus.record import Corpus
from cotopics.corpus.text import count_words
from cotopics.corpus.vocabulary import keep_words
from cotopics.errors import CorpusError

SUFFIXES = (".txt", ".jsonl", ".npz")


def read_corpus(
    path: str | Path,
    *,
    text_field: str = "text",
    label_field: str = "label",
    stop_words: str | None = "english",
    min_documents: int = 5,
    vocabulary_size: int | None = None,
) -> Corpus:
    """Read a corpus from one file, by its suffix.

    `.txt`: one document a line. `.jsonl`: one object a line with the text in `text_field` and, where there is one, the
    label in `label_field`. Both may be compressed (`.gz`). `.npz`: counts as written by `scipy.sparse.save_npz`,
    documents × words, with the words in `vocab.txt` and the labels in `labels.txt` beside it, one a line.
    """
    path = Path(path)
    if kind_of(path, SUFFIXES) == ".npz":
        return keep_words(_read_counts(path), vocabulary_size=vocabulary_size, min_documents=min_documents)
    texts, labels = [], []
    for text, label in read_texts(path, text_field=text_field, label_field=label_field):
        texts.append(text)
        labels.append(label)
        if len(texts) % 1000 == 0:
            progress.tell("reading", len(texts), None)
    if not texts:
        raise CorpusError(f"{path} is empty: there are no documents in it")
    return count_words(
        texts,
        labels=labels if any(label is not None for label in labels) else None,
        stop_words=stop_words,
        min_documents=min_documents,
        vocabulary_size=vocabulary_size,
    )


def read_texts(path: str | Path, *, text_field: str = "text", label_field: str = "label") -> Iterator[tuple[str, Any]]:
    """(text, label) of every document of a `.txt` or `.jsonl` file, as `read_corpus` reads them; no label is None."""
    path = Path(path)
    lines = text_lines(path)
    if kind_of(path, SUFFIXES) == ".jsonl":
        yield from _objects(path, lines, text_field, label_field)
    elif kind_of(path, SUFFIXES) == ".txt":
        yield from ((line, None) for _, line in lines)
    else:
        raise CorpusError(f"{path} holds counts, not texts")


def _objects(
    path: Path, lines: Iterator[tuple[int, str]], text_field: str, label_field: str
) -> Iterator[tuple[str, Any]]:
    for number, line in lines:
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise CorpusError(f"{path}, line {number}: not JSON ({error})") from None
        if not isinstance(entry, dict) or text_field not in entry:
            found = (
                f"its fields are {', '.join(map(repr, entry))}" if isinstance(entry, dict) else "it is not an object"
            )
            raise CorpusError(f"{path}, line {number}: no field {text_field!r}; {found}. Name the field of the text")
        if not isinstance(entry[text_field], str):
            kind = type(entry[text_field]).__name__
            raise CorpusError(f"{path}, line {number}: field {text_field!r} holds {kind}, not a text")
        yield entry[text_field], entry.get(label_field)


def _read_counts(path: Path) -> Corpus:
    counts = load_counts(path)
    words = read_column(path.with_name("vocab.txt"))
    if words is None:
        words = [f"word{i}" for i in range(counts.shape[1])]
    if len(words) != counts.shape[1]:
        raise CorpusError(f"{path} has {counts.shape[1]} columns and vocab.txt beside it {len(words)} lines")
    labels = read_column(path.with_name("labels.txt"))
    if labels is not None and len(labels) != counts.shape[0]:
        raise CorpusError(f"{path} has {counts.shape[0]} rows and labels.txt beside it {len(labels)} lines")
    return Corpus(counts.astype(np.float64), words, labels)
