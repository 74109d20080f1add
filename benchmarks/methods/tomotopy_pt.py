"""tomotopy's pseudo-document model for short texts (Zuo et al. 2016), 500 sweeps."""

from methods import tomotopy_lda

TITLE = "tomotopy PT (500 sweeps)"
PACKAGE = "tomotopy"


def fit(X, n_topics):
    return tomotopy_lda.fit(X, n_topics, "PTModel")
