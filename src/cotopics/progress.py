"""How far a long computation has come: algorithms tell, whoever listens shows.

An algorithm calls `tell("rectifying", 12, 150)` and knows no more; the command line listens and draws a bar.
Nobody listens by default, and then a call costs a dictionary look-up.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str, int, int | None], None]

_listener: ContextVar[Listener | None] = ContextVar("cotopics_progress", default=None)


def tell(step: str, done: int, total: int | None = None) -> None:
    """Say that `done` of `total` units of `step` are finished (total None: not known)."""
    listener = _listener.get()
    if listener is not None:
        listener(step, done, total)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Within the block, pass everything that is told to `listener(step, done, total)`."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
