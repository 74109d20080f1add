import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import reference
from cotopics import AnchorFree, AnchorWords, CooccurrenceAccumulator, cooccurrence, metrics
from cotopics.cooccur import Combined, Dense, Implicit, LowRank, Sparse
from cotopics.datasets import make_cooccurrence
from cotopics.errors import CooccurrenceError, CotopicsError, ParameterError
from cotopics.metrics import approximation_error, dominancy, recovery_error, specificity


@pytest.fixture(scope="module")
def fitted(corpus):
    X = corpus[0]
    return AnchorWords(4).fit(X), cooccurrence(X, representation="implicit")


class Frugal(Implicit):
    """Documents that refuse to be made into a words × words matrix."""

    def toarray(self):
        raise AssertionError("the full matrix was formed")

    def rows(self, words):
        assert len(words) <= 10
        return super().rows(words)


def forms(C):
    """The same co-occurrence (Implicit) in every form."""
    full = C.toarray()
    values, vectors = np.linalg.eigh(full)
    positive = LowRank(vectors[:, values > 0] * np.sqrt(values[values > 0]))
    negative = LowRank(vectors[:, values < 0] * np.sqrt(-values[values < 0]))
    return {
        "array": full,
        "dense": Dense(full),
        "scipy": sp.csc_matrix(full),
        "sparse": Sparse(full),
        "implicit": C,
        "combined": Combined([positive, negative], [1.0, -1.0]),
    }


@pytest.mark.parametrize("relative", [False, True])
def test_errors_are_the_dense_formulas_in_every_form(fitted, relative):
    model, C = fitted
    full, B = C.toarray(), model.components_.T
    recovery = reference.recovery_error(full, B, model.topic_prevalence_, model.anchor_groups_, relative=relative)
    approximation = reference.approximation_error(full, B, model.topic_correlation_, relative=relative)
    for name, form in forms(C).items():
        assert np.isclose(recovery_error(model, form, relative=relative), recovery, rtol=1e-10), name
        assert np.isclose(approximation_error(model, form, relative=relative), approximation, rtol=1e-10), name
        assert np.isclose(specificity(model, form), reference.specificity(full, B), rtol=1e-10), name


def test_arrays_and_models_agree(fitted, corpus):
    model, C = fitted
    B = model.components_.T
    arrays = recovery_error(B, C, anchors=model.anchors_, prevalence=model.topic_prevalence_)
    assert recovery_error(model, C) == arrays
    assert approximation_error(model, C) == approximation_error(B, C, correlation=model.topic_correlation_)
    assert dominancy(model) == dominancy(model.topic_correlation_)
    assert specificity(model, C) == specificity(B, C)
    accumulator = CooccurrenceAccumulator().update(corpus[0])
    assert np.isclose(recovery_error(model, accumulator), recovery_error(model, C))


def test_words_by_words_is_never_formed(fitted):
    model, C = fitted
    frugal = Frugal(C.H_t, C.correction)
    frugal.documents_are_long = lambda: False  # long documents take their row norms from blocks of dense rows
    assert np.isclose(recovery_error(model, frugal), recovery_error(model, C))
    assert np.isclose(approximation_error(model, frugal), approximation_error(model, C))
    assert np.isclose(specificity(model, frugal), specificity(model, C))


def test_exact_factors_leave_no_error():
    C, B, A = make_cooccurrence(300, 6, n_anchored=6, random_state=0)
    prevalence = A.sum(axis=1)
    Y = B @ np.linalg.cholesky(A)
    for form in (C, LowRank(Y)):  # the expanded square alone would leave 1e-8
        assert recovery_error(B, form, anchors=range(6), prevalence=prevalence) < 1e-14
        assert approximation_error(B, form, correlation=A, relative=True) < 1e-14


@pytest.mark.parametrize("distance", [1e-9, 1e-6, 1e-4, 1e-3, 1e-2])
def test_small_errors_keep_their_digits(distance, rng):
    C, B, A = make_cooccurrence(120, 4, n_anchored=4, random_state=1)
    noise = rng.random(C.shape) * C
    C = C + distance * (noise + noise.T)
    prevalence = A.sum(axis=1)
    expected = reference.recovery_error(C, B, prevalence, [[k] for k in range(4)])
    assert np.isclose(recovery_error(B, C, anchors=range(4), prevalence=prevalence), expected, rtol=1e-7)
    expected = reference.approximation_error(C, B, A)
    assert np.isclose(approximation_error(B, C, correlation=A), expected, rtol=1e-7)


def test_groups_of_anchors_are_merged(corpus):
    C = cooccurrence(corpus[0])
    model = AnchorWords(4, anchors=[[0, 10, 20], [1, 30]]).fit_cooccurrence(C)
    assert [len(group) for group in model.anchor_groups_] == [3, 2, 1, 1]
    full = C.toarray()
    expected = reference.recovery_error(full, model.components_.T, model.topic_prevalence_, model.anchor_groups_)
    assert np.isclose(recovery_error(model, C), expected)
    assert not np.isclose(recovery_error(model, C, anchors=model.anchors_), expected)


def test_least_squares_recovers_best(corpus, rng):
    C = cooccurrence(corpus[0])
    model = AnchorWords(4, rectifier=None).fit_cooccurrence(C)
    best = recovery_error(model, C)
    for _ in range(20):
        B, prevalence = rng.dirichlet(np.ones(60), size=4).T, rng.dirichlet(np.ones(4))
        assert recovery_error(B, C, anchors=model.anchors_, prevalence=prevalence) >= best


def test_scale_order_and_absent_words_do_not_matter(fitted, rng):
    model, C = fitted
    full, B, A = C.toarray(), model.components_.T, model.topic_correlation_
    order = rng.permutation(60)
    place = np.argsort(order)
    known = {"prevalence": model.topic_prevalence_, "anchors": model.anchors_}
    moved = {**known, "anchors": place[model.anchors_]}
    shuffled = full[np.ix_(order, order)]
    assert np.isclose(recovery_error(B[order], shuffled, **moved), recovery_error(B, full, **known))
    assert np.isclose(approximation_error(B[order], shuffled, correlation=A), approximation_error(model, full))
    assert np.isclose(recovery_error(model, 7 * full), recovery_error(model, full))
    assert np.isclose(specificity(model, 7 * full), specificity(model, full))
    assert np.isclose(approximation_error(B, 7 * full, correlation=7 * A), 7 * approximation_error(model, full))
    wider, taller = np.pad(full, (0, 2)), np.pad(B, ((0, 2), (0, 0)))
    assert np.isclose(recovery_error(taller, wider, **known), recovery_error(model, full))
    assert np.isclose(approximation_error(taller, wider, correlation=A), approximation_error(model, full))
    assert np.isclose(specificity(taller, wider), specificity(model, full))


def test_a_word_in_no_topic_is_as_topics_are_in_general():
    C = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 2]]) / 8
    B = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    # word 2 is half of each anchor, and so is the prevalence
    assert recovery_error(B, C, anchors=[0, 1], prevalence=[1, 1]) == 0
    assert np.isclose(recovery_error(B, C, anchors=[0, 1], prevalence=[1, 0]), np.sqrt(1 / 8) / 3 + np.sqrt(1 / 2) / 3)


def test_specificity_is_a_divergence():
    C, B, _ = make_cooccurrence(50, 3, density=1, random_state=2)
    p = C.sum(axis=1) / C.sum()
    assert abs(specificity(np.column_stack([p, p]), C)) < 1e-13
    assert specificity(B, C) > 0
    assert np.isclose(specificity(np.eye(50), C), -np.log2(p).mean())
    absent = np.zeros((51, 1))
    absent[50] = 1  # a topic of nothing but a word that C lacks
    assert np.isclose(specificity(absent, np.pad(C, (0, 1))), 52)


def test_dominancy_of_topics_that_never_meet():
    assert dominancy(np.diag([0.2, 0.3, 0.5])) == 1
    assert np.isclose(dominancy(np.eye(4), relative=True), 1 / 2)
    assert dominancy(np.array([[0.0, 1.0], [1.0, 1.0]])) == 1 / 4
    assert np.isclose(dominancy(np.full((5, 5), 0.04)), 1 / 5)


def test_undefined_dominancy_says_why():
    A = np.array([[0.3, 0.0], [0.0, -1e-18]])
    with pytest.raises(ParameterError, match=r"rows \[1\].*relative=True"):
        dominancy(A)
    assert np.isclose(dominancy(A, relative=True), 0.5)
    for relative in (False, True):
        with pytest.raises(ParameterError, match="zero"):
            dominancy(np.zeros((2, 2)), relative=relative)


def test_models_without_anchors_say_what_is_missing(corpus):
    C = cooccurrence(corpus[0])
    model = AnchorFree(3).fit(corpus[0])
    with pytest.raises(ParameterError, match=r"AnchorFree has no anchors_; give anchors="):
        recovery_error(model, C)
    assert recovery_error(model, C, anchors=[0, 1, 2]) > 0
    assert approximation_error(model, C) > 0
    assert 0 < specificity(model, C) < 10
    with pytest.raises(ParameterError, match="fitted"):
        specificity(AnchorWords(3), C)
    with pytest.raises(ParameterError, match="fitted"):
        dominancy(AnchorWords(3))


B2, C2 = np.full((3, 2), 1 / 3), np.ones((3, 3)) / 9


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: recovery_error(B2, C2), "matrix of topics has no anchors"),
        (lambda: recovery_error(B2, C2, anchors=[0, 1]), "has no prevalence"),
        (lambda: recovery_error(B2, C2, anchors=[0], prevalence=[1, 1]), "2 topics and anchors for 1"),
        (lambda: recovery_error(B2, C2, anchors=[0, 3], prevalence=[1, 1]), "from 0 to 2"),
        (lambda: recovery_error(B2, C2, anchors=["cat", "dog"], prevalence=[1, 1]), "word ids"),
        (lambda: recovery_error(B2, C2, anchors=[0, 1], prevalence=[1]), "prevalence of shape"),
        (lambda: recovery_error(B2, C2, anchors=[0, 1], prevalence=[1, -1]), "probabilities"),
        (lambda: recovery_error(B2, np.eye(4), anchors=[0, 1], prevalence=[1, 1]), "3 words and C has 4"),
        (lambda: recovery_error(B2, np.zeros((3, 3)), anchors=[0, 1], prevalence=[1, 1]), "is zero"),
        (lambda: recovery_error(B2, np.diag([1, 0, 1]), anchors=[0, 1], prevalence=[1, 1]), r"topics \[1\] are in no"),
        (lambda: approximation_error(B2, C2), "has no correlation"),
        (lambda: approximation_error(B2, C2, correlation=np.eye(3)), "correlation of 3"),
        (lambda: approximation_error(B2, 0 * C2, correlation=np.eye(2), relative=True), "relative=False"),
        (lambda: dominancy(np.ones((2, 3))), "topics × topics"),
        (lambda: specificity(B2, np.zeros((3, 3))), "is zero"),
        (lambda: specificity(np.array([[np.nan], [1.0], [0.0]]), C2), "NaN"),
        (lambda: specificity(np.ones(3), C2), "words × topics"),
        (lambda: specificity(np.ones((3, 0)), C2), "words × topics"),
    ],
)
def test_errors_name_the_cause(call, message):
    with pytest.raises((ParameterError, CooccurrenceError), match=message):
        call()


def test_nothing_approximates_nothing():
    assert approximation_error(B2, 0 * C2, correlation=np.zeros((2, 2))) == 0


@settings(max_examples=60, deadline=None)
@given(
    X=arrays(np.int64, (5, 6), elements=st.integers(0, 3)),
    weights=arrays(np.float64, (6, 3), elements=st.sampled_from([0.0, 1e-9, 0.5, 1.0])),
    A=arrays(np.float64, (3, 3), elements=st.sampled_from([0.0, 1e-6, 1.0])),
)
def test_any_input_gives_a_number_or_a_reason(X, weights, A):
    B = weights / np.maximum(weights.sum(axis=0), 1e-300)
    try:
        C = cooccurrence(X)
    except CotopicsError:
        return
    calls = [
        lambda: recovery_error(B, C, anchors=[0, 1, [2, 3]], prevalence=[1, 2, 0]),
        lambda: approximation_error(B, C, correlation=A, relative=True),
        lambda: dominancy(A),
        lambda: dominancy(A, relative=True),
        lambda: specificity(B, C),
        lambda: metrics.npmi(B, X),
        lambda: metrics.topic_diversity(B),
        lambda: metrics.exclusivity(B),
        lambda: metrics.mst_incoherence(B, C, anchors=[0, 1, [2, 3]]),
        lambda: metrics.log_relative_volume(B, C, anchors=[0, 1, [2, 3]], n_draws=2),
    ]
    for call in calls:
        try:
            value = call()
        except CotopicsError:
            continue
        assert isinstance(value, float)
        assert not np.isnan(value)
        assert value < np.inf


@pytest.mark.filterwarnings("ignore:the anchors of topics")  # not rectified, they do not meet
def test_rectification_does_what_the_paper_says(data):
    """001, section 4: AP recovers and approximates better than no rectification, and is less like the corpus."""
    X = sp.load_npz(data / "movielens100k" / "counts.npz")
    C = cooccurrence(X)
    plain, rectified = (AnchorWords(5, rectifier=rectifier).fit(X) for rectifier in (None, "ap"))
    assert recovery_error(rectified, C) < recovery_error(plain, C)
    assert approximation_error(rectified, C) < approximation_error(plain, C) / 2
    assert specificity(rectified, C) > 10 * specificity(plain, C)
    assert metrics.mst_incoherence(rectified, C) < metrics.mst_incoherence(plain, C)
    with pytest.raises(ParameterError, match="never in a document with an anchor"):
        dominancy(plain)  # 001, footnote 12
