"""Loops that threads share: every piece once, errors, and threads that come too late."""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from cotopics.linalg import threads
from cotopics.linalg.kernels.compiled import kernel
from cotopics.linalg.kernels.pieces import next_piece
from cotopics.linalg.shared_loop import Loop, _team
from cotopics.linalg.threads import map_row_blocks, share_pieces


@pytest.fixture(autouse=True, params=[2, 3, 8])
def n_threads(request, monkeypatch):
    monkeypatch.setattr(threads, "n_threads", lambda: request.param)
    return request.param


def test_every_block_once_and_in_order():
    for n in (0, 1, 2, 5, 100):
        expected = [(first, min(first + 3, n)) for first in range(0, n, 3)]
        assert map_row_blocks(lambda first, last: (first, last), n, block=3) == expected


def test_short_loops_one_after_the_other():
    for n in range(300):
        assert map_row_blocks(lambda i, _: i, n % 7, block=1) == list(range(n % 7))


def test_all_threads_work_at_once(n_threads):
    met = threading.Barrier(n_threads, timeout=60)
    map_row_blocks(lambda *_: met.wait(), n_threads, block=1)  # a barrier breaks where one is missing


def test_loops_inside_loops_are_not_divided_again():
    def inner(i, _):
        names = map_row_blocks(lambda *_: threading.current_thread().name, 20, block=1)
        return len(set(names)), names[0] == threading.current_thread().name

    assert map_row_blocks(inner, 10, block=1) == [(1, True)] * 10
    assert len(map_row_blocks(lambda i, _: i, 50, block=1)) == 50  # and the next one is


def test_the_first_error_is_raised_and_no_thread_is_at_work_afterwards(n_threads):
    begun, at_work = [], []

    def fails(i, _):
        begun.append(i)
        at_work.append(i)
        time.sleep(0.002)
        at_work.remove(i)
        if i >= 5:
            raise ValueError(f"piece {i}")

    with pytest.raises(ValueError, match="piece 5"):
        map_row_blocks(fails, 1000, block=1)
    assert not at_work
    assert len(begun) <= 6 + 2 * n_threads


def test_after_ctrl_c_threads_finish_their_pieces(n_threads):
    main, at_work = threading.current_thread(), []

    def interrupted(i, _):
        at_work.append(i)
        time.sleep(0.01)
        at_work.remove(i)
        if threading.current_thread() is main:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        map_row_blocks(interrupted, 10_000, block=1)
    assert not at_work
    assert map_row_blocks(lambda i, _: i, 9, block=1) == list(range(9))


def test_loops_of_several_threads_at_the_same_time():
    def work(k):
        return [sum(map_row_blocks(lambda first, last: k * sum(range(first, last)), 1000, block=17)) for _ in range(30)]

    with ThreadPoolExecutor(5) as pool:
        assert list(pool.map(work, range(5))) == [[k * sum(range(1000))] * 30 for k in range(5)]


def test_threads_are_kept_and_not_more_than_asked_for():
    for _ in range(200):
        map_row_blocks(lambda i, _: i, 100, block=1)
    assert _team(os.getpid()).size <= 7  # of eight, one is that which asks


def test_a_loop_does_not_wait_for_threads_that_have_not_come():
    loop = Loop(lambda i: i, [(i,) for i in range(5)])
    loop._work()
    loop._wait()
    loop._help()  # too late: nothing is left, and nobody waits
    assert loop.results == list(range(5))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_has_its_own_threads():
    map_row_blocks(lambda i, _: i, 50, block=1)
    child = os.fork()
    if child == 0:
        os._exit(0 if map_row_blocks(lambda i, _: i, 50, block=1) == list(range(50)) else 1)
    assert os.waitpid(child, 0)[1] == 0


@kernel
def count_pieces(counter, taken):
    piece = next_piece(counter)
    while piece < len(taken):
        taken[piece] += 1
        piece = next_piece(counter)


@pytest.mark.parametrize("n", [0, 1, 10, 100_000])
def test_compiled_loops_take_every_piece_once(n):
    taken = np.zeros(n, dtype=np.int64)
    share_pieces(lambda counter: count_pieces(counter, taken), 8)
    assert (taken == 1).all()
