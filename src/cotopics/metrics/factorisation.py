"""How well C ≈ BABᵀ holds, and what the factors look like; Lee et al. 2015, section 4, and Lee et al. 2021, section 5.

Nothing here forms words × words: squares are expanded into products with C. A few differences are so small that the
expansion loses them to rounding; these are computed again from rows of C, a block at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics.cooccur import Cooccurrence
from cotopics.errors import CooccurrenceError, ParameterError
from cotopics.metrics.inputs import (
    ROW_SUM_TOLERANCE,
    anchors_of,
    cooccurrence_of,
    correlation_matrix,
    fitted_part,
    normalised_anchor_rows,
    positive_rows,
    topic_matrix,
)
from cotopics.metrics.measure import Measure
from cotopics.records import Array, WordIds

CANCELLATION = 1e-6  # a squared difference below this share of the squared norm has lost too many digits


def recovery_error(
    topics: Any, C: Any, *, anchors: Any = None, prevalence: Any = None, relative: bool = False
) -> float:
    """Mean over words of ‖C̄_i − Σ_k p(topic k | word i) C̄_Sk‖₂; Lee et al. 2015, section 4. Lower is better.

    topics: a fitted model, or B (n_words, n_topics) with its `anchors` (a word id or a group of them for each topic)
    and `prevalence` (n_topics,). C̄ is C with rows divided by their sums. C̄_S are the anchors' rows of the same C, with
    the rows of a group merged; the papers use the counted C, not the rectified one. `relative` divides by ‖C̄‖_F (Lee et
    al. 2021).

    The mean includes the anchors and leaves out words whose row is zero. p(topic | word) follows from B and prevalence
    by Bayes' rule, and is the prevalence for a word in no topic.

    The row of word 2 is (¼, ¼, ½), half of each anchor's. Here the word belongs to topic 0, with anchor (½, 0, ½):

    >>> C = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 2]]) / 8
    >>> B = np.array([[0.5, 0.0], [0.0, 1.0], [0.5, 0.0]])
    >>> round(recovery_error(B, C, anchors=[0, 1], prevalence=[0.5, 0.5]), 4), round(2**0.5 / 4 / 3, 4)
    (0.1179, 0.1179)

    The rows of C̄ have squares that sum to ½, ½ and ⅜:

    >>> relative = recovery_error(B, C, anchors=[0, 1], prevalence=[0.5, 0.5], relative=True)
    >>> round(relative, 4), round(2**0.5 / 12 / (11 / 8) ** 0.5, 4)
    (0.1005, 0.1005)
    """
    B = topic_matrix(topics)
    n_words, n_topics = B.shape
    C = cooccurrence_of(C, n_words)
    groups = anchors_of(topics, n_topics, n_words, anchors)
    membership = _membership(B, fitted_part(topics, "topic_prevalence_", prevalence, "prevalence"))
    row_sums, used = positive_rows(C)
    X = normalised_anchor_rows(C, groups)
    Y, sums = membership[used], row_sums[used]
    F = (C @ X.T)[used] / sums[:, None]  # C̄ C̄_Sᵀ
    squared_norms = C.squared_row_norms()[used] / sums**2
    squared = squared_norms - 2 * np.einsum("ik,ik->i", Y, F) + np.einsum("ik,ik->i", Y @ (X @ X.T), Y)
    cancelled = squared < CANCELLATION * squared_norms
    for part in _blocks(C, np.flatnonzero(cancelled)):
        difference = C.rows(used[part]) / sums[part, None] - Y[part] @ X
        squared[part] = np.einsum("ij,ij->i", difference, difference)
    error = np.sqrt(squared).mean()
    return float(error / np.sqrt(squared_norms.sum()) if relative else error)


RECOVERY = Measure(
    "lower", "words' rows of C̄ from mixtures of anchors' rows: mean distance",
    lambda g: recovery_error(g.model, g.C), needs=("documents", "anchors"),
    good="0 is perfect; compare models of the same corpus",
)  # fmt: skip
RELATIVE_RECOVERY = Measure(
    "lower", "the same over ‖C̄‖", lambda g: recovery_error(g.model, g.C, relative=True),
    needs=("documents", "anchors"), good="0 is perfect: every word is a mixture of anchors",
)  # fmt: skip


def approximation_error(topics: Any, C: Any, *, correlation: Any = None, relative: bool = False) -> float:
    """‖C − BABᵀ‖_F (Lee et al. 2015, section 4); `relative` divides by ‖C‖_F (Lee et al. 2021). Lower is better.

    topics: a fitted model, or B (n_words, n_topics) with its `correlation` A (n_topics, n_topics). Squares expand:
    ‖C‖² − 2 tr(A BᵀCB) + tr(A BᵀB A BᵀB).

    In words 0 and 1, C is 1/4 on the diagonal and BABᵀ is 1/4 everywhere, so two entries differ by 1/4:

    >>> C, B = np.diag([0.25, 0.25, 0.5]), np.array([[0.5, 0], [0.5, 0], [0, 1]])
    >>> A = np.array([[1.0, 0], [0, 0.5]])
    >>> round(approximation_error(B, C, correlation=A), 4), round(2**0.5 / 4, 4)
    (0.3536, 0.3536)
    >>> round(approximation_error(B, C, correlation=A, relative=True), 4), round((2 / 16) ** 0.5 / (6 / 16) ** 0.5, 4)
    (0.5774, 0.5774)
    """
    B = topic_matrix(topics)
    C = cooccurrence_of(C, B.shape[0])
    A = correlation_matrix(fitted_part(topics, "topic_correlation_", correlation, "correlation"))
    if len(A) != B.shape[1]:
        raise ParameterError(f"there are {B.shape[1]} topics and a correlation of {len(A)}")
    size = float(C.squared_row_norms().sum())
    G = B.T @ B
    squared = size + float(np.sum(A * (G @ A @ G - 2 * B.T @ (C @ B))))
    if squared < CANCELLATION * size:
        BA = B @ A
        squared = sum(float(np.sum((C.rows(words) - BA[words] @ B.T) ** 2)) for words in C.row_blocks())
    if relative and not size > 0:
        raise CooccurrenceError("the co-occurrence is zero, so no error can be relative to it; use relative=False")
    return float(np.sqrt(squared / size if relative else squared))


APPROXIMATION = Measure(
    "lower", "‖C − BABᵀ‖", lambda g: approximation_error(g.model, g.C), needs=("documents",),
    good="0 is perfect; compare models of the same corpus",
)  # fmt: skip
RELATIVE_APPROXIMATION = Measure(
    "lower", "the same over ‖C‖", lambda g: approximation_error(g.model, g.C, relative=True),
    needs=("documents",), good="0 is perfect; 1 explains nothing", most=1.0,
)  # fmt: skip


def dominancy(topics: Any, *, relative: bool = False) -> float:
    """Mean over topics of p(same topic again | topic k) = A_kk / Σ_l A_kl; Lee et al. 2015, section 4.

    Lower means more correlated topics. topics: a fitted model, or its A (n_topics, n_topics). `relative`:
    (1/K) Σ_k A_kk / ‖A‖_F (Lee et al. 2021). A zero on the diagonal (an anchor never twice in a document) counts 0. A
    row of A whose sum is not above zero is an error, because it gives no probabilities.

    The mean of 3/4 and 5/6; and 0.3 and 0.5 divided by a norm of √0.36:

    >>> A = np.array([[0.3, 0.1], [0.1, 0.5]])
    >>> round(dominancy(A), 4), round(dominancy(A, relative=True), 4)
    (0.7917, 0.6667)
    """
    A = correlation_matrix(topics)
    norm = float(np.linalg.norm(A))
    if not norm > 0:
        raise ParameterError("the correlation is zero, so its dominancy is not defined")
    if relative:
        return float(np.diag(A).mean() / norm)
    sums = A.sum(axis=1)
    undefined = np.flatnonzero(~(sums > ROW_SUM_TOLERANCE * norm))
    if len(undefined):
        raise ParameterError(
            f"rows {undefined.tolist()} of the correlation sum to zero or less, so p(topic | topic) is not defined: "
            "their anchors are never in a document with an anchor. Use relative=True, which does not divide by these "
            "sums, or other anchors"
        )
    return float((np.diag(A) / sums).mean())


DOMINANCY = Measure(
    "", "p(same topic again | topic); lower: topics more correlated", lambda g: dominancy(g.model),
    good="near 1: documents have one topic each; low: topics mix in documents",
    odd=lambda value: "" if 0 <= value <= 1 else "not a probability, because topic_correlation_ has negative entries",
)  # fmt: skip
RELATIVE_DOMINANCY = Measure(
    "", "mean A_kk over ‖A‖", lambda g: dominancy(g.model, relative=True),
    good="the same, relative to all correlations",
)  # fmt: skip


def specificity(topics: Any, C: Any) -> float:
    """Mean over topics of KL(p(word | topic) ‖ p(word)) in bits; Lee et al. 2015, section 4.

    Higher means farther from the corpus. topics: a fitted model or B (n_words, n_topics). p(word) is the row sums of C,
    scaled to sum to one. Words that a topic lacks add nothing; words that C lacks get p(word) = 2⁻⁵², so that the value
    stays finite.

    Each topic has two of three words, one as often as the corpus and one twice as often:

    >>> C = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 2]]) / 8
    >>> B = np.array([[0.5, 0.0], [0.0, 0.5], [0.5, 0.5]])
    >>> round(specificity(B, C), 4)
    0.5
    """
    B = topic_matrix(topics)
    row_sums, _ = positive_rows(cooccurrence_of(C, B.shape[0]))
    p = np.maximum(row_sums / row_sums.sum(), np.finfo(np.float64).eps)
    p /= p.sum()
    ratio = np.divide(B, p[:, None], out=np.ones_like(B), where=B > 0)
    return float(np.sum(B * np.log2(ratio)) / B.shape[1])


SPECIFICITY = Measure(
    "higher", "how far topics are from the corpus, bits", lambda g: specificity(g.model, g.C),
    needs=("documents",), good="0 is a topic like the whole corpus; above 1 topics differ clearly from it",
)  # fmt: skip


def _membership(B: Array, prevalence: Any) -> Array:
    """p(topic | word) (n_words, n_topics) by Bayes' rule; the prevalence for words in no topic."""
    prevalence = np.asarray(prevalence, dtype=np.float64)
    if prevalence.shape != (B.shape[1],):
        raise ParameterError(f"there are {B.shape[1]} topics and a prevalence of shape {prevalence.shape}")
    if not ((prevalence >= 0).all() and 0 < prevalence.sum() < np.inf):
        raise ParameterError("a prevalence must be probabilities, up to a factor: none negative, and not all zero")
    joint = B * prevalence
    total = joint.sum(axis=1, keepdims=True)
    prior = np.tile(prevalence / prevalence.sum(), (len(B), 1))
    return np.divide(joint, total, out=prior, where=total > 0)


def _blocks(C: Cooccurrence, positions: WordIds) -> list[WordIds]:
    """Positions in blocks whose rows of C take a bounded amount of memory."""
    size = len(next(C.row_blocks()))
    return [positions[start : start + size] for start in range(0, len(positions), size)]
