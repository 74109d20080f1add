"""Documents added to a fitted TopicModel, and taken out of it."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import planted_corpus
from cotopics import TopicModel, load
from cotopics.corpus import open_stream
from cotopics.errors import CorpusError, ModelFileError, ParameterError
from cotopics.metrics import match_topics
from cotopics.models.ageing import AGEING_OF_MANY, drift, weight_of_earlier
from cotopics.models.state import from_record, to_record

X, _, LABELS = planted_corpus(n_documents=600, n_words=60, n_topics=4, length=30)
X = sp.csr_array(X)
NAMES = [f"w{i}" for i in range(60)]
KINDS = ["one", "many"]


def model_of(kind, **options):
    return TopicModel(4, topics_per_document=kind, **options)


def moved(one, other):
    """The mean share of a topic's words that are others."""
    return np.abs(one.components_ - other.components_).sum(axis=1).mean() / 2


@pytest.mark.parametrize("kind", KINDS)
def test_in_pieces_as_in_one_fit(kind):
    whole, model = model_of(kind).fit(X), model_of(kind)
    for first in range(0, 600, 100):
        model.partial_fit(X[first : first + 100])
    order = match_topics(model.components_.T, whole.components_.T)
    assert np.abs(model.components_[order] - whole.components_).sum(axis=1).max() / 2 < 0.12
    assert np.abs(model.topic_prevalence_[order] - whole.topic_prevalence_).max() < 0.03
    same = model.transform(X)[:, order].argmax(axis=1) == whole.transform(X).argmax(axis=1)
    assert same.mean() > 0.97


@pytest.mark.parametrize("kind", KINDS)
def test_counts_are_exact_and_topics_are_distributions(kind):
    model, whole = model_of(kind).fit(X[:300]).partial_fit(X[300:]), model_of(kind).fit(X)
    for name in ("n_documents", "n_left_out"):
        assert getattr(model.fit_.sums, name) == getattr(whole.fit_.sums, name)
    assert model.fit_.sums.frequency.tolist() == whole.fit_.sums.frequency.tolist()
    assert np.allclose(model.background_, whole.background_, rtol=1e-12)
    assert np.allclose(model.components_.sum(axis=1), 1)
    assert np.isclose(model.topic_prevalence_.sum(), 1)
    assert np.isclose(model.topic_correlation_.sum(), 1)
    assert np.allclose(model.transform(X).mean(axis=0), model.topic_prevalence_, atol=0.02)


@pytest.mark.parametrize("kind", KINDS)
def test_the_sums_are_those_of_the_topics(kind):
    """p(word | topic) times the tokens of the topic, less smoothing, are the tokens of the word."""
    fit = model_of(kind).fit(X).fit_
    tokens = fit.sums.tokens(fit.components)
    weights = fit.sums.idf[:, None] if kind == "many" else 1.0
    most = fit.sums.damped if kind == "many" else fit.sums.occurrences
    assert ((tokens / weights).sum(axis=1) <= most * (1 + 1e-4) + 1e-6).all()
    back = tokens + fit.sums.smoothing
    assert np.allclose(back / back.sum(axis=0), fit.components.T, atol=1e-9)


@pytest.mark.parametrize("pieces", [2, 6, 20])
def test_word_totals_do_not_age(pieces):
    """However many pieces documents come in, the topics are made of every occurrence of every word."""
    model = model_of("one")
    for piece in np.array_split(np.arange(600), pieces):
        model.partial_fit(X[piece])
    tokens = model.fit_.sums.tokens(model.components_).sum(axis=1)
    assert np.allclose(tokens, np.asarray(X.sum(axis=0)), rtol=1e-6)
    model.forget(X[100:200])
    left = np.asarray(X.sum(axis=0) - X[100:200].sum(axis=0))
    assert np.allclose(model.fit_.sums.tokens(model.components_).sum(axis=1), left, rtol=1e-6)


def sums(counts):
    fit = TopicModel(4, topics_per_document="many", refine=3).fit(counts).fit_
    return fit.sums


def test_documents_that_are_alike_do_not_drift():
    """The same documents again, or a random half of them: no more than chance."""
    first, n = sums(X[:300]), 300
    assert drift(first, first.with_documents(X[:300])) == 0
    assert n * drift(first, first.with_documents(X[300:])) < 1
    assert weight_of_earlier(first, first.with_documents(X[:300]), AGEING_OF_MANY) == 0.5 ** AGEING_OF_MANY[0]


def test_where_words_drift_earlier_documents_count_for_less():
    """Words in other places: every word is used otherwise."""
    first, other = sums(X[:300]), sp.csr_array(X[300:][:, np.random.default_rng(0).permutation(60)])
    least, most = (0.5**power for power in AGEING_OF_MANY)
    assert most <= weight_of_earlier(first, first.with_documents(other), AGEING_OF_MANY) < least / 2
    few = first.with_documents(other[:3])  # say nothing of how often a word is used
    assert weight_of_earlier(first, few, AGEING_OF_MANY) == pytest.approx((300 / 303) ** AGEING_OF_MANY[0])


def test_topics_follow_documents_that_drift():
    """What a topic says after its words were replaced is nearer to a fit of the new documents than to the old one."""
    other = sp.csr_array(X[300:][:, np.roll(np.arange(60), 1)])
    model, new = model_of("many").fit(X[:300]), model_of("many").fit(other)
    old = model.components_
    model.partial_fit(other[:150]).partial_fit(other[150:])
    apart = [
        np.abs(B[match_topics(B.T, model.components_.T)] - model.components_).sum() for B in (new.components_, old)
    ]
    assert apart[0] < apart[1]


@pytest.mark.parametrize("kind", KINDS)
def test_a_poor_first_piece_is_got_over(kind):
    """Twenty documents show little of four topics; those that come later show the rest."""
    whole, model = model_of(kind).fit(X), model_of(kind).fit(X[:20])
    first = match_topics(model.components_.T, whole.components_.T)
    before = np.abs(model.components_[first] - whole.components_).sum(axis=1).mean() / 2
    for start in range(20, 600, 58):
        model.partial_fit(X[start : start + 58])
    order = match_topics(model.components_.T, whole.components_.T)
    assert np.abs(model.components_[order] - whole.components_).sum(axis=1).mean() / 2 < before / 2


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_added_and_forgotten_is_gone(kind):
    before = model_of(kind).fit(X[:500])
    model = model_of(kind).fit(X[:500]).partial_fit(X[500:])
    added = moved(model, before)
    model.forget(X[500:])
    assert moved(model, before) < 0.15 * added
    assert np.abs(model.topic_prevalence_ - before.topic_prevalence_).max() < 0.005
    assert model.fit_.sums.frequency.tolist() == before.fit_.sums.frequency.tolist()
    assert np.allclose(model.background_, before.background_, rtol=1e-9)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 599), st.integers(1, 40), st.sampled_from(KINDS))
def test_forgetting_is_near_a_fit_that_never_saw_them(first, n, kind):
    gone = np.arange(first, min(first + n, 600))
    model = model_of(kind).fit(X).forget(X[gone])
    never = model_of(kind).fit(X[np.setdiff1d(np.arange(600), gone)])
    order = match_topics(model.components_.T, never.components_.T)
    assert np.abs(model.components_[order] - never.components_).sum(axis=1).mean() / 2 < 0.02
    assert model.fit_.sums.frequency.tolist() == never.fit_.sums.frequency.tolist()
    assert np.isfinite(model.transform(X)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_a_person_is_left(kind, tmp_path):
    """Words that only the forgotten documents had are nowhere in the file."""
    own = sp.csr_array(np.r_[np.zeros(60), 5.0][None] + np.r_[np.ones(3), np.zeros(58)])
    wide = sp.csr_array((X.data, X.indices, X.indptr), shape=(600, 61))
    model = model_of(kind).fit(sp.vstack([wide, own]).tocsr(), feature_names=[*NAMES, "marmaduke"])
    model.forget(own)
    model.save(tmp_path / "m.cotopics")
    assert b"marmaduke" not in (tmp_path / "m.cotopics").read_bytes()
    assert model.vocabulary_.tolist() == NAMES
    assert model.components_.shape == (4, 60)
    assert all(group.max() < 60 for group in model.anchor_groups_)
    again = load(tmp_path / "m.cotopics").forget(X[:5], feature_names=NAMES)
    assert again.fit_.sums.n_documents == 595


@pytest.mark.parametrize("kind", KINDS)
def test_new_words_come_by_name(kind):
    model = model_of(kind).fit(X[:300, :50], feature_names=NAMES[:50])
    order = np.random.default_rng(0).permutation(60)
    model.partial_fit(X[300:][:, order], feature_names=[NAMES[i] for i in order])
    assert sorted(model.vocabulary_) == sorted(NAMES)
    assert model.vocabulary_[:50].tolist() == NAMES[:50]
    assert model.diagnostics_["update"]["new_words"] == 10
    assert (model.components_[:, 50:].sum(axis=0) > 0).all()
    places = [NAMES.index(word) for word in model.vocabulary_]
    assert model.fit_.sums.frequency[:50].tolist() == (X[:, :50] > 0).sum(axis=0).tolist()
    assert model.transform(X[:, places]).shape == (600, 4)


def test_a_data_frame():
    frame = pd.DataFrame(X[:300].toarray(), columns=NAMES)
    model = model_of("many").fit(frame).partial_fit(pd.DataFrame(X[300:].toarray(), columns=NAMES)[NAMES[::-1]])
    assert model.fit_.sums.frequency.tolist() == (X > 0).sum(axis=0).tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_update_says(kind):
    model = model_of(kind).fit(X[:500])
    old = model.topic_prevalence_
    told = model.partial_fit(sp.vstack([X[500:], sp.csr_array((2, 60))]).tocsr()).diagnostics_["update"]
    assert told["added"] == 102
    assert told["documents"] == [500, 602]
    assert len(told["moved"]) == 4
    assert all(0 <= share <= 1 for share in told["moved"])
    assert told["prevalence"] == [old.tolist(), model.topic_prevalence_.tolist()]
    assert model.diagnostics_["documents"]["left_out"] == 2
    told = model.forget(X[500:]).diagnostics_["update"]
    assert told["taken_out"] == 100


@pytest.mark.parametrize("kind", KINDS)
def test_a_saved_model_goes_on(kind, tmp_path):
    model = model_of(kind).fit(X[:400], feature_names=NAMES)
    model.save(tmp_path / "m.cotopics")
    again = load(tmp_path / "m.cotopics").partial_fit(X[400:], feature_names=NAMES)
    model.partial_fit(X[400:], feature_names=NAMES)
    assert np.array_equal(again.components_, model.components_)
    assert np.array_equal(again.topic_correlation_, model.topic_correlation_)


def test_documents_without_words_change_no_topic():
    model = model_of("many").fit(X)
    before = model.components_
    model.partial_fit(sp.csr_array((3, 60))).forget(sp.csr_array((2, 60)))
    assert np.array_equal(model.components_, before)
    assert model.fit_.sums.n_left_out == 1


# --- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"refine": 0}, {"refine": lambda X, B, p: None}])
def test_fits_without_sums_say_so(options):
    model = TopicModel(4).fit(X)
    model.set_params(**options)
    with pytest.raises(ParameterError, match="keeps no sums of its documents"):
        model.partial_fit(X)
    with pytest.raises(ParameterError, match="keeps no sums of its documents"):
        model.forget(X)


def test_errors_change_nothing():
    model = model_of("many").fit(X[:300])
    fit = model.fit_
    twice = sp.csr_array(X[:300] * 1000)
    for wrong, message in ((twice, "not among those"), (X, "not among those"), (X[:300], "no document would be left")):
        with pytest.raises(CorpusError, match=message):
            model.forget(wrong)
    with pytest.raises(ParameterError, match="X is a stream"):
        model.partial_fit(open_stream(X))
    with pytest.raises(CorpusError, match="negative"):
        model.partial_fit(-X)
    assert model.fit_ is fit


@pytest.mark.parametrize(
    "others",
    [
        [[0, 2, 0]] * 4,  # the word would be in no document and still occur
        [[0, 2, 0]],  # three documents would have 10 of it, and more logarithms than 10/3 in each
        [[4, 0, 0]] * 4,  # eight documents would have 4 of it
    ],
)
def test_documents_that_cannot_have_been_there_are_refused(others):
    """What is left must be sums over some documents: here each of four has word 1 three times."""
    model = TopicModel(2).fit(sp.csr_array([[1, 3, 0], [3, 0, 1], [0, 0, 2], [1, 0, 1], [0, 0, 1]] * 4))
    with pytest.raises(CorpusError, match="not among those"):
        model.forget(sp.csr_array(others))


@pytest.mark.parametrize(
    "change",
    [
        lambda m, a: m["sums"].update(n_documents=0),
        lambda m, a: m["sums"].update(n_documents=1.5),
        lambda m, a: m["sums"].update(smoothing="x"),
        lambda m, a: m["sums"].pop("n_left_out"),
        lambda m, a: m.update(sums=None),
        lambda m, a: m.update(sums=[]),
        lambda m, a: a.pop("sums.damped"),
        lambda m, a: a["sums.damped"].__isub__(1e9),
        lambda m, a: a["sums.frequency"].__iadd__(10_000),
        lambda m, a: a.update({"sums.totals": np.ones(3)}),
        lambda m, a: a["sums.occurrences"].fill(np.nan),
    ],
)
def test_forged_sums_are_refused(change):
    record = to_record(model_of("many", refine=3).fit(X))
    record.arrays.update({name: array.copy() for name, array in record.arrays.items()})
    change(record.manifest, record.arrays)
    with pytest.raises(ModelFileError):
        from_record(record, {"TopicModel": TopicModel})
