"""Pieces of work that compiled loops take, each by one thread, without Python in between (`threads.share_pieces`)."""

from typing import Any

from llvmlite import ir
from numba import extending, types
from numba.core.errors import TypingError

intrinsic: Any = extending.intrinsic  # kernels call an intrinsic without its first argument, the typing context


@intrinsic
def next_piece(typing_context, counter):
    """The number in `counter` (1,), which becomes the next one: no two threads get the same."""
    if counter != types.Array(types.int64, 1, "C"):
        raise TypingError(f"a counter is an array of one int64, not {counter}")

    def codegen(context, builder, signature, args):
        pointer = context.make_array(counter)(context, builder, args[0]).data
        return builder.atomic_rmw("add", pointer, ir.Constant(ir.IntType(64), 1), "monotonic")

    return types.int64(counter), codegen
