import json
import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cotopics.corpus import phrases as module
from cotopics.corpus.phrases import PairCounts, Phrases, find_phrases
from cotopics.corpus.preparation import Preparation
from cotopics.errors import CorpusError, ParameterError

documents = st.lists(st.lists(st.sampled_from("abcdef"), max_size=12), max_size=12)


def obvious(texts, min_count, threshold):
    """The definition, a pair at a time."""
    words = Counter(word for text in texts for word in text)
    pairs = Counter(pair for text in texts for pair in pairwise(text))
    N = words.total()
    scores = {
        (a, b): math.log(N * n / (words[a] * words[b])) / math.log(N / n)
        for (a, b), n in pairs.items()
        if n >= min_count
    }
    return {pair: score for pair, score in scores.items() if score >= threshold - 1e-12}


@given(documents, st.integers(1, 4), st.floats(-1, 1), st.integers(1, 30))
def test_phrases_are_those_of_the_definition(texts, min_count, threshold, batch):
    whole, module.BATCH = module.BATCH, batch  # documents come in any batches
    try:
        found = find_phrases(texts, min_count=min_count, threshold=threshold)
    finally:
        module.BATCH = whole
    expected = obvious(texts, min_count, threshold)
    assert dict(zip(found.pairs, found.scores, strict=True)) == pytest.approx(expected, abs=1e-9)
    assert list(found.scores) == sorted(found.scores, reverse=True)
    assert all(-1 <= score <= 1 for score in found.scores)
    assert found.error == 0


@given(st.lists(st.lists(st.integers(0, 30), max_size=40), max_size=8), st.integers(1, 12))
def test_counts_are_never_too_low_nor_much_too_high(batches, most):
    counts, truth = PairCounts(most), Counter()
    for batch in batches:
        counts.add(np.array(batch, dtype=np.int64))
        truth.update(batch)
        remembered = dict(zip(counts.pairs.tolist(), counts.counts.tolist(), strict=True))
        assert len(remembered) <= most
        for pair, n in truth.items():
            assert n <= remembered.get(pair, counts.error)
            assert remembered.get(pair, n) <= n + counts.error
    if len(truth) <= most:
        assert counts.error == 0
        assert remembered == truth if batches else True


@settings(max_examples=30, deadline=None)
@given(documents, st.integers(1, 6))
def test_little_memory_misses_no_frequent_pair(texts, most):
    found = find_phrases(texts, min_count=2, threshold=-1, max_pairs=most)
    frequent = {pair for pair in obvious(texts, found.error + 1, -1) if pair in obvious(texts, 2, -1)}
    assert frequent <= set(found.pairs)
    assert all(-1 <= score <= 1 for score in found.scores)


@given(st.lists(st.sampled_from("abc"), max_size=20), st.sets(st.tuples(*[st.sampled_from("abc")] * 2)))
def test_joining_keeps_every_word_in_its_place(words, pairs):
    joined = Phrases(tuple(pairs))(words)
    assert [word for part in joined for word in part.split("_")] == words
    assert all(part.count("_") <= 1 and ("_" not in part or tuple(part.split("_")) in pairs) for part in joined)


def test_joining_from_the_left():
    phrases = Phrases(("new york", ("york", "times"), ("new_york", "city")))
    assert phrases(["new", "york", "times"]) == ["new_york", "times"]
    assert phrases(["a", "york", "times", "in", "new", "york", "city"]) == ["a", "york_times", "in", "new_york_city"]
    assert phrases([]) == []


def test_a_preparation_joins_what_comes_out():
    texts = ["The bank of England says.", "Banks of England, and England's bank"] * 5
    prepare = Preparation(stem="en")
    phrases = find_phrases(map(prepare, texts), min_count=10, threshold=0.1)
    assert phrases.pairs == (("bank", "england"),)
    assert Preparation(stem="en", phrases=phrases)("a bank of England bank") == ["bank_england", "bank"]


@given(documents)
def test_a_record_gives_the_same_phrases(texts):
    found = find_phrases(texts, min_count=1, threshold=-1)
    again = Phrases.from_json(json.loads(json.dumps(found.to_json())))
    assert again == found
    assert hash(again) == hash(found)
    assert all(again(text) == found(text) for text in texts)


@pytest.mark.parametrize(
    "wrong",
    [
        {"pairs": [["a"]]}, {"pairs": [["a", 1]]}, {"pairs": [["a", ""]]}, {"pairs": "ab"}, {"pairs": [None]},
        {"pairs": [["a", "b"], ["a", "b"]]}, {"pairs": [["a", "b"]], "scores": []}, {"scores": []}, {}, [],
        {"pairs": [["a", "b"]], "scores": ["x"]}, {"pairs": [["a", "b"]], "scores": [float("nan")]},
        {"pairs": [], "error": -1}, {"pairs": [], "more": 1},
    ],
)  # fmt: skip
def test_wrong_records_are_refused(wrong):
    with pytest.raises(ParameterError):
        Phrases.from_json(wrong)


def test_wrong_use_is_named():
    with pytest.raises(CorpusError, match="one string"):
        find_phrases("new york")
    with pytest.raises(CorpusError, match="document 0 is 'new york'; give a list of words"):
        find_phrases(["new york"])
    with pytest.raises(ParameterError, match="min_count=0"):
        find_phrases([], min_count=0)
    with pytest.raises(ParameterError, match="threshold=2"):
        find_phrases([], threshold=2)
    assert find_phrases([]).pairs == find_phrases([[], ["a"]]).pairs == ()
