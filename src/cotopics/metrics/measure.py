"""The table of measures. A measure says itself, in its own file, what it needs and which way is better.

`evaluate`, the command line and the report are read from MEASURES, so a new measure is one file and one line here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from cotopics.registry import Registry


class Measure(NamedTuple):
    """Which way is better ("higher", "lower", or "" where neither is), what it is in words, and what gives it.

    of: a function of what was given, with `model`, counts `X` (documents × words), their co-occurrence `C`, `labelled`
    (the labels that documents have, and these documents' leading topics) and `held_out`, the held-out likelihood.
    needs: what must have been given beside the model. good: a word on which values are good, for the report.
    slow: the report does not wait for it. odd: what a reader should know of a value, "" where nothing is odd.
    """

    better: Literal["higher", "lower", ""]
    meaning: str
    of: Callable[[Any], float]
    needs: tuple[Literal["documents", "anchors", "labels"], ...] = ()
    good: str = ""
    slow: bool = False
    odd: Callable[[float], str] = lambda value: ""


MEASURES = Registry("cotopics.metrics", {
    "recovery": "factorisation:RECOVERY",
    "relative_recovery": "factorisation:RELATIVE_RECOVERY",
    "approximation": "factorisation:APPROXIMATION",
    "relative_approximation": "factorisation:RELATIVE_APPROXIMATION",
    "dominancy": "factorisation:DOMINANCY",
    "relative_dominancy": "factorisation:RELATIVE_DOMINANCY",
    "specificity": "factorisation:SPECIFICITY",
    "dissimilarity": "diversity:DISSIMILARITY",
    "similarity_count": "diversity:SIMILARITY_COUNT",
    "topic_diversity": "diversity:TOPIC_DIVERSITY",
    "exclusivity": "diversity:EXCLUSIVITY",
    "coherence": "coherence:COHERENCE",
    "npmi": "coherence:NPMI",
    "mst_incoherence": "geometry:MST_INCOHERENCE",
    "log_relative_volume": "geometry:LOG_RELATIVE_VOLUME",
    "held_out_likelihood": "likelihood:HELD_OUT_LIKELIHOOD",
    "perplexity": "likelihood:PERPLEXITY",
    "clustering_accuracy": "clustering:CLUSTERING_ACCURACY",
    "nmi": "clustering:NMI",
})  # name → measure, in the order in which they are shown  # fmt: skip
