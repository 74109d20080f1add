"""Files → texts or counts."""

from __future__ import annotations

import gzip
import json
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
import scipy.sparse as sp

from cotopics import progress
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
    if _kind(path) == ".npz":
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
    lines = _lines(path)
    if _kind(path) == ".jsonl":
        yield from _objects(path, lines, text_field, label_field)
    elif _kind(path) == ".txt":
        yield from ((line, None) for _, line in lines)
    else:
        raise CorpusError(f"{path} holds counts, not texts")


def _kind(path: Path) -> str:
    """The suffix that says what a file holds, without that of its compression."""
    if not path.exists():
        raise CorpusError(f"there is no file {path}")
    if path.is_dir():
        raise CorpusError(f"{path} is a folder; give one .txt, .jsonl or .npz file")
    kind = path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix
    if kind not in SUFFIXES:
        raise CorpusError(f"{path} has the suffix {kind!r}; known are .txt, .jsonl (also .gz) and .npz")
    return kind


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """(line number, line) of a UTF-8 text file, blank lines left out; what cannot be read is reported with its line."""
    number = 0
    try:
        with _open(path) as file:
            for number, raw in enumerate(file, 1):
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
                if line:
                    yield number, line
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path}, line {number}: not UTF-8 ({error.reason}). Convert the file to UTF-8") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CorpusError(f"{path}, after line {number}: the archive is damaged or cut off ({error})") from None


def _open(path: Path) -> gzip.GzipFile | IO[bytes]:
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")


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
    try:
        counts = sp.load_npz(path)
        if counts.ndim != 2 or counts.dtype.kind not in "biuf":
            raise ValueError(f"it holds {counts.ndim}-dimensional {counts.dtype}")
        counts = sp.csr_array(counts)
        counts.check_format(full_check=True)
    except (ValueError, KeyError, OSError, EOFError, zlib.error, zipfile.BadZipFile, TypeError, MemoryError) as error:
        raise CorpusError(f"{path} is not a count matrix as scipy.sparse.save_npz writes it: {error}") from None
    words = _column(path.with_name("vocab.txt"))
    if words is None:
        words = [f"word{i}" for i in range(counts.shape[1])]
    if len(words) != counts.shape[1]:
        raise CorpusError(f"{path} has {counts.shape[1]} columns and vocab.txt beside it {len(words)} lines")
    labels = _column(path.with_name("labels.txt"))
    if labels is not None and len(labels) != counts.shape[0]:
        raise CorpusError(f"{path} has {counts.shape[0]} rows and labels.txt beside it {len(labels)} lines")
    return Corpus(counts.astype(np.float64), words, labels)


def _column(path: Path) -> list[str] | None:
    """The lines of a text file, blank ones included, or None if there is no such file."""
    if not path.exists():
        return None
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path} is not UTF-8 ({error.reason})") from None
