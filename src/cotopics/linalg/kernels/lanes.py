"""Sums in an order that the source fixes, as fast as the processor's vector units can add them.

A compiler may use vector units for a sum only where it is allowed to reorder it, and which order it then takes can
depend on how far apart two arrays lie in memory: the last digits change from run to run. So kernels are compiled
without that permission (`compiled.py`), and sums that matter are written with *lanes*: eight numbers side by side, each
lane added up in order, then folded to four, two and one. Processors with narrower vector units do the same additions in
several instructions, so the answer has the same bits there.

Functions here read an array by `places(array)`, the address of its first number, and count along all of its numbers:
row i of a matrix with K columns begins at place i * K. An array as an argument would be counted as a reference by numba
at every call, which takes longer than a short sum. The array must outlive its places: take them of arguments, in the
function that uses them.
"""

from typing import Any

from llvmlite import ir
from numba import extending, types
from numba.core.errors import TypingError

from cotopics.linalg.kernels.compiled import inlined

WIDTH = 8

intrinsic: Any = extending.intrinsic  # kernels call one without the typing context that it is written with
models: Any = extending.models


class Lanes(types.Type):
    """numba's name for `width` numbers of one type in one vector register."""

    def __init__(self, dtype: types.Type, width: int) -> None:
        self.dtype, self.width = dtype, width
        super().__init__(f"Lanes({dtype}, {width})")


@extending.register_model(Lanes)
class LanesModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Lanes) -> None:
        super().__init__(dmm, fe_type, ir.VectorType(dmm.lookup(fe_type.dtype).get_value_type(), fe_type.width))


def _load(context, builder, lanes, pointer, i):
    """The lanes.width numbers from place i on."""
    vector = context.get_value_type(lanes)
    loaded = builder.load(builder.bitcast(builder.gep(pointer, [i]), vector.as_pointer()))
    loaded.align = lanes.dtype.bitwidth // 8  # that of one number: a vector may begin anywhere
    return loaded


def _shuffle(builder, a, b, places):
    """The numbers of the vectors a and b, one after the other, that stand at these places."""
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(ir.IntType(32), len(places)), places))


@intrinsic
def places(typing_context, array):
    """Where the numbers of a contiguous array are."""
    if not (isinstance(array, types.Array) and array.layout == "C"):
        raise TypingError(f"lanes are read from contiguous arrays, not from {array}")

    def codegen(context, builder, signature, args):
        return context.make_array(array)(context, builder, args[0]).data

    return types.CPointer(array.dtype)(array), codegen


@intrinsic
def at(typing_context, a, i):
    """The number at place i."""

    def codegen(context, builder, signature, args):
        return builder.load(builder.gep(args[0], [args[1]]))

    return a.dtype(a, types.intp), codegen


@intrinsic
def zero(typing_context, a):
    """Nought, of the type of the numbers."""

    def codegen(context, builder, signature, args):
        return ir.Constant(context.get_value_type(a.dtype), 0.0)

    return a.dtype(a), codegen


@intrinsic
def zeros(typing_context, a):
    """Eight noughts."""
    lanes = Lanes(a.dtype, WIDTH)

    def codegen(context, builder, signature, args):
        return ir.Constant(context.get_value_type(lanes), [0.0] * WIDTH)

    return lanes(a), codegen


@intrinsic
def add(typing_context, s, a, i):
    """s + a[i : i + width], lane by lane."""

    def codegen(context, builder, signature, args):
        return builder.fadd(args[0], _load(context, builder, s, args[1], args[2]))

    return s(s, a, types.intp), codegen


@intrinsic
def add_products(typing_context, s, a, i, b, j):
    """s + a[i : i + width] · b[j : j + width], lane by lane."""

    def codegen(context, builder, signature, args):
        x, y = _load(context, builder, s, args[1], args[2]), _load(context, builder, s, args[3], args[4])
        return builder.fadd(args[0], builder.fmul(x, y))

    return s(s, a, types.intp, b, types.intp), codegen


@intrinsic
def fold(typing_context, s):
    """Half as many lanes: lane l plus lane l + width/2."""
    half = s.width // 2

    def codegen(context, builder, signature, args):
        low = _shuffle(builder, args[0], args[0], list(range(half)))
        return builder.fadd(low, _shuffle(builder, args[0], args[0], list(range(half, s.width))))

    return Lanes(s.dtype, half)(s), codegen


@intrinsic
def value(typing_context, s):
    """The first lane."""

    def codegen(context, builder, signature, args):
        return builder.extract_element(args[0], ir.Constant(ir.IntType(32), 0))

    return s.dtype(s), codegen


@intrinsic
def fold_four(typing_context, a, b, c, d):
    """value(fold(fold(.))) of each of four times four lanes, as a tuple; the same additions, four at a time."""

    def codegen(context, builder, signature, args):
        ab, cd = (
            builder.fadd(_shuffle(builder, x, y, [0, 1, 4, 5]), _shuffle(builder, x, y, [2, 3, 6, 7]))
            for x, y in (args[:2], args[2:])
        )
        sums = builder.fadd(_shuffle(builder, ab, cd, [0, 2, 4, 6]), _shuffle(builder, ab, cd, [1, 3, 5, 7]))
        parts = [builder.extract_element(sums, ir.Constant(ir.IntType(32), l)) for l in range(4)]
        return context.make_tuple(builder, signature.return_type, parts)

    return types.UniTuple(a.dtype, 4)(a, b, c, d), codegen


@inlined
def dot(a, i, b, j, n):
    """Σ_l a[i + l] b[j + l] over l < n. Fewer than eight are added in order."""
    result, l = zero(a), 0
    if n >= 8:
        s = zeros(a)
        while l + 8 <= n:
            s = add_products(s, a, i + l, b, j + l)
            l += 8
        s4 = fold(s)
        if l + 4 <= n:
            s4 = add_products(s4, a, i + l, b, j + l)
            l += 4
        result = value(fold(fold(s4)))
    while l < n:
        result += at(a, i + l) * at(b, j + l)
        l += 1
    return result


@inlined
def dot_four(a, b, j0, j1, j2, j3, n):
    """dot(a, 0, b, j, n) for four j: the same additions, with `a` read once."""
    r0, r1, r2, r3, l = zero(a), zero(a), zero(a), zero(a), 0
    if n >= 8:
        s0, s1, s2, s3 = zeros(a), zeros(a), zeros(a), zeros(a)
        while l + 8 <= n:
            s0 = add_products(s0, a, l, b, j0 + l)
            s1 = add_products(s1, a, l, b, j1 + l)
            s2 = add_products(s2, a, l, b, j2 + l)
            s3 = add_products(s3, a, l, b, j3 + l)
            l += 8
        f0, f1, f2, f3 = fold(s0), fold(s1), fold(s2), fold(s3)
        if l + 4 <= n:
            f0 = add_products(f0, a, l, b, j0 + l)
            f1 = add_products(f1, a, l, b, j1 + l)
            f2 = add_products(f2, a, l, b, j2 + l)
            f3 = add_products(f3, a, l, b, j3 + l)
            l += 4
        r0, r1, r2, r3 = fold_four(f0, f1, f2, f3)
    while l < n:
        r0 += at(a, l) * at(b, j0 + l)
        r1 += at(a, l) * at(b, j1 + l)
        r2 += at(a, l) * at(b, j2 + l)
        r3 += at(a, l) * at(b, j3 + l)
        l += 1
    return r0, r1, r2, r3


@inlined
def total(a, n):
    """Σ_l a[l] over l < n. Fewer than eight are added in order."""
    result, l = zero(a), 0
    if n >= 8:
        s = zeros(a)
        while l + 8 <= n:
            s = add(s, a, l)
            l += 8
        s4 = fold(s)
        if l + 4 <= n:
            s4 = add(s4, a, l)
            l += 4
        result = value(fold(fold(s4)))
    while l < n:
        result += at(a, l)
        l += 1
    return result
