"""How many topics: planted numbers come back, the evidence is what the metrics say, each rule by hand."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from cotopics import TOP, TopicModel, choose_n_topics, cooccurrence, metrics
from cotopics.choose import COLUMNS, ROUNDING, Choice
from cotopics.choose import number as numbering
from cotopics.choose import spectrum as reading
from cotopics.choose.evidence import evidence, max_topics
from cotopics.choose.halves import NOISE, NOISE_OF_ONE, Halves, Trial, read
from cotopics.choose.recommend import numbers_around, recommend, smallest_as_good
from cotopics.choose.search import contenders, search
from cotopics.choose.spectrum import (
    EXTRA_DIRECTIONS,
    Spectrum,
    _Part,
    _replication,
    above_and_behind,
    directions_above_noise,
    find_edge,
    gap_before_noise,
    outlying_gap,
    read_spectrum,
)
from cotopics.corpus import count_words, open_stream, read_corpus
from cotopics.datasets import make_corpus
from cotopics.errors import CooccurrenceError, CorpusError, ModelFileError, ParameterError
from cotopics.linalg import top_eigenpairs
from cotopics.models.recommended import Finish, steps_worth
from cotopics.on_disk import pack
from cotopics.rectify import EpsilonNonNegative
from planted import TEXTS


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
    pairs += [(one.measures[name], other.measures[name]) for name in COLUMNS]
    for a, b in pairs:
        assert np.allclose(a, b, **close, equal_nan=True) if close else np.array_equal(a, b, equal_nan=True)


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


@pytest.mark.parametrize("seed", range(2))
def test_forty_topics_without_anchors(seed):
    """In documents as long as those of the paper; in shorter ones the topics' directions are hidden among noise's."""
    X, _, _ = make_corpus(1500, 1000, 40, length=1500, anchors_per_topic=0, random_state=[40, 0, seed])
    found = read_spectrum(evidence(X)[1], 60, 1, np.random.default_rng(0))
    assert (found.edge or found.gap) == 40
    assert 40 in numbers_around(found, 300)


@pytest.mark.parametrize("seed", range(3))
def test_noise_far_behind_is_not_taken_for_an_edge(seed):
    """60 directions of 400 short documents are noise but for a few, and noise comes back by chance now and then."""
    assert choose_n_topics(planted(4, 1, seed=seed), n_splits=1).n_topics == 4


@pytest.mark.parametrize(
    "candidates", [[2], [5], [7, 3], (4, 5, 5, 6), range(2, 5), np.array([6, 9]), [20, 30], {4, 6}]
)
def test_the_table_has_the_candidates_asked_for(X, candidates):
    choice = choose_n_topics(X, candidates, n_splits=1)
    assert choice.candidates.tolist() == sorted({int(K) for K in candidates})
    assert choice.n_topics in choice.candidates
    nearest = min(abs(choice.candidates - 5))
    assert abs(choice.n_topics - 5) == nearest
    assert ("this is the nearest" in choice.reason) == (nearest > 0)
    assert one_sentence(choice.reason)
    assert set(choice.measures) == set(COLUMNS)
    assert all(len(values) == len(choice.candidates) for values in choice.measures.values())
    assert len(choice.spectrum) == len(choice.replication) >= max(candidates)


def test_the_last_candidate_can_be_an_edge():
    """What is behind it is looked at too; without anchors, nothing else would say so."""
    choice = choose_n_topics(planted(8, 0, seed=1), [4, 8])
    assert choice.n_topics == 8
    assert "8 directions" in choice.reason


def test_top_is_asked_for_three_tolerances(X, choice):
    assert choice.n_topics_top == {c1: TOP(c1=c1).fit(X).n_topics_ for c1 in (0.55, 1.1, 2.2)}


def test_the_same_bits_again(X, choice):
    assert_same(choose_n_topics(X.copy(), (8, 3, 5)), choice)
    assert_same(choose_n_topics(X, [3, 5, 8], random_state=0), choice)  # None is a fixed seed
    assert choose_n_topics(X, [3, 5, 8]).reason == choice.reason


def test_the_order_of_words_is_of_no_account(X, choice):
    order = np.random.default_rng(0).permutation(X.shape[1])
    assert_same(choose_n_topics(X[:, order], [3, 5, 8]), choice, rtol=2e-2, atol=5e-3)


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


def test_texts_and_a_corpus_are_counted():
    corpus = count_words(TEXTS)
    of_counts = choose_n_topics(corpus.counts, [2, 3])
    for X in (corpus, TEXTS):
        found = choose_n_topics(X, [2, 3])
        assert found.n_topics == of_counts.n_topics
        assert np.isfinite([row["held_out"] for row in found.table]).all()
    assert choose_n_topics(corpus, [2, 3]).sentence == of_counts.sentence


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
    for values in (choice.measures["held_out"], choice.measures["agreement"], choice.spectrum, choice.replication):
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


@pytest.mark.parametrize(("behind", "gap"), [(0.0, 6), (0.4, 6), (0.6, None), (0.98, None)])
def test_behind_a_gap_must_be_noise(behind, gap):
    """As behind planted topics, and not in text, where a few first topics may be large."""
    assert gap_before_noise(spectrum({6: 0.5}), np.array([1.0] * 6 + [behind] * 18)) == gap
    assert gap_before_noise(spectrum({}), np.zeros(24)) is None


def test_directions_above_noise_by_hand():
    """Those of counts less what is expected, over its square root, whose squares are above what noise alone reaches."""
    X = planted(4, 0, n_documents=300, n_words=100)
    words = X.toarray()
    expected = words.sum(axis=1, keepdims=True) * words.sum(axis=0) / words.sum()
    values = np.linalg.svd((words - expected) / np.sqrt(expected), compute_uv=False)
    assert values[3] < np.sqrt(300) + np.sqrt(100) < values[2]
    assert directions_above_noise(X) == 3
    assert directions_above_noise(sp.csr_array(np.hstack([words, np.zeros((300, 2))]))) == 3


@pytest.mark.parametrize("seed", range(5))
def test_noise_has_no_direction_above_noise(seed):
    X = np.random.default_rng(seed).multinomial(300, np.random.default_rng(9).dirichlet(np.ones(200)), size=1500)
    assert directions_above_noise(sp.csr_array(X.astype(float))) == 0


@pytest.mark.parametrize("seed", [35, 40])  # of sixty
def test_noise_may_be_a_little_above_its_edge(seed):
    """The edge alone would take it for a direction."""
    X = np.random.default_rng(seed).multinomial(100, np.full(100, 0.01), size=200).astype(float)
    expected = X.sum(axis=1, keepdims=True) * X.sum(axis=0) / X.sum()
    assert np.linalg.norm((X - expected) / np.sqrt(expected), ord=2) > np.sqrt(200) + np.sqrt(100)
    assert directions_above_noise(sp.csr_array(X)) == 0


def test_noise_is_not_asked_where_there_is_an_edge(monkeypatch):
    asked = []
    monkeypatch.setattr(reading, "directions_above_noise", lambda counts: asked.append(1) or 7)
    found = read_spectrum(planted(4, 3), 20, 1, np.random.default_rng(0))
    assert found.edge == 4
    assert (asked, found.above_noise) == ([], None)


def test_topics_that_halves_do_not_agree_on_may_stand_out_from_noise():
    """40 topics without anchors have 39 directions besides the mean; of 1,000 words a document all but a few stand out,
    and none that is not there."""
    X, _, _ = make_corpus(1500, 1000, 40, length=1000, anchors_per_topic=0, random_state=[40, 0, 0])
    found = read_spectrum(evidence(X)[1], 60, 1, np.random.default_rng(0))
    assert (found.edge, found.gap) == (None, None)
    assert 35 <= found.above_noise <= 39
    assert found.above_noise + 1 in numbers_around(found, 300)


def test_where_words_are_repeated_noise_is_not_all_that_is_left(rng):
    """As in text: a word that is there once is likelier to come again. And few words a document look like noise."""
    topics = rng.dirichlet(np.ones(200), size=5)
    shares = rng.dirichlet(np.ones(5), size=400)
    plain = [rng.multinomial(200, p) for p in shares @ topics]
    bursty = [rng.multinomial(200, rng.dirichlet(500 * p)) for p in shares @ topics]
    assert directions_above_noise(sp.csr_array(np.array(plain, dtype=float))) == 4
    assert directions_above_noise(sp.csr_array(np.array(bursty, dtype=float))) is None
    short = [rng.multinomial(60, p) for p in shares @ topics]
    assert directions_above_noise(sp.csr_array(np.array(short, dtype=float))) is None


@pytest.mark.parametrize(("n_topics", "above"), [(4, 3), (12, None)])
def test_few_directions_are_left_to_tell_noise_from_text_where_most_stand_out(rng, n_topics, above):
    """Both are noise behind topics, but 11 of 20 directions leave 8 of it."""
    shares = rng.dirichlet(np.full(n_topics, 0.3), size=2000)
    X = rng.multinomial(1000, shares @ rng.dirichlet(np.full(20, 0.5), size=n_topics)).astype(float)
    found, left = above_and_behind(sp.csr_array(X))
    assert (found, abs(left - 1) < 0.02) == (n_topics - 1, True)
    assert directions_above_noise(sp.csr_array(X)) == above


DISAGREE = {0.55: 20, 1.1: 9, 2.2: 4}


def agree(K):
    return dict.fromkeys((0.55, 1.1, 2.2), K)


# --- halves ----------------------------------------------------------------------------------------------------------


def halves_of(X, **options):
    numbers = np.random.default_rng(0).integers(2**63, size=X.shape[0], dtype=np.uint64)
    return Halves(sp.csr_array(X), numbers, Finish(steps_worth(30), 30, "many", **options))


def test_gains_by_hand(X):
    """Document completion, word by word: one half's model, the other half's documents, each hidden token."""
    halves = halves_of(X)
    trial = halves.try_number(4)
    models = [TopicModel(4, topics_per_document="many").fit(part.counts) for part in halves.parts]
    total, common, n_tokens = 0.0, 0.0, 0
    for model, was_read in zip(models, (halves.is_first, ~halves.is_first), strict=True):
        B = model.fit_.document_words()
        for document, fold in zip(halves.tested.toarray()[~was_read], halves.fold[~was_read], strict=True):
            is_seen = halves.is_odd if fold % 2 else ~halves.is_odd
            seen, hidden = document * is_seen, document * ~is_seen
            if seen.sum() == 0 or hidden.sum() == 0:
                continue
            w = model.transform(seen[None, :])[0]
            total += hidden @ np.log(0.99 * B @ w + 0.01 * halves.frequency)
            common += hidden @ np.log(halves.frequency)
            n_tokens += hidden.sum()
    assert np.isclose(trial.held_out[0], total / n_tokens, atol=1e-3)  # eigenvectors are found to three digits
    assert np.isclose(trial.gains.mean(), (total - common) / n_tokens, rtol=0.1)  # folds weigh the same


def test_every_document_is_in_one_half_and_in_one_fold(X):
    halves = halves_of(X)
    assert sum(part.n_documents for part in halves.parts) == X.shape[0] == len(halves.fold)
    assert np.bincount(halves.fold).tolist() == [30] * 10
    assert halves.is_odd.sum() == X.shape[1] // 2


def test_two_topics_gain_nothing_over_two_topics_in_any_halving(X):
    first = halves_of(X)
    trials = [first.try_number(2)]
    numbers = np.random.default_rng(1).integers(2**63, size=X.shape[0], dtype=np.uint64)
    trials.append(Halves(sp.csr_array(X), numbers, first.finish, other=first).try_number(2))
    assert not (trials[0].gains == trials[1].gains).all()
    assert all((trial.gains == trial.coarsest).all() for trial in trials)


def test_topics_of_the_same_documents_agree(X):
    halves = halves_of(sp.vstack([X, X], format="csr"))
    halves.parts = halves.parts[:1] * 2
    assert np.allclose(halves.try_number(5).agreement, 1)
    assert np.allclose(halves.try_number(5).scores, (halves.trials[5].gains - halves.coarsest).mean())


@pytest.mark.parametrize("kind", ["many", "one"])
def test_what_is_known_from_a_fit_gives_the_same_fit(X, kind):
    """Which of the two starts is taken, and how documents are read."""
    halves = halves_of(X)
    halves.finish = replace(halves.finish, topics_per_document=kind)
    found = halves._fitted(halves.parts[0], 4)
    assert set(halves.known[4]) == {"start", "read_background" if kind == "many" else "sharpness"}
    again = halves._fitted(halves.parts[0], 4)
    assert len(found.diagnostics["start"]["gain"]) == 2
    assert not again.diagnostics["start"]["gain"]  # the other was not made
    for name in ("components", "prevalence", "correlation"):
        assert np.array_equal(getattr(again, name), getattr(found, name))
    assert again.inference == found.inference


@pytest.mark.parametrize("start", ["balanced", "tfidf"])
def test_a_start_that_is_known_is_taken(X, start):
    halves = halves_of(X)
    halves.known[4] = {"start": start}
    assert halves._fitted(halves.parts[0], 4).diagnostics["start"]["weighting"] == start


@pytest.mark.parametrize(
    ("kinds", "expected", "n_fits"),
    [
        (["one", "one"], "one", 2),
        (["many", "many"], "many", 2),
        (["one", "many"], "many", 3),
        (["many", "one"], "many", 3),
    ],
)
def test_documents_have_one_topic_if_both_halves_say_so(X, monkeypatch, kinds, expected, n_fits):
    """A fit that says otherwise is made again, and only that."""
    made = []

    def fitted(self, part, n_topics):
        kind = kinds[len(made)] if len(made) < 2 else self.finish.topics_per_document
        made.append((part, SimpleNamespace(diagnostics={"documents": {"topics_per_document": kind}})))
        return made[-1][1]

    monkeypatch.setattr(Halves, "_fitted", fitted)
    halves = halves_of(X)
    halves.finish = replace(halves.finish, topics_per_document="auto")
    halves.settle(4)
    assert (halves.finish.topics_per_document, len(made)) == (expected, n_fits)
    assert [fit.diagnostics["documents"]["topics_per_document"] for fit in halves.fits[4]] == [expected] * 2
    assert all(
        any(p is part and f is fit for p, f in made) for part, fit in zip(halves.parts, halves.fits[4], strict=True)
    )


def test_shares_are_those_of_transform(X):
    model = TopicModel(3).fit(X)
    assert np.allclose(read(model.fit_, X, tolerance=3e-4), model.transform(X))
    assert np.allclose(read(model.fit_, X), model.transform(X), atol=5e-3)
    empty = read(model.fit_, sp.csr_array((2, X.shape[1])))
    assert np.allclose(empty, model.topic_prevalence_)


def a_trial(K, gain, back=1.0, n=10):
    """Every topic is correlated by `back` with its partner."""
    noise = 0.001 * np.cos(np.arange(n))
    return Trial(K, (gain + noise * K)[None], np.full((1, n), 0.1), np.array([gain - 8]), np.full((1, K), back), {})


def test_the_score_is_the_gain_over_two_topics_times_what_most_topics_reach():
    trial = replace(a_trial(11, 0.3), agreement=np.array([[0.9, 0.1, 0.8, 0.2, 0.7, 0.5, 0.6, 0.4, 0.9, 0.9, 0.9]]))
    assert np.isclose(trial.most_back[0], 0.5)  # the fourth from below, of eleven
    assert np.isclose(trial.score, 0.2 * 0.5, atol=2e-3)
    opposed = replace(trial, agreement=-trial.agreement)
    assert opposed.score == 0  # a topic cannot come back by less than nothing
    assert a_trial(4, 0.05).score < 0  # worse than two topics, whatever comes back


def test_two_halvings_are_averaged():
    one, other = a_trial(4, 0.3), a_trial(4, 0.5, back=0.5)
    both = one.with_halving(other)
    assert (one.n_halvings, both.n_halvings) == (1, 2)
    assert np.isclose(both.score, (one.score + other.score) / 2)
    assert both.agreement.min() == 0.5  # a topic has come back if it has in both
    loss = one.with_halving(a_trial(4, 0.0))
    assert np.isclose(loss.score, (one.score - 0.1) / 2, atol=1e-3)


def test_the_smallest_within_one_standard_error():
    rng = np.random.default_rng(0)
    common = rng.normal(size=10)  # between folds, the same for all: it does not count
    best = common + 0.1
    noise = np.tile([0.02, -0.02], 5)
    error = noise.std(ddof=1) / np.sqrt(10)
    assert smallest_as_good([best - 0.9 * error + noise, best]) == 0
    assert smallest_as_good([best - 1.1 * error + noise, best]) == 1
    assert smallest_as_good([best, best]) == 0


def test_numbers_that_are_nearly_the_best_are_tried_again():
    trials = [a_trial(2, 0.1), a_trial(5, 0.3), a_trial(10, 0.47), a_trial(15, 0.456), a_trial(20, 0.5)]
    assert contenders(trials) == [10, 15, 20]  # 0.2, 0.37, 0.356 and 0.4 over two topics: within 12 %
    again = [trial.with_halving(trial) if trial.n_topics == 10 else trial for trial in trials]
    assert recommend(again, a_spectrum()).n_topics == 10  # of those that both halvings were asked about
    twice = [trial.with_halving(trial) if trial.n_topics > 5 else trial for trial in trials]
    assert contenders(twice) == [10, 20]  # the mean of two changes less


def test_where_halvings_differ_more_more_numbers_are_tried_again():
    """0.2, 0.33, 0.36 and 0.4 over two topics: within 12 %, or within 20 %."""
    trials = [a_trial(2, 0.1), a_trial(5, 0.3), a_trial(7, 0.43), a_trial(10, 0.46), a_trial(15, 0.5)]
    assert contenders(trials) == [10, 15]
    assert contenders(trials, NOISE_OF_ONE) == [7, 10, 15]


@pytest.mark.parametrize("kind", ["one", "many"])
def test_documents_of_one_topic_ask_more_halvings(kind):
    X = make_corpus(200, 60, 3, length=12, random_state=0)[0]
    numbers = np.arange(200, dtype=np.uint64)
    halves = Halves(sp.csr_array(X), numbers, Finish(steps_worth(4), 4, topics_per_document=kind))
    assert halves.noise == {"one": NOISE_OF_ONE, "many": NOISE}[kind]


@pytest.mark.parametrize(
    ("larger", "n_halvings", "expected"),
    [
        (0.49, 1, [10]),
        (0.51, 1, [10, 20]),
        (0.504, 2, [10]),
        (0.512, 2, [10, 20]),
        (0.51, 4, [10]),
        (0.516, 4, [10, 20]),
    ],
)
def test_a_larger_number_must_be_better_to_change_the_answer(larger, n_halvings, expected):
    """0.4 over two topics at ten: nearly the best beside up to 0.4 / 0.94, less what other halvings may change."""
    trials = [a_trial(2, 0.1), a_trial(5, 0.3), a_trial(10, 0.5), a_trial(20, larger), a_trial(30, 0.2)]
    for _ in range(n_halvings - 1):
        trials = [trial.with_halving(a_trial(trial.n_topics, trial.gains[0].mean())) for trial in trials]
    assert contenders(trials) == expected


@pytest.mark.parametrize(("smaller", "expected"), [(0.478, 5), (0.4735, 10)])  # 0.378 and 0.3735 of 0.4
def test_the_smallest_that_is_nearly_the_best(smaller, expected):
    """Of the gain over two topics; six percent are within what another halving changes."""
    trials = [a_trial(2, 0.1), a_trial(5, smaller), a_trial(10, 0.5)]
    assert recommend(trials, a_spectrum()).n_topics == expected


# --- the search ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("peak", [3, 5, 7, 11, 20, 33, 60, 90])
def test_the_search_finds_the_best_number_near_the_peak(peak):
    asked = []

    def ask(K):
        asked.append(K)
        return a_trial(K, 0.1 + np.exp(-(np.log(K / peak) ** 2)))

    trials = search(ask, 500)
    best = max(trials, key=lambda trial: trial.score).n_topics
    assert 2 / 3 <= best / peak <= 3 / 2
    assert len(asked) == len(set(asked)) <= 11
    assert [trial.n_topics for trial in trials] == sorted(asked)


def test_the_search_ends_where_documents_end():
    assert [t.n_topics for t in search(lambda K: a_trial(K, 0.1 + 0.01 * K), 17)][-1] == 17
    assert [t.n_topics for t in search(lambda K: a_trial(K, 0.1 + 0.01 * K) if K < 12 else None, 400)][-1] <= 11
    assert [t.n_topics for t in search(lambda K: a_trial(K, 0.2), 2)] == [2]
    assert search(lambda K: None, 30) == []


def test_the_search_goes_down_as_long_as_smaller_numbers_may_be_as_good():
    scores = {2: 0.1, 3: 0.2, 5: 0.55, 7: 0.58, 10: 0.58, 15: 0.6, 20: 0.54}
    trials = search(lambda K: a_trial(K, scores.get(K, 0.3)), 60)
    assert [trial.n_topics for trial in trials] == [2, 3, 5, 7, 10, 15, 20]
    assert [trial.n_topics for trial in search(lambda K: a_trial(K, 0.1 + 0.2 * (K == 20)), 60)] == [
        2,
        5,
        10,
        15,
        20,
        30,
    ]


def test_the_search_looks_at_nothing_that_has_become_too_small():
    """Three topics would be next to five if these were nearly the best, which they are not beside fifteen."""
    scores = {2: 0.1, 5: 0.28, 7: 0.32, 10: 0.3, 15: 0.34, 20: 0.2}
    assert 3 not in [trial.n_topics for trial in search(lambda K: a_trial(K, scores.get(K, 0.1)), 60)]
    lower = scores | {5: 0.33, 15: 0.3}
    assert 3 in [trial.n_topics for trial in search(lambda K: a_trial(K, lower.get(K, 0.1)), 60)]


@pytest.mark.parametrize(("smaller", "n_halvings"), [(0.3, 1), (0.49, 3), (0.48, 4), (0.47, 4)])
def test_other_halvings_are_asked_while_several_numbers_may_be_the_best(X, monkeypatch, smaller, n_halvings):
    monkeypatch.setattr(numbering.Halves, "try_number", lambda self, K: a_trial(K, {10: 0.5, 7: smaller}.get(K, 0.2)))
    numbers = np.arange(X.shape[0], dtype=np.uint64)
    first = Halves(sp.csr_array(X), numbers, Finish(steps_worth(30), 30, "many"))
    trials = numbering._in_other_halves([a_trial(5, 0.2), a_trial(7, smaller), a_trial(10, 0.5)], first, numbers)
    assert [trial.n_halvings for trial in trials] == [1, n_halvings, n_halvings]


# --- the recommendation ----------------------------------------------------------------------------------------------


def a_spectrum(edge=None, gap=None, by_c1=None, above_noise=None):
    return Spectrum(spectrum({}), np.ones(25), edge, gap, DISAGREE if by_c1 is None else by_c1, above_noise)


@pytest.mark.parametrize(
    ("found", "expected", "parts"),
    [
        ({"edge": 5, "gap": 8, "by_c1": 5}, 5, ["5 directions", "and TOP finds 5 groups"]),
        ({"edge": 5, "gap": 8, "by_c1": 3}, 5, ["5 directions", "but TOP finds 3 groups"]),
        ({"edge": 9, "by_c1": 8}, 8, ["9 directions", "and TOP finds 8 groups"]),  # as good as the same
        ({"edge": 5, "by_c1": 1}, 5, ["hardly more;"]),
        ({"edge": 6}, 5, ["6 directions", "this is the nearest"]),
        ({"edge": 4}, 3, ["4 directions", "this is the nearest"]),  # of two as near, the smaller
        ({"gap": 5, "by_c1": 8}, 5, ["eigenvalue 5 stands out from the next (1.05 times as large)"]),
        ({"by_c1": 8}, 8, ["TOP finds 8 groups", "halved or doubled"]),
        ({"by_c1": 8, "above_noise": 4}, 8, ["TOP finds 8 groups"]),
        ({"above_noise": 4}, 5, ["4 directions of the counts stand out", "cannot be told from noise", "hidden in it"]),
        ({"above_noise": 0}, 8, ["come back less"]),
        ({"above_noise": 40}, 8, ["come back less"]),  # more topics than were tried
        ({"by_c1": 400}, 8, ["more, up to 10, predict unseen documents better, but come back less"]),
        ({"by_c1": 1}, 8, ["come back less"]),
        ({}, 8, ["come back less", "of 3 or 5 topics, every one comes back"]),
    ],
)
def test_each_rule(found, expected, parts):
    by_c1 = agree(found["by_c1"]) if "by_c1" in found else DISAGREE
    trials = [a_trial(3, 0.2), a_trial(5, 0.3), a_trial(8, 0.5, back=0.9), a_trial(10, 0.52, back=0.7)]
    found = recommend(trials, a_spectrum(found.get("edge"), found.get("gap"), by_c1, found.get("above_noise")))
    assert found.n_topics == expected
    assert all(part in found.reason for part in parts), found.reason
    assert one_sentence(found.reason)
    assert found.finest == 10
    assert found.coarser == tuple(K for K in (3, 5) if expected > K)
    assert "1 groups" not in found.reason


def test_reasons_where_nothing_is_better():
    none = recommend([a_trial(2, -0.1), a_trial(5, -0.2)], a_spectrum())
    assert (none.n_topics, none.coarser) == (2, ())
    assert none.reason.startswith("no number predicts")
    flat = recommend([a_trial(5, 0.3), a_trial(8, 0.5), a_trial(10, 0.4)], a_spectrum())
    assert (flat.n_topics, flat.finest) == (8, 8)
    assert flat.reason.startswith("more do not predict unseen documents better")


def test_numbers_to_look_at_where_there_is_an_edge():
    assert numbers_around(a_spectrum(edge=8), 60) == [4, 7, 8, 9, 12]
    assert numbers_around(a_spectrum(edge=2), 60) == [2, 3, 4]
    assert numbers_around(a_spectrum(edge=8), 8) == [4, 7, 8]
    assert numbers_around(a_spectrum(gap=6, by_c1=agree(40)), 60) == [3, 5, 6, 7, 9, 40]
    assert numbers_around(a_spectrum(above_noise=7), 60) == [4, 7, 8, 9, 12]
    assert numbers_around(a_spectrum(above_noise=0), 60) is None
    assert numbers_around(a_spectrum(), 60) is None


# --- real text -------------------------------------------------------------------------------------------------------


def test_bbc_news(data):
    """Five classes, which come back exactly; a smaller vocabulary than by default, to take less time."""
    corpus = read_corpus(data / "bbc_news" / "docs.jsonl.gz", vocabulary_size=1500)
    choice = choose_n_topics(corpus.counts)
    assert 5 <= choice.n_topics <= 20
    assert 5 in (*choice.coarser, choice.n_topics)
    assert choice.finest >= choice.n_topics


def test_the_order_of_documents_is_of_no_account(X, choice):
    shuffled = choose_n_topics(X[np.random.default_rng(0).permutation(X.shape[0])], [3, 5, 8])
    assert shuffled.n_topics == choice.n_topics
    for name in ("held_out", "agreement", "reliable_gain"):
        assert np.allclose(shuffled.measures[name], choice.measures[name], atol=1e-3)


def test_another_seed_is_another_halving(X, choice):
    other = choose_n_topics(X, [3, 5, 8], random_state=7)
    assert other.n_topics_top == choice.n_topics_top
    assert not np.array_equal(other.measures["held_out"], choice.measures["held_out"])
    assert other.n_topics == choice.n_topics


def test_the_spectrum_is_that_of_the_rectified_cooccurrence(X, choice):
    most = len(choice.spectrum)
    assert most == 8 + EXTRA_DIRECTIONS
    C = cooccurrence(X, representation="dense")
    start = top_eigenpairs(C, most + 1, tolerance=1e-8)
    rectified = EpsilonNonNegative(max_iter=30, tolerance=1e-3)(C, most + 1, start=start).C.toarray()
    assert np.allclose(choice.spectrum, np.linalg.eigvalsh(rectified)[::-1][:most], rtol=1e-3, atol=1e-8)
    assert (np.diff(choice.spectrum) <= 0).all()
    K = choice.candidates
    assert np.allclose(choice.measures["gap"], choice.spectrum[K - 1] / choice.spectrum[K])
    assert np.array_equal(choice.measures["replication"], choice.replication[K - 1])


def test_a_model_with_auto_chooses_for_itself(X, choice):
    model = TopicModel("auto").fit(X)
    found = Choice.from_dict(model.diagnostics_["choice"])
    assert model.n_topics_ == found.n_topics == 5


def test_numbers_that_half_of_the_documents_have_too_few_words_for(X, monkeypatch):
    """The search ends there; those that were asked for are an error that says so."""
    fit = numbering.Halves.try_number

    def up_to_six(self, K):
        if K > 6:
            raise CooccurrenceError("n_topics=7 needs as many anchor words. Lower min_anchor_documents")
        return fit(self, K)

    monkeypatch.setattr(numbering.Halves, "try_number", up_to_six)
    choice = choose_n_topics(X, n_splits=1)
    assert choice.candidates.max() <= 6
    assert choice.n_topics == 5
    with pytest.raises(CooccurrenceError, match="half of the documents have too few words for 7 topics") as error:
        choose_n_topics(X, [5, 7], n_splits=1)
    assert "min_anchor_documents" not in str(error.value)


def test_a_sample_is_said(X, monkeypatch, choice):
    assert choice.sample is None
    monkeypatch.setattr(numbering, "MAX_TOKENS", X.sum() / 2)
    part = choose_n_topics(X, [3, 5])
    assert 60 < part.sample < 240
    assert part.n_topics == 5
    assert part.sample_sentence == f"A sample of {part.sample} documents was looked at."
    assert choice.sample_sentence == ""


@pytest.fixture
def file(X, tmp_path):
    sp.save_npz(tmp_path / "counts.npz", sp.csr_matrix(X.astype(np.int64)))
    return tmp_path / "counts.npz"


def test_documents_on_disk_get_the_same_choice(X, choice, file, monkeypatch):
    """Also where a sample is looked at: which documents these are follows from their words."""
    for stream in (file, [file], open_stream(file)):
        assert_same(choose_n_topics(stream, [3, 5, 8]), choice)
    with pack(open_stream(file)) as packed:
        assert_same(choose_n_topics(packed, [3, 5, 8]), choice)
    monkeypatch.setattr(numbering, "MAX_TOKENS", X.sum() / 2)
    assert choose_n_topics(file, [3, 5]).sample == choose_n_topics(X, [3, 5]).sample


def test_a_model_of_documents_on_disk_chooses_for_itself(X, file, monkeypatch):
    model = TopicModel("auto").fit(open_stream(file))
    assert model.n_topics_ == 5
    assert model.diagnostics_["choice"]["sample"] is None
    monkeypatch.setattr(numbering, "MAX_TOKENS", X.sum() / 2)
    assert 60 < TopicModel("auto").fit(file).diagnostics_["choice"]["sample"] < 240


def test_files_of_early_versions_still_load():
    rows = [{"n_topics": 4, "gap": 2.0, "stability": 0.9, "relative_recovery": 0.1, "weakest": None}]
    old = Choice.from_dict(SOUND | {"candidates": rows})
    assert (old.finest, old.coarser, old.sample) == (None, (), None)
    assert old.measures["stability"].tolist() == [0.9]
    assert old.sentence == "4 topics: so"
    assert old.table[0]["gap"] == 2.0


def test_a_choice_comes_back_from_its_file(X, tmp_path):
    choice = choose_n_topics(X, [3, 5, 8], n_splits=1)
    choice.save(tmp_path / "choice.json")
    again = Choice.load(tmp_path / "choice.json")
    assert (again.n_topics, again.reason, again.n_topics_top) == (choice.n_topics, choice.reason, choice.n_topics_top)
    assert list(again.measures) == list(choice.measures) == list(COLUMNS)
    for name in COLUMNS:
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
