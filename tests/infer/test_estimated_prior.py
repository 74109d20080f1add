"""The prior of documents' shares, estimated from the documents."""

import numpy as np
import pytest
import scipy.sparse as sp

from cotopics.datasets import make_corpus, sample_corpus
from cotopics.documents import InMemory, LocalPieces, halves_by_word
from cotopics.infer import PriorAware, estimate_prior, prior
from cotopics.infer.prior import is_mixture_of


@pytest.fixture(scope="module")
def B():
    return make_corpus(10, 400, 8, length=10, anchors_per_topic=2, random_state=0)[1]


def sample(B, concentration, length, n=1500):
    X, W = sample_corpus(B, n, length=length, concentration=concentration, random_state=1)
    return InMemory(sp.csr_array(X)), W


def first_guess(k):
    """Documents of hardly more than one topic each: much sparser than the truth."""
    return np.full(k, 1 / k), 0.1 * np.full((k, k), 1 / k**2) + 0.9 * np.eye(k) / k


@pytest.mark.parametrize("concentration", [0.02, 0.3])
@pytest.mark.parametrize("length", [40, 200])
def test_it_comes_near_the_truth(B, concentration, length):
    documents, W = sample(B, concentration, length)
    found = estimate_prior(documents, B, *first_guess(8), B.mean(axis=1), background=0.0)
    assert np.abs(found.prevalence - W.mean(axis=0)).sum() < 0.03
    assert np.abs(found.A - W.T @ W / len(W)).sum() < 0.15
    assert np.isclose(found.A.sum(), 1)
    assert np.allclose(found.A, found.A.T)


@pytest.mark.parametrize(("concentration", "length"), [(0.02, 20), (0.3, 20), (0.02, 150), (0.3, 150)])
def test_shares_with_it_are_as_good_as_with_the_true_one(B, concentration, length):
    documents, W = sample(B, concentration, length)
    found = estimate_prior(documents, B, *first_guess(8), B.mean(axis=1), background=0.0)
    truth = W.mean(axis=0), W.T @ W / len(W)
    errors = [
        np.abs(PriorAware()(documents.counts, B, *prior) - W).sum() / 3000
        for prior in (truth, (found.prevalence, found.A))
    ]
    assert errors[1] < 1.08 * errors[0]


def test_words_that_no_topic_explains_are_background(B):
    rng = np.random.default_rng(0)
    _, W = sample(B, 0.1, 100)
    p = rng.dirichlet(np.full(400, 0.5))
    X = np.stack([rng.multinomial(100, 0.6 * B @ w + 0.4 * p) for w in W]).astype(float)
    found = estimate_prior(InMemory(sp.csr_array(X)), B, *first_guess(8), p)
    assert abs(found.background - 0.4) < 0.05
    given = estimate_prior(InMemory(sp.csr_array(X)), B, *first_guess(8), p, background=0.25)
    assert given.background == 0.25


def test_the_background_is_looked_for_from_one_share_to_the_next(B, monkeypatch):
    """The prior at one share of background, and documents' shares with it, are where the search at the next begins; it
    ends where searches from the first guess do."""
    (_, W), rng = sample(B, 0.1, 100), np.random.default_rng(0)
    p = rng.dirichlet(np.full(400, 0.5))
    X = np.stack([rng.multinomial(100, q) for q in 0.6 * W @ B.T + 0.4 * p]).astype(float)
    rounds, steps, given, found = prior._rounds, [], [], []
    better_shares = prior.better_shares

    def counted(*arguments):
        steps.append(arguments[-1])
        return better_shares(*arguments)

    def with_state(documents, topics, prevalence, A, words, share, *others, **state):
        given.append(A)
        one, after = rounds(documents, topics, prevalence, A, words, share, *others, **state)
        found.append(one)
        return one, after

    monkeypatch.setattr(prior, "better_shares", counted)
    monkeypatch.setattr(prior, "_rounds", with_state)
    first = first_guess(8)
    estimate_prior(InMemory(sp.csr_array(X)), B, *first, p)
    *tried, last = found
    assert all(A is before.A for A, before in zip(given[1:-1], tried, strict=False))
    assert steps.count(prior.FIRST_STEPS) == 2  # at the first share, and at the end with the one that was found
    assert len(steps) <= 2 * prior.ROUNDS + len(tried) - 1

    topics, documents = prior.scaled_rows(B), InMemory(sp.csr_array(X))
    halves = halves_by_word(documents.counts, documents.frequency, B[:, 0])

    def likelihood(share):
        alone, _ = rounds(documents, topics, *first, p, share)
        return prior._predicted(halves, B, topics.times(1 - share), alone, p)

    assert last.background == max(prior.BACKGROUNDS, key=likelihood)  # each from the first guess


def test_its_weight_does_not_grow_with_the_number_of_topics():
    """Documents of one topic or two, of few and of many topics: the largest share is as large in both."""
    largest = []
    for k in (5, 60):
        B = make_corpus(10, 1500, k, length=10, anchors_per_topic=2, random_state=0)[1]
        X, W = sample_corpus(B, 1500, length=120, concentration=0.5 / k, random_state=1)
        documents = InMemory(sp.csr_array(X))
        found = estimate_prior(documents, B, *first_guess(k), B.mean(axis=1), background=0.0)
        shares = PriorAware()(documents.counts, B, found.prevalence, found.A)
        largest.append(shares.max(axis=1).mean() - W.max(axis=1).mean())
    assert np.abs(largest).max() < 0.05


def test_pieces_change_nothing(B):
    documents, _ = sample(B, 0.1, 30, 400)

    class InPieces(InMemory):
        @property
        def pieces(self):
            return LocalPieces((self.counts[:1], self.counts[1:150], self.counts[150:]))

    one, other = (
        estimate_prior(of, B, *first_guess(8), B.mean(axis=1)) for of in (documents, InPieces(documents.counts))
    )
    assert np.allclose(one.A, other.A, rtol=1e-9)
    assert np.isclose(one.background, other.background)


def test_a_background_that_is_a_mixture_of_the_topics_is_none(B):
    """Nothing tells it from the topics, and taking it out would make every share more extreme than it is."""
    documents, _ = sample(B, 0.3, 60)
    words = documents.counts.sum(axis=0) / documents.n_tokens
    assert estimate_prior(documents, B, *first_guess(8), words).background == 0
    assert is_mixture_of(B @ np.full(8, 1 / 8), B, 1e9)
    other = np.eye(400)[:40].mean(axis=0)  # words that no topic uses much more than others
    assert not is_mixture_of(0.5 * words + 0.5 * other, B, 1e9)
