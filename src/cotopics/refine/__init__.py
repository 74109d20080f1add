"""From topics that are right up to noise to topics of greater likelihood: a few steps that read every document."""

from cotopics.refine.em import ExpectationMaximisation, Refined, word_shares
from cotopics.refine.one_topic import OneTopicPerDocument, merge_topics

__all__ = ["ExpectationMaximisation", "OneTopicPerDocument", "Refined", "merge_topics", "word_shares"]
