"""Anchor words: words that occur in one topic alone, whose rows of C̄ span all others."""

from cotopics.anchors.base import Selector
from cotopics.anchors.given import resolve_groups
from cotopics.anchors.pivoted_qr import PivotedQR

SELECTORS = {"qr": PivotedQR}

__all__ = ["SELECTORS", "PivotedQR", "Selector", "resolve_groups"]
