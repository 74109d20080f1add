"""One step of expectation-maximisation for X ≈ κWBᵀ + 1aᵀ under the multinomial likelihood, in two passes.

a (n_words,) is what is in every row anyhow, κ the share that W Bᵀ has to explain.

The pass over documents keeps each non-zero's x/(Wᵀ B), the pass over words uses them: every number is written by one
thread and summed in a fixed order, so that results do not depend on how many threads there are. Documents come in
blocks, whose non-zeros stay in the cache from one pass to the other (`blocks.py`); a step is one call for each thread,
which takes pieces of one pass after the other (`linalg/kernels/pieces.py`). Numbers of non-zeros,
B and W are of one type, single or double: rows of them are what is read, from all over the place. Sums over words and
documents are double.
"""

import numpy as np

from cotopics.linalg.kernels.compiled import copy, fill, kernel
from cotopics.linalg.kernels.functions import exponential, logarithm
from cotopics.linalg.kernels.ordered_sums import add_rows, address, multiply_rows, total
from cotopics.linalg.kernels.pieces import phase_done, piece_done, piece_of

TINY = 1e-30  # whose inverse is a number in single precision too
FARTHEST = 10.0  # factor by which a step may change a number and still be gone on with


@kernel
def step_pieces(
    counters, sizes, B, read, rows,
    first_rows, document_pieces, edges, indptr, indices, data, W, kappa, a, smoothing, relax, with_likelihood,
    weights, old, ratios, likelihoods,
    word_pieces, word_edges, words, starts, documents, numbers, tokens,
    sums, new, own,
):  # fmt: skip
    """One step of EM in phases of sizes (2 n_blocks + 2,) pieces; whether all of them are done.

    First `read` becomes B in the type of W, so many rows at a time. Then come, for each block, its documents and its
    words. In the last phase tokens (n_words, K) are multiplied by `read`, and `sums` has their sums of each piece.
    A phase of no pieces is left out. What else is given: documents with W (n_documents, K) and likelihoods of each
    piece as in `document_pass`; words as in `word_pass`, which count `weights` (n_documents,) times if there are any.
    `old` and `ratios` are those of one block; new (K,) and own (longest word,) are overwritten, and this thread's own.
    """
    n_blocks = len(first_rows) - 1
    for phase in range(len(sizes)):
        piece, n_pieces = piece_of(counters, phase), sizes[phase]
        while piece < n_pieces:
            if phase == 0:
                type_rows(B, piece * rows, min((piece + 1) * rows, len(B)), read)
            elif phase == 2 * n_blocks + 1:
                multiply_topics(read, piece * rows, min((piece + 1) * rows, len(B)), tokens, sums[piece])
            elif phase % 2 == 1:
                block = (phase - 1) // 2
                p = document_pieces[block] + piece
                first, last, first_row = edges[p], edges[p + 1], first_rows[block]
                keep_rows(W, weights, first, last, first_row, old)
                likelihoods[p] = document_pass(
                    indptr, indices, data, read, W, kappa, a, smoothing, first, last, indptr[first_row], relax,
                    with_likelihood, ratios, new,
                )  # fmt: skip
            else:
                p = word_pieces[(phase - 1) // 2] + piece
                word_pass(words, starts, documents, numbers, ratios, old, word_edges[p], word_edges[p + 1], own, tokens)
            piece_done(counters, phase)
            piece = piece_of(counters, phase)
        if not phase_done(counters, phase, n_pieces):
            return False
    return True


@kernel
def document_pass(
    indptr, indices, data, B, W, kappa, a, smoothing, first, last, offset, relax, with_likelihood, ratios, new
):
    """Rows first to last of W become new ones, and ratios κx_dw/q_dw with q = κW_d·B_w + a_w; returns Σ x log q, or 0.

    B (n_words, K) and W (n_documents, K) are those of the last step; smoothing is added to each topic's weight. The
    first of the ratios is that of non-zero `offset`. `new` (K,) is overwritten. Logarithms are a third of the work, and
    made only where the likelihood is asked for.
    """
    K = B.shape[1]
    likelihood, share = 0.0, data.dtype.type(kappa)
    for d in range(first, last):
        w, begin, end = W[d], indptr[d], indptr[d + 1]
        own = ratios[begin - offset : end - offset]
        multiply_rows(w, B, indices, begin, end, own)
        for e in range(begin, end):
            own[e - begin] = max(kappa * own[e - begin] + a[indices[e]], TINY)
        if with_likelihood:
            for e in range(begin, end):
                likelihood += data[e] * np.log(own[e - begin])
        for e in range(begin, end):
            own[e - begin] = share * data[e] / own[e - begin]
        fill(new, 0.0)
        add_rows(B, indices, own, begin, end, new)
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
def word_pass(words, starts, documents, numbers, values, W, first, last, own, out):
    """out_wk += Σ_d value_dw W_dk for w of words first to last; numbers says where each non-zero's value is.

    The non-zeros of words[i] are those from starts[i] to starts[i + 1]. own (longest word,) is overwritten."""
    for i in range(first, last):
        begin, end = starts[i], starts[i + 1]
        for e in range(begin, end):
            own[e - begin] = values[numbers[e]]
        add_rows(W, documents, own, begin, end, out[words[i]])


@kernel
def keep_rows(W, weights, first, last, first_row, old):
    """Rows first to last of W, times their weights if there are any, go to `old`, whose first row is row first_row."""
    if len(old) > 0:
        for d in range(first, last):
            copy(W[d], old[d - first_row])
            if len(weights) > 0:
                for k in range(W.shape[1]):
                    old[d - first_row, k] *= weights[d]


@kernel
def type_rows(B, first, last, out):
    """Rows first to last of B in the type of `out`."""
    for i in range(first, last):
        for k in range(B.shape[1]):
            out[i, k] = B[i, k]


@kernel
def multiply_topics(B, first, last, tokens, sums):
    """tokens · B of rows first to last; sums (K,) are those over these rows."""
    fill(sums, 0.0)
    for i in range(first, last):
        for k in range(len(sums)):
            tokens[i, k] *= B[i, k]
            sums[k] += tokens[i, k]


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
def topic_pieces(counters, sizes, rows, tokens, kept, smoothing, totals, old, relax, B, sums):
    """B becomes (tokens + kept + smoothing) / totals, extrapolated from `old` if `relax`; whether all of it is done.

    Three phases of sizes (3,) pieces, so many rows each: this, with sums (n_pieces, K) over the rows of each piece; the
    sum of sums, in the first; and B is divided by it, if `relax`. `kept` without rows: there is nothing kept."""
    for phase in range(3):
        piece, n_pieces = piece_of(counters, phase), sizes[phase]
        while piece < n_pieces:
            first, last = piece * rows, min((piece + 1) * rows, len(B))
            if phase == 0:
                fill(sums[piece], 0.0)
                for i in range(first, last):
                    next_topic(tokens[i], kept, i, smoothing, totals, old[i], relax, B[i])
                    for k in range(B.shape[1]):
                        sums[piece, k] += B[i, k]
            elif phase == 1:
                for p in range(1, sizes[0]):
                    for k in range(B.shape[1]):
                        sums[0, k] += sums[p, k]
                for k in range(B.shape[1]):
                    if sums[0, k] == 0.0:
                        sums[0, k] = 1.0
            else:
                for i in range(first, last):
                    for k in range(B.shape[1]):
                        B[i, k] /= sums[0, k]
            piece_done(counters, phase)
            piece = piece_of(counters, phase)
        if not phase_done(counters, phase, n_pieces):
            return False
    return True


@kernel
def next_topic(tokens, kept, i, smoothing, totals, old, relax, b):
    """Row i of the next topics, b (K,)."""
    for k in range(len(b)):
        b[k] = tokens[k] + smoothing
    if len(kept) > 0:
        for k in range(len(b)):
            b[k] += kept[i, k]
    for k in range(len(b)):
        b[k] /= totals[k]
    if relax:
        leap(old, b)


# --- one topic a document --------------------------------------------------------------------------------------------

OWN = 1e-4  # a share of a document above which its own words are taken out of a topic, exactly


@kernel
def one_topic_pieces(
    counters, sizes,
    first_rows, document_pieces, edges, indptr, indices, data,
    tokens, totals, topic_sizes, log_sizes, per_size, table, smoothing, size, beta, P,
    weights, counted, likelihoods, changes, sums,
    word_pieces, word_edges, words, starts, documents, numbers, found,
    S, new, counts, logs, own,
):  # fmt: skip
    """One step of topics of one-topic documents in phases of sizes (2 n_blocks,) pieces; whether all of them are done.

    For each block come its documents, as in `one_topic_pass`, and its words: found (n_words, K) gets their tokens.
    sums (2, pieces of documents, K) are the documents of each piece in every topic, and their tokens. Documents count
    `weights` (n_documents,) times if there are any: all copies of a document are taken out of the topics that it is
    compared with. `counted` is P of one block, as often as it counts; S, new (K,), counts, logs (longest document,) and
    own (longest word,) are overwritten, and this thread's own.
    """
    for phase in range(len(sizes)):
        piece, n_pieces = piece_of(counters, phase), sizes[phase]
        first_row, last_row = first_rows[phase // 2], first_rows[phase // 2 + 1]
        while piece < n_pieces:
            if phase % 2 == 0:
                p = document_pieces[phase // 2] + piece
                first, last = edges[p], edges[p + 1]
                if len(weights) > 0:
                    for d in range(first, last):
                        for k in range(P.shape[1]):
                            P[d, k] *= weights[d]
                likelihoods[p], changes[p] = one_topic_pass(
                    indptr, indices, data, tokens, totals, topic_sizes, log_sizes, per_size, table, smoothing, size,
                    beta, first, last, P, S, new, counts, logs,
                )  # fmt: skip
                keep_rows(P, weights, first, last, first_row, counted)
                sum_shares(counted, first, last, first_row, indptr, data, sums[0, p], sums[1, p])
            else:
                p = word_pieces[phase // 2] + piece
                first, last, values = word_edges[p], word_edges[p + 1], data[indptr[first_row] : indptr[last_row]]
                word_pass(words, starts, documents, numbers, values, counted, first, last, own, found)
            piece_done(counters, phase)
            piece = piece_of(counters, phase)
        if not phase_done(counters, phase, n_pieces):
            return False
    return True


@kernel
def one_topic_pass(
    indptr, indices, data, tokens, totals, sizes, log_sizes, per_size, table, smoothing, size, beta, first, last, P,
    S, new, counts, logs,
):  # fmt: skip
    """Rows first to last of P, p(topic | document), become new ones; returns Σ log p(document | others) and Σ |change|.

    tokens (n_words, K) are those of every word in each topic, totals (K,) their sums, sizes (K,) the documents; a
    document is compared with topics that it is not part of. `table` (n_words, K) is log((tokens + smoothing) / (totals
    + n_words · smoothing)), which is used where a document's own share is next to nothing. `size` is added to every
    topic's documents; log_sizes and per_size (K,) are logarithms and inverses of these sums, with which a small share
    is taken out of a logarithm. The likelihood of the words is raised to the power beta. S, new (K,), counts
    and logs (longest document,) are overwritten. What is next to nothing becomes 0: products with numbers that have no
    usual form in single precision take long.
    """
    n_words, K = tokens.shape
    likelihood, change = 0.0, 0.0
    for d in range(first, last):
        begin, end, p = indptr[d], indptr[d + 1], P[d]
        for e in range(begin, end):
            counts[e - begin] = data[e]
        m = end - begin
        n = total(address(counts), m)
        fill(S, 0.0)
        add_rows(table, indices, counts, begin, end, S)
        for k in range(K):  # loops of their own, for vectors
            S[k] = beta * S[k] + (log_sizes[k] - p[k] * per_size[k])
        for k in range(K):
            own = p[k]
            if own > OWN:
                among = logarithm(max(totals[k] - own * n, 0.0) + n_words * smoothing)
                for e in range(m):
                    logs[e] = tokens[indices[begin + e], k]
                for e in range(m):
                    logs[e] = counts[e] * (logarithm(max(logs[e] - own * counts[e], 0.0) + smoothing) - among)
                S[k] = beta * total(address(logs), m) + logarithm(max(sizes[k] - own, 0.0) + size)
        largest = S[0]
        for k in range(K):
            largest = max(largest, S[k])
        for k in range(K):
            new[k] = exponential(S[k] - largest)
        weight = total(address(new), K)
        likelihood += largest + logarithm(weight)
        for k in range(K):
            new[k] /= weight
            S[k] = abs(new[k] - p[k])
        change += total(address(S), K)
        for k in range(K):
            p[k] = new[k] if new[k] > TINY else 0.0
    return likelihood, change


@kernel
def sum_shares(shares, first, last, first_row, indptr, data, documents, tokens):
    """documents (K,) = Σ p_d and tokens (K,) = Σ n_d p_d over documents first to last, p_d in row d − first_row of
    `shares`, n_d its number of tokens."""
    fill(documents, 0.0)
    fill(tokens, 0.0)
    for d in range(first, last):
        p, n = shares[d - first_row], 0.0
        for e in range(indptr[d], indptr[d + 1]):
            n += data[e]
        for k in range(len(p)):
            documents[k] += p[k]
            tokens[k] += n * p[k]


@kernel
def merge_losses(counts, lgammas, i, losses):
    """losses[j] += Σ_w g(c_wi) + g(c_wj) − g(c_wi + c_wj) for topics i and j ≠ i of counts (n_words, n_topics).

    lgammas[c] is g(c) = log Γ(c + smoothing) − log Γ(smoothing), up to the tokens of a word in all topics: twice those
    of one topic may be more. Words that only one of the two has add nothing.
    """
    for w in range(len(counts)):
        own = counts[w, i]
        if own > 0:
            for j in range(len(losses)):
                other = counts[w, j]
                if other > 0 and j != i:
                    losses[j] += lgammas[own] + lgammas[other] - lgammas[own + other]
