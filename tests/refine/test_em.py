import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from conftest import planted_corpus
from cotopics import AnchorWords, metrics
from cotopics.documents import InMemory, LocalPieces
from cotopics.errors import CorpusError, ParameterError
from cotopics.linalg import threads
from cotopics.refine import ExpectationMaximisation
from cotopics.refine.blocks import block_bounds
from cotopics.refine.tokens import Mixture, Tokens


def problem(seed, n_documents=30, n_words=12, n_topics=3):
    rng = np.random.default_rng(seed)
    X = sp.csr_array(rng.poisson(1.0, size=(n_documents, n_words)).astype(float))
    return X, rng.dirichlet(np.ones(n_words), size=n_topics).T, rng.dirichlet(np.ones(n_topics))


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 1000),
    smoothing=st.sampled_from([(0.0, 0.0), (0.1, 0.01), (1.0, 0.5)]),
    background=st.sampled_from([0.0, 0.5, 0.9]),
    over_relax=st.booleans(),
)
def test_agrees_with_the_slow_version(seed, smoothing, background, over_relax):
    X, B, prevalence = problem(seed)
    found = ExpectationMaximisation(
        4,
        document_smoothing=smoothing[0],
        topic_smoothing=smoothing[1],
        background=background,
        over_relax=over_relax,
    )(X, B, prevalence)
    slow = reference.expectation_maximisation(X.toarray(), B, prevalence, 4, *smoothing, background, over_relax)
    B_slow, W_slow, likelihoods = slow
    assert np.allclose(found.B, B_slow)
    assert np.allclose(found.W, W_slow)
    assert found.history["step"] == [1, 3, 4]
    assert np.allclose(found.history["likelihood"], [likelihoods[0], *likelihoods[2:]])


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("block", [{"BLOCK_NUMBERS": 50}, {"BLOCK_DOCUMENTS": 7}, {"BLOCK_NUMBERS": 1}])
def test_blocks_of_documents_change_nothing(monkeypatch, block, single):
    X, B, prevalence = problem(0)
    step = ExpectationMaximisation(4, background=0.5, weighting="damped", over_relax=True, single=single)
    whole = step(X, B, prevalence)
    for name, value in block.items():
        monkeypatch.setattr(f"cotopics.refine.blocks.{name}", value)
    blocks = step(X, B, prevalence)
    assert len(step.prepare(X).tokens.values[0].blocks) > 1
    accuracy = 1e-5 if single else 1e-12
    assert np.allclose(blocks.B, whole.B, rtol=accuracy, atol=0)
    assert np.allclose(blocks.W, whole.W, rtol=accuracy, atol=0)


@given(lengths=st.lists(st.integers(0, 9), max_size=40), most_numbers=st.integers(1, 30), most=st.integers(1, 8))
def test_blocks_hold_every_document_once_and_no_more_than_they_may(lengths, most_numbers, most):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cotopics.refine.blocks.BLOCK_NUMBERS", most_numbers)
        patch.setattr("cotopics.refine.blocks.BLOCK_DOCUMENTS", most)
        bounds = block_bounds(np.cumsum([0, *lengths]))
    assert [row for first, last in bounds for row in range(first, last)] == list(range(len(lengths)))
    for first, last in bounds:
        assert last - first <= most
        assert last - first == 1 or sum(lengths[first:last]) <= most_numbers


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 1000))
def test_every_step_is_more_likely(seed):
    X, B, prevalence = problem(seed)
    found = ExpectationMaximisation(25, document_smoothing=0, topic_smoothing=0)(X, B, prevalence)
    assert (np.diff(found.history["likelihood"]) >= -1e-12).all()


def test_over_relaxed_steps_come_as_far_as_half_again_as_many(corpus):
    X, B, _ = corpus
    start = 0.5 * B + 0.5 / len(B)
    plain, relaxed = (
        ExpectationMaximisation(steps, over_relax=over_relax)(X, start, np.full(4, 0.25)).history["likelihood"][-1]
        for steps, over_relax in ((30, False), (20, True))
    )
    assert relaxed >= plain


def test_over_relaxed_steps_stay_where_plain_ones_have_settled():
    X, B, prevalence = problem(1)
    plain = ExpectationMaximisation(3000)(X, B, prevalence)
    relaxed = ExpectationMaximisation(3000, over_relax=True)(X, plain.B, plain.prevalence)
    assert np.allclose(relaxed.B, plain.B, atol=1e-6)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 1000), background=st.sampled_from([0.0, 0.5]), over_relax=st.booleans())
def test_single_precision_agrees_with_double(seed, background, over_relax):
    X, B, prevalence = problem(seed)
    double, single = (
        ExpectationMaximisation(10, background=background, over_relax=over_relax, single=single)(X, B, prevalence)
        for single in (False, True)
    )
    assert single.W.dtype == single.B.dtype == np.float64
    assert np.allclose(single.B, double.B, atol=2e-5)
    assert np.allclose(single.W, double.W, atol=2e-5)
    assert np.allclose(single.history["likelihood"], double.history["likelihood"], rtol=1e-6)
    assert np.isclose(single.A.sum(), 1, atol=1e-6)


def test_single_precision_bears_any_count_when_it_is_damped():
    X, B, prevalence = problem(3)
    X.data[0] = 1e50
    em = ExpectationMaximisation(5, weighting="damped", background=0.5, over_relax=True, single=True)
    found = em(X, B, prevalence)
    assert np.isfinite(found.B).all()
    assert np.abs(found.W.sum(axis=1) - 1).max() < 1e-14
    with pytest.raises(ParameterError, match="single=True holds counts up to 1e"):
        ExpectationMaximisation(5, single=True)(X, B, prevalence)


def test_single_precision_bears_words_that_no_topic_explains():
    X = sp.csr_array(np.eye(4) * 1e6)
    B = np.array([[1.0, 0], [1, 0], [0, 1], [0, 1]])
    em = ExpectationMaximisation(200, document_smoothing=0, topic_smoothing=0, over_relax=True, single=True)
    found = em(X, B, np.array([0.5, 0.5]))
    assert np.isfinite(found.W).all()
    assert np.allclose(found.B, B / 2, atol=1e-3)


def test_tokens_made_ready_once_serve_every_start():
    X, B, prevalence = problem(2)
    em = ExpectationMaximisation(4, weighting="damped", background=0.5)
    ready = em.prepare(X)
    for start in (B, B[::-1]):
        assert (em(ready, start, prevalence).B == em(X, start, prevalence).B).all()


def test_results_are_distributions_and_correlations_those_of_the_documents(corpus):
    X, B, _ = corpus
    found = ExpectationMaximisation(5)(X, B, np.full(4, 0.25))
    assert (found.B > 0).all()
    assert np.allclose(found.B.sum(axis=0), 1)
    assert np.allclose(found.W.sum(axis=1), 1)
    assert np.allclose(found.A, found.W.T @ found.W / len(found.W))
    assert np.isclose(found.A.sum(), 1)
    assert np.allclose(found.prevalence, found.A.sum(axis=0))


def test_the_truth_is_hardly_moved_and_a_noisy_start_comes_closer():
    X, B, _ = planted_corpus(n_documents=3000, length=500)  # long documents know their topics
    moved = ExpectationMaximisation(10, document_smoothing=0.01)(X, B, np.full(4, 0.25))
    assert metrics.topic_error(moved.B, B) < 0.05
    noisy = 0.7 * B + 0.3 * B.mean(axis=1, keepdims=True)
    closer = ExpectationMaximisation(20, document_smoothing=0.01)(X, noisy, np.full(4, 0.25))
    assert metrics.topic_error(closer.B, B) < 0.4 * metrics.topic_error(noisy, B)


def test_a_word_that_the_start_lacks_is_learned():
    X, B, _ = planted_corpus(n_documents=2000, length=100)
    lacking = B.copy()
    lacking[10:20] = 0
    lacking /= lacking.sum(axis=0)
    found = ExpectationMaximisation(20, document_smoothing=0.01)(X, lacking, np.full(4, 0.25))
    assert metrics.topic_error(found.B, B) < 0.1


@pytest.mark.parametrize("over_relax", [False, True])
def test_pieces_of_the_documents_change_nothing(over_relax):
    """One loop for documents in memory, on disk and on a cluster: a map over pieces and a sum."""
    X, B, prevalence = problem(4)
    em = ExpectationMaximisation(4, weighting="damped", background=0.3, over_relax=over_relax)
    whole = em(X, B, prevalence)

    class InPieces(InMemory):
        @property
        def pieces(self):
            return LocalPieces((self.counts[:7], self.counts[7:8], self.counts[8:]))

    pieces = em(InPieces(X), B, prevalence)
    assert np.allclose(pieces.B, whole.B, rtol=1e-12, atol=0)
    assert np.allclose(pieces.W, whole.W, rtol=1e-12, atol=0)
    assert np.allclose(pieces.A, whole.A, rtol=1e-12, atol=0)
    assert np.allclose(pieces.history["likelihood"], whole.history["likelihood"], rtol=1e-12)


def test_threads_change_nothing(corpus, monkeypatch):
    X, B, _ = corpus
    monkeypatch.setattr("cotopics.refine.tokens.MIN_WORK", 1000)  # or all would be one share
    monkeypatch.setattr("cotopics.refine.blocks.SHARE_NUMBERS", 50)
    monkeypatch.setattr("cotopics.refine.blocks.BLOCK_NUMBERS", 2000)
    monkeypatch.setattr(threads, "n_threads", lambda: 1)
    one = ExpectationMaximisation(5)(X, B, np.full(4, 0.25))
    monkeypatch.setattr(threads, "n_threads", lambda: 4)
    four = ExpectationMaximisation(5)(X, B, np.full(4, 0.25))
    assert (one.B == four.B).all()
    assert (one.W == four.W).all()


def test_words_and_topics_in_another_order(corpus, rng):
    X, B, _ = corpus
    words, topics = rng.permutation(60), rng.permutation(4)
    prevalence = np.array([0.1, 0.2, 0.3, 0.4])
    found = ExpectationMaximisation(5)(X, B, prevalence)
    permuted = ExpectationMaximisation(5)(sp.csr_array(X[:, words]), B[words][:, topics], prevalence[topics])
    assert np.allclose(permuted.B, found.B[words][:, topics])
    assert np.allclose(permuted.W, found.W[:, topics])


def test_damped_weights_by_hand():
    X = sp.csr_array(np.array([[1.0, 3.0], [0.0, 1.0]]))
    damped = ExpectationMaximisation(weighting="damped").prepare(X).tokens.values[0].X.toarray()
    assert np.allclose(damped, [[np.log(2) * np.log(3), np.log(4) * np.log(1.5)], [0, np.log(2) * np.log(1.5)]])
    assert ExpectationMaximisation().prepare(X).tokens.values[0].X is X


WRONG = {
    "steps": 2.5,
    "weighting": "x",
    "document_smoothing": -1,
    "topic_smoothing": -1,
    "background": 1.0,
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_options(name):
    with pytest.raises(ParameterError):
        ExpectationMaximisation(**{name: WRONG[name]})


def test_documents_without_words_keep_the_prevalence():
    X, B, prevalence = problem(0)
    X = sp.csr_array(sp.vstack([X, sp.csr_array((1, X.shape[1]))]))
    found = ExpectationMaximisation(3, document_smoothing=0)(X, B, prevalence)
    assert np.allclose(found.W[-1], prevalence)


def test_estimators_refine(corpus):
    X, B, _ = corpus
    plain = AnchorWords(4).fit(X)
    refined = AnchorWords(4, refine=20).fit(X)
    assert metrics.topic_error(refined, B) < metrics.topic_error(plain, B)
    assert (refined.anchors_ == plain.anchors_).all()
    assert refined.diagnostics_["refinement"]["n_iter"] == 20
    assert np.isclose(refined.topic_correlation_.sum(), 1)
    with pytest.raises(ParameterError, match="refine looks at every document"):
        AnchorWords(4, refine=5).fit_cooccurrence(B @ B.T)
    with pytest.raises(ParameterError, match="refine="):
        AnchorWords(4, refine="lots").fit(X)


def test_pieces_of_documents_are_refined_too(corpus):
    X = corpus[0]
    whole = AnchorWords(4, refine=5).fit(X)
    added = AnchorWords(4, refine=5).partial_fit(X[:100]).partial_fit(X[100:])
    assert np.allclose(added.components_, whole.components_)


@pytest.mark.parametrize("weighting", ["counts", "tfidf"])
def test_documents_without_words_change_nothing(corpus, weighting):
    X = corpus[0]
    more = sp.csr_array(sp.vstack([X, sp.csr_array((200, X.shape[1]))]))
    plain, padded = (AnchorWords(4, weighting=weighting, refine=5).fit(x) for x in (X, more))
    assert np.allclose(padded.components_, plain.components_)
    assert np.allclose(padded.topic_prevalence_, plain.topic_prevalence_)
    assert np.allclose(padded.topic_correlation_, plain.topic_correlation_)


def test_documents_of_one_word_count_alike_in_a_fit_and_in_pieces(corpus):
    X = corpus[0]
    X = sp.csr_array(sp.vstack([X, sp.csr_array(np.eye(60))]))
    whole, added = AnchorWords(4, refine=5).fit(X), AnchorWords(4, refine=5).partial_fit(X[:50]).partial_fit(X[50:])
    assert np.allclose(added.components_, whole.components_)
    assert np.allclose(added.topic_prevalence_, whole.topic_prevalence_)


def test_what_was_never_added_is_refused_at_once(corpus):
    X = corpus[0]
    model = AnchorWords(4, refine=5).partial_fit(X[:100])
    before = model.components_
    with pytest.raises(CorpusError, match="not among those added"):
        model.forget(X[100:110])
    assert (model.components_ == before).all()
    assert np.allclose(model.partial_fit(X[100:110]).forget(X[100:110]).components_, before)


def test_a_sketch_has_no_documents_to_refine(corpus):
    sketched = AnchorWords(4, representation="sketch", rectifier="enn", refine=5)
    assert sketched.fit(corpus[0]).diagnostics_["refinement"]["n_iter"] == 5  # here they are at hand
    with pytest.raises(ParameterError, match="sketch keeps no documents"):
        AnchorWords(4, representation="sketch", rectifier="enn", refine=5).partial_fit(corpus[0])


def test_convergence_is_what_it_says(corpus):
    X, B, _ = corpus
    few, many = (ExpectationMaximisation(steps)(X, 0.5 * B + 0.5 / len(B), np.full(4, 0.25)) for steps in (2, 300))
    assert not few.converged
    assert many.converged
    last = many.history["likelihood"][-2:]
    assert abs(last[1] - last[0]) < 1e-4 * abs(last[1])


@pytest.mark.parametrize("refine", [-1, True, 2.0, "lots", ExpectationMaximisation])
def test_wrong_steps_are_refused_before_the_work(refine, corpus, monkeypatch):
    monkeypatch.setattr(AnchorWords, "_start", lambda *_: pytest.fail("work was done"))
    with pytest.raises(ParameterError, match="refine="):
        AnchorWords(4, refine=refine).fit(corpus[0])


def test_a_step_that_returns_something_else(corpus):
    with pytest.raises(ParameterError, match=r"returned ndarray, not a cotopics\.refine\.Refined"):
        AnchorWords(4, refine=lambda X, B, prevalence: B).fit(corpus[0])


def test_a_piece_goes_to_another_process_without_its_views(corpus):
    X, B, _ = corpus
    piece = Tokens(X)
    W, model = np.full((X.shape[0], 4), 0.25), Mixture(np.zeros(X.shape[1]), 0.1)
    tokens, likelihood, _ = piece.step(W.copy(), B, model, True, False)
    sent = pickle.dumps(piece)
    assert len(sent) < 1.2 * (X.data.nbytes + X.indices.nbytes + X.indptr.nbytes) + 10_000
    again, same, _ = pickle.loads(sent).step(W.copy(), B, model, True, False)
    assert (again == tokens).all()
    assert same == likelihood
