"""Topics against the world: how their shares differ between groups, change over time, and how sure that is.

`shares.py` says which shares of documents a regression is of, `formula.py`, `metadata.py` and `design.py` make its
columns, `least_squares.py` its errors, `estimate.py` joins them and `record.py` is what comes out. Without a formula,
`over.py` has means over time and in groups, and `words.py` the words that a topic has in each.
"""

from cotopics.effects.estimate import estimate_effects
from cotopics.effects.over import prevalence_over
from cotopics.effects.record import Effects, Estimates
from cotopics.effects.words import words_by

__all__ = ["Effects", "Estimates", "estimate_effects", "prevalence_over", "words_by"]
