import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cotopics import AnchorFree, AnchorWords
from cotopics.datasets import make_corpus
from cotopics.errors import ParameterError
from cotopics.metrics import anchor_recovery

WORDS = st.sets(st.integers(0, 11))


def test_one_anchor_of_each_topic_is_a_share_of_all():
    # Table 1: RECOVER finds one of |I_k| anchors a topic, so its sensitivity is 1/|I_k|
    for per_topic in (2, 4, 10):
        true = np.arange(3 * per_topic).reshape(3, per_topic)
        assert anchor_recovery(true[:, 0], true, 100) == (1 / per_topic, 1.0)


def test_words_that_are_no_anchors_cost_specificity():
    recovered = anchor_recovery([0, 1, 5, 6, 7], [0, 1], 7 + 3)
    assert recovered.sensitivity == 1
    assert recovered.specificity == 5 / 8  # words 2, 3, 4, 8 and 9 of 2 to 9


@given(WORDS, WORDS)
def test_the_papers_formulas(found, true):
    every = set(range(12))
    sensitivity, specificity = anchor_recovery(found, true, 12)
    if true:
        assert sensitivity == len(found & true) / len(true)
    if every - true:
        assert specificity == len((every - found) & (every - true)) / len(every - true)
    # what is found and what is left change places
    assert anchor_recovery(every - found, every - true, 12) == (specificity, sensitivity)


@given(st.lists(st.lists(st.integers(0, 11), max_size=4), max_size=5), WORDS)
def test_groups_and_repetitions_do_not_count(groups, true):
    flat = [word for group in groups for word in group]
    assert anchor_recovery(groups, true, 12) == anchor_recovery(np.array(flat, dtype=int), [list(true)], 12)
    assert anchor_recovery(flat * 2, true, 12) == anchor_recovery(set(flat), true, 12)


def test_of_no_words_all_were_found():
    assert anchor_recovery([], [], 3) == (1, 1)
    assert anchor_recovery([1], [], 4) == (1, 3 / 4)
    assert anchor_recovery([0, 2], [0, 1, 2], 3) == (2 / 3, 1)
    assert anchor_recovery([], [0], 2) == (0, 1)
    assert anchor_recovery([0, 1], [1], 2) == (1, 0)


@pytest.fixture(scope="module")
def documents():
    """Documents of three topics with two anchors each, words 0 to 5 of 60."""
    return make_corpus(300, 60, 3, length=400, anchors_per_topic=2, anchor_frequency=0.05, random_state=0)[0]


def test_models_give_their_groups(documents):
    true = np.arange(6).reshape(3, 2)
    model = AnchorWords(3, rectifier=None).fit(documents)
    assert anchor_recovery(model, true, 60) == anchor_recovery(model.anchor_groups_, true, 60) == (0.5, 1)
    told = AnchorWords(3, rectifier=None, anchors=[[0, 1], [2, 3], [4, 40]]).fit(documents)
    assert anchor_recovery(told, true, 60) == (5 / 6, 53 / 54)
    with pytest.raises(ParameterError, match="over 60 words and n_words=61"):
        anchor_recovery(model, true, 61)


def test_models_without_anchors(documents):
    with pytest.raises(ParameterError, match="AnchorFree has no anchors"):
        anchor_recovery(AnchorFree(3, solver="pds").fit(documents), [0], 60)
    with pytest.raises(ParameterError, match="found must be"):
        anchor_recovery(AnchorWords(3), [0], 60)


@pytest.mark.parametrize(
    "words", [[4], [-1], [0.0], ["word"], "word", 2, None, np.array(2), [[[0], [1]]], [[[0], [1, 2]]], [[True] * 4]]
)
def test_what_is_no_word(words):
    with pytest.raises(ParameterError, match="found must be word ids from 0 to 3"):
        anchor_recovery(words, [0], 4)
    with pytest.raises(ParameterError, match="true must be word ids from 0 to 3"):
        anchor_recovery([0], words, 4)


def test_no_words():
    with pytest.raises(ParameterError, match="n_words=0"):
        anchor_recovery([], [], 0)
