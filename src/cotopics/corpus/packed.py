"""Bytes of packed files (.gz, .bz2, .xz, .zst), a little at a time however much they would become."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from cotopics.errors import CorpusError

BLOCK = 1 << 16  # packed bytes read at a time
FEED = 1024  # packed bytes that zstandard, which knows no limit, is given at a time: they become 32 MB at most
MOST_MEMORY = 1 << 28  # bytes that unpacking may take; xz -9 and zstd -19 need 65 MB and 8 MB
MAGIC = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\0": ".xz", b"\x28\xb5\x2f\xfd": ".zst"}


def open_packed(path: Path) -> IO[bytes] | gzip.GzipFile:
    """The bytes of a file, unpacked by its suffix; a damaged one raises OSError, EOFError or zlib.error."""
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
    """The suffix of the packing that a file's first bytes show, "" for none."""
    return next((suffix for magic, suffix in MAGIC.items() if start.startswith(magic)), "")


class _Unpacked(io.RawIOBase):
    """Unpacked bytes of one stream after another; the standard library would take a damaged second one for the end."""

    def __init__(self, file: IO[bytes], new: Callable[[], Any]) -> None:
        self._file, self._new, self._unpacker = file, new, new()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while True:
            unpacker, data = self._unpacker, b""
            if unpacker.eof:
                data = unpacker.unused_data.lstrip(b"\0")  # zeros may fill up an .xz
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

    def close(self) -> None:
        self._file.close()
        super().close()


class _Zstandard:
    """zstandard's unpacker with the interface of bz2's."""

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

    def decompress(self, data: bytes, most: int) -> memoryview:
        self._packed += data
        while not self._out and self._packed and not self._unpacker.eof:
            feed, self._packed = self._packed[:FEED], self._packed[FEED:]
            self._out = memoryview(self._unpacker.decompress(feed))
        out, self._out = self._out[:most], self._out[most:]
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
    return lambda: _Zstandard(zstandard.ZstdDecompressor(max_window_size=MOST_MEMORY // 2).decompressobj())


UNPACKERS: dict[str, Callable[[Path], Callable[[], Any]]] = {
    ".bz2": lambda path: bz2.BZ2Decompressor,
    ".xz": lambda path: lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_MEMORY),
    ".zst": _zstd,
}
PACKINGS = (".gz", *UNPACKERS)
