"""All that must give the same bits: every kernel that is called from outside, and every estimator.

Each entry of KERNELS and ESTIMATORS is a function of the number of topics that returns arrays. Run as a script, this
prints digests of all of them as JSON, for processes that are compiled for another processor, and keeps the arrays
where a file is named:

    python work.py [kernels|estimators] 4 5 8 [arrays.npz]
"""

import json
import sys
from pathlib import Path
from unittest import mock

import numpy as np

from cotopics.linalg.kernels import gram, kl, mixture, pieces, simplex, sparse
from cotopics.refine import blocks
from cotopics.refine import kernels as em
from cotopics.top import kernels as top

sys.path.insert(0, str(Path(__file__).parents[1]))  # where this is run as a script

from same_bits.estimators import ESTIMATORS, digest, planted, run

N_TOPICS = (*range(1, 13), 16, 20, 33)


def maximise_likelihood(k):
    X, B, _ = planted(k)
    Y, steps = np.empty((X.shape[0], k)), np.empty(X.shape[0], dtype=np.int64)
    common, smoothing = np.full(X.shape[1], 0.3 / X.shape[1]), np.full(k, 0.05)
    mixture.maximise_likelihood(X.data, X.indices, X.indptr, B, common, smoothing, 1e-9, 200, Y, steps)
    return Y, steps


def log_likelihood(k):
    X, B, W = planted(k)
    common = np.full(X.shape[1], 0.3 / X.shape[1])
    return (
        np.array(mixture.log_likelihood(X.data, X.indices, X.indptr, 0, X.shape[0], W.copy(), B.copy(), 0.7, common)),
    )


def linear_bayes(k):
    X, B, W = planted(k)
    mean = W.mean(axis=0)
    U = np.linalg.qr(np.column_stack([np.sqrt(mean), np.eye(k)[:, 1:]]))[0][:, 1:].copy()
    v = np.linspace(0.2, 0.9, k - 1) if k > 1 else np.empty(0)
    Y, steps = np.tile(mean, (X.shape[0], 1)), np.empty(X.shape[0], dtype=np.int64)
    common, explained = np.full(X.shape[1], 0.3 / X.shape[1]), X.sum(axis=1)
    given = (X.data, X.indices, X.indptr, B, common, mean, U[:, : k // 2].copy(), v[: k // 2], 0.3)
    mixture.linear_bayes(*given, 1e-9, 100, Y, explained, steps)
    return Y, explained, steps


def sparse_passes(k):
    X, B, _ = planted(k)
    X.data[:3] = 0.25, 1.5, 300
    edges, n = np.array([0, X.shape[0] // 3, X.shape[0]]), X.shape[1]
    table, given = np.log1p(np.arange(20.0)), (X.indptr, X.indices, X.data)
    by_row, by_column = np.linspace(0, 1, X.shape[0]), B[:, 0].copy()
    columns, rows, numbers = np.empty((2, n)), np.empty(X.shape[0]), np.empty(X.nnz, np.float32)
    indices, data, keys = np.empty(X.nnz, X.indices.dtype), np.empty(X.nnz), np.empty(X.shape[0], np.uint64)
    for squared in (False, True):
        sparse.column_pieces(counter(), edges, *given, table, 3, squared, by_row, columns)
        sparse.row_pieces(counter(), edges, *given, table, 2, squared, by_column, rows)
        sparse.number_pieces(counter(), 50, X.indices, X.data, table, 3, squared, by_column, numbers)
    place = np.arange(n, dtype=X.indices.dtype)[::-1].copy()
    sparse.selected_pieces(counter(), edges, *given, table, 3, by_row, by_column, place, X.indptr, indices, data)
    sparse.key_pieces(counter(), edges, *given, np.arange(n, dtype=np.uint64), True, keys)
    return columns, rows, numbers, indices, data, keys


def em_passes(k):
    found = []
    for dtype in (np.float32, np.float64):
        X, B, W = planted(k)
        X, W, some = X.astype(dtype), W.astype(dtype), several_blocks(X)
        a, weights = np.full(X.shape[1], 0.5 / X.shape[1]), (1 + np.arange(X.shape[0]) % 3).astype(dtype)
        phases, (tokens, new) = some.phases(), np.zeros((2, *B.shape))
        sums, again = np.empty((2, -(-len(B) // 7), k))
        old, ratios = np.zeros((some.longest_block, k), dtype), np.zeros(X.nnz, dtype)
        likelihoods, own, read = (
            np.empty(len(some.edges) - 1),
            np.empty(some.longest_word, dtype),
            np.empty(B.shape, dtype),
        )
        sizes = np.array([len(sums), *phases, len(sums)])
        rows = (B, read, 7, *some.by_document, X.indptr, X.indices, X.data, W, 0.5, a, 0.1, True, True)
        kept = (weights, old, ratios, likelihoods, *some.by_word, tokens, sums, np.empty(k), own)
        em.step_pieces(counters(sizes), sizes, *rows, *kept)
        sizes = np.array([len(sums), 1, len(sums)])
        totals = tokens.sum(axis=0)
        em.topic_pieces(counters(sizes), sizes, 7, tokens, tokens[:0], 0.01, totals, B, True, new, again)
        found += [likelihoods, W, old, ratios, tokens, sums, again, new, read]
    return found


def several_blocks(X):
    """Documents in several blocks of several pieces."""
    with mock.patch.multiple(blocks, BLOCK_DOCUMENTS=X.shape[0] // 2, SHARE_NUMBERS=X.nnz // 6):
        return blocks.Blocks.of(X)


def counters(sizes):
    """What pieces of phases are taken from."""
    return np.zeros(len(sizes) * pieces.LINE, dtype=np.int64)


def counter():
    """What pieces are taken from."""
    return np.zeros(1, dtype=np.int64)


def one_topic_passes(k):
    X, _, W = planted(k)
    tokens, P, some = X.T @ W, W.astype(np.float32), several_blocks(X)
    table = (np.log(tokens + 0.1) - np.log(tokens.sum(axis=0) + 0.1 * len(tokens))).astype(np.float32)
    sizes = W.sum(axis=0)
    topics = (tokens, tokens.sum(axis=0), sizes, np.log(sizes + 1), 1 / (sizes + 1), table, 0.1, 1.0, 0.7)
    sizes, found, weights = some.phases(), np.zeros(tokens.shape), (1 + np.arange(X.shape[0]) % 3).astype(np.float32)
    told, counted = np.empty((2, len(some.edges) - 1)), np.empty((some.longest_block, k), np.float32)
    own = np.empty(k), np.empty(k), *np.empty((2, some.longest_document)), np.empty(some.longest_word)
    sums = np.empty((2, told.shape[1], k))
    documents = (*some.by_document, X.indptr, X.indices, X.data, *topics, P, weights, counted, *told, sums)
    em.one_topic_pieces(counters(sizes), sizes, *documents, *some.by_word, found, *own)
    return told, P, found, sums


def merge_losses(k):
    X, _, W = planted(k)
    counts = np.rint(X.T @ W).astype(np.int64)
    lgammas, losses = np.log(np.arange(1.0, 2 * counts.max() + 2)), np.zeros(k)
    em.merge_losses(counts, lgammas, 0, losses)
    return (losses,)


def gram_products(k):
    X, _, _ = planted(k)
    n, rng = X.shape[1], np.random.default_rng(k)
    found = []
    for dtype in (np.float32, np.float64):
        out, weights = np.zeros((n, k)), rng.random(X.shape[0]).astype(dtype)
        V = rng.normal(size=(n, k)).astype(dtype)
        edges, order, many = np.array([0, 7, X.shape[0]]), rng.permutation(n), np.empty((2, n, k // 2 + 1), dtype)
        gram.spread_pieces(counter(), 7, order, V, 0, many)
        sums = np.empty((2, *many.shape), dtype)
        gram.gram_pieces(counter(), edges, X.indptr, X.indices, X.data.astype(dtype), weights, many, sums)
        gram.gather_pieces(counter(), 7, order, sums, 0, out)
        found += [many, sums, out]
    place = np.full(n, -1)
    place[:k] = np.arange(k)
    columns, signed, squares = np.zeros((n, k)), np.zeros((n, k)), np.zeros(n)
    gram.add_columns(X.indptr, X.indices, X.data, place, -0.3, 0, n, columns)
    signs = np.where(rng.random((n, k)) < 0.5, 1.0, -1.0)
    gram.add_signed(X.indptr, X.indices, X.data, signs, -0.3, 0, k, 0, signed)
    T = X.T.tocsr()
    gram.square_gram_rows(T.indptr, T.indices, T.data, X.indptr, X.indices, X.data, 0, 1, squares)
    return *found, columns, signed, squares


def active_set(k):
    rng = np.random.default_rng(k)
    P = rng.random((k, k + 3))
    G = P @ P.T / (k + 3)
    F, guess = rng.random((50, k)), np.full((50, k), 1.0 / k)
    Y, gap, steps = np.empty((50, k)), np.empty(50), np.empty(50, dtype=np.int64)
    simplex.active_set(G, F, guess, 1e-11, 0, 50, Y, gap, steps)
    return Y, gap, steps


def newton_points(k):
    rng = np.random.default_rng(k)
    X, Y = rng.dirichlet(np.ones(40), size=k), rng.dirichlet(np.ones(k), size=20)
    R = rng.dirichlet(np.ones(40), size=20)
    V, D, Z = R / (Y @ X) ** 2, (R / (Y @ X)) @ X.T, np.empty((20, k))
    kl.newton_points(X.astype(np.float32), V, Y, D, 1e-6, 1e-9, Z)
    return (Z,)


def l1_column(k):
    rng = np.random.default_rng(k)
    theta = np.eye(k) + 0.1 * rng.random((k, k))
    theta = (theta + theta.T) / theta.sum()
    found = []
    for column in range(k):
        omega, dual = np.empty(k), np.empty(k)
        top.l1_column(theta, np.linalg.inv(theta), column, 0.05, 100, omega, dual)
        found += [omega, dual]
    return found


def row_maxima(k):
    X, _, _ = planted(k)
    H = X.toarray()
    C = np.ascontiguousarray(H.T @ H / H.sum())
    n = len(C)
    f = C.sum(axis=1) + 1e-3
    vectors = np.array([1 / f, np.sqrt(f), 0.01 * f, 0.001 * f, 0.1 * f])
    words, T, d = np.arange(n), np.empty(n), np.empty(n)
    top.row_maxima(C, 0.5 * C, words, words, vectors, T, d)
    grid = np.array([0.01, 0.1, 1.0])
    near, agrees = np.full((n, n), np.inf), np.empty((n, 3), dtype=np.bool_)
    top.near_maxima(C, 0.5 * C, words, words, vectors, T, d, grid, near, agrees)
    labels, n_groups = np.full((3, n), -1), np.zeros(3, dtype=np.int64)
    top.merge(near, agrees, grid, labels, n_groups)
    return T, d, near, agrees, labels, n_groups


def column_moments(k):
    X, _, _ = planted(k)
    N = X.sum(axis=1)
    sums, largest = np.zeros((3, X.shape[1])), np.zeros(X.shape[1])
    top.column_moments(X.indptr, X.indices, X.data, 1 / N, N, sums, largest)
    return sums, largest


KERNELS = {
    ("maximise_likelihood",): maximise_likelihood,
    ("linear_bayes",): linear_bayes,
    ("log_likelihood",): log_likelihood,
    ("step_pieces", "topic_pieces"): em_passes,
    ("column_pieces", "row_pieces", "number_pieces", "selected_pieces", "key_pieces"): sparse_passes,
    ("one_topic_pieces",): one_topic_passes,
    ("merge_losses",): merge_losses,
    (
        "gram_pieces",
        "spread_pieces",
        "gather_pieces",
        "add_columns",
        "add_signed",
        "square_gram_rows",
    ): gram_products,
    ("active_set",): active_set,
    ("newton_points",): newton_points,
    ("l1_column",): l1_column,
    ("row_maxima", "near_maxima", "merge"): row_maxima,
    ("column_moments",): column_moments,
}


if __name__ == "__main__":
    table = {"kernels": KERNELS, "estimators": ESTIMATORS}[sys.argv[1]]
    topics = [int(k) for k in sys.argv[2:] if k.isdigit()]
    found = {f"{name} {k}": run(work, k) for name, work in table.items() for k in topics}
    print(json.dumps({name: digest(arrays) for name, arrays in found.items()}))
    if sys.argv[-1].endswith(".npz"):
        np.savez(sys.argv[-1], **{f"{name}/{i}": a for name, arrays in found.items() for i, a in enumerate(arrays)})
