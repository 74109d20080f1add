"""Products with some rows of a matrix, and weighted sums of some rows."""

from cotopics.linalg.kernels.compiled import kernel
from cotopics.linalg.kernels.lanes import dot, dot_four, places


@kernel
def products(w, M, rows, begin, end, out):
    """out_(e − begin) = w·M[rows_e] for e from begin to end; four at a time, so that w is read less."""
    K, e, from_w, from_M = len(w), begin, places(w), places(M)
    while e + 4 <= end:
        s = e - begin
        out[s], out[s + 1], out[s + 2], out[s + 3] = dot_four(
            from_w, from_M, rows[e] * K, rows[e + 1] * K, rows[e + 2] * K, rows[e + 3] * K, K
        )
        e += 4
    while e < end:
        out[e - begin] = dot(from_w, 0, from_M, rows[e] * K, K)
        e += 1


@kernel
def add_rows(M, rows, weights, begin, end, out):
    """out += Σ_e weights_(e − begin) M[rows_e] for e from begin to end; four at a time, so that `out` is read less."""
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
