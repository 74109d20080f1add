"""Anchor words: words that occur in one topic alone, whose rows of C̄ span all others."""

from cotopics.anchors.base import Selector
from cotopics.anchors.fast_anchor import FastAnchor
from cotopics.anchors.given import resolve_groups
from cotopics.anchors.pivoted_qr import PivotedQR
from cotopics.anchors.snpa import SNPA
from cotopics.anchors.spa import SPA
from cotopics.anchors.xray import XRAY
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
