"""Measures of topics, with the papers' definitions and units."""

from cotopics.metrics.anchors import anchor_recovery
from cotopics.metrics.clustering import clustering_accuracy
from cotopics.metrics.coherence import coherence, npmi
from cotopics.metrics.diversity import dissimilarity, similarity_count, topic_diversity
from cotopics.metrics.factorisation import approximation_error, dominancy, recovery_error, specificity
from cotopics.metrics.geometry import log_relative_volume, mst_incoherence
from cotopics.metrics.matching import match_topics, topic_error

__all__ = [
    "anchor_recovery",
    "approximation_error",
    "clustering_accuracy",
    "coherence",
    "dissimilarity",
    "dominancy",
    "log_relative_volume",
    "match_topics",
    "mst_incoherence",
    "npmi",
    "recovery_error",
    "similarity_count",
    "specificity",
    "topic_diversity",
    "topic_error",
]
