"""One step of expectation-maximisation for X ≈ κWBᵀ + 1aᵀ under the multinomial likelihood, in two passes.

a (n_words,) is what is in every row anyhow, κ the share that W Bᵀ has to explain.

The pass over documents keeps each non-zero's x/(Wᵀ B), the pass over words uses them: every number is written by one
thread and summed in a fixed order, so that results do not depend on how many threads there are. Numbers of non-zeros,
B and W are of one type, single or double: rows of them are what is read, from all over the place. Sums over words and
documents are double.
"""

import numpy as np

from cotopics.linalg.kernels.compiled import allocating_kernel, copy, fill, kernel
from cotopics.linalg.kernels.ordered_sums import add_rows, address, multiply_rows, total
from cotopics.linalg.kernels.pieces import next_piece

TINY = 1e-30  # whose inverse is a number in single precision too
FARTHEST = 10.0  # factor by which a step may change a number and still be gone on with


@kernel
def document_pass(indptr, indices, data, B, W, kappa, a, smoothing, first, last, relax, with_likelihood, ratios, new):
    """Rows first to last of W become new ones, and ratios κx_dw/q_dw with q = κW_d·B_w + a_w; returns Σ x log q, or 0.

    B (n_words, K) and W (n_documents, K) are those of the last step; smoothing is added to each topic's weight.
    `new` (K,) is overwritten. Logarithms are a third of the work, and made only where the likelihood is asked for.
    """
    K = B.shape[1]
    likelihood, share = 0.0, data.dtype.type(kappa)
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


@allocating_kernel
def word_pass(words, indptr, documents, numbers, ratios, W, first, last, out):
    """out_wk += Σ_d ratio_dw W_dk for w of words first to last; numbers says where each non-zero's ratio is."""
    longest = 0
    for i in range(first, last):
        longest = max(longest, indptr[i + 1] - indptr[i])
    add_words(words, indptr, documents, numbers, ratios, W, first, last, np.empty(longest, dtype=ratios.dtype), out)


@kernel
def add_words(words, indptr, documents, numbers, ratios, W, first, last, own, out):
    """`word_pass`, with room for the ratios of one word in `own`."""
    for i in range(first, last):
        begin, end = indptr[i], indptr[i + 1]
        for e in range(begin, end):
            own[e - begin] = ratios[numbers[e]]
        add_rows(W, documents, own, begin, end, out[words[i]])


@kernel
def document_pieces(
    counter, edges, indptr, indices, data, B, W, kappa, a, smoothing, relax, with_likelihood, old, ratios, likelihoods,
    new,
):  # fmt: skip
    """`document_pass` of the rows from edge to edge; likelihoods has that of each piece, and `old` what W was before.

    `old` without rows: nobody asks for it. `new` (K,) is overwritten, so every thread has its own."""
    piece = next_piece(counter)
    while piece < len(likelihoods):
        first, last = edges[piece], edges[piece + 1]
        if len(old) > 0:
            for d in range(first, last):
                copy(W[d], old[d])
        likelihoods[piece] = document_pass(
            indptr, indices, data, B, W, kappa, a, smoothing, first, last, relax, with_likelihood, ratios, new
        )
        piece = next_piece(counter)


@kernel
def word_pieces(counter, edges, words, indptr, documents, numbers, ratios, W, out):
    """`word_pass` of the words from edge to edge."""
    piece = next_piece(counter)
    while piece < len(edges) - 1:
        word_pass(words, indptr, documents, numbers, ratios, W, edges[piece], edges[piece + 1], out)
        piece = next_piece(counter)


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
def topic_pieces(counter, rows, tokens, kept, smoothing, totals, old, relax, B, sums):
    """Pieces of so many rows of B become (tokens + kept + smoothing) / totals, extrapolated from `old` if `relax`.

    sums (n_pieces, K) are those over the rows of each piece of B. `kept` without rows: there is nothing kept."""
    piece = next_piece(counter)
    while piece < len(sums):
        first, last = piece * rows, min((piece + 1) * rows, len(B))
        fill(sums[piece], 0.0)
        for i in range(first, last):
            b = B[i]
            for k in range(len(b)):
                b[k] = tokens[i, k] + smoothing
            if len(kept) > 0:
                for k in range(len(b)):
                    b[k] += kept[i, k]
            for k in range(len(b)):
                b[k] /= totals[k]
            if relax:
                leap(old[i], b)
            for k in range(len(b)):
                sums[piece, k] += b[k]
        piece = next_piece(counter)


@kernel
def quotient_pieces(counter, rows, totals, B):
    """B / totals (K,), so many rows at a time."""
    piece = next_piece(counter)
    while piece * rows < len(B):
        for i in range(piece * rows, min((piece + 1) * rows, len(B))):
            for k in range(B.shape[1]):
                B[i, k] /= totals[k]
        piece = next_piece(counter)


@kernel
def product_pieces(counter, rows, B, tokens, sums):
    """tokens · B, so many rows at a time; sums (n_pieces, K) are those over the rows of each piece."""
    piece = next_piece(counter)
    while piece < len(sums):
        own = sums[piece]
        fill(own, 0.0)
        for i in range(piece * rows, min((piece + 1) * rows, len(B))):
            for k in range(len(own)):
                tokens[i, k] *= B[i, k]
                own[k] += tokens[i, k]
        piece = next_piece(counter)


@kernel
def typed_pieces(counter, rows, B, out):
    """`out` becomes B in its own type, so many rows at a time."""
    piece = next_piece(counter)
    while piece * rows < len(B):
        for i in range(piece * rows, min((piece + 1) * rows, len(B))):
            for k in range(B.shape[1]):
                out[i, k] = B[i, k]
        piece = next_piece(counter)


# --- one topic a document --------------------------------------------------------------------------------------------

OWN = 1e-4  # a share of a document above which its own words are taken out of a topic, exactly


@allocating_kernel
def one_topic_pass(indptr, indices, data, tokens, totals, sizes, table, smoothing, size, beta, first, last, P):
    """Rows first to last of P, p(topic | document), become new ones; returns Σ log p(document | others) and Σ |change|.

    tokens (n_words, K) are those of every word in each topic, totals (K,) their sums, sizes (K,) the documents; a
    document is compared with topics that it is not part of. `table` (n_words, K) is log((tokens + smoothing) / (totals
    + n_words · smoothing)), which is used where a document's own share is next to nothing. `size` is added to every
    topic's documents, and the likelihood of the words is raised to the power beta.
    """
    n_words, K = tokens.shape
    likelihood, change, longest = 0.0, 0.0, 0
    for d in range(first, last):
        longest = max(longest, indptr[d + 1] - indptr[d])
    S, new, counts = np.empty(K), np.empty(K), np.empty(longest)
    for d in range(first, last):
        begin, end = indptr[d], indptr[d + 1]
        for e in range(begin, end):
            counts[e - begin] = data[e]
        n = total(address(counts), end - begin)
        fill(S, 0.0)
        add_rows(table, indices, counts, begin, end, S)
        for k in range(K):
            own = P[d, k]
            if own > OWN:
                among = np.log(max(totals[k] - own * n, 0.0) + n_words * smoothing)
                S[k] = 0.0
                for e in range(begin, end):
                    others = max(tokens[indices[e], k] - own * data[e], 0.0)
                    S[k] += data[e] * (np.log(others + smoothing) - among)
            S[k] = beta * S[k] + np.log(max(sizes[k] - own, 0.0) + size)
        largest = S[0]
        for k in range(K):
            largest = max(largest, S[k])
        for k in range(K):
            new[k] = np.exp(S[k] - largest)
        weight = total(address(new), K)
        likelihood += largest + np.log(weight)
        for k in range(K):
            now = new[k] / weight
            change += abs(now - P[d, k])
            P[d, k] = now
    return likelihood, change


@kernel
def merge_losses(counts, lgammas, i, losses):
    """losses[j] += Σ_w g(c_wi) + g(c_wj) − g(c_wi + c_wj) for topics i and j of counts (n_words, n_topics).

    lgammas[c] is g(c) = log Γ(c + smoothing) − log Γ(smoothing). Words that only one of the two has add nothing.
    """
    for w in range(len(counts)):
        own = counts[w, i]
        if own > 0:
            for j in range(len(losses)):
                other = counts[w, j]
                if other > 0:
                    losses[j] += lgammas[own] + lgammas[other] - lgammas[own + other]
