"""From topics that are right up to noise to topics of greater likelihood: a few steps that look at every document."""

from cotopics.refine.em import ExpectationMaximisation, Refined

__all__ = ["ExpectationMaximisation", "Refined"]
