"""cotopics: AnchorFree (000), as it is."""

from methods import N_WORDS

TITLE = "AnchorFree"
PACKAGE = "cotopics"


def fit(X, n_topics):
    from cotopics import AnchorFree

    model = AnchorFree(n_topics).fit(X)
    return model.top_words(N_WORDS), model.transform(X)
