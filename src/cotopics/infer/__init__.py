"""Documents' topic proportions, given the topics: (X, B) → W."""

from cotopics.infer.simplex import infer_simplex

INFERENCES = {"simplex": infer_simplex}

__all__ = ["INFERENCES", "infer_simplex"]
