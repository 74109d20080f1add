"""Damage: bytes that are flipped, cut, doubled, moved and spliced, and tokens that readers stumble over."""

from __future__ import annotations

from battery.suite import Trial

TOKENS = (
    b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n", b"\r\n", b",", b'"', b"\\", b"{", b"}", b"[" * 50, b"null",
    b"NaN", b"-1", b"0", b"1e309", b"1e-320", b"99999999999999999999", b"18446744073709551616", b"2147483648", b"-0",
    b"1_0", b"0x10", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x80\xa8", b"\x1b[31m", b"\x1a", b" ", b"\t",
    b":", b"%",
    b"\\ud800", b"\\u0000", b"true", b"1:1", b"1.5", b"+", b"a" * 300, b"PK\x03\x04", b"\x1f\x8b", b"\x80\x04",
)  # fmt: skip


def mutated(trial: Trial, content: bytes, other: bytes = b"") -> bytes:
    """The content after one to four changes; `other` is what it may be spliced with."""
    for _ in range(int(trial.draw.integers(1, 5))):
        content = CHANGES[trial.one_of(CHANGES)](trial, content, other or content)
    return content


def _place(trial: Trial, content: bytes) -> int:
    """Anywhere, and more often near the ends, where headers are."""
    n, where = len(content), trial.draw.random()
    if n == 0:
        return 0
    near = int(trial.draw.integers(min(n, 64)))
    return near if where < 0.25 else n - 1 - near if where < 0.4 else int(trial.draw.integers(n))


def _flip(trial: Trial, content: bytes, other: bytes) -> bytes:
    if not content:
        return content
    changed = bytearray(content)
    for _ in range(int(trial.draw.choice([1, 1, 2, 8]))):
        changed[_place(trial, content)] ^= 1 << int(trial.draw.integers(8))
    return bytes(changed)


def _byte(trial: Trial, content: bytes, other: bytes) -> bytes:
    at = _place(trial, content)
    return content[:at] + bytes([int(trial.draw.choice([0, 1, 0x20, 0x7F, 0x80, 0xFF]))]) + content[at + 1 :]


def _cut(trial: Trial, content: bytes, other: bytes) -> bytes:
    return content[: _place(trial, content)]


def _drop(trial: Trial, content: bytes, other: bytes) -> bytes:
    at = _place(trial, content)
    return content[:at] + content[at + int(trial.draw.integers(1, 200)) :]


def _twice(trial: Trial, content: bytes, other: bytes) -> bytes:
    at, n = _place(trial, content), int(trial.draw.integers(1, 200))
    return content[: at + n] + content[at : at + n] * int(trial.draw.integers(1, 4)) + content[at + n :]


def _token(trial: Trial, content: bytes, other: bytes) -> bytes:
    at = _place(trial, content)
    return content[:at] + TOKENS[int(trial.draw.integers(len(TOKENS)))] + content[at + int(trial.draw.integers(0, 3)) :]


def _splice(trial: Trial, content: bytes, other: bytes) -> bytes:
    return content[: _place(trial, content)] + other[_place(trial, other) :]


def _lines(trial: Trial, content: bytes, other: bytes) -> bytes:
    lines = content.split(b"\n")
    order = trial.draw.permutation(len(lines)) if len(lines) < 500 else range(len(lines))
    return b"\n".join(lines[i] for i in order)


CHANGES = {
    "flip": _flip,
    "flip again": _flip,
    "byte": _byte,
    "cut": _cut,
    "drop": _drop,
    "twice": _twice,
    "token": _token,
    "token again": _token,
    "splice": _splice,
    "lines": _lines,
}
