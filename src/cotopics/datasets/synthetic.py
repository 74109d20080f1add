"""Co-occurrence and documents from known topics: planted ones, or those of a fitted model."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.arrays import Array, Integers
from cotopics.errors import ParameterError

BLOCK_ENTRIES = 1 << 20  # documents × words drawn at a time: 8 MB of probabilities and 8 MB of counts
MAX_LENGTH = 1 << 53  # words of a document; counts are float64, and exact up to here
TOPIC_SUM_TOLERANCE = 1e-5  # how much the sum of a topic may differ from one; enough for float32
MIN_CONCENTRATION = 1e-300  # smaller ones overflow; all weight is on one topic long before


def make_cooccurrence(
    n_words: int,
    n_topics: int,
    *,
    density: float = 0.5,
    n_anchored: int = 0,
    random_state: int | np.random.Generator | None = None,
) -> tuple[Array, Array, Array]:
    """An exact co-occurrence C = BABᵀ, with its topics B and correlations A; Fu et al. 2019, section 5.

    B (n_words, n_topics): exponential entries, each kept with probability `density`, columns scaled to sum to one. The
    first `n_anchored` topics have anchor words: row k is a multiple of the k-th unit vector. A = UUᵀ/n_topics + I with
    U uniform on [0, 1]. As in the paper, C is not divided by its sum.

    >>> C, B, A = make_cooccurrence(100, 4, n_anchored=4, random_state=0)
    >>> bool(np.allclose(C, B @ A @ B.T)), B[0].round(4).tolist()
    (True, [0.0227, 0.0, 0.0, 0.0])
    """
    if not 0 <= n_anchored <= n_topics <= n_words:
        raise ParameterError(f"need 0 <= n_anchored={n_anchored} <= n_topics={n_topics} <= n_words={n_words}")
    if not 0 < density <= 1:
        raise ParameterError(f"density={density} must be above 0 and at most 1")
    rng = np.random.default_rng(random_state)
    B: Array = rng.exponential(size=(n_words, n_topics)) * (rng.random((n_words, n_topics)) < density)
    B[:n_anchored] = np.eye(n_topics)[:n_anchored]
    for topic in np.flatnonzero(B.sum(axis=0) == 0):  # a topic needs a word; happens in tiny problems only
        B[n_anchored + topic % (n_words - n_anchored), topic] = 1.0
    B /= B.sum(axis=0)
    U = rng.random((n_topics, n_topics))
    A: Any = U @ U.T / n_topics + np.eye(n_topics)
    C = B @ A @ B.T
    return (C + C.T) / 2, B, A


def make_corpus(
    n_documents: int,
    n_words: int,
    n_topics: int,
    *,
    length: Any = 1500,
    anchors_per_topic: int = 1,
    anchor_frequency: float | None = None,
    random_state: int | np.random.Generator | None = None,
) -> tuple[sp.csr_array, Array, Array]:
    """Counts X (n_documents, n_words), and the topics B and mixtures W behind them; Bing et al. 2020, section 6.

    B (n_words, n_topics), the paper's A, columns sum to one: the first `anchors_per_topic` words are in topic 0 only,
    the next in topic 1 only, and so on, each with probability n_topics · ξ. ξ is `anchor_frequency`, the mean of an
    anchor over topics; None is 1/n_words. All other entries are uniform on [0, 1], scaled to the rest.

    W (n_documents, n_topics), rows sum to one: a document has 1 to ⌊n_topics/3⌋ topics (at least one). Their number and
    the topics are random, their weights uniform on [0, 1], scaled. X_i is Multinomial(length_i, B W_i); `length` is one
    number for all documents or one for each. The paper's benchmark is `make_corpus(1500, 1000, 30,
    anchors_per_topic=10)`.

    >>> X, B, W = make_corpus(50, 8, 2, length=100, anchor_frequency=0.1, random_state=0)
    >>> X.shape, set(X.sum(axis=1).tolist()), B[:2].tolist()
    ((50, 8), {100.0}, [[0.2, 0.0], [0.0, 0.2]])
    """
    _whole(1, n_documents=n_documents, n_words=n_words, n_topics=n_topics)
    _whole(0, anchors_per_topic=anchors_per_topic)
    lengths = _lengths(length, n_documents)
    rng = np.random.default_rng(random_state)
    B = _anchored_topics(n_words, n_topics, anchors_per_topic, anchor_frequency, rng)
    W = _few_topics(n_documents, n_topics, rng)
    return _draw(W, B, lengths, rng), B, W


def sample_corpus(
    B: Any,
    n_documents: int,
    *,
    length: Any = 850,
    mixture: str = "dirichlet",
    concentration: float = 0.03,
    correlation: float = 0.02,
    n_blocks: int = 10,
    random_state: int | np.random.Generator | None = None,
) -> tuple[sp.csr_array, Array]:
    """Counts X (n_documents, n_words) of documents with given topics, and mixtures W; Bing et al. 2020, section 6.

    B (n_words, n_topics), columns sum to one: any topics, or `model.components_.T`, which gives the paper's
    semi-synthetic data. W (n_documents, n_topics), rows sum to one, is drawn by `mixture`:

    - "dirichlet": symmetric, each parameter `concentration`. A small one gives few topics per document.
    - "logistic-normal": softmax of N(0, Σ). Topics are cut into `n_blocks` blocks, as even as possible; Σ is one on
      its diagonal, `correlation` between topics of a block, zero elsewhere.

    X_i is Multinomial(length_i, B W_i); `length` is one number for all documents or one for each.

    >>> X, W = sample_corpus(np.array([[0.5, 0.0], [0.5, 0.0], [0.0, 1.0]]), 4, length=[9, 1, 5, 2], random_state=0)
    >>> X.shape, X.sum(axis=1).tolist(), W.sum(axis=1).round(12).tolist()
    ((4, 3), [9.0, 1.0, 5.0, 2.0], [1.0, 1.0, 1.0, 1.0])
    """
    B = _topics(B)
    _whole(1, n_documents=n_documents)
    lengths = _lengths(length, n_documents)
    rng = np.random.default_rng(random_state)
    if mixture == "dirichlet":
        W = _dirichlet(n_documents, B.shape[1], concentration, rng)
    elif mixture == "logistic-normal":
        W = _logistic_normal(n_documents, B.shape[1], correlation, n_blocks, rng)
    else:
        raise ParameterError(f"mixture={mixture!r} is unknown; choose one of dirichlet, logistic-normal")
    return _draw(W, B, lengths, rng), W


def _anchored_topics(
    n_words: int, n_topics: int, per_topic: int, frequency: float | None, rng: np.random.Generator
) -> Array:
    """B (n_words, n_topics) with per_topic anchors of probability n_topics · frequency each."""
    n_anchors = n_topics * per_topic
    if n_anchors >= n_words:
        raise ParameterError(
            f"n_topics={n_topics} with anchors_per_topic={per_topic} make {n_anchors} anchors, but n_words={n_words} "
            "must be larger; give more words or fewer anchors"
        )
    xi = 1 / n_words if frequency is None else frequency
    if not (xi > 0 and n_anchors * xi < 1):
        limit = f" and below {1 / n_anchors:.4g}, or nothing is left for other words" if n_anchors else ""
        raise ParameterError(f"anchor_frequency={frequency} must be above 0{limit}")
    B: Array = np.zeros((n_words, n_topics))
    B[np.arange(n_anchors), np.repeat(np.arange(n_topics), per_topic)] = n_topics * xi
    others = 1 - rng.random((n_words - n_anchors, n_topics))  # above 0, so that no column sums to 0
    B[n_anchors:] = others * ((1 - n_anchors * xi) / others.sum(axis=0))
    return B


def _few_topics(n_documents: int, n_topics: int, rng: np.random.Generator) -> Array:
    """W (n_documents, n_topics), each row with a random number of random topics."""
    sizes = rng.integers(1, max(1, n_topics // 3), size=n_documents, endpoint=True)
    shuffled = rng.permuted(np.tile(np.arange(n_topics), (n_documents, 1)), axis=1)
    W: Array = np.where(shuffled < sizes[:, None], 1 - rng.random((n_documents, n_topics)), 0.0)
    W /= W.sum(axis=1, keepdims=True)
    return W


def _dirichlet(n_documents: int, n_topics: int, concentration: float, rng: np.random.Generator) -> Array:
    """W (n_documents, n_topics) of a symmetric Dirichlet, by logarithms of gamma variables.

    Gamma(a) is Gamma(a + 1) · U^(1/a), and log U^(1/a) is −Exponential/a: so no row of tiny numbers becomes 0/0.
    """
    if not 0 < concentration < np.inf:
        raise ParameterError(f"concentration={concentration} must be above 0 and finite")
    a, shape = max(concentration, MIN_CONCENTRATION), (n_documents, n_topics)
    return _softmax(np.log(rng.standard_gamma(a + 1, size=shape)) - rng.standard_exponential(shape) / a)


def _logistic_normal(
    n_documents: int, n_topics: int, correlation: float, n_blocks: int, rng: np.random.Generator
) -> Array:
    """W (n_documents, n_topics), softmax of N(0, Σ).

    A block of Σ is (1 − ρ)I + ρ11ᵀ, g topics wide, with the symmetric root √(1−ρ)(I − 11ᵀ/g) + √(1+(g−1)ρ) 11ᵀ/g.
    """
    _whole(1, n_blocks=n_blocks)
    if n_blocks > n_topics:
        raise ParameterError(f"{n_topics} topics cannot be cut into n_blocks={n_blocks}; give at most {n_topics}")
    blocks = np.array_split(np.arange(n_topics), n_blocks)
    widest = len(blocks[0])
    least = -1 / (widest - 1) if widest > 1 else -1.0
    if not least <= correlation <= 1:
        raise ParameterError(
            f"correlation={correlation} must be from {least:.4g} to 1: {widest} topics cannot all have it"
        )
    logits: Array = rng.standard_normal((n_documents, n_topics))
    apart = np.sqrt(1 - correlation)
    for block in blocks:
        together = np.sqrt(max(1 + (len(block) - 1) * correlation, 0.0))
        mean = logits[:, block].mean(axis=1, keepdims=True)
        logits[:, block] = apart * logits[:, block] + (together - apart) * mean
    return _softmax(logits)


def _softmax(logits: Array) -> Array:
    """Rows of exp(logits) that sum to one."""
    W = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(W / W.sum(axis=1, keepdims=True))


def _draw(W: Array, B: Array, lengths: Integers, rng: np.random.Generator) -> sp.csr_array:
    """X (n_documents, n_words) with rows Multinomial(lengths_i, B W_i), a block of documents at a time."""
    n_words = B.shape[0]
    step = max(1, BLOCK_ENTRIES // n_words)
    blocks = []
    for start in range(0, len(W), step):
        P = W[start : start + step] @ B.T
        P /= P.sum(axis=1, keepdims=True)
        likeliest = P.argmax(axis=1)
        _swap_with_last(P, likeliest)  # numpy gives rounding errors to the last word: it must be possible
        counts = rng.multinomial(lengths[start : start + step], P)
        _swap_with_last(counts, likeliest)
        blocks.append(sp.csr_array(counts).astype(np.float64))
    return sp.csr_array(sp.vstack(blocks, format="csr"))


def _swap_with_last(M: Any, columns: Integers) -> None:
    """Exchange in each row of M the entry of `columns` with the last one."""
    rows = np.arange(len(M))
    M[rows, -1], M[rows, columns] = M[rows, columns], M[rows, -1]


def _topics(B: Any) -> Array:
    """B (n_words, n_topics) as float64, columns divided by their sums."""
    try:
        topics = np.asarray(B, dtype=np.float64)
    except (TypeError, ValueError):
        topics = np.empty(0)
    if topics.ndim != 2 or topics.size == 0:
        raise ParameterError("B must be an array, words × topics; for a fitted model give model.components_.T")
    sums = topics.sum(axis=0)
    if not (topics >= 0).all() or not (np.abs(sums - 1) < TOPIC_SUM_TOLERANCE).all():
        raise ParameterError(
            "the columns of B must be probabilities of words: no entry below 0, and a sum of one. For a fitted "
            "model give model.components_.T; otherwise divide by B.sum(axis=0)"
        )
    return np.asarray(topics / sums)


def _lengths(length: Any, n_documents: int) -> Integers:
    """The number of words of each document, (n_documents,)."""
    given = np.asarray(length)
    if given.dtype.kind not in "iuf" or given.shape not in ((), (n_documents,)):
        raise ParameterError(f"length must be a whole number, or one for each of the {n_documents} documents")
    if not ((given >= 1) & (given <= MAX_LENGTH) & (given == np.floor(given))).all():
        raise ParameterError("length must be a whole number of words from 1 to 2⁵³ in every document")
    return np.broadcast_to(given.astype(np.int64), (n_documents,))


def _whole(least: int, **sizes: Any) -> None:
    """A ParameterError for a size that is not a whole number, or too small."""
    for name, size in sizes.items():
        if not isinstance(size, Integral) or int(size) < least:
            raise ParameterError(f"{name}={size} must be a whole number, at least {least}")
