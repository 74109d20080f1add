"""Selectors of anchor words: words that occur in one topic only, so that their rows of C̄ span all other rows.

A selector is a frozen dataclass of its options, called as
`selector(C, n_topics, candidates=None, given=()) → Anchors`. TOP's anchors are in `cotopics.top`.
"""

from cotopics.anchors.given import resolve_groups
from cotopics.anchors.greedy import Selector
from cotopics.anchors.hull_selectors import SNPA, XRAY
from cotopics.anchors.span_selectors import SPA, FastAnchor, PivotedQR
from cotopics.registry import SELECTORS
from cotopics.top import FindAnchorWords, SplitHalves, anchor_groups, group_rare_words

__all__ = [
    "SELECTORS",
    "SNPA",
    "SPA",
    "XRAY",
    "FastAnchor",
    "FindAnchorWords",
    "PivotedQR",
    "Selector",
    "SplitHalves",
    "anchor_groups",
    "group_rare_words",
    "resolve_groups",
]
