"""scikit-learn's LDA by online variational Bayes, ten passes (its default)."""

from methods import THREADS, leading

TITLE = "scikit-learn LDA (online)"
PACKAGE = "scikit-learn"


def fit(X, n_topics):
    from sklearn.decomposition import LatentDirichletAllocation

    model = LatentDirichletAllocation(n_topics, learning_method="online", random_state=0, n_jobs=THREADS)
    W = model.fit_transform(X)
    return leading(model.components_), W
