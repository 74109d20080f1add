"""Measures: a file each, with TITLE, MORE_IS_BETTER and measure(problem, answer) → a number, or None without meaning.

answer has "words" (topics × ten), "topics" (a topic for each document, or None), "seconds" and "MB".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def of_labels(score: Callable[[Any, Any], float], problem: Any, answer: dict[str, Any]) -> float | None:
    """score(labels, topics) of the documents; None where one of these is not known."""
    if problem.labels is None or answer["topics"] is None:
        return None
    return score(problem.labels, answer["topics"])
