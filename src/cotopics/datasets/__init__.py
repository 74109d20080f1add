"""Data to try things on: planted topics, and the built-in demo corpus."""

from cotopics.datasets.demo import load_demo
from cotopics.datasets.synthetic import make_cooccurrence

__all__ = ["load_demo", "make_cooccurrence"]
