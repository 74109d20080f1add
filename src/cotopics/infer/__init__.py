"""Documents' topic proportions, given the topics: (X, B, prevalence, A, words) → W.

X (n_documents, n_words): CSR counts, floats or whole numbers, not to be changed; every document has a word, every word
is in some topic. B (n_words, n_topics): columns p(word | topic). prevalence (n_topics,): p(topic). A (n_topics,
n_topics): symmetric, p(topic, topic) up to a factor, as a fit found it, so it may have entries below zero. words
(n_words,): p(word) in the corpus; B @ prevalence where None. W (n_documents, n_topics): rows on the simplex. A method
leaves alone what it does not need. A document's row depends on no other document.
"""

from cotopics.infer.base import Inference
from cotopics.infer.em import EM
from cotopics.infer.nnls import NNLS
from cotopics.infer.one_topic import OneTopic
from cotopics.infer.prior import EstimatedPrior, PriorAware, estimate_prior
from cotopics.infer.project import Project
from cotopics.infer.simplex import SimplexLS
from cotopics.registry import INFERENCES

DEFAULT = "prior"  # least error against planted proportions: benchmarks/infer.py

__all__ = [
    "DEFAULT",
    "EM",
    "INFERENCES",
    "NNLS",
    "EstimatedPrior",
    "Inference",
    "OneTopic",
    "PriorAware",
    "Project",
    "SimplexLS",
    "estimate_prior",
]
