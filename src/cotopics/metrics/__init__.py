"""Measures of topics, with the definitions and units of the papers."""

from cotopics.metrics.association import Association, association
from cotopics.metrics.clustering import clustering_accuracy, nmi
from cotopics.metrics.evaluate import Evaluation, evaluate
from cotopics.metrics.factorisation import approximation_error, dominancy, recovery_error, specificity
from cotopics.metrics.geometry import log_relative_volume, mst_incoherence
from cotopics.metrics.leading_words import (
    coherence,
    dissimilarity,
    exclusivity,
    npmi,
    similarity_count,
    topic_diversity,
)
from cotopics.metrics.likelihood import held_out_likelihood
from cotopics.metrics.matching import anchor_recovery, match_topics, topic_error
from cotopics.metrics.measure import MEASURES, Measure
from cotopics.metrics.scatter import scatteredness, topic_separation

__all__ = [
    "MEASURES",
    "Association",
    "Evaluation",
    "Measure",
    "anchor_recovery",
    "approximation_error",
    "association",
    "clustering_accuracy",
    "coherence",
    "dissimilarity",
    "dominancy",
    "evaluate",
    "exclusivity",
    "held_out_likelihood",
    "log_relative_volume",
    "match_topics",
    "mst_incoherence",
    "nmi",
    "npmi",
    "recovery_error",
    "scatteredness",
    "similarity_count",
    "specificity",
    "topic_diversity",
    "topic_error",
    "topic_separation",
]
