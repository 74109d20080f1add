"""Topics against the world: how their shares differ between groups, change over time, and how sure that is.

`shares.py` says which shares of documents a regression is of, `formula.py`, `metadata.py` and `design.py` make its
columns, `least_squares.py` its errors, `estimate.py` joins them and `record.py` is what comes out.
"""

from cotopics.effects.estimate import estimate_effects
from cotopics.effects.record import Effects, Estimates

__all__ = ["Effects", "Estimates", "estimate_effects"]
