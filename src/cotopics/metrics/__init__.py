"""Measures of topics, with the papers' definitions and units."""

from cotopics.metrics.diversity import dissimilarity
from cotopics.metrics.matching import match_topics, topic_error

__all__ = ["dissimilarity", "match_topics", "topic_error"]
