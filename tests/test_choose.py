"""How many topics: planted numbers come back, the evidence is what the metrics say, each rule by hand."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from cotopics import TOP, choose_n_topics, cooccurrence, metrics
from cotopics.anchors import PivotedQR
from cotopics.choose import COLUMNS, MEASURES, ROUNDING, Choice, number
from cotopics.choose.evidence import max_topics
from cotopics.choose.number import _overlap, _Part, _replication
from cotopics.choose.recommend import find_edge, outlying_gap, promising, recommend
from cotopics.corpus import read_corpus
from cotopics.correlation import anchor_correlation
from cotopics.datasets import make_corpus
from cotopics.errors import CooccurrenceError, CorpusError, ModelFileError, ParameterError
from cotopics.linalg import top_eigenpairs
from cotopics.recover import SimplexLeastSquares
from cotopics.rectify import EpsilonNonNegative


def planted(n_topics, anchors_per_topic=2, n_documents=400, n_words=120, seed=0):
    return make_corpus(
        n_documents, n_words, n_topics, length=150, anchors_per_topic=anchors_per_topic, random_state=seed
    )[0]


@pytest.fixture(scope="module")
def X():
    return planted(5, n_documents=300, n_words=90, seed=3)


@pytest.fixture(scope="module")
def choice(X):
    return choose_n_topics(X, [3, 5, 8])


def assert_same(one, other, **close):
    """The same choice: bit for bit, or as close as said."""
    assert one.n_topics == other.n_topics
    assert one.n_topics_top == other.n_topics_top
    assert one.candidates.tolist() == other.candidates.tolist()
    pairs = [(one.spectrum, other.spectrum), (one.replication, other.replication)]
    pairs += [(one.measures[name], other.measures[name]) for name in MEASURES]
    for a, b in pairs:
        assert np.allclose(a, b, **close) if close else np.array_equal(a, b)


def one_sentence(text):
    return text.endswith(".") and ". " not in text and "\n" not in text


@pytest.mark.parametrize(
    ("n_topics", "anchors_per_topic"), [(3, 2), (3, 1), (3, 0), (5, 2), (5, 1), (5, 0), (8, 2), (8, 1), (8, 0), (12, 2)]
)
def test_the_planted_number_comes_back(n_topics, anchors_per_topic):
    """Also without any anchors, which TOP needs: the rank of the co-occurrence does not ask for them."""
    choice = choose_n_topics(planted(n_topics, anchors_per_topic, seed=2))
    assert choice.n_topics == n_topics
    assert choice.n_topics in choice.candidates
    assert n_topics + 1 in choice.candidates  # what the next number would be like is there to see
    assert one_sentence(choice.reason)
    assert f"{n_topics} directions" in choice.reason
    if anchors_per_topic:
        assert choice.n_topics_top[1.1] == n_topics


@pytest.mark.parametrize("seed", range(3))
def test_noise_far_behind_is_not_taken_for_an_edge(seed):
    """60 directions of 400 short documents are noise but for a few, and noise comes back by chance now and then."""
    assert choose_n_topics(planted(4, 1, seed=seed), n_splits=1).n_topics == 4


def test_directions_that_come_back_by_hand(choice):
    assert (choice.replication[:5] > 0.5).all()
    assert np.abs(choice.replication[5:8]).max() < 0.3
    assert choice.measures["gap"][1] == max(choice.measures["gap"])


def test_bbc_news(data):
    """Five classes; a smaller vocabulary and fewer candidates than by default, to take less time."""
    corpus = read_corpus(data / "bbc_news" / "docs.jsonl.gz", vocabulary_size=800)
    choice = choose_n_topics(corpus.counts, [2, 3, 4, 5, 6, 7, 8, 10, 12, 15])
    assert 4 <= choice.n_topics <= 8
    assert "come back" in choice.reason
    assert choice.n_topics_top[0.55] > choice.n_topics_top[1.1] > choice.n_topics_top[2.2]  # no number of its own


@pytest.mark.parametrize(
    "candidates", [[2], [5], [7, 3], (4, 5, 5, 6), range(2, 5), np.array([6, 9]), [20, 30], {4, 6}]
)
def test_the_table_has_the_candidates_asked_for(X, candidates):
    choice = choose_n_topics(X, candidates, n_splits=1)
    assert choice.candidates.tolist() == sorted({int(K) for K in candidates})
    assert choice.n_topics in choice.candidates
    nearest = min(abs(choice.candidates - 5))
    assert abs(choice.n_topics - 5) == nearest
    assert ("nearest candidate" in choice.reason) == (nearest > 0)
    assert one_sentence(choice.reason)
    assert set(choice.measures) == set(MEASURES)
    assert all(len(values) == len(choice.candidates) for values in choice.measures.values())
    assert len(choice.spectrum) == len(choice.replication) >= max(candidates)


def test_the_last_candidate_can_be_an_edge():
    """What is behind it is looked at too; without anchors, nothing else would say so."""
    choice = choose_n_topics(planted(8, 0, seed=1), [4, 8])
    assert choice.n_topics == 8
    assert "8 directions" in choice.reason


def test_measures_are_those_of_the_metrics(X, choice):
    """The same steps one by one, from eigenpairs of their own."""
    K, row = 5, 1
    C = cooccurrence(X, representation="dense")
    rectified = EpsilonNonNegative(max_iter=number.MAX_STEPS, tolerance=number.TOLERANCE)(C, K)
    frequent = np.flatnonzero((X > 0).sum(axis=0) >= 0.005 * X.shape[0])
    anchors = PivotedQR()(rectified.C, K, candidates=frequent)
    topics = SimplexLeastSquares()(rectified.C, anchors)
    A = anchor_correlation(rectified.C, anchors, topics.B)
    expected = {
        "relative_recovery": metrics.recovery_error(
            topics.B, C, anchors=anchors.groups, prevalence=topics.prevalence, relative=True
        ),
        "relative_approximation": metrics.approximation_error(topics.B, C, correlation=A, relative=True),
        "specificity": metrics.specificity(topics.B, C),
        "dissimilarity": metrics.dissimilarity(topics.B),
        "coherence": metrics.coherence(topics.B, X),
    }
    for name, value in expected.items():
        assert np.isclose(choice.measures[name][row], value, rtol=1e-6), name


def test_the_spectrum_is_that_of_the_rectified_cooccurrence(X, choice):
    """Its largest eigenvalues sum to its trace, and gaps are their ratios."""
    most = len(choice.spectrum)
    assert most == 8 + number.EXTRA_DIRECTIONS
    C = cooccurrence(X, representation="dense")
    start = top_eigenpairs(C, most + 1, tolerance=1e-8)
    rectified = EpsilonNonNegative(max_iter=30, tolerance=1e-3)(C, most + 1, start=start).C.toarray()
    assert np.allclose(choice.spectrum, np.linalg.eigvalsh(rectified)[::-1][:most], atol=1e-12)
    assert (np.diff(choice.spectrum) <= 0).all()
    K = choice.candidates
    assert np.allclose(choice.measures["gap"], choice.spectrum[K - 1] / choice.spectrum[K])
    assert np.array_equal(choice.measures["replication"], choice.replication[K - 1])


def test_top_is_asked_for_three_tolerances(X, choice):
    assert choice.n_topics_top == {c1: TOP(c1=c1).fit(X).n_topics_ for c1 in (0.55, 1.1, 2.2)}


def test_what_measures_can_be(choice):
    stability, weakest = choice.measures["stability"], choice.measures["weakest"]
    assert ((weakest >= 0) & (weakest <= stability) & (stability <= 1 + 1e-12)).all()
    assert stability[1] > 0.8  # the planted topics
    assert (choice.measures["relative_recovery"] > 0).all()
    assert choice.measures["relative_approximation"][1] < choice.measures["relative_approximation"][0]
    assert choice.sentence == choice.reason[0].upper() + choice.reason[1:]


@pytest.mark.parametrize("n_splits", [1, 2, 3])
def test_one_decomposition_of_each_part_serves_all_numbers(X, monkeypatch, n_splits):
    """One for the whole and one for each half of each split; rectification asks for none."""
    asked = []

    def counted(C, k, **options):
        asked.append(k)
        return top_eigenpairs(C, k, **options)

    def never(*arguments, **options):
        raise AssertionError("a second decomposition")

    monkeypatch.setattr("cotopics.choose.number.top_eigenpairs", counted)
    monkeypatch.setattr("cotopics.rectify.enn.top_eigenpairs", never)
    choose_n_topics(X, [2, 4, 5, 6], n_splits=n_splits)
    assert len(asked) == 1 + 2 * n_splits
    assert len(set(asked)) == 1


def test_the_same_bits_again(X, choice):
    assert_same(choose_n_topics(X.copy(), (8, 3, 5)), choice)
    assert_same(choose_n_topics(X, [3, 5, 8], random_state=0), choice)  # None is a fixed seed
    assert choose_n_topics(X, [3, 5, 8]).reason == choice.reason


def test_the_seed_decides_the_halves_alone(X, choice):
    other = choose_n_topics(X, [3, 5, 8], random_state=7)
    assert np.array_equal(other.spectrum, choice.spectrum)
    assert other.n_topics_top == choice.n_topics_top
    assert not np.array_equal(other.replication, choice.replication)
    assert other.n_topics == choice.n_topics
    for name in ("relative_recovery", "specificity", "coherence"):
        assert np.array_equal(other.measures[name], choice.measures[name])


def test_the_order_of_words_is_of_no_account(X, choice):
    order = np.random.default_rng(0).permutation(X.shape[1])
    assert_same(choose_n_topics(X[:, order], [3, 5, 8]), choice, rtol=1e-4, atol=1e-6)


def test_documents_in_another_order_have_the_same_spectrum(X, choice):
    shuffled = choose_n_topics(X[np.random.default_rng(0).permutation(X.shape[0])], [3, 5, 8])
    assert np.allclose(shuffled.spectrum, choice.spectrum, rtol=1e-6, atol=1e-9)
    assert (shuffled.n_topics, shuffled.n_topics_top) == (choice.n_topics, choice.n_topics_top)


def test_words_that_say_nothing_are_left_out(X, choice):
    """Words that never occur, and one that is in a single document."""
    once = np.zeros((X.shape[0], 1))
    once[17] = 4
    wide = sp.hstack([sp.csr_array((X.shape[0], 2)), X[:, :40], once, X[:, 40:], sp.csr_array((X.shape[0], 1))])
    assert_same(choose_n_topics(wide, [3, 5, 8]), choice)


def test_documents_that_say_nothing_are_left_out(X, choice):
    """A thousand empty documents, and some of one token, change neither halves nor limits."""
    single = np.zeros((3, X.shape[1]))
    single[[0, 1, 2], [4, 4, 60]] = 1
    padded = sp.vstack([sp.csr_array((1000, X.shape[1])), X[:100], single, X[100:]], format="csr")
    assert_same(choose_n_topics(padded, [3, 5, 8]), choice)
    few = sp.vstack([X[:20], sp.csr_array((1000, X.shape[1]))])
    with pytest.raises(CooccurrenceError, match=r"20 different documents .* up to 5 topics"):
        choose_n_topics(few, [8])


def test_any_kind_of_table(X, choice):
    kept = X.copy()
    for table in (X.toarray(), X.toarray().astype(int), sp.coo_array(X), pd.DataFrame(X.toarray())):
        assert_same(choose_n_topics(table, [3, 5, 8]), choice)
    assert (abs(X - kept)).nnz == 0


def test_only_the_words_in_most_documents_are_looked_at(X, monkeypatch):
    thinned = X.toarray()
    rng = np.random.default_rng(0)
    for word in rng.permutation(X.shape[1])[:50]:
        thinned[rng.permutation(X.shape[0])[:290], word] = 0  # now in ten documents at most
    frequent = np.flatnonzero((thinned > 0).sum(axis=0) > 10)
    assert len(frequent) == 40
    expected = choose_n_topics(thinned[:, frequent], [3, 5, 8])
    monkeypatch.setattr("cotopics.choose.evidence.MAX_WORDS", 40)
    assert_same(choose_n_topics(thinned, [3, 5, 8]), expected)


@pytest.mark.parametrize(
    "candidates",
    [[], [0], [1, 2], [-3, 5], [2.5], [5, 7.5], ["5"], ["five"], "57", "5,7", [None], [np.nan], [np.inf], 5, [[5, 7]],
     [True, 5], np.array([[5, 7]]), [5 + 1j], (K / 2 for K in (10, 11))],
)  # fmt: skip
def test_candidates_that_are_none(X, candidates):
    with pytest.raises(ParameterError, match=r"candidates=.*whole numbers of at least 2"):
        choose_n_topics(X, candidates)


@pytest.mark.parametrize("n_splits", [0, -1, 1.5, "2", None])
def test_wrong_n_splits(X, n_splits):
    with pytest.raises(ParameterError, match=r"n_splits=.*at least 1"):
        choose_n_topics(X, n_splits=n_splits)


@pytest.mark.parametrize("random_state", ["x", -1, 1.5, [0.5]])
def test_wrong_random_state(X, random_state):
    with pytest.raises(ParameterError, match=r"random_state=.*must be a whole number, 0 or more, or None"):
        choose_n_topics(X, random_state=random_state)


def test_more_topics_than_there_is_evidence_for(X):
    with pytest.raises(
        CooccurrenceError, match=r"300 different .* 90 words are enough for up to 75 topics.*not 76"
    ) as error:
        choose_n_topics(X, [5, 76])
    assert str(error.value).endswith("Give more documents, or smaller candidates")
    assert choose_n_topics(X, [75], n_splits=1).n_topics == 75
    with pytest.raises(
        CooccurrenceError, match=r"10 words are enough for up to 9 topics.*Give more words .*, or smaller"
    ):
        choose_n_topics(X[:, :10], [10])


@pytest.mark.parametrize(("shape", "scarce"), [((7, 90), "documents"), ((300, 2), "words that many documents have")])
@pytest.mark.parametrize("candidates", [None, [2, 3]])
def test_too_little_to_choose_from(X, shape, scarce, candidates):
    """No candidates are small enough, and what there is enough of is not asked for."""
    with pytest.raises(CooccurrenceError, match=rf"up to 1 topics.* Give more {scarce}$"):
        choose_n_topics(X[: shape[0], : shape[1]], candidates)


@pytest.mark.parametrize("X", [np.zeros((50, 20)), np.eye(50), np.full((50, 20), 0.01)])
def test_nothing_to_pair(X):
    with pytest.raises(CorpusError, match="two words to pair"):
        choose_n_topics(X)


@pytest.mark.parametrize(
    "X", [np.kron(np.eye(40), [[5, 5]]), np.column_stack([np.ones(40), np.eye(40)]), np.eye(40) * 3]
)
def test_nothing_in_common(X):
    """No word is in two documents, or one alone is: there are pairs in each document, and none that comes back."""
    with pytest.raises(
        CorpusError, match="none of the 40 documents has two words that other documents have too"
    ) as error:
        choose_n_topics(X)
    assert "two words to pair" not in str(error.value)


def test_one_document_is_no_choice(X):
    """And so is one of which there are copies, or of which the others are too short to be looked at."""
    one = X[[0]]
    alone = sp.vstack([one, sp.eye_array(5, X.shape[1]), sp.csr_array((3, X.shape[1]))], format="csr")
    for given in (one, alone):
        with pytest.raises(CorpusError, match=r"only one document has two tokens or more, but .*Give more documents"):
            choose_n_topics(given)
    with pytest.raises(CorpusError, match=r"50 copies of one document have two tokens or more, but .*Give more doc"):
        choose_n_topics(X[[0] * 50])
    with pytest.raises(CooccurrenceError, match="7 different documents"):
        choose_n_topics(X[[*range(7)] * 20])


def test_few_words_that_can_be_anchors(rng):
    """Ten words are in a third of the documents each, a thousand in four of 4,000: no topics of their own."""
    X = np.zeros((4000, 1010))
    for m in range(4000):
        X[m, rng.choice(10, 3)] += 1
        X[m, 10 + m % 1000] += 1
    assert max_topics(sp.csr_array(X)) == 10
    with pytest.raises(CooccurrenceError, match=r"up to 10 topics.*a word in 0\.5% of them"):
        choose_n_topics(X, [11])
    empty = sp.csr_array((1, 0))
    assert max_topics(empty) == 0


def test_words_of_a_few_documents_are_no_anchors():
    """Fewer than 0.5 % of the documents, or five of a thousand; unless there are not enough others."""
    X = planted(5, n_documents=1000, n_words=60).toarray()
    bursts = np.kron(np.eye(3), np.full((4, 1), 60))  # three words, each often in four documents
    X = np.column_stack([X, np.pad(bursts, ((0, 988), (0, 0)))])
    part = _Part.of(X, 8)
    assert (PivotedQR()(part.rectified(8), 8).words >= 60).any()  # they would be
    _, anchors, _ = part.topics(8)
    assert (anchors.words < 60).all()
    few = _Part.of(X[:, [0, 1, 60, 61, 62]], 4)
    assert len(set(few.topics(4)[1].words.tolist())) == 4


def test_numbers_that_half_of_the_documents_have_too_few_words_for(X, monkeypatch):
    """The usual ones are cut off there; those that were asked for are an error that says so."""
    measure = number._measure

    def up_to_six(whole, halves, counts, K):
        if K > 6:
            raise CooccurrenceError("n_topics=7 needs as many anchor words. Lower min_anchor_documents")
        return measure(whole, halves, counts, K)

    monkeypatch.setattr(number, "_measure", up_to_six)
    choice = choose_n_topics(X, n_splits=1)
    assert choice.candidates.tolist() == [2, 3, 4, 5, 6]
    assert choice.n_topics == 5
    with pytest.raises(CooccurrenceError, match="half of the documents have too few words for 7 topics") as error:
        choose_n_topics(X, [5, 7], n_splits=1)
    assert "min_anchor_documents" not in str(error.value)


@pytest.mark.parametrize("seed", range(12))
def test_small_odd_corpora_give_a_choice_or_a_clear_error(seed):
    rng = np.random.default_rng(seed)
    n, p, k = (int(rng.integers(low, high)) for low, high in ((8, 120), (3, 50), (1, 6)))
    P = rng.dirichlet(np.full(k, 0.3), size=n) @ rng.dirichlet(np.full(p, rng.choice([0.05, 0.3, 1])), size=k)
    lengths = rng.integers(0, rng.choice([4, 20, 200]), size=n)
    X = np.array([rng.multinomial(length, row / row.sum()) for length, row in zip(lengths, P, strict=True)])
    try:
        choice = choose_n_topics(X)
    except (CooccurrenceError, CorpusError) as error:
        choice, message = None, str(error)
    if choice is None:
        assert "min_anchor_documents" not in message
        return
    assert choice.n_topics in choice.candidates
    assert one_sentence(choice.reason)
    assert len(choice.reason) < 250
    for values in (*choice.measures.values(), choice.spectrum, choice.replication):
        assert np.isfinite(values).all()
    assert choice.spectrum.min() >= 0


def test_a_rank_that_is_exact_has_a_gap_that_can_be_written():
    """Four kinds of documents without words in common: eigenvalues behind the fourth are zero, or rounding."""
    rng = np.random.default_rng(0)
    X = np.kron(np.eye(4), np.ones((1, 5)))[rng.integers(4, size=200)] * rng.integers(1, 4, size=(200, 20))
    choice = choose_n_topics(X)
    assert choice.n_topics == 4
    assert choice.measures["gap"].max() <= 1 / ROUNDING


def test_replication_by_hand():
    """vᵀC'v/λ: 1 where nothing changed, the ratio where a direction is weaker, 0 where it is gone or λ is 0."""
    C, D = np.diag([4.0, 2.0, 1.0, 0.0]), np.diag([2.0, 2.0, 0.0, 5.0])
    part, other = (_Part(matrix, top_eigenpairs(matrix, 4)) for matrix in (C, D))
    assert np.allclose(_replication(part, part), [1, 1, 1, 0])
    assert np.allclose(_replication(part, other), [0.5, 1, 0, 0])


def test_overlap_by_hand(rng):
    B = rng.dirichlet(np.ones(12), size=4).T
    assert np.allclose(_overlap(B, B[:, [2, 0, 3, 1]]), 1)
    one, other = np.array([[1, 0], [0, 0.5], [0, 0.5]]), np.array([[0, 0.75], [0.25, 0.25], [0.75, 0]])
    assert np.allclose(_overlap(one, other), [0.75, 0.75])
    assert np.allclose(_overlap(np.eye(4)[:, :2], np.eye(4)[:, 2:]), 0)


BEHIND = [0.02, -0.1, 0.04, 0.0, 0.03, 0.01]


@pytest.mark.parametrize(
    ("replication", "edge"),
    [
        ([1, 0.9, 0.8, 0.9, *BEHIND], 4),
        ([1, 0.9, *BEHIND], 2),
        ([0, 0.9, 0.8, *BEHIND], 3),  # the first direction is how frequent words are, and says nothing
        ([1, *BEHIND], None),
        ([1, 0.9, 0.8, 0.9, 0.02, 0.4, 0.01, 0.0, 0.5, 0.6, 0.7, *BEHIND], 4),  # noise that comes back by chance
        ([1, 0.9, 0.9, 0.3, 0.3, 0.3, *BEHIND], 6),  # two steps: the last of them
        ([1, 0.6, 0.6, 0.6, 0.25, 0.25, 0.25, 0.25], None),  # 0.6 is not three times 0.25
        ([1, 0.6, 0.6, 0.6, 0.19, 0.19, 0.19, 0.19], 4),  # but three times 0.19
        ([1, 0.14, 0.14, 0.14, 0, 0, 0, 0], None),  # below 0.05 all is the same, and this is not three times that
        ([1, 0.16, 0.16, 0.16, 0, 0, 0, 0], 4),
        ([1, 0.9, 0.9, 0.09, 0, 0, 0, 0], 3),  # the fourth on its own is not twice what is behind
        ([1, 0.9, 0.9, 0.9], None),  # nothing behind to compare with
        (list(0.97 ** np.arange(50)), None),  # a slow decline, as of text
        ([], None),
        ([1, 0.5], None),
    ],
)
def test_the_edge_of_what_comes_back(replication, edge):
    assert find_edge(np.array(replication, dtype=float)) == edge


def spectrum(jumps, n=25, step=0.95):
    """Eigenvalues that fall by `step` each, and by these factors behind those numbers."""
    return np.cumprod([1.0, *(jumps.get(K, step) for K in range(1, n))])


@pytest.mark.parametrize(
    ("values", "gap"),
    [
        (spectrum({}), None),
        (spectrum({6: 0.5}), 6),
        (spectrum({6: 0.5, 11: 0.6}), 11),  # the last
        (spectrum({6: 0.82}), None),  # log 0.82 is 3.9 times log 0.95
        (spectrum({6: 0.81}), 6),  # and log 0.81 4.1 times
        (spectrum({1: 0.01}), None),  # the first is never one topic's alone
        (spectrum({2: 0.01}), 2),
        (spectrum({15: 0.5}), 15),  # of 24 gaps eight must be behind it
        (spectrum({16: 0.5}), None),
        (spectrum({6: 0.5, 14: 0.82}), None),  # the eighth behind it is more than a quarter as wide
        (spectrum({6: 0.5, 15: 0.82}), 6),  # the ninth does not count
        (np.ones(25), None),
        (np.array([1.0, 0.5]), None),
    ],
)
def test_gaps_that_stand_out(values, gap):
    assert outlying_gap(values) == gap


TABLE = {"gap": np.array([1.1, 2.5, 1.2, 1.1]), "weakest": np.array([0.9, 0.6, 0.55, 0.2])}
NUMBERS = [3, 5, 8, 10]
DISAGREE = {0.55: 20, 1.1: 9, 2.2: 4}


def agree(K):
    return dict.fromkeys((0.55, 1.1, 2.2), K)


@pytest.mark.parametrize(
    ("edge", "gap", "by_c1", "expected", "parts"),
    [
        (5, 8, agree(5), 5, ["5 directions", "and TOP finds 5 groups"]),
        (5, 8, agree(3), 5, ["5 directions", "but TOP finds 3 groups"]),
        (5, None, agree(1), 5, ["5 directions of the co-occurrence come back in other documents and hardly more."]),
        (5, None, agree(0), 5, ["hardly more."]),
        (5, None, DISAGREE, 5, ["hardly more."]),
        (6, None, DISAGREE, 5, ["6 directions", "; 5 is the nearest candidate."]),
        (4, None, DISAGREE, 3, ["4 directions", "; 3 is the nearest candidate."]),  # of two as near, the smaller
        (None, 5, agree(8), 5, ["eigenvalue 5 stands out from the next (2.50 times as large)"]),
        (None, 7, DISAGREE, 8, ["eigenvalue 7 stands out from the next as none", "8 is the nearest candidate"]),
        (None, None, agree(8), 8, ["TOP finds 8 groups", "halved or doubled."]),
        (None, None, agree(400), 8, ["8 is the largest"]),  # beyond the candidates TOP says nothing
        (None, None, agree(1), 8, ["8 is the largest number of topics that all come back", "55% of its words"]),
        (None, None, agree(0), 8, ["8 is the largest"]),
        (None, None, DISAGREE, 8, ["8 is the largest"]),
    ],
)
def test_each_rule(edge, gap, by_c1, expected, parts):
    n_topics, reason = recommend(NUMBERS, TABLE, edge, gap, by_c1)
    assert n_topics == expected
    assert all(part in reason for part in parts), reason
    assert one_sentence(reason)
    assert "1 groups" not in reason


def test_the_largest_that_comes_back_wherever_it_is():
    assert recommend(NUMBERS, {"weakest": np.array([0.4, 0.3, 0.5, 0.49])}, None, None, DISAGREE)[0] == 8
    n_topics, reason = recommend(NUMBERS, {"weakest": np.array([0.3, 0.1, 0.4, 0.2])}, None, None, DISAGREE)
    assert n_topics == 8
    assert reason.startswith("at no number do all topics come back")
    assert "40%" in reason
    choice = Choice(8, reason, np.array(NUMBERS), {}, np.ones(1), np.ones(1), DISAGREE)
    assert choice.sentence.startswith("At no number")


def test_numbers_that_promise_something():
    usual = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60]
    flat = spectrum({}, n=61)
    found = promising(spectrum({13: 0.5, 17: 0.6, 22: 0.7}, n=61), None, DISAGREE, 60)
    assert found == sorted({*usual, 13, 14, 17, 18, 22, 23, 20, 21, 9, 10, 4, 5})
    assert promising(flat, 11, agree(100), 60) == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15]  # little behind an edge
    assert max(promising(flat, None, agree(1), 8)) == 8
    assert promising(np.array([1, 0.5, 0.2]), None, agree(2), 2) == [2]


def test_copies_of_documents_change_nothing():
    X, _, _ = make_corpus(300, 120, 6, length=150, anchors_per_topic=3, random_state=0)
    once, copied = choose_n_topics(X, [3, 6]), choose_n_topics(sp.vstack([X, X[:100]], format="csr"), [3, 6])
    assert once.reason == copied.reason
    assert (once.measures["weakest"] == copied.measures["weakest"]).all()


def test_a_choice_comes_back_from_its_file(X, tmp_path):
    choice = choose_n_topics(X, [3, 5, 8], n_splits=1)
    choice.save(tmp_path / "choice.json")
    again = Choice.load(tmp_path / "choice.json")
    assert (again.n_topics, again.reason, again.n_topics_top) == (choice.n_topics, choice.reason, choice.n_topics_top)
    assert list(again.measures) == list(choice.measures) == list(MEASURES)
    for name in MEASURES:
        assert np.array_equal(again.measures[name], choice.measures[name], equal_nan=True)
    for name in ("candidates", "spectrum", "replication"):
        assert np.array_equal(getattr(again, name), getattr(choice, name))
    assert json.loads((tmp_path / "choice.json").read_text(encoding="utf-8")) == choice.as_dict()


def test_what_is_not_finite_is_null_in_the_file(X):
    choice = choose_n_topics(X, [3, 5], n_splits=1)
    odd = replace(choice, measures=choice.measures | {"gap": np.array([np.inf, 2.0])})
    record = json.loads(json.dumps(odd.as_dict(), allow_nan=False))
    assert record["candidates"][0]["gap"] is None
    assert np.isnan(Choice.from_dict(record).measures["gap"][0])


SOUND = {
    "n_topics": 4, "reason": "so", "candidates": [{"n_topics": 4}], "spectrum": [1.0], "replication": [1.0],
    "n_topics_top": {},
}  # fmt: skip
WRONG = [
    {"n_topics": 5}, {"n_topics": 4.5}, {"reason": 7}, {"reason": ""}, {"candidates": []}, {"candidates": [{}]},
    {"candidates": [{"n_topics": 4}, {"n_topics": 2**70}]}, {"spectrum": [10**400]},
    {"spectrum": {"a": {}}}, {"replication": "x"}, {"n_topics_top": []}, {"n_topics_top": {"x": 1}},
]  # fmt: skip
NO_RECORDS = [b"", b"[]", b"{}", b"\xff", b"[" * 100_000, b'{"n_topics": NaN}']


@pytest.mark.parametrize("content", [*NO_RECORDS, *(json.dumps(SOUND | wrong).encode() for wrong in WRONG)])
def test_other_files_are_refused(tmp_path, content):
    (tmp_path / "choice.json").write_bytes(content)
    with pytest.raises(ModelFileError, match="is not what `cotopics choose -o choice"):
        Choice.load(tmp_path / "choice.json")
    assert Choice.from_dict(SOUND).n_topics == 4


def test_a_column_of_a_measure_says_which_way_is_better_as_the_measure_does():
    for name in set(COLUMNS) & set(metrics.MEASURES):
        assert f"({metrics.MEASURES[name].better}" in COLUMNS[name].meaning
