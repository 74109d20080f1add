"""How many of the anchor words that are known were found."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from cotopics.errors import ParameterError

Mask = np.ndarray[Any, np.dtype[np.bool_]]


class AnchorRecovery(NamedTuple):
    """Shares of the true anchors that were found, and of the other words that were left alone."""

    sensitivity: float
    specificity: float


def anchor_recovery(found: Any, true: Any, n_words: int) -> AnchorRecovery:
    """Sensitivity |Î ∩ I|/|I| and specificity |Îᶜ ∩ Iᶜ|/|Iᶜ| of the anchors found, Î; 004, Table 1. Both 1 at best.

    `found` is a fitted model, word ids, or groups of them, one per topic; `true`, the paper's I, is ids or groups.
    Groups are put together: which topic a word anchors does not count, nor does a word that is given twice. Of no
    words, all were found: sensitivity is 1 where there are no true anchors, and specificity 1 where all words are.
    The specificity of topics, 002, is another thing: `metrics.specificity`.

    Of four words, 0 and 1 are anchors; 0 was found, and no word that is none:

    >>> anchor_recovery([0], [[0], [1]], 4)
    AnchorRecovery(sensitivity=0.5, specificity=1.0)
    """
    if n_words < 1:
        raise ParameterError(f"n_words={n_words} must be at least 1")
    if hasattr(found, "components_") or hasattr(found, "anchor_groups_"):
        found = _groups(found, n_words)
    I_hat, I = _marked(found, n_words, "found"), _marked(true, n_words, "true")
    return AnchorRecovery(_share(I_hat, I), _share(~I_hat, ~I))


def _groups(model: Any, n_words: int) -> Any:
    """The groups of anchors of a fitted model over n_words words."""
    groups = getattr(model, "anchor_groups_", None)
    if groups is None:
        raise ParameterError(f"{type(model).__name__} has no anchors; give a model that finds them, or their word ids")
    topics = getattr(model, "components_", None)
    if topics is not None and topics.shape[1] != n_words:
        raise ParameterError(f"the model is over {topics.shape[1]} words and n_words={n_words}; their ids differ")
    return groups


def _marked(words: Any, n_words: int, name: str) -> Mask:
    """(n_words,), true at the word ids given, alone or in groups."""
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
    """Share of the true words that were found; all of none."""
    n_true = np.count_nonzero(true)
    return float(np.count_nonzero(found & true) / n_true) if n_true else 1.0
