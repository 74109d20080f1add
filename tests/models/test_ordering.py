"""Topics numbered by their size."""

import numpy as np
import pytest

from conftest import planted_corpus
from cotopics import AnchorFree, AnchorWords, TopicModel, load


@pytest.mark.parametrize("new", [TopicModel, AnchorWords, AnchorFree])
def test_the_same_topics_in_another_order(new, tmp_path):
    X = planted_corpus(n_documents=300, n_words=60, length=40)[0]
    model = new(4).fit(X)
    before = model.components_.copy()
    ours = model.by_size()
    order = np.argsort(-model.topic_prevalence_, kind="stable")
    assert (np.diff(ours.topic_prevalence_) <= 0).all()
    assert np.array_equal(ours.components_, model.components_[order])
    assert np.array_equal(ours.topic_correlation_, model.topic_correlation_[order][:, order])
    assert ours.transform(X) == pytest.approx(model.transform(X)[:, order], abs=1e-6)
    assert np.array_equal(model.components_, before)
    if model.anchors_ is not None:
        assert ours.anchors_.tolist() == model.anchors_[order].tolist()
    ours.save(tmp_path / "m")
    assert np.array_equal(load(tmp_path / "m").components_, ours.components_)
