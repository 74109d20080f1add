"""tomotopy's correlated topic model, 500 sweeps."""

from methods import tomotopy_lda

TITLE = "tomotopy CTM (500 sweeps)"
PACKAGE = "tomotopy"


def fit(X, n_topics):
    return tomotopy_lda.fit(X, n_topics, "CTModel")
