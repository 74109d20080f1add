"""A model that was saved and opened is the same model."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import planted_corpus
from cotopics import TOP, AnchorFree, AnchorWords, TopicModel, load
from cotopics.errors import CorpusError, ModelFileError
from cotopics.rectify import AlternatingProjection

WORDS = [f"w{i}" for i in range(58)] + ["</script>", "naïve\u2028\x00词"]


@pytest.fixture(scope="module")
def model(corpus):
    options = {"rectifier": AlternatingProjection(tolerance=1e-3), "anchors": ["w3", ["w1", "w2"]]}
    return AnchorWords(4, random_state=7, **options).fit(corpus[0], feature_names=WORDS)


@pytest.fixture
def path(model, tmp_path):
    model.save(tmp_path / "model.cotopics")
    return tmp_path / "model.cotopics"


def test_the_same_model_comes_back(model, path, corpus):
    back = load(path)
    assert type(back) is AnchorWords
    assert back.get_params() == model.get_params()
    for name in ("components_", "topic_correlation_", "topic_prevalence_", "anchors_", "anchor_cooccurrence_"):
        assert (getattr(back, name) == getattr(model, name)).all()
    assert back.vocabulary_.tolist() == WORDS
    assert [group.tolist() for group in back.anchor_groups_] == [group.tolist() for group in model.anchor_groups_]
    assert {**back.diagnostics_, "seconds": model.diagnostics_["seconds"]} == model.diagnostics_
    assert back.top_words() == model.top_words()
    assert back.characteristic_words() == model.characteristic_words()
    assert (back.transform(corpus[0]) == model.transform(corpus[0])).all()
    assert np.allclose(back.fit(corpus[0], feature_names=WORDS).components_, model.components_)


def test_without_a_vocabulary(corpus, tmp_path):
    AnchorWords(3).fit(corpus[0]).save(tmp_path / "m")
    assert load(tmp_path / "m").vocabulary_ is None


def test_the_same_fit_is_the_same_file(corpus, tmp_path):
    """Nothing in it depends on when, where or how fast the model was fitted."""
    for name in ("first", "second"):
        AnchorWords(4).fit(corpus[0], feature_names=WORDS).save(tmp_path / name, statistics=True)
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


def test_saved_loaded_and_saved_is_the_same_file(model, path, tmp_path):
    load(path).save(tmp_path / "again")
    assert path.read_bytes() == (tmp_path / "again").read_bytes()


def test_only_plain_parameters_are_saved(corpus, tmp_path):
    model = AnchorWords(3, rectifier=lambda C, k: AlternatingProjection()(C, k)).fit(corpus[0])
    with pytest.raises(ModelFileError, match="rectifier"):
        model.save(tmp_path / "m")
    assert not list(tmp_path.iterdir())


def test_an_unfitted_model_is_not_saved(tmp_path):
    with pytest.raises(ValueError, match="not fitted"):
        AnchorWords().save(tmp_path / "m")


def test_no_file(tmp_path):
    with pytest.raises(ModelFileError, match="nothing: there is no model file"):
        load(tmp_path / "nothing")


BASKETS = sp.csr_array([[3, 2, 0, 0], [2, 4, 0, 0], [0, 0, 5, 2], [0, 0, 2, 2], [1, 1, 1, 1]])


@pytest.fixture(scope="module")
def small():
    return AnchorWords(2).fit(BASKETS)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=30)
@given(words=st.lists(st.text(), min_size=4, max_size=4))
def test_words_of_any_kind(small, tmp_path, words):
    small.vocabulary_ = np.array(words, dtype=object)
    small.save(tmp_path / "m")
    assert load(tmp_path / "m").vocabulary_.tolist() == words


def test_half_characters_are_refused(tmp_path):
    model = AnchorWords(2).fit(BASKETS, feature_names=["a", "b\udc80", "c", "d"])
    with pytest.raises(ModelFileError, match=r"vocabulary_: entry 1 is 'b\\udc80'.*surrogate"):
        model.save(tmp_path / "m")
    assert not list(tmp_path.iterdir())


def test_where_the_documents_came_from(corpus, tmp_path):
    model = AnchorWords(3).fit(corpus[0])
    assert model.provenance_ is None
    model.provenance_ = {"preparation": {"stop_words": "english"}, "notes": ["3 left out"], "n": np.int64(3)}
    model.save(tmp_path / "m", statistics=True)
    back = load(tmp_path / "m")
    assert back.provenance_ == {"preparation": {"stop_words": "english"}, "notes": ["3 left out"], "n": 3}
    assert back.partial_fit(corpus[0]).provenance_ == back.provenance_  # more documents, prepared in the same way
    assert back.fit(corpus[0]).provenance_ is None  # other documents
    assert back.fit_cooccurrence(np.kron(np.eye(3), np.ones((2, 2)))).provenance_ is None


@pytest.mark.parametrize(
    "provenance", [["a"], {"x": object()}, {"preparation": "english"}, {"x": float("nan")}, {1: 2}]
)
def test_provenance_is_plain(small, tmp_path, provenance):
    model = AnchorWords(2).fit(BASKETS)
    model.provenance_ = provenance
    with pytest.raises(ModelFileError, match="provenance_"):
        model.save(tmp_path / "m")


@pytest.fixture(scope="module")
def X():
    return sp.csr_array(planted_corpus(n_documents=300, n_words=50, n_topics=3, length=40)[0])


MODELS = {
    "dense": AnchorWords(3),
    "implicit": AnchorWords(3, rectifier="enn", representation="implicit"),
    "sketch": AnchorWords(3, rectifier="enn", representation="sketch"),
    "refined": AnchorWords(3, refine=3),
    "anchor-free": AnchorFree(3, weighting="counts"),
    "top": TOP(c1=0.4),
}


@pytest.mark.parametrize("model", MODELS.values(), ids=list(MODELS))
@pytest.mark.filterwarnings("ignore:.*no two anchor words")  # short documents, of which TOP says so
def test_a_loaded_model_goes_on_as_if_it_had_never_been_away(X, tmp_path, model):
    """Words known by name, which grow on the way; documents added and taken out; bit for bit."""
    words = [f"w{i}" for i in range(50)]
    model = model.__class__(**model.get_params())
    model.partial_fit(X[:150, :40], feature_names=words[:40]).partial_fit(X[150:200, :40], feature_names=words[:40])
    model.save(tmp_path / "m", statistics=True)
    back = load(tmp_path / "m")
    for either in (model, back):
        either.partial_fit(X[200:], feature_names=words)
        either.forget(X[150:200, :40], feature_names=words[:40])
    for name in ("components_", "topic_correlation_", "topic_prevalence_"):
        assert (getattr(back, name) == getattr(model, name)).all()
    assert back.diagnostics_["documents"] == model.diagnostics_["documents"]
    assert back.vocabulary_.tolist() == words


def test_statistics_are_only_saved_when_asked(X, tmp_path):
    model = AnchorWords(3, rectifier="enn").fit(X)
    model.save(tmp_path / "small")
    model.save(tmp_path / "large", statistics=True)
    assert (tmp_path / "small").stat().st_size < (tmp_path / "large").stat().st_size
    with pytest.raises(CorpusError, match="loaded"):
        load(tmp_path / "small").partial_fit(X)
    with pytest.raises(CorpusError, match="statistics=False"):
        load(tmp_path / "small").save(tmp_path / "again", statistics=True)
    with pytest.raises(CorpusError, match="statistics=False"):
        TopicModel(3).fit(X).save(tmp_path / "again", statistics=True)
    assert not (tmp_path / "again").exists()


def test_correlations_have_the_scale_of_the_matrix_they_were_found_in(corpus, tmp_path):
    X = corpus[0]
    model = AnchorWords(4).fit_cooccurrence(1e6 * (X.T @ X).toarray())
    model.save(tmp_path / "m")
    assert (load(tmp_path / "m").topic_correlation_ == model.topic_correlation_).all()
