"""scikit-learn's NMF on tf-idf, with the start that is the same every time."""

from methods import leading

TITLE = "scikit-learn NMF (tf-idf)"
PACKAGE = "scikit-learn"


def fit(X, n_topics):
    from sklearn.decomposition import NMF
    from sklearn.feature_extraction.text import TfidfTransformer

    model = NMF(n_topics, init="nndsvd", random_state=0)
    W = model.fit_transform(TfidfTransformer().fit_transform(X))
    return leading(model.components_), W
