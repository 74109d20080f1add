"""cotopics: the model we recommend, as it is."""

from methods import N_WORDS

TITLE = "TopicModel"
PACKAGE = "cotopics"


def fit(X, n_topics):
    from cotopics import TopicModel

    model = TopicModel(n_topics).fit(X)
    return model.top_words(N_WORDS), model.transform(X)
