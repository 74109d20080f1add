"""topica's correlated topic model, variational EM from a spectral start."""

from methods import N_WORDS, THREADS, token_lists

TITLE = "topica CTM"
PACKAGE = "topica"


def fit(X, n_topics):
    import topica

    corpus = topica.Corpus.from_documents(token_lists(X))
    model = topica.CTM(n_topics)
    model.fit(corpus, num_threads=THREADS, keep_eta_cov=False)
    return [[int(word) for word in words] for words in model.top_words(N_WORDS)], model.doc_topic
