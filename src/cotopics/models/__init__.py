"""The estimators, and opening what they saved."""

import os
from typing import Any

from cotopics.models.anchor_free import AnchorFree
from cotopics.models.anchor_words import AnchorWords, topics_of_topics
from cotopics.models.estimator import TopicEstimator
from cotopics.models.state import from_record
from cotopics.models.top import TOP
from cotopics.models.topic_model import TopicModel
from cotopics.persistence import MODEL, errors_about, read_record

MODELS: dict[str, type] = {"AnchorFree": AnchorFree, "AnchorWords": AnchorWords, "TOP": TOP, "TopicModel": TopicModel}


def load(path: str | os.PathLike[str]) -> Any:
    """Open a model that `save` wrote. Nothing in the file is executed; damage and unknown versions are refused.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/animals.cotopics"
    >>> X = [[3, 2, 0, 0], [2, 4, 0, 0], [0, 0, 5, 2], [0, 0, 2, 2]]
    >>> TopicModel(2).fit(X, feature_names=["cat", "dog", "star", "moon"]).save(path)
    >>> sorted(sorted(words) for words in load(path).top_words(2))
    [['cat', 'dog'], ['moon', 'star']]
    """
    record = read_record(path, MODEL)
    with errors_about(path):
        return from_record(record, MODELS)


__all__ = ["MODELS", "TOP", "AnchorFree", "AnchorWords", "TopicEstimator", "TopicModel", "load", "topics_of_topics"]
