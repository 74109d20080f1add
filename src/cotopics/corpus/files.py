"""The bytes, lines and texts of files, packed or not, with a limit on their length; and the errors of damaged files."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from cotopics.errors import CorpusError, ParameterError
from cotopics.persistence import is_there

MAX_BYTES = 64 * 2**20  # of a line, row or document; a longer one is damaged, or made to fill the memory
BLOCK = 1 << 16  # bytes that are read at a time
ZSTD_BLOCK = 1024  # packed bytes given to zstandard at a time, which has no limit of its own: they become at most 32 MB
MAX_MEMORY = 1 << 28  # bytes that unpacking may take; xz -9 and zstd -19 need 65 MB and 8 MB
SIGNATURES = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\0": ".xz", b"\x28\xb5\x2f\xfd": ".zst"}
DAMAGE_ERRORS = (EOFError, OSError, zlib.error)  # what reading a damaged archive raises

OnBad = Callable[[str], None]  # called with the reason why a document cannot be used: raises, or counts it


class Unusable(ValueError):
    """Why a document cannot be used; the caller, who knows it, adds the file and the line."""


def open_packed(path: Path) -> IO[bytes] | gzip.GzipFile:
    """The bytes of a file, unpacked according to its suffix; a damaged one raises one of DAMAGE_ERRORS."""
    suffix = path.suffix.lower()
    if suffix == ".gz":
        return gzip.open(path, "rb")
    if suffix not in UNPACKERS:
        return path.open("rb")
    new = UNPACKERS[suffix](path)
    return io.BufferedReader(_Unpacked(path.open("rb"), new), BLOCK)


def unpacked_name(path: Path) -> str:
    """The name of a file without the suffix of its packing."""
    return path.name[: -len(path.suffix)] if path.suffix.lower() in PACKINGS else path.name


def packing_of(start: bytes) -> str:
    """The suffix of the packing, according to the first bytes of a file; "" if it is not packed."""
    return next((suffix for signature, suffix in SIGNATURES.items() if start.startswith(signature)), "")


def damage_error(path: Path, number: int, error: Exception) -> CorpusError:
    if isinstance(error, PermissionError):
        return CorpusError(f"{path} may not be read: {error.strerror}")
    return CorpusError(f"{path}, after line {number}: the archive is damaged or cut off ({error}). Get the file again")


def check_encoding(encoding: str) -> None:
    try:
        "a\n".encode(encoding)
    except (LookupError, UnicodeError, TypeError):
        raise ParameterError(f"encoding={encoding!r} is unknown; give one such as 'utf-8' or 'latin-1'") from None


def raw_lines(path: Path, encoding: str = "utf-8") -> Iterator[tuple[int, bytes]]:
    """(number, line with its end) for every line of a file; of a line that is too long, only MAX_BYTES + 1 bytes.

    Encodings in which the byte of a newline can mean something else, such as UTF-16, are converted to UTF-8.
    """
    number = 0
    try:
        with _as_utf8(open_packed(path), encoding) as file:
            while line := file.readline(MAX_BYTES + 1):
                number += 1
                yield number, line
                while line and not line.endswith(b"\n"):
                    line = file.readline(MAX_BYTES)
    except UnicodeError as error:
        raise CorpusError(f"{path}, line {number + 1}: {_encoding_problem(encoding, error)}") from None
    except DAMAGE_ERRORS as error:
        raise damage_error(path, number, error) from None


def decode_line(line: bytes, number: int, encoding: str) -> str:
    """The text of a line of `raw_lines`, without a byte order mark, or Unusable."""
    check_length(len(line))
    codec = _encoding_of_lines(encoding)
    try:
        return line.decode("utf-8-sig" if number == 1 and codec == "utf-8" else codec)
    except UnicodeError as error:
        raise Unusable(_encoding_problem(encoding, error)) from None


def check_length(n: int) -> None:
    if n > MAX_BYTES:
        raise Unusable(f"longer than the {MAX_BYTES >> 20} MB that one document may have. Cut it, or check the file")


def text_lines(path: Path, encoding: str, on_bad: OnBad) -> Iterator[tuple[int, str]]:
    """(number, line) for every line of a text file that is not blank."""
    for number, raw in raw_lines(path, encoding):
        try:
            line = decode_line(raw, number, encoding).strip()
        except Unusable as error:
            on_bad(f"{path}, line {number}: {error}")
            continue
        if line:
            yield number, line


def read_text(path: Path, encoding: str) -> str:
    """The whole content of a small file, or Unusable."""
    try:
        with _as_utf8(open_packed(path), encoding) as file:
            data = file.read(MAX_BYTES + 1)
    except UnicodeError as error:
        raise Unusable(_encoding_problem(encoding, error)) from None
    except DAMAGE_ERRORS as error:
        raise Unusable(f"damaged or cut off ({error}). Get the file again") from None
    return decode_line(data, 1, encoding)


def read_column(path: Path) -> list[str] | None:
    """The lines of a text file, with blank ones, or None if there is no such file."""
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
    """The name of a file as a text that can be saved: bytes that are not UTF-8 become backslash codes."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def quoted(text: bytes) -> str:
    """Bytes of a file for a message: short, and without codes that act on a terminal."""
    return repr(text.strip()[:40].decode("utf-8", "replace"))


def quoted_names(names: list[Any]) -> str:
    """The first 20 names, for a message."""
    return ", ".join(map(repr, names[:20])) + (", …" if len(names) > 20 else "")


def _encoding_of_lines(encoding: str) -> str:
    """The encoding of the lines that `raw_lines` gives."""
    name = codecs.lookup(encoding).name
    return name if name == "utf-8" or "\n".encode(name) == b"\n" else "utf-8"


def _encoding_problem(encoding: str, error: Exception) -> str:
    reason = getattr(error, "reason", error)
    return f"not {encoding.upper()} ({reason}). Convert the file to UTF-8, or give its encoding"


def _as_utf8(file: Any, encoding: str) -> Any:
    keeps_newlines = _encoding_of_lines(encoding) == codecs.lookup(encoding).name
    return file if keeps_newlines else io.BufferedReader(_Utf8(file, encoding))


class _Derived(io.RawIOBase):
    """Bytes that are made from those of another file."""

    _file: IO[bytes]

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()


class _Utf8(_Derived):
    """The bytes of a text in another encoding as UTF-8."""

    def __init__(self, file: IO[bytes], encoding: str) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._ready = b""

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            block = self._file.read(BLOCK)
            self._ready = self._decoder.decode(block, final=not block).encode("utf-8")
            if not block:
                break
        out, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(out)] = out
        return len(out)


class _Unpacked(_Derived):
    """The unpacked bytes of one stream after another. The standard library takes a damaged second one for the end."""

    def __init__(self, file: IO[bytes], new: Callable[[], Any]) -> None:
        self._file, self._new, self._unpacker = file, new, new()

    def readinto(self, buffer: Any) -> int:
        while True:
            unpacker, data = self._unpacker, b""
            if unpacker.eof:
                data = unpacker.unused_data.lstrip(b"\0")  # an .xz may be filled up with zeros
                while not data:
                    block = self._file.read(BLOCK)
                    if not block:
                        return 0
                    data = block.lstrip(b"\0")
                unpacker = self._unpacker = self._new()
            elif unpacker.needs_input:
                data = self._file.read(BLOCK)
                if not data:
                    raise EOFError("it ends before its end mark")
            try:
                out = unpacker.decompress(data, len(buffer))
            except Exception as error:  # every library has its own
                raise OSError(str(error)) from None
            if out:
                buffer[: len(out)] = out
                return len(out)


class _Zstandard:
    """The unpacker of zstandard with the interface of bz2's."""

    needs_input = True

    def __init__(self, unpacker: Any) -> None:
        self._unpacker = unpacker
        self._packed = b""
        self._out = memoryview(b"")

    @property
    def eof(self) -> bool:
        return self._unpacker.eof and not self._out

    @property
    def unused_data(self) -> bytes:
        return self._unpacker.unused_data + self._packed

    def decompress(self, data: bytes, max_length: int) -> memoryview:
        self._packed += data
        while not self._out and self._packed and not self._unpacker.eof:
            block, self._packed = self._packed[:ZSTD_BLOCK], self._packed[ZSTD_BLOCK:]
            self._out = memoryview(self._unpacker.decompress(block))
        out, self._out = self._out[:max_length], self._out[max_length:]
        self.needs_input = not self._out and not self._packed
        return out


def _zstd(path: Path) -> Callable[[], Any]:
    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdDecompressor

        return ZstdDecompressor
    try:
        import zstandard
    except ImportError:
        raise CorpusError(f"{path} needs zstandard to be read:  pip install zstandard") from None
    return lambda: _Zstandard(zstandard.ZstdDecompressor(max_window_size=MAX_MEMORY // 2).decompressobj())


UNPACKERS: dict[str, Callable[[Path], Callable[[], Any]]] = {
    ".bz2": lambda path: bz2.BZ2Decompressor,
    ".xz": lambda path: lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_MEMORY),
    ".zst": _zstd,
}
PACKINGS = (".gz", *UNPACKERS)
