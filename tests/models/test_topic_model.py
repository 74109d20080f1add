import warnings
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from conftest import planted_corpus
from cotopics import TOP, AnchorFree, AnchorWords, TopicModel, datasets, load, metrics
from cotopics.cooccur import Balanced, check_counts
from cotopics.corpus import read_corpus
from cotopics.documents import InMemory
from cotopics.errors import ParameterError
from cotopics.infer import PriorAware
from cotopics.models import recommended
from cotopics.models.anchor_start import anchor_start
from cotopics.models.recommended import steps_worth
from cotopics.models.recommended_start import SharedEigenpairs, recommended_recipe
from cotopics.rectify import EpsilonNonNegative
from cotopics.refine import ExpectationMaximisation


def test_planted_proportions_come_back_closer_than_from_the_start():
    X, B, W = planted_corpus(n_documents=2000, length=100)
    start, model = TopicModel(4, refine=0).fit(X), TopicModel(4).fit(X)
    assert metrics.clustering_accuracy(W.argmax(axis=1), model.transform(X).argmax(axis=1)) > 0.9
    far, near = (np.abs(m.transform(X)[:, metrics.match_topics(m, B)] - W).sum() for m in (start, model))
    assert near < far
    assert model.diagnostics_["refinement"]["n_iter"] == 18  # each does the work of 1.75
    assert np.allclose(model.components_.sum(axis=1), 1)
    assert np.isclose(model.topic_correlation_.sum(), 1)
    assert np.allclose(model.topic_correlation_.sum(axis=0), model.topic_prevalence_)


def test_a_start_that_stops_early_is_no_reason_to_warn(data):
    corpus = read_corpus(data / "bbc_news" / "docs.jsonl.gz", vocabulary_size=2000)
    model = TopicModel(5).fit(corpus.counts)  # warnings are errors here
    assert model.diagnostics_["rectification"]["converged"] is False
    assert metrics.clustering_accuracy(corpus.labels, model.transform(corpus.counts).argmax(axis=1)) > 0.9


def test_the_same_input_gives_the_same_bits(corpus):
    X = corpus[0]
    once, again = (TopicModel(4).fit(X) for _ in range(2))
    assert (once.components_ == again.components_).all()
    assert (once.topic_correlation_ == again.topic_correlation_).all()


def test_words_and_documents_in_another_order(corpus, rng):
    X = corpus[0]
    words, documents = rng.permutation(X.shape[1]), rng.permutation(X.shape[0])
    model, other = TopicModel(4).fit(X), TopicModel(4).fit(X[documents][:, words])
    order = metrics.match_topics(other.components_.T, model.components_.T[words])
    assert np.allclose(other.components_[order], model.components_[:, words], atol=1e-6)


def test_rare_words_join_after_the_start():
    X, _, _ = planted_corpus(n_documents=3000, n_words=400, length=30)
    X = X.tolil()
    X[:, 390:] = 0
    X[0, 390] = 1  # in one document: the start does not look at it
    model = TopicModel(4).fit(X.tocsr())
    assert model.components_[:, 390].max() > 0
    assert (model.components_[:, 391:] == 0).all()  # never seen


def test_anchors_that_the_user_gives_start_their_topics(corpus):
    X = corpus[0]
    names = [f"w{i}" for i in range(X.shape[1])]
    model = TopicModel(4, anchors=["w2", ["w0", "w5"]]).fit(X, feature_names=names)
    assert [group.tolist() for group in model.anchor_groups_[:2]] == [[2], [0, 5]]


def test_the_number_of_topics_can_be_left_to_the_data():
    X, _, _ = datasets.make_corpus(800, 300, 7, length=200, anchors_per_topic=3, random_state=0)
    model = TopicModel("auto").fit(X)
    assert model.n_topics_ == 7
    assert model.diagnostics_["choice"]["n_topics"] == 7
    assert "come back" in model.diagnostics_["choice"]["reason"]
    for unfitted_or_not in (TopicModel("auto", refine=0), model.set_params(refine=0)):  # an old choice is no answer
        with pytest.raises(ParameterError, match="auto"):
            unfitted_or_not.fit_cooccurrence(np.eye(30) + 1)
    with pytest.raises(ParameterError, match="n_topics"):
        TopicModel("several").fit(X)


def test_saved_and_opened(corpus, tmp_path):
    X = corpus[0]
    model = TopicModel(4, refine=5).fit(X, feature_names=[f"w{i}" for i in range(X.shape[1])])
    model.save(tmp_path / "m.cotopics")
    opened = load(tmp_path / "m.cotopics")
    assert type(opened) is TopicModel
    assert opened.get_params() == model.get_params()
    assert opened.top_words() == model.top_words()
    assert (opened.transform(X) == model.transform(X)).all()


def test_words_are_ranked_by_a_lower_bound_of_relevance(corpus):
    X = corpus[0]
    model = TopicModel(4).fit(X)
    assert model.top_words() == model.top_words(relevance=0.7)
    assert model.fit_.n_tokens == X.sum()
    P, prevalence = model.components_, model.topic_prevalence_
    uses = np.minimum(P * prevalence[:, None] * X.sum(), X.sum(axis=0))
    bound = np.log(P) - np.log(prevalence @ P) - 2 / np.sqrt(uses)
    assert model.top_words(5, relevance=0) == np.argsort(-bound, axis=1, kind="stable")[:, :5].tolist()
    assert AnchorWords(4).fit(X).relevance == 1


def test_a_word_of_a_handful_of_uses_leads_no_topic(corpus):
    X = corpus[0].tolil()
    X = sp.csr_array(sp.hstack([X, sp.csr_array((X.shape[0], 1))])).tolil()
    X[7, 60] = 1  # in one document only: its lift is the largest there is
    model = TopicModel(4).fit(sp.csr_array(X))
    assert all(60 not in words for words in model.top_words(20, relevance=0))


def test_a_matrix_has_no_documents_to_count():
    C = np.kron(np.eye(2), np.ones((3, 3))) + 0.1
    model = TopicModel(2, refine=0).fit_cooccurrence(C)
    assert sorted(sorted(words) for words in model.top_words(3)) == [[0, 1, 2], [3, 4, 5]]


def test_rare_words_are_not_words_without_pairs():
    X, _, _ = planted_corpus(n_documents=3000, n_words=400, length=30)
    X = X.tolil()
    X[:, 390:] = 0
    X[0, 390] = 1
    diagnostics = TopicModel(4).fit(X.tocsr()).diagnostics_
    assert diagnostics["words"] == {"used": 391, "without_pairs": 9}
    assert diagnostics["rare_words"] >= 1


def test_the_likelier_start_goes_on(corpus, monkeypatch):
    X = corpus[0]
    start = TopicModel(4).fit(X).diagnostics_["start"]
    assert start["weighting"] == ("tfidf" if start["gain"]["tfidf"] > 1.05 * start["gain"]["balanced"] else "balanced")
    for least, weighting in ((0.0, "tfidf"), (np.inf, "balanced")):
        monkeypatch.setattr("cotopics.models.recommended.PREFERRED", least)
        model = TopicModel(4).fit(X)
        assert model.diagnostics_["start"]["weighting"] == weighting
        weights = {"tfidf": "tfidf", "balanced": Balanced(2 / 3)}[weighting]
        alone = AnchorWords(4, weighting=weights, rectifier=EpsilonNonNegative(max_iter=2), min_anchor_documents=0.005)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            alone.fit(X)
        assert (model.anchors_ == alone.anchors_).all()


def test_the_background_is_the_corpus_and_serves_new_documents(corpus):
    X = corpus[0]
    model = TopicModel(4).fit(X)
    assert np.allclose(model.background_, X.sum(axis=0) / X.sum())
    assert np.allclose(model.transform(X)[:5], model.transform(X[:5]))  # not that of the documents at hand
    model.set_params(refine=0).fit_cooccurrence(X.T @ X)
    assert model.background_ is None


def test_words_that_tie_at_the_edge_of_the_start_are_all_in_it(rng):
    """So that the order of columns does not decide which of them are."""
    X = sp.csr_array(rng.multinomial(4, np.full(900, 1 / 900), size=3000).astype(float))  # most words tie with others
    words = rng.permutation(900)
    model, other = TopicModel(10, refine=0).fit(X), TopicModel(10, refine=0).fit(X[:, words])
    assert model.diagnostics_["rare_words"] == other.diagnostics_["rare_words"] > 0
    order = metrics.match_topics(other.components_.T, model.components_.T[words])
    assert np.allclose(other.components_[order], model.components_[:, words], atol=1e-6)


def test_texts_so_short_that_no_word_is_in_half_a_percent_of_them(rng):
    X = sp.csr_array(rng.multinomial(4, np.full(3000, 1 / 3000), size=4000).astype(float))
    assert TopicModel(5).fit(X).n_topics_ == 5


def test_equal_starts_are_the_balanced_one():
    with pytest.warns(UserWarning, match="numerical rank 1"):
        model = TopicModel(2).fit(np.ones((20, 6)))
    assert model.diagnostics_["start"]["weighting"] == "balanced"


def test_many_topics_have_one_start_unless_documents_are_short_or_have_one_topic(corpus, monkeypatch):
    X, tried = corpus[0], []
    monkeypatch.setattr(recommended, "anchor_start", lambda *given: tried.append(1) or anchor_start(*given))
    monkeypatch.setattr(recommended, "MANY_TOPICS", 4)
    both, n_words = {"balanced", "tfidf"}, X.sum() / X.shape[0]
    for kind, n_topics, refine, long, n_starts, taken in (
        ("many", 3, 30, n_words, 2, both),
        ("many", 4, 30, n_words, 1, {"tfidf"}),
        ("many", 4, 30, 1.01 * n_words, 2, both),
        ("one", 4, 30, n_words, 2, {"tfidf"}),
        ("many", 4, 0, n_words, 1, None),
    ):
        tried.clear()
        monkeypatch.setattr(recommended, "LONG_DOCUMENT", long)
        found = TopicModel(n_topics, topics_per_document=kind, refine=refine).fit(X).diagnostics_
        assert len(tried) == n_starts
        assert found["start"]["weighting"] in taken if taken else "start" not in found


def test_documents_without_words_do_not_make_the_others_short(corpus, monkeypatch):
    X = sp.csr_array(corpus[0])
    monkeypatch.setattr(recommended, "MANY_TOPICS", 4)
    monkeypatch.setattr(recommended, "LONG_DOCUMENT", X.sum() / X.shape[0])
    found = TopicModel(4).fit(X)
    empty = TopicModel(4).fit(sp.vstack([X, sp.csr_array((50, X.shape[1]))], format="csr"))
    assert empty.diagnostics_["start"] == {"weighting": "tfidf", "gain": {}}  # one start, which needs no trial
    assert np.allclose(found.components_, empty.components_, atol=1e-9)


@pytest.mark.parametrize("name", recommended.STARTS)
def test_a_start_that_is_known_is_the_only_one(corpus, monkeypatch, name):
    """And where documents have one topic, which takes both, topics are those of a fit that finds out itself."""
    tried, documents = [], InMemory(check_counts(corpus[0]))
    monkeypatch.setattr(recommended, "anchor_start", lambda *given: tried.append(1) or anchor_start(*given))
    monkeypatch.setattr(recommended, "PREFERRED", {"balanced": np.inf, "tfidf": -np.inf}[name])
    for kind, n_starts in (("many", 1), ("one", 2)):
        finish, shared = recommended.Finish(steps_worth(30), 30, kind), SharedEigenpairs(4)
        expected = recommended.fit_documents(documents, 4, finish, shared)
        tried.clear()
        fit = recommended.fit_documents(documents, 4, replace(finish, start=name), shared)
        assert len(tried) == n_starts
        assert fit.diagnostics["start"]["weighting"] == expected.diagnostics["start"]["weighting"] == name
        assert np.allclose(fit.components, expected.components, atol=1e-12)


def test_a_step_gets_topics_that_rule_out_no_word(corpus, monkeypatch):
    given = []

    def refine(X, B, prevalence):
        given.append(B)
        return ExpectationMaximisation(1)(X, B, prevalence)

    for least in (0.0, np.inf):
        monkeypatch.setattr("cotopics.models.recommended.PREFERRED", least)
        TopicModel(4, refine=refine).fit(corpus[0])
    assert all((B > 0).all() for B in given)  # anchors, and words left out, have zeros in the starts
    assert all(np.allclose(B.sum(axis=0), 1) for B in given)
    assert (TopicModel(4, refine=0).fit(corpus[0]).components_ == 0).any()


def test_a_trial_on_some_documents_says_what_all_say(corpus, monkeypatch):
    monkeypatch.setattr(recommended, "TRIAL_TOKENS", corpus[0].sum() / 3)
    some = TopicModel(4).fit(corpus[0]).diagnostics_["start"]
    monkeypatch.undo()
    every = TopicModel(4).fit(corpus[0]).diagnostics_["start"]
    assert some["weighting"] == every["weighting"]
    assert some["gain"] != every["gain"]
    assert all(np.isclose(some["gain"][name], gain, atol=0.1) for name, gain in every["gain"].items())


def test_a_sample_that_chance_leaves_empty_is_not_tried(corpus, monkeypatch):
    """Documents with the same words are all in a sample, or none of them is."""
    X = corpus[0].toarray() + 1
    every = TopicModel(4).fit(X).diagnostics_["start"]
    for parts in (3, 7):
        monkeypatch.setattr(recommended, "TRIAL_TOKENS", X.sum() / parts)
        assert TopicModel(4).fit(X).diagnostics_["start"] == every


def test_weak_topics_are_found_where_their_eigenvalues_are_small():
    """Twenty nearly even topics: next to what all documents share, each is a small direction of the co-occurrence."""
    _, B, _ = datasets.make_corpus(10, 2000, 20, length=10, anchors_per_topic=2, random_state=0)
    X, W = datasets.sample_corpus(B, 4000, length=100, concentration=0.1, random_state=0)
    rough, sharp = EpsilonNonNegative(max_iter=2, precision=1e-2), EpsilonNonNegative(max_iter=2)
    ours = recommended_recipe(20)
    C, infer, accuracy = InMemory(check_counts(X)).cooccurrence(Balanced(2 / 3)), PriorAware(), []
    for rectifier in (rough, ours.rectifier, sharp):
        start = anchor_start(C, replace(ours, rectifier=rectifier))
        found = infer(check_counts(X), start.components.T, start.prevalence, start.correlation)
        accuracy.append(metrics.clustering_accuracy(W.argmax(axis=1), found.argmax(axis=1)))
    assert accuracy[0] < 0.8 * accuracy[2]  # or there is nothing to see here
    assert accuracy[1] > 0.95 * accuracy[2]


def test_the_start_looks_at_the_words_in_most_documents(corpus, monkeypatch):
    X, _, _ = corpus
    monkeypatch.setattr("cotopics.models.recommended_start.MAX_WORDS", 30)
    monkeypatch.setattr("cotopics.models.recommended_start.MIN_WORDS", 1)
    model = TopicModel(4, refine=0).fit(X)
    frequency = (X.toarray() > 0).sum(axis=0)
    looked_at = frequency >= np.sort(frequency)[-30]  # with all that tie
    assert model.diagnostics_["rare_words"] == (~looked_at & (frequency > 0)).sum() > 0
    assert looked_at[model.anchors_].all()
    assert (model.components_[:, ~looked_at] == 0).all()


@pytest.mark.parametrize("anchors", [[], ()])
def test_an_empty_list_of_anchors_is_none(corpus, anchors):
    X = corpus[0]
    assert (TopicModel(4, anchors=anchors).fit(X).components_ == TopicModel(4).fit(X).components_).all()


@pytest.mark.parametrize("background", [0.0, 0.3])
def test_documents_are_inferred_as_the_topics_were_found(corpus, tmp_path, background):
    """The share of background is part of the fit: transform, held-out likelihood and the file know it."""
    X = corpus[0]
    em = ExpectationMaximisation(5, weighting="damped", background=background)
    model = TopicModel(4, refine=em).fit(X)
    infer = PriorAware(background=background)
    assert model.fit_.inference == infer
    assert (model.transform(X) == model.transform(X, infer)).all()
    B = (1 - background) * model.components_.T + background * model.background_[:, None]
    assert np.allclose(model.fit_.document_words(), B)
    model.save(tmp_path / "m")
    assert load(tmp_path / "m").fit_.inference == infer
    assert (load(tmp_path / "m").transform(X) == model.transform(X)).all()


def _predicted(model):
    return model.fit_.predicted_words()


def test_words_are_predicted_as_documents_use_them(corpus):
    """On average over topics, nearly, as each must sum to one; `components_` are of weighted words and need not."""
    X = corpus[0]
    model = TopicModel(4, topics_per_document="many").fit(X)
    used = np.log1p(X.toarray()).sum(axis=0)
    used = used / used.sum()
    far, near = (np.abs(B @ model.topic_prevalence_ - used).sum() for B in (model.components_.T, _predicted(model)))
    assert near < far / 5
    assert np.allclose(_predicted(model).sum(axis=0), 1)
    one = model.merge([[0, 1, 2, 3]])
    assert np.allclose(_predicted(one)[:, 0], used)


@pytest.mark.parametrize("kind", ["one", "many"])
def test_words_that_no_document_had_can_come(corpus, kind, tmp_path):
    """Together they are as likely as a word that came once would have been to be new (Good 1953)."""
    X = sp.csr_array(corpus[0])
    once = sp.csr_array(([1.0, 1.0], ([0, 1], [60, 61])), shape=(X.shape[0], 64))  # words 62 and 63 never come
    wide = sp.csr_array((X.data, X.indices, X.indptr), shape=(X.shape[0], 64)) + once
    model = TopicModel(4, topics_per_document=kind).fit(wide)
    B = _predicted(model)
    assert np.allclose(B[62:], 2 / (wide.sum() + 2) / 2)
    assert np.allclose(B.sum(axis=0), 1)
    model.save(tmp_path / "m.cotopics")
    assert np.array_equal(_predicted(load(tmp_path / "m.cotopics")), B)
    unseen = sp.csr_array(np.eye(64)[[62, 63]] * 2)
    assert np.isfinite(metrics.held_out_likelihood(model, unseen, smoothing=0))


def test_what_predicts_words_follows_the_documents(corpus):
    X = corpus[0]
    model = TopicModel(4, topics_per_document="many").fit(X[:300]).partial_fit(X[300:])
    whole = TopicModel(4, topics_per_document="many").fit(X)
    assert np.allclose(model.fit_.usage, whole.fit_.usage, rtol=1e-9)
    assert np.allclose(model.forget(X[300:]).fit_.usage, TopicModel(4).fit(X[:300]).fit_.usage, rtol=1e-9)


def test_a_fit_is_a_value(corpus):
    model = TopicModel(4).fit(corpus[0])
    with pytest.raises(FrozenInstanceError):
        model.fit_.components = None
    with pytest.raises(AttributeError):
        model.components_ = None
    first = model.fit_
    assert model.fit(corpus[0][:300]).fit_ is not first
    assert first.diagnostics["documents"]["used"] == 400


@pytest.mark.parametrize("model", [TopicModel(4), AnchorWords(4), AnchorFree(4), TOP()], ids=lambda m: type(m).__name__)
def test_no_parameter_is_hidden_by_a_class_attribute(model):
    """Such a parameter could be set, and clone would lose it."""
    for parents in type(model).__mro__:
        assert set(vars(parents)).isdisjoint(model.get_params())


def test_the_choice_stays_whichever_start_is_taken(corpus, monkeypatch):
    for least, start in ((0.0, "tfidf"), (np.inf, "balanced")):
        monkeypatch.setattr("cotopics.models.recommended.PREFERRED", least)
        found = TopicModel("auto").fit(corpus[0]).diagnostics_
        assert found["start"]["weighting"] == start
        assert found["choice"]["n_topics"] > 0
