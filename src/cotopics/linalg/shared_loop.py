"""A loop whose pieces several threads take, one after the other, until none is left.

Threads wait for loops, because starting them takes milliseconds. The thread that asks works as well; a loop that is
over before others have woken does not wait for them.
"""

import os
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from itertools import count
from threading import Event, Lock, Thread, local
from typing import Any

this_thread = local()  # in_loop: whether it is at work on a piece, which is not divided again


class Loop:
    """function(*piece) for every piece, on several threads."""

    def __init__(self, function: Callable[..., Any], pieces: Sequence[tuple[Any, ...]]) -> None:
        self.function, self.pieces = function, pieces
        self.results: list[Any] = [None] * len(pieces)
        self.errors: dict[int, BaseException] = {}
        self._numbers = count()
        self._lock, self._at_work, self._is_over, self._done = Lock(), 0, False, Event()

    def run(self, threads: int) -> list[Any]:
        """The results in the order of pieces, or the error of the first piece that has one."""
        _team(os.getpid()).ask(self._help, threads - 1)
        try:
            self._work()
        finally:
            self._wait()  # after an error, too, no thread may still be writing
        if self.errors:
            raise self.errors[min(self.errors)]
        return self.results

    def _work(self) -> None:
        """Pieces are taken in order: when one fails, those before it are done or at work."""
        this_thread.in_loop = True
        try:
            for number in self._numbers:
                if number >= len(self.pieces) or self.errors:
                    break
                try:
                    self.results[number] = self.function(*self.pieces[number])
                except BaseException as error:
                    self.errors[number] = error
        finally:
            this_thread.in_loop = False

    def _help(self) -> None:
        if self._come():
            self._work()
            self._go()

    def _come(self) -> bool:
        """Whether there is still something to do for another thread."""
        with self._lock:
            self._at_work += not self._is_over
            return not self._is_over

    def _go(self) -> None:
        with self._lock:
            self._at_work -= 1
            if self._is_over and not self._at_work:
                self._done.set()

    def _wait(self) -> None:
        with self._lock:
            self._is_over = True
            if not self._at_work:
                return
        try:
            self._done.wait()
        except BaseException as interrupt:  # Ctrl-C: pieces at work are finished, and no other is begun
            self.errors.setdefault(len(self.pieces), interrupt)
            self._done.wait()
            raise


class Team:
    """Threads that wait for tasks, which raise nothing."""

    def __init__(self) -> None:
        self.tasks: deque[Callable[[], None]] = deque()
        self.idle: deque[Helper] = deque()
        self.size, self._lock = 0, Lock()

    def ask(self, task: Callable[[], None], n: int) -> None:
        """Have n threads do a task when they can: those at work for others come later."""
        with self._lock:
            while self.size < n:
                self.size += 1
                Helper(self).start()
        self.tasks.extend([task] * n)
        for _ in range(min(n, len(self.idle))):
            with suppress(IndexError):  # another thread was faster
                self.idle.pop().called.release()


class Helper(Thread):
    """One thread of a team. Each waits for a lock of its own: all can be woken at once."""

    def __init__(self, team: Team) -> None:
        super().__init__(name="cotopics-worker", daemon=True)
        self.team, self.called = team, Lock()
        self.called.acquire()

    def run(self) -> None:
        while True:
            while self.team.tasks:
                with suppress(IndexError):  # another thread was faster
                    self.team.tasks.popleft()()
            self.team.idle.append(self)
            if self.team.tasks:  # of one who did not see this thread idle
                with suppress(ValueError):  # who saw it will call
                    self.team.idle.remove(self)
                    continue
            self.called.acquire()


@cache
def _team(process: int) -> Team:
    """The threads of this process. One that is forked starts its own."""
    return Team()
