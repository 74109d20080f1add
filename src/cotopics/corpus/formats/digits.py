"""Numbers from text, a block of lines at a time: reading counts spends most of its time here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from cotopics.arrays import Integers
from cotopics.corpus.files import DAMAGE_ERRORS, damage_error, open_packed, quoted
from cotopics.errors import CorpusError

BLOCK = 1 << 20  # bytes; larger blocks are not faster: the time goes to `parse_digits`, then to unpacking a .gz
MAX_DIGITS = 15  # of a number: exact in float64
MAX_DOCUMENTS = 2**31 - 1
MAX_WORDS = 10**8
MAX_EMPTY_DOCUMENTS = 10**7  # that a file may have whatever its number of counts


def whole_lines(path: Path, skip: int, max_bytes: int, what: str) -> Iterator[tuple[int, bytes]]:
    """(number of lines before it, whole lines) of every block of a file after `skip` lines.

    The last line may lack its newline. A line of more than `max_bytes` is refused as not being `what`.
    """
    number, rest = skip, b""
    try:
        with open_packed(path) as file:
            for _ in range(skip):
                file.readline(max_bytes)
            while block := file.read(BLOCK):
                head, end, tail = block.rpartition(b"\n")
                if end:
                    text = rest + head + end
                    yield number, text
                    number += text.count(b"\n")
                    rest = tail
                else:
                    rest += tail
                if len(rest) > max_bytes:
                    raise CorpusError(f"{path}, line {number + 1}: found {quoted(rest)}, not {what}")
    except DAMAGE_ERRORS as error:
        raise damage_error(path, number, error) from None
    if rest.strip():
        yield number, rest


def parse_digits(text: bytes) -> tuple[Integers, Integers] | None:
    """The numbers of a text `digits separator digits separator …`, and the separators, one byte each.

    None if two separators follow one another, or if a number may not fit into int32.
    """
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n")
    symbols = np.frombuffer(text, dtype=np.uint8)
    digits = symbols - np.uint8(ord("0"))  # above 9 if it is not a digit: a byte before "0" overflows
    ends = np.flatnonzero(digits > 9)
    lengths = np.diff(ends, prepend=-1) - 1
    if len(ends) == 0 or ends[-1] < len(text) - 1 or lengths.min() < 1 or lengths.max() > 9:  # nine fit in int32
        return None
    numbers = digits[ends - 1].astype(np.int32)
    for place in range(1, int(lengths.max())):
        longer = np.flatnonzero(lengths > place)
        numbers[longer] += digits[ends[longer] - 1 - place] * np.int32(10**place)
    return numbers, symbols[ends]


def is_whole_number(field: bytes) -> bool:
    return field.isdigit() and len(field) <= MAX_DIGITS


def check_sizes(where: str, n_documents: int, n_words: int, n_counts: int) -> None:
    """CorpusError if the numbers of documents or words would fill the memory before any count is read."""
    if n_documents > MAX_DOCUMENTS or n_documents > max(MAX_EMPTY_DOCUMENTS, 10 * n_counts):
        raise CorpusError(f"{where}: it claims {n_documents:,} documents for {n_counts:,} counts. Check the file")
    if n_words > MAX_WORDS:
        raise CorpusError(f"{where}: it claims {n_words:,} words, more than {MAX_WORDS:,}. Check the file")
