"""One step of expectation-maximisation for X ≈ κWBᵀ + 1aᵀ under the multinomial likelihood, in two passes.

a (n_words,) is what is in every row anyhow, κ the share that W Bᵀ has to explain.

The pass over documents keeps each non-zero's x/(Wᵀ B), the pass over words uses them: every number is written by one
thread and summed in a fixed order, so that results do not depend on how many threads there are.
"""

import numpy as np

from cotopics.linalg.kernels.simplex import kernel

TINY = 1e-300


@kernel
def document_pass(indptr, indices, data, B, W, kappa, a, smoothing, first, last, with_likelihood, ratios, W_new):
    """Rows first to last of W_new, and ratios κx_dw/q_dw with q = κW_d·B_w + a_w; returns Σ x log q, or 0.

    B (n_words, K) and W (n_documents, K) are those of the last step; smoothing is added to each topic's weight.
    Logarithms are a third of the work, and made only where the likelihood is asked for.
    """
    K = B.shape[1]
    likelihood = 0.0
    for d in range(first, last):
        w, new = W[d], W_new[d]
        new[:] = 0.0
        for e in range(indptr[d], indptr[d + 1]):
            b, q = B[indices[e]], 0.0
            for k in range(K):
                q += w[k] * b[k]
            q = max(kappa * q + a[indices[e]], TINY)
            ratio = kappa * data[e] / q
            ratios[e] = ratio
            if with_likelihood:
                likelihood += data[e] * np.log(q)
            for k in range(K):
                new[k] += ratio * b[k]
        total = 0.0
        for k in range(K):
            new[k] = new[k] * w[k] + smoothing
            total += new[k]
        if total > 0:
            for k in range(K):
                new[k] /= total
        else:
            new[:] = w
    return likelihood


@kernel
def word_pass(indptr, documents, places, ratios, B, W, first, last, out):
    """out_wk = B_wk Σ_d ratio_dw W_dk for words first to last; places says where each non-zero's ratio is."""
    K = B.shape[1]
    for i in range(first, last):
        row, b = out[i], B[i]
        row[:] = 0.0
        for e in range(indptr[i], indptr[i + 1]):
            ratio, w = ratios[places[e]], W[documents[e]]
            for k in range(K):
                row[k] += ratio * w[k]
        for k in range(K):
            row[k] *= b[k]
