"""bitermplus' biterm topic model by Gibbs sampling (Yan et al. 2013), 100 sweeps."""

import numpy as np

from methods import leading, token_lists

TITLE = "bitermplus BTM (100 sweeps)"
PACKAGE = "bitermplus"


def fit(X, n_topics):
    import bitermplus

    texts = [" ".join(words) for words in token_lists(X)]
    all_words = {"token_pattern": r"\S+", "min_df": 1, "max_df": 1.0}
    model = bitermplus.BTMClassifier(n_topics=n_topics, max_iter=100, random_state=1, vectorizer_params=all_words)
    W = model.fit_transform(texts)
    order = model.vocabulary_.astype(int)
    components = np.zeros((n_topics, X.shape[1]))
    components[:, order] = model.topic_word_matrix_
    return leading(components), np.nan_to_num(W)
