"""Networks: an adjacency is a co-occurrence of nodes (000, section 3, and 001, Table 1)."""

import numpy as np
import pytest

from cotopics import AnchorFree, AnchorWords
from cotopics.metrics import clustering_accuracy
from cotopics.models import topics_of_topics

networkx = pytest.importorskip("networkx")


@pytest.mark.parametrize("model", [AnchorWords(2), AnchorWords(2, rectifier="enn"), AnchorFree(2)])
@pytest.mark.parametrize("sparse", [False, True])
def test_the_two_clubs_of_karate(model, sparse):
    """Zachary's 34 members split into two clubs. One member, who stood between the leaders, is on the other side."""
    graph = networkx.karate_club_graph()
    convert = networkx.to_scipy_sparse_array if sparse else networkx.to_numpy_array
    model.fit_cooccurrence(convert(graph, dtype=float), feature_names=[str(node) for node in graph])
    community = (model.components_ * model.topic_prevalence_[:, None]).argmax(axis=0)  # p(community | member)
    clubs = [graph.nodes[node]["club"] for node in graph]
    assert clustering_accuracy(clubs, community) >= 33 / 34
    assert {"0", "33"} <= set(np.ravel(model.top_words(2)))  # the two leaders


def test_topics_of_topics():
    """Six topics in two groups: those of a group are in the same documents, those of different groups hardly ever."""
    within = np.full((3, 3), 0.05) + 0.02 * np.eye(3)
    A = np.block([[within, np.full((3, 3), 0.001)], [np.full((3, 3), 0.001), 0.5 * within]])

    class Model:
        topic_correlation_ = A

    groups = topics_of_topics(Model, 2)
    found = (groups.components_ * groups.topic_prevalence_[:, None]).argmax(axis=0)
    assert len(set(found[:3])) == len(set(found[3:])) == 1
    assert found[0] != found[3]
    assert groups.vocabulary_[0] == "topic 0"
    assert groups.topic_prevalence_.max() == pytest.approx(2 / 3, abs=0.05)
