"""From topics that are right up to noise to topics of greater likelihood: a few steps that read every document."""

from cotopics.refine.em import ExpectationMaximisation, Refined, word_shares

__all__ = ["ExpectationMaximisation", "Refined", "word_shares"]
