"""Sums in a fixed order, with the vector (SIMD) units of the processor, and products with rows made of them.

A compiler uses vector units for a sum only if it may change the order of the additions. Then the order can depend on
the addresses of the arrays, so the last digits change from run to run. Kernels are therefore compiled without that
permission (`compiled.py`), and the sums that take time are written with vectors here. A vector holds eight numbers,
called lanes. Each lane is summed in order; then the eight sums are folded to four, to two and to one. A processor with
shorter vectors makes the same additions in several instructions, so the bits are the same on every processor. This is
as fast as a reordered sum, because four rows are multiplied at a time.

Functions here take `address(array)` instead of the array, because numba counts a reference to an array argument at
every call, which takes longer than a short sum. They index all numbers of the array in a row: row i of a matrix with K
columns starts at index i * K. The array must live as long as its address is used, so call `address` on the arguments
of a function, in that function.
"""

from typing import Any

from llvmlite import ir
from numba import extending, types
from numba.core.errors import TypingError

from cotopics.linalg.kernels.compiled import inlined, kernel

LANES = 8

intrinsic: Any = extending.intrinsic  # kernels call an intrinsic without its first argument, the typing context
models: Any = extending.models


class Vector(types.Type):
    """The numba type of a vector: `lanes` numbers of one type in one register."""

    def __init__(self, dtype: types.Type, lanes: int) -> None:
        self.dtype, self.lanes = dtype, lanes
        super().__init__(f"Vector({dtype}, {lanes})")


@extending.register_model(Vector)
class VectorModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Vector) -> None:
        super().__init__(dmm, fe_type, ir.VectorType(dmm.lookup(fe_type.dtype).get_value_type(), fe_type.lanes))


def _load(context, builder, vector, pointer, i):
    """The numbers i to i + lanes as a vector."""
    llvm_type = context.get_value_type(vector)
    loaded = builder.load(builder.bitcast(builder.gep(pointer, [i]), llvm_type.as_pointer()))
    loaded.align = vector.dtype.bitwidth // 8  # that of one number: a vector may start at any index
    return loaded


def _pick(builder, a, b, lanes):
    """A vector of some lanes of a and b. The lanes of b are numbered after those of a."""
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(ir.IntType(32), len(lanes)), lanes))


@intrinsic
def address(typing_context, array):
    """The address of the first number of a contiguous array."""
    if not (isinstance(array, types.Array) and array.layout == "C"):
        raise TypingError(f"ordered sums need contiguous arrays, not {array}")

    def codegen(context, builder, signature, args):
        return context.make_array(array)(context, builder, args[0]).data

    return types.CPointer(array.dtype)(array), codegen


@intrinsic
def number_at(typing_context, a, i):
    """a[i]."""

    def codegen(context, builder, signature, args):
        return builder.load(builder.gep(args[0], [args[1]]))

    return a.dtype(a, types.intp), codegen


@intrinsic
def zero(typing_context, a):
    """0 in the type of the numbers of a."""

    def codegen(context, builder, signature, args):
        return ir.Constant(context.get_value_type(a.dtype), 0.0)

    return a.dtype(a), codegen


@intrinsic
def zero_vector(typing_context, a):
    """Eight zeros in the type of the numbers of a."""
    vector = Vector(a.dtype, LANES)

    def codegen(context, builder, signature, args):
        return ir.Constant(context.get_value_type(vector), [0.0] * LANES)

    return vector(a), codegen


@intrinsic
def add_numbers(typing_context, s, a, i):
    """s + a[i : i + lanes]."""

    def codegen(context, builder, signature, args):
        return builder.fadd(args[0], _load(context, builder, s, args[1], args[2]))

    return s(s, a, types.intp), codegen


@intrinsic
def add_products(typing_context, s, a, i, b, j):
    """s + a[i : i + lanes] · b[j : j + lanes], lane by lane."""

    def codegen(context, builder, signature, args):
        x, y = _load(context, builder, s, args[1], args[2]), _load(context, builder, s, args[3], args[4])
        return builder.fadd(args[0], builder.fmul(x, y))

    return s(s, a, types.intp, b, types.intp), codegen


@intrinsic
def fold(typing_context, s):
    """A vector of half as many lanes: lane l plus lane l + lanes/2."""
    half = s.lanes // 2

    def codegen(context, builder, signature, args):
        low = _pick(builder, args[0], args[0], list(range(half)))
        return builder.fadd(low, _pick(builder, args[0], args[0], list(range(half, s.lanes))))

    return Vector(s.dtype, half)(s), codegen


@intrinsic
def first_lane(typing_context, s):
    """The first lane, as a number."""

    def codegen(context, builder, signature, args):
        return builder.extract_element(args[0], ir.Constant(ir.IntType(32), 0))

    return s.dtype(s), codegen


@intrinsic
def fold_four(typing_context, a, b, c, d):
    """first_lane(fold(fold(x))) for four vectors x of four lanes, as a tuple: the same additions, four at a time."""

    def codegen(context, builder, signature, args):
        ab, cd = (
            builder.fadd(_pick(builder, x, y, [0, 1, 4, 5]), _pick(builder, x, y, [2, 3, 6, 7]))
            for x, y in (args[:2], args[2:])
        )
        sums = builder.fadd(_pick(builder, ab, cd, [0, 2, 4, 6]), _pick(builder, ab, cd, [1, 3, 5, 7]))
        parts = [builder.extract_element(sums, ir.Constant(ir.IntType(32), l)) for l in range(4)]
        return context.make_tuple(builder, signature.return_type, parts)

    return types.UniTuple(a.dtype, 4)(a, b, c, d), codegen


@inlined
def dot(a, i, b, j, n):
    """Σ_l a[i + l] b[j + l] over l < n. Fewer than eight products are added in order."""
    result, l = zero(a), 0
    if n >= 8:
        s = zero_vector(a)
        while l + 8 <= n:
            s = add_products(s, a, i + l, b, j + l)
            l += 8
        s4 = fold(s)
        if l + 4 <= n:
            s4 = add_products(s4, a, i + l, b, j + l)
            l += 4
        result = first_lane(fold(fold(s4)))
    while l < n:
        result += number_at(a, i + l) * number_at(b, j + l)
        l += 1
    return result


@inlined
def dot_four(a, b, j0, j1, j2, j3, n):
    """dot(a, 0, b, j, n) for four j: the same additions, but `a` is read once."""
    r0, r1, r2, r3, l = zero(a), zero(a), zero(a), zero(a), 0
    if n >= 8:
        s0, s1, s2, s3 = zero_vector(a), zero_vector(a), zero_vector(a), zero_vector(a)
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
        r0 += number_at(a, l) * number_at(b, j0 + l)
        r1 += number_at(a, l) * number_at(b, j1 + l)
        r2 += number_at(a, l) * number_at(b, j2 + l)
        r3 += number_at(a, l) * number_at(b, j3 + l)
        l += 1
    return r0, r1, r2, r3


@inlined
def total(a, n):
    """Σ_l a[l] over l < n. Fewer than eight numbers are added in order."""
    result, l = zero(a), 0
    if n >= 8:
        s = zero_vector(a)
        while l + 8 <= n:
            s = add_numbers(s, a, l)
            l += 8
        s4 = fold(s)
        if l + 4 <= n:
            s4 = add_numbers(s4, a, l)
            l += 4
        result = first_lane(fold(fold(s4)))
    while l < n:
        result += number_at(a, l)
        l += 1
    return result


@kernel
def multiply_rows(w, M, rows, begin, end, out):
    """out_(e − begin) = w·M[rows_e] for e from begin to end; four rows at a time, so that w is read less often."""
    K, e, w_address, M_address = len(w), begin, address(w), address(M)
    while e + 4 <= end:
        s = e - begin
        out[s], out[s + 1], out[s + 2], out[s + 3] = dot_four(
            w_address, M_address, rows[e] * K, rows[e + 1] * K, rows[e + 2] * K, rows[e + 3] * K, K
        )
        e += 4
    while e < end:
        out[e - begin] = dot(w_address, 0, M_address, rows[e] * K, K)
        e += 1


@kernel
def add_rows(M, rows, weights, begin, end, out):
    """out += Σ_e weights_(e − begin) M[rows_e] for e from begin to end; four rows at a time, to read `out` less."""
    e = begin
    while e + 4 <= end:
        r0, r1, r2, r3 = M[rows[e]], M[rows[e + 1]], M[rows[e + 2]], M[rows[e + 3]]
        s = e - begin
        w0, w1, w2, w3 = weights[s], weights[s + 1], weights[s + 2], weights[s + 3]
        for k in range(len(out)):
            out[k] += (w0 * r0[k] + w1 * r1[k]) + (w2 * r2[k] + w3 * r3[k])
        e += 4
    while e < end:
        r, w = M[rows[e]], weights[e - begin]
        for k in range(len(out)):
            out[k] += w * r[k]
        e += 1
