"""The table of measures. Each measure says in its own file what it needs and whether higher or lower is better.

`evaluate`, the command line and the report read MEASURES, so a new measure is one file and one line here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from cotopics.registry import Registry


class Measure(NamedTuple):
    """A number that describes a fitted model, and how to read it.

    Parameters
    ----------
    better : "higher", "lower", or "" if neither is better.
    meaning : what it is, in a few words.
    of : function that gives the value. Its argument has `model`, counts `X` (documents × words), their co-occurrence
        `C`, counts of a `reference` corpus, `labelled` (labels of documents, and these documents' leading topics) and
        `held_out`, a likelihood.
    needs : what must be given besides the model.
    good : which values are good, for the report.
    slow : the report leaves it out.
    most : a larger value says that the measure does not fit the model; it is left out.
    odd : function of a value that says what is unusual about it, or "".

    >>> measure = Measure("higher", "number of topics", lambda given: given.model.n_topics_)
    >>> measure.better, measure.needs
    ('higher', ())
    """

    better: Literal["higher", "lower", ""]
    meaning: str
    of: Callable[[Any], float]
    needs: tuple[Literal["documents", "anchors", "labels", "reference"], ...] = ()
    good: str = ""
    slow: bool = False
    most: float = float("inf")
    odd: Callable[[float], str] = lambda value: ""


MEASURES = Registry("cotopics.metrics", {
    "recovery": "factorisation:RECOVERY",
    "relative_recovery": "factorisation:RELATIVE_RECOVERY",
    "approximation": "factorisation:APPROXIMATION",
    "relative_approximation": "factorisation:RELATIVE_APPROXIMATION",
    "dominancy": "factorisation:DOMINANCY",
    "relative_dominancy": "factorisation:RELATIVE_DOMINANCY",
    "specificity": "factorisation:SPECIFICITY",
    "dissimilarity": "leading_words:DISSIMILARITY",
    "similarity_count": "leading_words:SIMILARITY_COUNT",
    "topic_diversity": "leading_words:TOPIC_DIVERSITY",
    "exclusivity": "leading_words:EXCLUSIVITY",
    "coherence": "leading_words:COHERENCE",
    "npmi": "leading_words:NPMI",
    "reference_npmi": "leading_words:REFERENCE_NPMI",
    "mst_incoherence": "geometry:MST_INCOHERENCE",
    "log_relative_volume": "geometry:LOG_RELATIVE_VOLUME",
    "held_out_likelihood": "likelihood:HELD_OUT_LIKELIHOOD",
    "perplexity": "likelihood:PERPLEXITY",
    "clustering_accuracy": "clustering:CLUSTERING_ACCURACY",
    "nmi": "clustering:NMI",
})  # name → measure, in the order in which they are shown  # fmt: skip
