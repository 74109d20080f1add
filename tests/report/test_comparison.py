"""Two models side by side, as the record has them."""

import json

import numpy as np
import pytest
from sklearn.base import clone

from cotopics import AnchorWords, metrics
from cotopics.errors import ParameterError
from cotopics.metrics.matching import pair_topics
from cotopics.report import content
from cotopics.report.comparison import N_COMPARED_WORDS


def by_name(model):
    return [dict(zip(map(str, model.vocabulary_), p, strict=True)) for p in model.components_]


def test_overlaps_are_of_the_words_that_both_know(compared):
    model, other, record = compared
    first, second = by_name(model), by_name(other)
    found = record["comparison"]
    assert found["n_shared"] == 54
    for pair in found["pairs"][:3]:
        a, b = (side["topic"] for side in pair["sides"])
        shared = sum(min(p, second[b].get(word, 0)) for word, p in first[a].items())
        assert pair["overlap"] == pytest.approx(shared, abs=1e-4)
    overlaps = [pair["overlap"] for pair in found["pairs"]]
    assert overlaps == sorted(overlaps, reverse=True)


def test_every_topic_is_there_once_and_those_without_a_partner_are_last(compared):
    model, other, record = compared
    pairs = record["comparison"]["pairs"]
    for side, one in enumerate((model, other)):
        topics = [pair["sides"][side]["topic"] for pair in pairs if pair["sides"][side] is not None]
        assert sorted(topics) == list(range(one.n_topics_))
        for pair in pairs:
            if pair["sides"][side] is not None:
                topic = pair["sides"][side]
                assert [word for word, _ in topic["words"]] == one.top_words(N_COMPARED_WORDS)[topic["topic"]]
                assert topic["prevalence"] == pytest.approx(one.topic_prevalence_[topic["topic"]], rel=1e-3)
    assert [pair["sides"][1] is None for pair in pairs] == [False, False, False, True]


def test_words_that_lead_both_are_marked(compared):
    for pair in compared[2]["comparison"]["pairs"]:
        lists = [[] if side is None else side["words"] for side in pair["sides"]]
        both = {word for word, _ in lists[0]} & {word for word, _ in lists[1]}
        for words in lists:
            assert {word for word, marked in words if marked} == both


def test_a_model_beside_itself(plain):
    model, corpus, _, record = plain
    found = content(model, corpus, compare=clone(model).fit(corpus.counts, feature_names=corpus.vocabulary))
    for pair in found["comparison"]["pairs"]:
        assert pair["overlap"] == 1
        assert pair["sides"][0] == pair["sides"][1]
    for row, own in zip(found["comparison"]["measures"], record["overview"]["measures"], strict=True):
        assert row["values"] == [own["value"]] * 2
        assert row["better"] is None


def test_measures_of_both_on_the_same_documents(compared, plain):
    model, other, record = compared
    corpus = plain[1]
    columns = [corpus.vocabulary.index(word) for word in other.vocabulary_]
    theirs = metrics.evaluate(other, corpus.counts[:, columns], corpus.labels, weighting=model.weighting)
    for row in record["comparison"]["measures"]:
        if metrics.MEASURES[row["name"]].slow:
            assert row["values"] == [None, None]
            continue
        assert row["values"][1] == pytest.approx(theirs[row["name"]], rel=1e-4)
        direction = metrics.MEASURES[row["name"]].better
        if direction and row["values"][0] != row["values"][1]:
            best = {"higher": max, "lower": min}[direction](row["values"])
            assert row["values"][row["better"]] == best
        else:
            assert row["better"] is None


def test_the_models_alone(compared):
    model, other, _ = compared
    record = content(model, compare=other)
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    assert {row["name"] for row in record["comparison"]["measures"]} >= {"dissimilarity", "exclusivity"}
    assert content(model)["comparison"] is None


def test_words_without_names_are_taken_by_their_places(plain):
    model, corpus, _, _ = plain
    nameless = AnchorWords(4).fit(corpus.counts)
    for first, second in ((model, nameless), (nameless, model)):
        found = content(first, corpus.counts, compare=second)["comparison"]
        assert [pair["overlap"] for pair in found["pairs"]] == [1, 1, 1, 1]
        assert all(marked for pair in found["pairs"] for side in pair["sides"] for _, marked in side["words"])
    with pytest.raises(ParameterError, match="60 and 59 words without names"):
        content(model, compare=AnchorWords(3).fit(corpus.counts[:, :59]))


def test_no_word_in_common_is_an_error_that_says_so(plain):
    model, corpus, _, _ = plain
    foreign = AnchorWords(3).fit(corpus.counts, feature_names=[f"{word}!" for word in corpus.vocabulary])
    with pytest.raises(ParameterError, match="none of their 60 and 60 words in common"):
        content(model, compare=foreign)


def test_other_ways_from_texts_to_words_are_noted(plain, compared):
    model, other, _ = compared
    assert compared[2]["comparison"]["note"] == ""
    model.provenance_, other.provenance_ = {"preparation": {"stem": None}}, {"preparation": {"stem": "english"}}
    try:
        assert "another way" in content(model, compare=other)["comparison"]["note"]
    finally:
        del model.provenance_, other.provenance_


def test_pairs_by_hand():
    first = np.array([[0.5, 0.0, 0.1], [0.5, 0.2, 0.1], [0.0, 0.8, 0.8]])
    second = np.array([[0.0, 0.75], [0.0, 0.25], [1.0, 0.0]])
    pairs = pair_topics(first, second)
    assert [pair.second for pair in pairs] == [0, 1, None]
    assert [pair.overlap for pair in pairs] == pytest.approx([0.8, 0.75, 0])
    assert [(b, a) for a, b, _ in pair_topics(second, first)] == [(a, b) for a, b, _ in pairs]
