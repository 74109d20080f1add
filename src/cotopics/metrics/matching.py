"""Topics and anchors compared with those of another model, or with the true ones.

Topics have no fixed order, so they are compared after the best one-to-one matching. Two models are compared over the
words of both, by name, and a word that one model lacks has no probability there. So the overlap Σ min(p, p') is that of
the words they share, and matching by L1 distance is matching by overlap.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from cotopics.errors import ParameterError
from cotopics.linalg.threads import map_row_blocks
from cotopics.metrics.inputs import topic_matrix
from cotopics.records import Array

TOPICS_AT_ONCE = 4  # whose distances one thread finds
Mask = np.ndarray[Any, np.dtype[np.bool_]]


def match_topics(found: Any, truth: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The column of `found` that belongs to each column of `truth`, (n_topics,), with the least total L1 distance.

    Both are topics (n_words, n_topics) with columns that sum to one, or fitted models.

    The second topic found is nearest to the first true one (0.4 away, not 1.8), and the first to the second:

    >>> found = np.array([[0.1, 0.8], [0.6, 0.2], [0.3, 0.0]])
    >>> match_topics(found, np.array([[1.0, 0.0], [0.0, 0.5], [0.0, 0.5]]))
    array([1, 0])
    """
    F, T = topic_matrix(found), topic_matrix(truth)
    if F.shape[0] != T.shape[0]:
        raise ParameterError(f"topics over {F.shape[0]} and {T.shape[0]} words cannot be compared")
    if F.shape[1] < T.shape[1]:
        raise ParameterError(f"{F.shape[1]} topics cannot be matched with {T.shape[1]}")
    return np.asarray(linear_sum_assignment(l1_distances(T, F))[1])


def l1_distances(T: Array, F: Array) -> Array:
    """Σ_w |T_wi − F_wj| for every two columns of T (n_words, n) and F (n_words, m): (n, m)."""
    from scipy.spatial.distance import cdist

    T, F = np.ascontiguousarray(T.T), np.ascontiguousarray(F.T)
    return np.concatenate(map_row_blocks(lambda i, j: cdist(T[i:j], F, "cityblock"), len(T), block=TOPICS_AT_ONCE))


def topic_error(found: Any, truth: Any, *, norm: str = "l1") -> float:
    """Distance between matched topics (n_words, n_topics); each true topic is compared with a topic of its own.

    norm: "l1" is the mean over topics of Σ|Δ|, "l1inf" the largest (Bing et al. 2020, section 6), "frobenius" is
    ‖Δ‖_F² (Fu et al. 2019, section 5). Both arguments have columns that sum to one, or are fitted models.

    One topic was found exactly; the other has 1/4 on word 0 and 1/4 on word 1 that belong to word 2:

    >>> truth = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
    >>> found = np.array([[0.25, 1.0], [0.25, 0.0], [0.5, 0.0]])
    >>> [topic_error(found, truth, norm=norm) for norm in ("l1", "l1inf", "frobenius")]
    [0.5, 1.0, 0.375]
    """
    F, T = topic_matrix(found), topic_matrix(truth)
    difference = F[:, match_topics(F, T)] - T
    per_topic: Array = np.abs(difference).sum(axis=0)
    if norm == "l1":
        return float(per_topic.mean())
    if norm == "l1inf":
        return float(per_topic.max())
    if norm == "frobenius":
        return float((difference**2).sum())
    raise ParameterError(f"norm={norm!r} is unknown; choose one of l1, l1inf, frobenius")


class TopicPair(NamedTuple):
    """Matched topics of two models; None if a topic has no partner. overlap is Σ_w min(p(w), p'(w))."""

    first: int | None
    second: int | None
    overlap: float


def pair_topics(first: Any, second: Any) -> list[TopicPair]:
    """Topics of two models one to one, the most similar pair first; topics without a partner come last.

    first, second: fitted models, whose words are matched by name if both know theirs; or B (n_words, n_topics) of the
    same words. The pairs are those of `match_topics`. An overlap is 1 for equal topics and 0 if they share no word.

    >>> pair_topics(np.array([[1.0, 0.0], [0.0, 0.4], [0.0, 0.6]]), np.array([[0.0], [1.0], [0.0]]))
    [TopicPair(first=1, second=0, overlap=0.4), TopicPair(first=0, second=None, overlap=0.0)]
    """
    B, other = same_words(first, second)
    pairs = _matched(B, other)
    overlap = [0.0 if None in pair else float(np.minimum(B[:, pair[0]], other[:, pair[1]]).sum()) for pair in pairs]
    order = sorted(range(len(pairs)), key=lambda row: (None in pairs[row], -round(overlap[row], 12), row))
    return [TopicPair(*pairs[row], overlap[row]) for row in order]


def same_words(first: Any, second: Any) -> tuple[Array, Array]:
    """Topics of two models over the words of both, (n_words, n_topics) each."""
    B, other = topic_matrix(first), topic_matrix(second)
    words, more = getattr(first, "vocabulary_", None), getattr(second, "vocabulary_", None)
    if words is None or more is None or (len(words) == len(more) and (words == more).all()):
        if len(B) != len(other):
            raise ParameterError(
                f"topics over {len(B)} and {len(other)} words without names cannot be compared; fit both models with "
                "feature_names="
            )
        return B, other
    if set(words).isdisjoint(more):
        raise ParameterError(
            f"the two models have none of their {len(words)} and {len(more)} words in common, so their topics cannot "
            "be compared; fit both on texts of the same language, prepared in the same way"
        )
    place = {word: i for i, word in enumerate(dict.fromkeys([*words, *more]))}
    spread = []
    for topics, names in ((B, words), (other, more)):
        full = np.zeros((len(place), topics.shape[1]))
        np.add.at(full, [place[word] for word in names], topics)
        spread.append(full)
    return spread[0], spread[1]


def _matched(B: Array, other: Array) -> list[tuple[int | None, int | None]]:
    """Pairs of topics; topics without a partner are paired with None."""
    if B.shape[1] < other.shape[1]:
        return [(b, a) for a, b in _matched(other, B)]
    matched = match_topics(B, other).tolist()
    alone = [k for k in range(B.shape[1]) if k not in matched]
    return [(a, b) for b, a in enumerate(matched)] + [(k, None) for k in alone]


class AnchorRecovery(NamedTuple):
    """Share of the true anchors that were found, and share of the other words that were not taken for anchors."""

    sensitivity: float
    specificity: float


def anchor_recovery(found: Any, true: Any, n_words: int) -> AnchorRecovery:
    """Sensitivity |Î ∩ I|/|I| and specificity |Îᶜ ∩ Iᶜ|/|Iᶜ| of the anchors found, Î; Bing et al. 2020, Table 1.

    Both are 1 at best. `found` is a fitted model, word ids, or groups of them, one per topic; `true`, the paper's I, is
    ids or groups. It does not matter to which topic a word belongs, or whether it is given twice. Sensitivity is 1 if
    there are no true anchors, and specificity is 1 if all words are. `metrics.specificity` is something else.

    Words 0 and 1 of four are anchors; 0 was found, and no wrong word:

    >>> anchor_recovery([0], [[0], [1]], 4)
    AnchorRecovery(sensitivity=0.5, specificity=1.0)
    """
    if n_words < 1:
        raise ParameterError(f"n_words={n_words} must be at least 1")
    if hasattr(found, "components_") or hasattr(found, "anchor_groups_"):
        found = _anchor_groups(found, n_words)
    I_hat, I = _marked(found, n_words, "found"), _marked(true, n_words, "true")
    return AnchorRecovery(_share(I_hat, I), _share(~I_hat, ~I))


def _anchor_groups(model: Any, n_words: int) -> Any:
    """The groups of anchors of a fitted model over n_words words."""
    groups = getattr(model, "anchor_groups_", None)
    if groups is None:
        raise ParameterError(f"{type(model).__name__} has no anchors; give a model that finds them, or their word ids")
    topics = getattr(model, "components_", None)
    if topics is not None and topics.shape[1] != n_words:
        raise ParameterError(f"the model is over {topics.shape[1]} words and n_words={n_words}; their ids differ")
    return groups


def _marked(words: Any, n_words: int, name: str) -> Mask:
    """(n_words,), true at the given word ids, single ones or groups."""
    error = ParameterError(f"{name} must be word ids from 0 to {n_words - 1}, or groups of these")
    try:
        groups = [np.atleast_1d(group) for group in words]
    except (TypeError, ValueError):
        raise error from None
    marked = np.zeros(n_words, dtype=np.bool_)
    for group in groups:
        if group.size == 0:
            continue
        if group.ndim != 1 or group.dtype.kind not in "iu" or group.min() < 0 or group.max() >= n_words:
            raise error
        marked[group] = True
    return marked


def _share(found: Mask, true: Mask) -> float:
    """Share of the true words that were found; 1 if there are none."""
    n_true = np.count_nonzero(true)
    return float(np.count_nonzero(found & true) / n_true) if n_true else 1.0
