"""Measures of topics, with the papers' definitions and units."""

from cotopics.metrics.clustering import clustering_accuracy
from cotopics.metrics.coherence import coherence
from cotopics.metrics.diversity import dissimilarity, similarity_count
from cotopics.metrics.matching import match_topics, topic_error

__all__ = ["clustering_accuracy", "coherence", "dissimilarity", "match_topics", "similarity_count", "topic_error"]
