"""scikit-learn's contract, for every estimator."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from cotopics import TOP, AnchorFree, AnchorWords, TopicModel


# The checks fit random tables whose co-occurrence supports one topic, and documents without words.
@pytest.mark.filterwarnings(
    "ignore:the co-occurrence has numerical rank",
    "ignore:.*documents have no word",
    "ignore:all words look alike",
    "ignore:.*no two anchor words",
)
@parametrize_with_checks(
    [
        AnchorWords(n_topics=2),
        AnchorWords(n_topics=2, rectifier=None, weighting="balanced"),
        AnchorFree(n_topics=2),
        TopicModel(n_topics=2),
        TOP(),
        TOP(c1=0.02, rare_words="keep"),  # several topics
    ]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)
