"""What every reader needs: the lines of a file, with a limit on their length, and what to say of a damaged one."""

from __future__ import annotations

import codecs
import io
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from cotopics.corpus.packed import open_packed
from cotopics.errors import CorpusError, ParameterError
from cotopics.persistence import is_there

LONGEST = 64 * 2**20  # bytes of one line, row or document; what is longer is damaged, or made to fill the memory
BLOCK = 1 << 16  # bytes that are recoded at a time
DAMAGED = (EOFError, OSError, zlib.error)  # what reading a damaged archive raises

Bad = Callable[[str], None]  # told of a document that cannot be used: raises, or counts it so that reading goes on


class Unusable(ValueError):
    """Why one document cannot be used; whoever knows its file and line adds them."""


def damaged(path: Path, number: int, error: Exception) -> CorpusError:
    if isinstance(error, PermissionError):
        return CorpusError(f"{path} may not be read: {error.strerror}")
    return CorpusError(f"{path}, after line {number}: the archive is damaged or cut off ({error}). Get the file again")


def check_encoding(encoding: str) -> None:
    try:
        "a\n".encode(encoding)
    except (LookupError, UnicodeError, TypeError):
        raise ParameterError(f"encoding={encoding!r} is unknown; give one such as 'utf-8' or 'latin-1'") from None


def raw_lines(path: Path, encoding: str = "utf-8") -> Iterator[tuple[int, bytes]]:
    """(number, line) for every line of a file with its end; of one that is too long, no more than LONGEST + 1 bytes.

    Encodings in which the byte of a newline may be something else, such as UTF-16, arrive as UTF-8.
    """
    number = 0
    try:
        with _recoded(open_packed(path), encoding) as file:
            while line := file.readline(LONGEST + 1):
                number += 1
                yield number, line
                while line and not line.endswith(b"\n"):
                    line = file.readline(LONGEST)
    except UnicodeError as error:
        raise CorpusError(f"{path}, line {number + 1}: {_not(encoding, error)}") from None
    except DAMAGED as error:
        raise damaged(path, number, error) from None


def decode_line(line: bytes, number: int, encoding: str) -> str:
    """The text of a line of `raw_lines`, without a byte order mark, or Unusable."""
    check_length(len(line))
    codec = _in_lines(encoding)
    try:
        return line.decode("utf-8-sig" if number == 1 and codec == "utf-8" else codec)
    except UnicodeError as error:
        raise Unusable(_not(encoding, error)) from None


def check_length(n: int) -> None:
    if n > LONGEST:
        raise Unusable(f"longer than the {LONGEST >> 20} MB that one document may have. Cut it, or check the file")


def text_lines(path: Path, encoding: str, bad: Bad) -> Iterator[tuple[int, str]]:
    """(number, line) for every line of a text file, blank ones left out."""
    for number, raw in raw_lines(path, encoding):
        try:
            line = decode_line(raw, number, encoding).strip()
        except Unusable as error:
            bad(f"{path}, line {number}: {error}")
            continue
        if line:
            yield number, line


def read_text(path: Path, encoding: str) -> str:
    """The whole of a small file, or Unusable."""
    try:
        with _recoded(open_packed(path), encoding) as file:
            data = file.read(LONGEST + 1)
    except UnicodeError as error:
        raise Unusable(_not(encoding, error)) from None
    except DAMAGED as error:
        raise Unusable(f"damaged or cut off ({error}). Get the file again") from None
    return decode_line(data, 1, encoding)


def read_column(path: Path) -> list[str] | None:
    """The lines of a text file, blank ones included, or None if there is no such file."""
    if not is_there(path):
        return None
    if not path.is_file():
        raise CorpusError(f"{path} is a folder, a pipe or a device; give a text file")
    lines = []
    for number, raw in raw_lines(path):
        try:
            lines.append(decode_line(raw, number, "utf-8").removesuffix("\n").removesuffix("\r"))
        except Unusable as error:
            raise CorpusError(f"{path}, line {number}: {error}") from None
    return lines


def as_text(name: str) -> str:
    """The name of a file as a text that can be saved: bytes in it that are not UTF-8 are written out."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def show(text: bytes) -> str:
    """Bytes from a file as they may stand in a message: short, and nothing in them acts on a terminal."""
    return repr(text.strip()[:40].decode("utf-8", "replace"))


def _in_lines(encoding: str) -> str:
    """The encoding in which `raw_lines` gives lines."""
    name = codecs.lookup(encoding).name
    return name if name == "utf-8" or "\n".encode(name) == b"\n" else "utf-8"


def _recoded(file: Any, encoding: str) -> Any:
    return file if _in_lines(encoding) == codecs.lookup(encoding).name else io.BufferedReader(_Recoded(file, encoding))


class _Recoded(io.RawIOBase):
    """The bytes of a text in UTF-8, whatever it is encoded in."""

    def __init__(self, file: IO[bytes], encoding: str) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            block = self._file.read(BLOCK)
            self._ready = self._decoder.decode(block, final=not block).encode("utf-8")
            if not block:
                break
        out, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(out)] = out
        return len(out)

    def close(self) -> None:
        self._file.close()
        super().close()


def _not(encoding: str, error: Exception) -> str:
    reason = getattr(error, "reason", error)
    return f"not {encoding.upper()} ({reason}). Convert the file to UTF-8, or give its encoding"
