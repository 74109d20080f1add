"""One topic a document or many: what is decided, why, and what follows."""

import numpy as np
import pytest
import scipy.sparse as sp

from cotopics import TopicModel, datasets, load, metrics
from cotopics.documents import InMemory, n_copies, one_in, sample_rows
from cotopics.errors import ParameterError
from cotopics.infer import OneTopic, PriorAware
from cotopics.models import topics_per_document as evidence
from cotopics.models.recommended import relevance_of_one_topic
from cotopics.refine import ExpectationMaximisation


def corpus(length, concentration, seed=0, n=1200, k=5):
    """Documents of planted topics: (X, W)."""
    _, B, _ = datasets.make_corpus(10, 300, k, length=10, anchors_per_topic=3, random_state=seed)
    B = np.where(np.random.default_rng(seed).random(B.shape) < 0.7, 1e-6, B) + 1e-6  # topics that differ
    return datasets.sample_corpus(B / B.sum(axis=0), n, length=length, concentration=concentration, random_state=seed)


@pytest.mark.parametrize("length", [5, 9])
def test_short_documents_of_one_topic_are_found_to_have_one(length):
    X, W = corpus(length, 0.001)
    model = TopicModel(5).fit(X)
    told = model.diagnostics_["documents"]
    assert told["topics_per_document"] == "one"
    assert "better with one topic per document than with several" in told["reason"]
    assert isinstance(model.fit_.inference, OneTopic)
    assert metrics.clustering_accuracy(W.argmax(axis=1), model.transform(X).argmax(axis=1)) > 0.9


def test_long_documents_of_many_topics_are_found_to_have_many():
    X, _ = corpus(150, 0.3)
    model = TopicModel(5).fit(X)
    told = model.diagnostics_["documents"]
    assert told["topics_per_document"] == "many"
    assert "better with several topics per document than with one" in told["reason"]
    assert isinstance(model.fit_.inference, PriorAware)


@pytest.mark.parametrize("n", [1, 2, 7])
def test_uphill_from_anywhere_is_the_highest(n):
    for top in range(n):
        for start in range(n):
            asked = []

            def value(i, top=top, asked=asked):
                asked.append(i)
                return -float((i - top) ** 2)

            assert evidence.climb(value, start, n) == (top, 0.0)
            assert len(asked) == len(set(asked))


def test_among_equals_the_first_is_taken():
    assert evidence.climb(lambda i: 0.0, 1, 4) == (1, 0.0)


@pytest.mark.parametrize(("length", "concentration"), [(5, 0.001), (20, 0.1), (150, 0.3)])
def test_what_is_not_looked_at_is_not_higher(length, concentration, monkeypatch):
    X, _ = corpus(length, concentration)
    found = TopicModel(5).fit(X).diagnostics_["documents"]["reason"]

    def all_of_them(value, start, n):
        values = [value(i) for i in range(n)]
        return int(np.argmax(values)), max(values)

    monkeypatch.setattr(evidence, "climb", all_of_them)
    assert TopicModel(5).fit(X).diagnostics_["documents"]["reason"] == found


def test_what_is_asked_for_is_done(tmp_path):
    X, _ = corpus(20, 0.05)
    for kind, step in (("one", OneTopic), ("many", PriorAware)):
        model = TopicModel(5, topics_per_document=kind).fit(X)
        assert model.diagnostics_["documents"]["topics_per_document"] == kind
        assert f"topics_per_document='{kind}' was asked for" in model.diagnostics_["documents"]["reason"]
        assert isinstance(model.fit_.inference, step)
        model.save(tmp_path / kind)
        again = load(tmp_path / kind)
        assert again.fit_.inference == model.fit_.inference
        assert again.relevance == model.relevance
        assert again.fit_.n_tokens == X.sum()
        assert (again.transform(X) == model.transform(X)).all()
        assert again.top_words() == model.top_words()


def test_shares_of_documents_sum_to_the_prevalence():
    for length, concentration in ((6, 0.001), (100, 0.2)):
        X, _ = corpus(length, concentration)
        model = TopicModel(5).fit(X)
        assert np.allclose(model.transform(X).mean(axis=0), model.topic_prevalence_, atol=0.02)
        assert np.isclose(model.topic_correlation_.sum(), 1, atol=1e-6)


def test_anchors_that_are_given_belong_to_their_topics():
    X, _ = corpus(6, 0.001)
    plain = TopicModel(5).fit(X)
    order = [3, 0]
    anchors = [int(plain.anchors_[k]) for k in order]
    model = TopicModel(5, anchors=anchors).fit(X)
    assert model.anchors_[:2].tolist() == anchors
    for k, old in enumerate(order):
        assert len(set(model.top_words(5)[k]) & set(plain.top_words(5)[old])) >= 3


def test_the_order_of_documents_and_words_does_not_matter(rng):
    X, _ = corpus(8, 0.001)
    rows, words = rng.permutation(X.shape[0]), rng.permutation(X.shape[1])
    one, other = TopicModel(5).fit(X), TopicModel(5).fit(sp.csr_array(X[rows][:, words]))
    order = metrics.match_topics(other.components_.T, one.components_[:, words].T)
    assert np.allclose(other.components_[order], one.components_[:, words], atol=1e-4)


def test_topics_without_documents_are_told():
    X, _ = corpus(6, 0.001, n=60, k=2)
    with pytest.warns(UserWarning, match=r"no document belongs to topics \["):
        model = TopicModel(25, topics_per_document="one").fit(X)
    empty = model.diagnostics_["refinement"]["without_documents"]
    assert (model.topic_prevalence_[empty] * 60 < 1.5).all()
    assert np.allclose(model.components_.sum(axis=1), 1)


def test_background_is_that_of_fit_and_transform():
    X, _ = corpus(100, 0.2)
    model = TopicModel(5, background=0.2).fit(X)
    assert model.fit_.inference.background == 0.2
    assert "background is given" in model.diagnostics_["documents"]["reason"]
    found = TopicModel(5, topics_per_document="many").fit(X).fit_.inference.background
    assert 0 <= found < 0.5  # planted documents have none, and topics are found with one half


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"topics_per_document": "two"}, "topics_per_document='two' must be one of auto, one, many"),
        ({"topics_per_document": "one", "refine": 0}, "needs refine to be a number of steps"),
        ({"topics_per_document": "one", "refine": ExpectationMaximisation(3)}, "needs refine to be a number of steps"),
        ({"topics_per_document": "one", "background": 0.5}, "have no background"),
        ({"background": 1.0}, "background=1.0 must be 'auto' or a share"),
        ({"background": "half"}, "background='half' must be 'auto' or a share"),
        ({"background": True}, "background=True must be"),
    ],
)
def test_what_cannot_be_asked_for(options, message):
    with pytest.raises(ParameterError, match=message):
        TopicModel(3, **options).fit(corpus(10, 0.1, n=50)[0])


def test_documents_that_say_nothing_of_it():
    """Two words each, of which no half predicts the other well: there is an answer all the same."""
    model = TopicModel(2).fit([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]])
    assert model.diagnostics_["documents"]["topics_per_document"] == "many"
    assert "too few words" in model.diagnostics_["documents"]["reason"]


@pytest.mark.parametrize("kind", ["one", "many", "auto"])
def test_counts_may_be_thousands(kind, rng):
    """A few documents would have as many words as are asked for, and would say nothing of the others."""
    X, _ = corpus(20, 0.05)
    assert one_in(1200, X.sum(), 400_000) == 1
    assert one_in(1200, 1e9 * X.sum(), 400_000) == 24
    assert 30 < InMemory(sp.csr_array(X) * 10**6).sample(400_000)[0].shape[0] < 80
    model = TopicModel(5, topics_per_document=kind).fit(sp.csr_array(X) * 10**9)
    assert np.allclose(model.components_.sum(axis=1), 1)
    assert np.allclose(model.transform(X).sum(axis=1), 1)


@pytest.mark.filterwarnings("ignore:no document belongs to topics")
@pytest.mark.parametrize(("length", "n_topics"), [(5, 50), (5, 150), (12, 150)])
def test_short_documents_may_have_many_topics(length, n_topics):
    """Most rows of their co-occurrence are partly below zero once it has been rectified."""
    X, _ = corpus(length, 0.01, n=2000, k=20)
    model = TopicModel(n_topics).fit(X)
    assert model.components_.shape[0] == n_topics
    assert np.allclose(model.components_.sum(axis=1), 1)
    assert np.allclose(model.transform(X).sum(axis=1), 1)


def test_parts_depend_on_the_words_of_documents_alone(rng):
    """Not on the order of documents or of words; and documents with the same words are in the same part."""
    X = sp.csr_array(rng.poisson(0.1, size=(500, 40)))
    X = sp.vstack([X, X[:50]], format="csr")
    rows, words = rng.permutation(550), rng.permutation(40)
    frequency = np.diff(X.tocsc().indptr)
    kept, numbers = sample_rows(sp.csr_array(X), frequency, 3)
    moved, others = sample_rows(sp.csr_array(X[rows][:, words]), frequency[words], 3)
    assert sorted(numbers) == sorted(others)
    assert kept.sum() == moved.sum()
    assert 100 < kept.shape[0] < 270
    assert 0.1 < np.mean(numbers % np.uint64(5) == 0) < 0.3
    whole, numbers = sample_rows(sp.csr_array(X), frequency, 1)
    assert whole.shape[0] == 550
    assert (numbers[:50] == numbers[500:]).all()


def test_copies_are_counted_and_do_no_harm():
    X, W = corpus(6, 0.001)
    twice = sp.csr_array(sp.vstack([X, X[:400]], format="csr"))
    assert n_copies(X) < n_copies(twice)
    assert n_copies(sp.csr_array(np.array([[1.0, 2], [2, 1], [1, 2], [0, 0], [0, 0]]))) == 2
    model = TopicModel(5).fit(twice)
    assert model.diagnostics_["documents"]["copies"] == n_copies(twice)
    assert metrics.clustering_accuracy(W.argmax(axis=1), model.transform(X).argmax(axis=1)) > 0.9


def test_documents_without_a_topic_of_their_own_are_not_said_to_have_one():
    """Dense mixtures, all nearly alike: one topic a document says nothing of unseen words."""
    X, _ = corpus(40, 5.0)
    assert TopicModel(5).fit(X).diagnostics_["documents"]["topics_per_document"] == "many"


def test_the_shorter_documents_are_the_less_lift_counts():
    assert relevance_of_one_topic(3) == relevance_of_one_topic(8) == 0.9
    assert relevance_of_one_topic(16) == pytest.approx(0.7)
    assert 0.5 < relevance_of_one_topic(1000) < 0.51
    X, _ = corpus(6, 0.001)
    assert TopicModel(5, topics_per_document="one").fit(X).relevance == pytest.approx(0.9)
