"""What a user should know about a fit, found in its `diagnostics_` and said in plain sentences.

Models show them as warnings when a fit ends, reports show them on the page.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any, NamedTuple


class Finding(NamedTuple):
    """A sentence about a fit, and what to do about it; `str` gives both."""

    text: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.text}. {self.remedy}" if self.remedy else self.text


def unconverged_steps(diagnostics: dict[str, Any], may_stop_early: Container[str] = ()) -> list[Finding]:
    """The steps that stopped before they converged, except those that may stop early."""
    found = []
    for name, step in diagnostics.items():
        if isinstance(step, dict) and step.get("converged") is False and name not in may_stop_early:
            if step.get("reason"):
                found.append(Finding(f"{name}: {step['reason']}"))
                continue
            stopped = (
                f"{name} stopped after {step.get('n_iter')} steps before it converged; the topics may still be good"
            )
            remedy = "See diagnostics_, and give a step object with a larger max_iter or tolerance to change this"
            found.append(Finding(stopped, remedy))
    return found


def unsupported_topics(diagnostics: dict[str, Any], n_topics: int) -> list[Finding]:
    """Topics that the data support too little: their anchors never meet, or they repeat other topics.

    Where topics were refined on documents, these say how topics go together, and diagnostics name no anchors.
    """
    found = []
    alone = (diagnostics.get("correlation") or {}).get("without_anchors", [])
    if alone:
        fitted = "topic_correlation_ is the best fit to all words instead"
        instead = fitted if len(alone) == n_topics else "topic_correlation_ is empty for them"
        found.append(
            Finding(
                f"the anchors of topics {alone} hardly ever meet an anchor, not even themselves, so they say nothing "
                f"about how topics go together; {instead}",
                "Ask for anchors in more documents (min_anchor_documents, or min_documents of TOP), or give more "
                "documents",
            )
        )
    empty = (diagnostics.get("refinement") or {}).get("without_documents", [])
    if empty:
        found.append(
            Finding(
                f"no document belongs to topics {empty}, of which the words shown are those that they started from",
                f"Ask for {n_topics - len(empty)} topics, or give more documents",
            )
        )
    rank = (diagnostics.get("anchors") or {}).get("rank", n_topics)
    if rank < n_topics:
        found.append(
            Finding(
                f"the co-occurrence has numerical rank {rank}: only {rank} of the {n_topics} topics are independent "
                "and the others repeat them",
                f"Ask for {rank} topics, or give more documents or words",
            )
        )
    return found
