import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

from cotopics import TOP, AnchorFree, AnchorWords, load
from cotopics.corpus import counts_from_ratings, read_tags
from cotopics.errors import ParameterError
from cotopics.models.fit import Fit


def known(components, prevalence):
    """A model with these topics."""
    model = AnchorWords(len(prevalence))
    components, prevalence = np.array(components, dtype=float), np.array(prevalence, dtype=float)
    model._fitted = Fit(components, prevalence, np.diag(prevalence), {})
    model.n_features_in_ = components.shape[1]
    return model


def test_shares_and_lifts_by_hand():
    model = known([[0.5, 0.3, 0.2, 0.0], [0.1, 0.1, 0.2, 0.6]], [0.25, 0.75])
    first, second = model.top_tags(["a b", "a", "b c", "c"], n=2)
    # corpus: items .2 .15 .2 .45, so a .35, b .4, c .65; topic 0 has a .8, b .7, c .2; topic 1 has a .2, b .3, c .8
    assert [tag for tag, _, _ in first] == ["a", "b"]  # .8 log(.8/.35) = .66 before .7 log(.7/.4) = .39
    assert np.allclose([numbers for _, *numbers in first], [[0.8, 0.8 / 0.35], [0.7, 0.7 / 0.4]])
    assert [tag for tag, _, _ in second] == ["c"]  # a and b are below their share of the corpus
    assert np.allclose(second[0][1:], [0.8, 0.8 / 0.65])


def test_neither_a_tag_of_everything_nor_of_a_rare_item_leads():
    model = known([[0.49, 0.5, 0.01, 0.0], [0.25, 0.25, 0.0, 0.5]], [0.5, 0.5])
    ((first, *_), _) = model.top_tags(["all big", "all big", "all rare", "all other"])
    assert first[0] == "big"
    assert all(tag != "all" for topic in model.top_tags(["all"] * 4) for tag, _, _ in topic)


def test_nothing_stands_out_of_one_topic_or_without_tags():
    assert known([[0.3, 0.7]], [1.0]).top_tags(["a", "b"]) == [[]]
    assert known([[0.3, 0.7], [0.5, 0.5]], [0.5, 0.5]).top_tags(["", []]) == [[], []]


@given(st.integers(0, 1000), st.integers(1, 5))
def test_what_every_model_keeps_to(seed, n):
    rng = np.random.default_rng(seed)
    model = known(rng.dirichlet(np.full(12, 0.3), size=3), rng.dirichlet(np.ones(3)))
    tags = [[t for t in "abcdef" if rng.random() < 0.4] for _ in range(12)]
    found = model.top_tags(tags, n=n)
    corpus = model.topic_prevalence_ @ model.components_
    for k, topic in enumerate(found):
        assert len(topic) <= n
        scores = [share * np.log(lift) for _, share, lift in topic]
        assert scores == sorted(scores, reverse=True)
        for tag, share, lift in topic:
            has = np.array([tag in entry for entry in tags])
            assert np.isclose(share, model.components_[k, has].sum())
            assert np.isclose(lift, share / corpus[has].sum())
            assert lift > 1
    order = rng.permutation(12)  # of the items
    shuffled = known(model.components_[:, order], model.topic_prevalence_)
    again = shuffled.top_tags([tags[i] for i in order], n=n)
    assert [[tag for tag, _, _ in topic] for topic in again] == [[tag for tag, _, _ in topic] for topic in found]


@pytest.mark.parametrize("model", [AnchorWords(3), AnchorFree(3), TOP(c1=0.1)], ids=["anchors", "free", "top"])
@pytest.mark.filterwarnings("ignore:.*no two anchor words")  # short documents, of which TOP says so
def test_every_model_has_them_and_keeps_them_on_disk(model, corpus, tmp_path):
    model.fit(corpus[0])
    tags = [f"t{i % 7} even|" if i % 2 == 0 else f"t{i % 7}" for i in range(60)]
    model.save(tmp_path / "m")
    assert load(tmp_path / "m").top_tags(tags) == model.top_tags(tags)


def test_wrong_tags(corpus):
    model = AnchorWords(3).fit(corpus[0])
    with pytest.raises(ParameterError, match="59 entries and the model 60 words"):
        model.top_tags(["a"] * 59)
    with pytest.raises(ParameterError, match="n=0"):
        model.top_tags(["a"] * 60, n=0)
    with pytest.raises(ParameterError, match="one str"):
        model.top_tags("a" * 60)
    with pytest.raises(NotFittedError):
        AnchorWords(3).top_tags(["a"])


def test_genres_stand_out_of_clusters_of_movies(data):
    folder = data / "movielens100k"
    counts = counts_from_ratings(sp.load_npz(folder / "ratings.npz"))
    often = np.bincount(counts.indices, minlength=counts.shape[1]) >= 20
    titles = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    genres = read_tags(folder / "genres.txt")
    model = AnchorWords(15).fit(counts[:, often], feature_names=[titles[i] for i in np.flatnonzero(often)])
    found = model.top_tags([genres[i] for i in np.flatnonzero(often)])
    (space,) = (k for k, anchor in enumerate(model.anchors_) if model.vocabulary_[anchor].startswith("Star Trek V"))
    assert "Star Wars (1977)" in model.top_words(1)[space]
    assert {tag for tag, _, _ in found[space]} == {"Action", "Adventure", "Sci-Fi"}
    assert len({topic[0][0] for topic in found}) >= 5  # clusters differ in what stands out
