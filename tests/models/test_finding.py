"""Names of topics, and topics and documents that are looked up."""

import numpy as np
import pytest

from cotopics import AnchorWords, TopicModel
from cotopics.datasets import make_corpus
from cotopics.errors import CorpusError, ParameterError
from cotopics.names import _joined, suggest_names

BLOCKS = ["cat cats dog pet vet", "sun moon star sky orbit", "game games team win ball"]
WORDS = " ".join(BLOCKS).split()


def texts_of(rng, n=60):
    return [" ".join(rng.choice(BLOCKS[i % 3].split(), 12)) for i in range(n)]


@pytest.fixture(scope="module")
def model():
    texts = texts_of(np.random.default_rng(0))
    X = np.array([[text.split().count(word) for word in WORDS] for text in texts])
    return TopicModel(3, topics_per_document="many").fit(X, feature_names=WORDS), X, texts


def test_names_are_words_of_their_topic_and_differ(model):
    fitted = model[0]
    names = fitted.topic_names_
    assert len(set(names)) == 3
    for name, words in zip(names, fitted.top_words(5), strict=True):
        assert set(name.split(", ")) <= set(words)
        assert len(name.split(", ")) == 3
        assert not {"cat", "cats"} <= set(name.split(", "))  # two forms of one word
        assert not {"game", "games"} <= set(name.split(", "))


def test_equal_topics_have_different_names():
    names = _joined([["a", "b", "c", "d"], ["a", "b", "c", "e"]])
    assert names == ["a, b, c, d", "a, b, c, e"]
    assert _joined([["a"], ["a"]]) == ["a (1)", "a (2)"]
    assert _joined([[]]) == ["no words"]


def test_words_without_names():
    X, _, _ = make_corpus(100, 30, 3, length=50, anchors_per_topic=2, random_state=0)
    assert all(name.startswith("word ") for name in AnchorWords(3).fit(X).topic_names_)


def test_phrases_in_names(model):
    fitted, X, texts = model
    texts = [f"{text} milky way" if "star" in text else text for text in texts]
    names = suggest_names(fitted, X, texts)
    sky = next(k for k, words in enumerate(fitted.top_words(5)) if "sun" in words)
    assert "milky way" in names[sky]
    assert not any("milky" in name for k, name in enumerate(names) if k != sky)
    assert fitted.rename(names).topic_names_ == names
    with pytest.raises(CorpusError, match="one text for each"):
        fitted.suggest_names(X, texts[1:])


def test_topics_of_a_word_sum_to_one(model):
    fitted = model[0]
    for word in WORDS:
        found = fitted.word_topics(word)
        assert sum(share for _, share in found) == pytest.approx(1)
        joint = fitted.topic_prevalence_ * fitted.components_[:, WORDS.index(word)]
        assert found[0][0] == joint.argmax()
        assert found[0][1] == pytest.approx(joint.max() / joint.sum())
    assert fitted.word_topics(0) == fitted.word_topics(WORDS[0])
    with pytest.raises(ParameterError, match="'zebra'"):
        fitted.word_topics("zebra")


def test_topics_of_words_and_texts(model):
    fitted, _, texts = model
    for row, text in enumerate(texts[:6]):
        best, score = fitted.find_topics(text)[0]
        assert {best} == {k for k, words in enumerate(fitted.top_words(5)) if BLOCKS[row % 3].split()[3] in words}
        assert 0.9 < score <= 1
    assert fitted.find_topics("Sun, MOON!")[0] == fitted.find_topics(["sun", "moon"])[0]
    assert len(fitted.find_topics("sun", 1)) == 1
    with pytest.warns(UserWarning, match="does not know the words 'zebra'"):
        fitted.find_topics("sun zebra")
    with pytest.raises(ParameterError, match="none of the words 'zebra'"):
        fitted.find_topics("zebra")
    with pytest.raises(ParameterError, match="feature_names"):
        AnchorWords(2).fit(model[1]).find_topics("sun")


def test_documents_of_a_topic(model):
    fitted, X, _ = model
    W = fitted.transform(X)
    for k, name in enumerate(fitted.topic_names_):
        found = fitted.documents_of(X, k, n=4)
        assert [share for _, share in found] == sorted(W[:, k], reverse=True)[:4]
        assert all(W[row, k] == share for row, share in found)
        assert fitted.documents_of(X, name, n=4) == found


def test_documents_without_words_show_no_topic(model):
    fitted, X, _ = model
    assert fitted.documents_of(np.zeros((3, len(WORDS))), 0) == []
    some = np.vstack([np.zeros(len(WORDS)), X[:2]])
    assert {row for row, _ in fitted.documents_of(some, 0)} == {1, 2}
