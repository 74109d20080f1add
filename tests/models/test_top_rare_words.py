"""What TOP does with words in few documents."""

import numpy as np
import pytest

from cotopics import TOP, cooccurrence
from cotopics.cooccur import implicit
from cotopics.datasets import make_corpus
from cotopics.errors import CooccurrenceError
from cotopics.top import DecoupledPrograms, FindAnchorWords


@pytest.fixture(scope="module")
def rare():
    """Counts where the last twenty words are in few documents, and the lengths of documents differ."""
    lengths = np.random.default_rng(1).integers(150, 400, size=300)
    X = make_corpus(300, 80, 6, length=lengths, anchors_per_topic=3, random_state=0)[0].toarray()
    rng = np.random.default_rng(0)
    X[:, 60:] = 0
    for word in range(60, 80):
        X[rng.choice(300, size=1 + word % 5, replace=False), word] += 1 + word % 3
    return X


def assert_same(one, other):
    assert [group.tolist() for group in one.anchor_groups_] == [group.tolist() for group in other.anchor_groups_]
    for name in ("components_", "topic_correlation_", "topic_prevalence_", "anchor_cooccurrence_"):
        assert np.allclose(getattr(one, name), getattr(other, name), atol=1e-9), name


def test_rare_words_share_what_their_group_gets(rare):
    documents_with = (rare > 0).sum(axis=0)
    least = 6
    uncommon = np.flatnonzero(documents_with < least)
    assert uncommon.tolist() == list(range(60, 80))
    model = TOP(min_documents=least).fit(rare)
    assert model.diagnostics_["rare_words"] == 20
    assert np.allclose(model.components_.sum(axis=1), 1)
    assert np.allclose(model.anchor_cooccurrence_.sum(axis=1), 1)
    assert not np.isin(np.concatenate(model.anchor_groups_), uncommon).any()
    f = (rare / rare.sum(axis=1, keepdims=True)).mean(axis=0)[uncommon]
    for rows in (model.components_, model.anchor_cooccurrence_):
        together = rows[:, uncommon].sum(axis=1)
        assert (together > 0).any()
        assert np.allclose(rows[:, uncommon], np.outer(together, f / f.sum()))

    C = cooccurrence(np.column_stack([rare[:, :60], rare[:, 60:].sum(axis=1)]), representation="implicit")
    anchors = FindAnchorWords()(C, candidates=np.arange(60))
    assert [group.tolist() for group in model.anchor_groups_] == [group.tolist() for group in anchors.groups]
    topics = DecoupledPrograms()(C, anchors)
    assert np.allclose(model.components_[:, :60], topics.B.T[:, :60])
    assert np.allclose(model.components_[:, 60:].sum(axis=1), topics.B[60])
    assert np.allclose(model.topic_prevalence_, topics.prevalence)


def test_rare_words_removed(rare):
    model, reduced = TOP(min_documents=6, rare_words="remove").fit(rare), TOP(rare_words="keep").fit(rare[:, :60])
    assert (model.components_[:, 60:] == 0).all()
    assert (model.anchor_cooccurrence_[:, 60:] == 0).all()
    assert np.allclose(model.components_.sum(axis=1), 1)
    assert [group.tolist() for group in model.anchor_groups_] == [g.tolist() for g in reduced.anchor_groups_]
    assert np.allclose(model.components_[:, :60], reduced.components_)
    assert np.allclose(model.topic_correlation_, reduced.topic_correlation_)


def test_rare_words_kept(rare):
    model = TOP(min_documents=6, rare_words="keep").fit(rare)
    assert_same(model, TOP(min_documents=0).fit(rare))
    assert model.diagnostics_["rare_words"] == 0


def test_a_share_of_documents_is_a_number_of_them(rare):
    assert_same(TOP(min_documents=0.02).fit(rare), TOP(min_documents=6).fit(rare))


def test_rare_words_that_are_not_the_last(rare):
    order = np.random.default_rng(0).permutation(80)
    options = {"min_documents": 6, "n_repeats": 1, "c0": 0}
    expected, found = TOP(**options).fit(rare), TOP(**options).fit(rare[:, order])
    assert [order[group].tolist() for group in found.anchor_groups_] == [g.tolist() for g in expected.anchor_groups_]
    assert np.allclose(found.components_, expected.components_[:, order], atol=1e-9)


def test_rare_words_that_look_like_a_topic():
    """The group of rare words is no anchor, even where a word meets none but them."""
    X = make_corpus(200, 80, 6, length=300, anchors_per_topic=3, random_state=0)[0].toarray()
    X = np.hstack([X, np.zeros((200, 9))])
    X[:20, 80] = 6  # in enough documents, and in these alone rare words
    X[np.arange(16), 81 + np.arange(16) % 8] += 20
    model = TOP(min_documents=5).fit(X)
    assert all(len(group) for group in model.anchor_groups_)
    assert max(np.concatenate(model.anchor_groups_)) <= 80
    assert np.allclose(model.components_.sum(axis=1), 1)


@pytest.mark.parametrize("rare_words", ["group", "remove", "keep"])
@pytest.mark.parametrize("representation", ["dense", "sparse"])
def test_documents_that_were_added_up(rare, representation, rare_words):
    C = cooccurrence(rare, representation=representation)
    with pytest.raises(CooccurrenceError, match=r"no longer has them.*representation='implicit'"):
        TOP(rare_words=rare_words).fit_cooccurrence(C)


@pytest.mark.parametrize("rare_words", ["group", "remove", "keep"])
def test_large_vocabularies_are_looked_at_in_blocks(rare, rare_words, monkeypatch):
    options = {"min_documents": 6, "rare_words": rare_words}
    expected = TOP(**options).fit(rare)
    monkeypatch.setattr("cotopics.top.error_bounds.MAX_KEPT_ENTRIES", 0)
    monkeypatch.setattr("cotopics.top.anchors.BLOCK_ENTRIES", 300)
    monkeypatch.setattr(implicit, "MANY_ROWS", 2)
    monkeypatch.setattr(implicit, "BLOCK_DOCUMENTS", 50)
    assert_same(TOP(**options).fit(rare), expected)
