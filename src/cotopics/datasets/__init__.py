"""Data to try things on: planted topics, documents drawn from topics, and the built-in demo corpus."""

from cotopics.datasets.demo import load_demo
from cotopics.datasets.synthetic import make_cooccurrence, make_corpus, sample_corpus

__all__ = ["load_demo", "make_cooccurrence", "make_corpus", "sample_corpus"]
