"""Data to try things on: planted topics, and the built-in demo corpus."""

from cotopics.datasets.synthetic import make_cooccurrence

__all__ = ["make_cooccurrence"]
