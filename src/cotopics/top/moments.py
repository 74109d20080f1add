"""Sums over the rows of a sparse matrix, one pass for several of them."""

from cotopics.linalg.kernels.compiled import kernel


@kernel
def column_moments(indptr, indices, data, scale, N, sums, largest):
    """For x = scale_m data: sums (3, n) of x, x/N_m and x/N_m³ over rows m, and the largest x (n,) of each column."""
    for m in range(len(indptr) - 1):
        s, once, cubed = scale[m], 1.0 / N[m], 1.0 / (N[m] * N[m] * N[m])
        for e in range(indptr[m], indptr[m + 1]):
            x, j = s * data[e], indices[e]
            sums[0, j] += x
            sums[1, j] += x * once
            sums[2, j] += x * cubed
            largest[j] = max(largest[j], x)
