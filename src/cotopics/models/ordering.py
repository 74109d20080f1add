"""The topics of a fit in another order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cotopics.models.fit import Fit


def in_order(fit: Fit, order: Sequence[int]) -> Fit:
    """The same fit with topic order[0] as topic 0, order[1] as topic 1, and so on; `order` has every topic once."""
    places = np.asarray(order)
    groups, near = fit.anchor_groups, fit.anchor_cooccurrence
    return replace(
        fit,
        components=fit.components[places],
        prevalence=fit.prevalence[places],
        correlation=fit.correlation[np.ix_(places, places)],
        anchor_groups=None if groups is None else [groups[k] for k in places],
        anchor_cooccurrence=None if near is None else near[places],
        diagnostics=_renumbered(fit.diagnostics, places),
    )


def _renumbered(diagnostics: dict[str, Any], places: Any) -> dict[str, Any]:
    """What steps reported, with the numbers of topics in it that they have now."""
    correlation = diagnostics.get("correlation") or {}
    if "without_anchors" not in correlation:
        return diagnostics
    now = {int(k): new for new, k in enumerate(places)}
    alone = sorted(now[int(k)] for k in correlation["without_anchors"])
    return {**diagnostics, "correlation": {**correlation, "without_anchors": alone}}
