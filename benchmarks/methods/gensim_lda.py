"""gensim's LDA on several processes, five passes."""

import numpy as np

from methods import THREADS, leading

TITLE = "gensim LdaMulticore (5 passes)"
PACKAGE = "gensim"


def fit(X, n_topics):
    from gensim.matutils import Sparse2Corpus
    from gensim.models import LdaMulticore

    corpus = Sparse2Corpus(X.tocsc(), documents_columns=False)
    model = LdaMulticore(corpus, num_topics=n_topics, passes=5, workers=THREADS, random_state=0)
    W = np.zeros((X.shape[0], n_topics))
    for d, found in enumerate(model.get_document_topics(corpus, minimum_probability=0)):
        for k, share in found:
            W[d, k] = share
    return leading(model.get_topics()), W
