"""cotopics: rectified anchor words on a thin factor (001, 002), as users of the papers would have it."""

from methods import N_WORDS

TITLE = "AnchorWords (ENN)"
PACKAGE = "cotopics"


def fit(X, n_topics):
    from cotopics import AnchorWords

    model = AnchorWords(n_topics, rectifier="enn", representation="implicit", min_anchor_documents=0.005).fit(X)
    return model.top_words(N_WORDS), model.transform(X)
