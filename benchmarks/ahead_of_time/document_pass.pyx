# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The pass over documents of refine/kernels.py in Cython."""

import numpy as np

from libc.math cimport sqrt

cdef double TINY = 1e-30
cdef double FARTHEST = 10.0


cdef inline float dot(const float *a, const float *b, Py_ssize_t n) noexcept nogil:
    cdef float s[8]
    cdef float result = 0
    cdef Py_ssize_t l = 0
    cdef int i
    if n >= 8:
        for i in range(8):
            s[i] = 0
        while l + 8 <= n:
            for i in range(8):
                s[i] += a[l + i] * b[l + i]
            l += 8
        for i in range(4):
            s[i] += s[i + 4]
        if l + 4 <= n:
            for i in range(4):
                s[i] += a[l + i] * b[l + i]
            l += 4
        result = (s[0] + s[2]) + (s[1] + s[3])
    while l < n:
        result += a[l] * b[l]
        l += 1
    return result


cdef inline double total(const double *a, Py_ssize_t n) noexcept nogil:
    cdef double s[8]
    cdef double result = 0
    cdef Py_ssize_t l = 0
    cdef int i
    if n >= 8:
        for i in range(8):
            s[i] = 0
        while l + 8 <= n:
            for i in range(8):
                s[i] += a[l + i]
            l += 8
        for i in range(4):
            s[i] += s[i + 4]
        if l + 4 <= n:
            for i in range(4):
                s[i] += a[l + i]
            l += 4
        result = (s[0] + s[2]) + (s[1] + s[3])
    while l < n:
        result += a[l]
        l += 1
    return result


def document_pass(
    const int[::1] indptr, const int[::1] indices, const float[::1] data, const float[:, ::1] B, float[:, ::1] W,
    double kappa, const double[::1] a, double smoothing, Py_ssize_t first, Py_ssize_t last, bint relax,
    bint with_likelihood, float[::1] ratios,
):
    cdef Py_ssize_t K = B.shape[1], d, e, k, begin, end
    cdef double[::1] fresh = np.empty(K)
    cdef double *new = &fresh[0]
    cdef float *w
    cdef const float *r0
    cdef const float *r1
    cdef const float *r2
    cdef const float *r3
    cdef float w0, w1, w2, w3, share = <float>kappa
    cdef double weight, factor, value
    with nogil:
        for d in range(first, last):
            w, begin, end = &W[d, 0], indptr[d], indptr[d + 1]
            for e in range(begin, end):
                value = kappa * dot(w, &B[indices[e], 0], K) + a[indices[e]]
                ratios[e] = <float>(value if value > TINY else TINY)
            for e in range(begin, end):
                ratios[e] = share * data[e] / ratios[e]
            for k in range(K):
                new[k] = 0
            e = begin
            while e + 4 <= end:
                r0, r1, r2, r3 = &B[indices[e], 0], &B[indices[e + 1], 0], &B[indices[e + 2], 0], &B[indices[e + 3], 0]
                w0, w1, w2, w3 = ratios[e], ratios[e + 1], ratios[e + 2], ratios[e + 3]
                for k in range(K):
                    new[k] += (w0 * r0[k] + w1 * r1[k]) + (w2 * r2[k] + w3 * r3[k])
                e += 4
            while e < end:
                for k in range(K):
                    new[k] += ratios[e] * B[indices[e], k]
                e += 1
            for k in range(K):
                new[k] = new[k] * w[k] + smoothing
            weight = total(new, K)
            if weight > 0:
                for k in range(K):
                    new[k] /= weight
                if relax:
                    for k in range(K):
                        value = w[k]
                        factor = new[k] / (value if value > TINY else TINY)
                        factor = min(max(factor, 1 / FARTHEST), FARTHEST)
                        new[k] *= sqrt(factor) * sqrt(sqrt(factor))
                    weight = total(new, K)
                    for k in range(K):
                        new[k] /= weight
                for k in range(K):
                    w[k] = <float>new[k]
