"""One step of expectation-maximisation for X ≈ κWBᵀ + 1aᵀ under the multinomial likelihood, in two passes.

a (n_words,) is what is in every row anyhow, κ the share that W Bᵀ has to explain.

The pass over documents keeps each non-zero's x/(Wᵀ B), the pass over words uses them: every number is written by one
thread and summed in a fixed order, so that results do not depend on how many threads there are. Numbers of non-zeros,
B and W are of one type, single or double: rows of them are what is read, from all over the place. Sums over words and
documents are double.
"""

import numpy as np

from cotopics.linalg.kernels.compiled import copy, fill, kernel
from cotopics.linalg.kernels.ordered_sums import add_rows, address, multiply_rows, total

TINY = 1e-30  # whose inverse is a number in single precision too
FARTHEST = 10.0  # factor by which a step may change a number and still be gone on with


@kernel
def document_pass(indptr, indices, data, B, W, kappa, a, smoothing, first, last, relax, with_likelihood, ratios):
    """Rows first to last of W become new ones, and ratios κx_dw/q_dw with q = κW_d·B_w + a_w; returns Σ x log q, or 0.

    B (n_words, K) and W (n_documents, K) are those of the last step; smoothing is added to each topic's weight.
    Logarithms are a third of the work, and made only where the likelihood is asked for.
    """
    K = B.shape[1]
    likelihood, share = 0.0, data.dtype.type(kappa)
    new = np.empty(K)
    for d in range(first, last):
        w, begin, end = W[d], indptr[d], indptr[d + 1]
        multiply_rows(w, B, indices, begin, end, ratios[begin:end])
        for e in range(begin, end):
            ratios[e] = max(kappa * ratios[e] + a[indices[e]], TINY)
        if with_likelihood:
            for e in range(begin, end):
                likelihood += data[e] * np.log(ratios[e])
        for e in range(begin, end):
            ratios[e] = share * data[e] / ratios[e]
        fill(new, 0.0)
        add_rows(B, indices, ratios[begin:end], begin, end, new)
        for k in range(K):
            new[k] = new[k] * w[k] + smoothing
        weight = total(address(new), K)
        if weight > 0:
            for k in range(K):
                new[k] /= weight
            if relax:
                extrapolate(w, new)
            copy(new, w)
    return likelihood


@kernel
def word_pass(words, indptr, documents, numbers, ratios, W, first, last, out):
    """out_wk += Σ_d ratio_dw W_dk for w of words first to last; numbers says where each non-zero's ratio is."""
    longest = 0
    for i in range(first, last):
        longest = max(longest, indptr[i + 1] - indptr[i])
    own = np.empty(longest, dtype=ratios.dtype)
    for i in range(first, last):
        begin, end = indptr[i], indptr[i + 1]
        for e in range(begin, end):
            own[e - begin] = ratios[numbers[e]]
        add_rows(W, documents, own, begin, end, out[words[i]])


@kernel
def extrapolate(old, new):
    """new · (new/old)^¾, made to sum to one: one and three quarters of the step from `old` to `new`, in logarithms."""
    leap(old, new)
    weight = total(address(new), len(new))
    for k in range(len(new)):
        new[k] /= weight


@kernel
def leap(old, new):
    """new · (new/old)^¾, as it comes."""
    for k in range(len(new)):
        factor = min(max(new[k] / max(old[k], TINY), 1.0 / FARTHEST), FARTHEST)
        new[k] *= np.sqrt(factor) * np.sqrt(np.sqrt(factor))


@kernel
def leap_rows(old, new, first, last):
    """The same for rows first to last."""
    for i in range(first, last):
        leap(old[i], new[i])
