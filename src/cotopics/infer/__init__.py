"""Documents' topic proportions, given the topics: (X, B) → W."""

from cotopics.infer.nnls import infer_nnls
from cotopics.infer.simplex import infer_simplex

INFERENCES = {"nnls": infer_nnls, "simplex": infer_simplex}

__all__ = ["INFERENCES", "infer_nnls", "infer_simplex"]
