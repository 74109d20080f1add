"""The ranking of words."""

import numpy as np
import pytest

from cotopics import TopicModel
from cotopics.errors import ParameterError
from cotopics.words import MIN_SHARE_FOR_LIFT, leading_words_of, rank_words, relevances


@pytest.fixture
def topics(rng):
    return rng.dirichlet(np.full(50, 0.3), size=4), rng.dirichlet(np.ones(4))


def test_relevance_one_is_probability(topics):
    P, prevalence = topics
    assert (rank_words(P, prevalence, 1.0, 50) == np.argsort(-P, axis=1)).all()


@pytest.mark.parametrize("relevance", [0.0, 0.4, 0.9])
def test_frequent_words_by_relevance_then_rare_ones_by_probability(topics, relevance):
    P, prevalence = topics
    scores = relevances(P, prevalence, relevance)
    marginal = prevalence @ P
    assert scores == pytest.approx(relevance * np.log(P) + (1 - relevance) * np.log(P / marginal))
    for k, ranked in enumerate(rank_words(P, prevalence, relevance, 50)):
        n_frequent = np.count_nonzero(P[k] > MIN_SHARE_FOR_LIFT * P[k].max())
        assert (np.diff(scores[k, ranked[:n_frequent]]) < 1e-6).all()
        assert (P[k, ranked[n_frequent:]] <= MIN_SHARE_FOR_LIFT * P[k].max()).all()
        assert (np.diff(np.log(P[k, ranked[n_frequent:]])) < 1e-4).all()


def test_words_of_no_topic_come_last():
    P = np.array([[0.5, 0.0, 0.3, 0.2], [0.5, 0.0, 0.5, 0.0]])
    for relevance in (0.0, 0.5, 1.0):
        ranked = rank_words(P, np.array([0.5, 0.5]), relevance, 4)
        assert (np.take_along_axis(P, ranked, axis=1)[:, -1] == 0).all()


def test_they_are_the_words_that_a_model_shows(corpus):
    model = TopicModel(4).fit(corpus[0])
    assert leading_words_of(model, 7).tolist() == model.top_words(7)
    assert leading_words_of(model, 7, 0.2).tolist() == model.top_words(7, 0.2)


def test_what_cannot_be_ranked(topics):
    with pytest.raises(ParameterError, match="n=0"):
        rank_words(*topics, 1.0, 0)
    for relevance in (-0.1, 2, float("nan")):
        with pytest.raises(ParameterError, match="relevance="):
            rank_words(*topics, relevance, 3)
