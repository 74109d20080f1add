"""Numbers from text, a block of lines at a time: what takes the time in reading counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from cotopics.corpus.files import DAMAGED, damaged, show
from cotopics.corpus.packed import open_packed
from cotopics.errors import CorpusError

Whole = np.ndarray[Any, np.dtype[np.integer[Any]]]

# The limit is turning digits into numbers, in `parse_digits`; unpacking a .gz comes next. Larger blocks were no faster.
BLOCK = 1 << 20
MOST_DIGITS = 15  # of a number: exact in float64
MOST_DOCUMENTS = 2**31 - 1
MOST_WORDS = 10**8
FREE_DOCUMENTS = 10**7  # so many may all be without words


def whole_lines(path: Path, skip: int, longest: int, what: str) -> Iterator[tuple[int, bytes]]:
    """(lines before it, whole lines) of every block of a file after `skip` lines; the last line may lack its end.

    A line above `longest` bytes is refused as not being `what`.
    """
    number, rest = skip, b""
    try:
        with open_packed(path) as file:
            for _ in range(skip):
                file.readline(longest)
            while block := file.read(BLOCK):
                head, end, tail = block.rpartition(b"\n")
                if end:
                    text = rest + head + end
                    yield number, text
                    number += text.count(b"\n")
                    rest = tail
                else:
                    rest += tail
                if len(rest) > longest:
                    raise CorpusError(f"{path}, line {number + 1}: found {show(rest)}, not {what}")
    except DAMAGED as error:
        raise damaged(path, number, error) from None
    if rest.strip():
        yield number, rest


def parse_digits(text: bytes) -> tuple[Whole, Whole] | None:
    """The numbers of a text that is `digits separator digits separator …`, and the separators, one byte each.

    None where two separators follow one another, or where a number does not fit in int32 for certain.
    """
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n")
    symbols = np.frombuffer(text, dtype=np.uint8)
    digits = symbols - np.uint8(ord("0"))  # above 9 for all that is no digit: what comes before "0" wraps around
    ends = np.flatnonzero(digits > 9)
    lengths = np.diff(ends, prepend=-1) - 1
    if len(ends) == 0 or ends[-1] < len(text) - 1 or lengths.min() < 1 or lengths.max() > 9:  # nine fit in int32
        return None
    numbers = digits[ends - 1].astype(np.int32)
    for place in range(1, int(lengths.max())):
        longer = np.flatnonzero(lengths > place)
        numbers[longer] += digits[ends[longer] - 1 - place] * np.int32(10**place)
    return numbers, symbols[ends]


def is_whole(field: bytes) -> bool:
    return field.isdigit() and len(field) <= MOST_DIGITS


def check_sizes(where: str, n_documents: int, n_words: int, n_counts: int) -> None:
    """CorpusError for a number of documents or words that would fill the memory before there is a count."""
    if n_documents > MOST_DOCUMENTS or n_documents > max(FREE_DOCUMENTS, 10 * n_counts):
        raise CorpusError(f"{where}: it speaks of {n_documents:,} documents for {n_counts:,} counts. Check the file")
    if n_words > MOST_WORDS:
        raise CorpusError(f"{where}: it speaks of {n_words:,} words, more than {MOST_WORDS:,}. Check the file")
