"""Pieces of work that compiled loops take, each by one thread, without Python in between.

`threads.share_pieces` has one loop over pieces. `threads.share_phases` has several, one after the other, in one call: a
thread that finds no piece left waits until those that others took are done, and goes on with the next phase. Threads
may come late, or never: those that are there do all of it.
"""

from typing import Any

from llvmlite import ir
from numba import extending, types
from numba.core.errors import TypingError

from cotopics.linalg.kernels.compiled import kernel

intrinsic: Any = extending.intrinsic  # kernels call an intrinsic without its first argument, the typing context

LINE = 16  # numbers between two counters: they are in different lines of the cache
DONE = LINE // 2  # from the counter of a phase's pieces that were taken to that of those that are done
SPINS = 4096  # looks at a counter, some ten microseconds, before the processor is left to others


def _at(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """The address of counters[i], where these are the arguments."""
    first = context.make_array(signature.args[0])(context, builder, args[0]).data
    return builder.gep(first, [args[1]])


def _checked(counters: Any) -> Any:
    if counters != types.Array(types.int64, 1, "C"):
        raise TypingError(f"counters are an array of int64, not {counters}")
    return types.int64(counters, types.intp)


@intrinsic
def _add_one(typing_context, counters, i):
    """counters[i], to which one is added: no two threads get the same, and what they wrote before is there for all."""

    def codegen(context, builder, signature, args):
        one = ir.Constant(ir.IntType(64), 1)
        return builder.atomic_rmw("add", _at(context, builder, signature, args), one, "acq_rel")

    return _checked(counters), codegen


@intrinsic
def _look_at(typing_context, counters, i):
    """counters[i] as it is now, and not as it was when this thread looked last."""

    def codegen(context, builder, signature, args):
        return builder.load_atomic(_at(context, builder, signature, args), "acquire", 8)

    return _checked(counters), codegen


@kernel
def next_piece(counter):
    """The number in `counter`, which becomes the next one: no two threads get the same."""
    return _add_one(counter, 0)


@kernel
def piece_of(counters, phase):
    """The number of the next piece of a phase."""
    return _add_one(counters, phase * LINE)


@kernel
def piece_done(counters, phase):
    """What was written before is there for all who see that the piece is done."""
    _add_one(counters, phase * LINE + DONE)


@kernel
def phase_done(counters, phase, n_pieces):
    """Whether all pieces of a phase are done, after a short wait if they are not."""
    looks = 0
    while _look_at(counters, phase * LINE + DONE) < n_pieces:
        looks += 1
        if looks == SPINS:
            return False
    return True
