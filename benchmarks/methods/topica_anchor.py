"""topica's anchor words, its own ranking of words."""

from methods import N_WORDS, token_lists

TITLE = "topica AnchorLDA"
PACKAGE = "topica"


def fit(X, n_topics):
    import topica

    corpus = topica.Corpus.from_documents(token_lists(X))
    model = topica.AnchorLDA(n_topics)
    model.fit(corpus)
    return [[int(word) for word in words] for words in model.top_words(N_WORDS)], model.doc_topic
