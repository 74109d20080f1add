"""Progress of long computations: algorithms tell it, and a listener shows it.

An algorithm only calls `tell("rectifying", 12, 150)`; the command line listens and draws a bar. Without a listener, a
call costs one look-up.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str, int, int | None], None]

_listener: ContextVar[Listener | None] = ContextVar("cotopics_progress", default=None)


def tell(step: str, done: int, total: int | None = None) -> None:
    """Tell the listener that `done` of `total` units of `step` are finished (total None: unknown)."""
    listener = _listener.get()
    if listener is not None:
        listener(step, done, total)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Inside this context, every `tell` calls `listener(step, done, total)`."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
