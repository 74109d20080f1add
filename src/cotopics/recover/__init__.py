"""Recoveries: C and anchor words → topics.

A recovery is a frozen dataclass of its options, called as `recovery(C, anchors) → Topics`. TOP's is in `cotopics.top`.
"""

from cotopics.recover.convex_combinations import KullbackLeibler, Recovery, SimplexLeastSquares
from cotopics.recover.topic_score import TopicScore
from cotopics.registry import RECOVERIES
from cotopics.top import DecoupledPrograms

__all__ = ["RECOVERIES", "DecoupledPrograms", "KullbackLeibler", "Recovery", "SimplexLeastSquares", "TopicScore"]
