"""Texts straight into a model, and words of counts that come without names."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfTransformer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

import cotopics
from cotopics import AnchorFree, AnchorWords, TopicModel, export, load, metrics
from cotopics.cli.main import main
from cotopics.corpus import Preparation, as_corpus, count_words
from cotopics.errors import CorpusError, ModelFileError, ParameterError
from runner import CliRunner

ANIMALS, SKY = ["cats", "dogs", "horses", "purring", "barking"], ["stars", "moons", "planets", "shining", "orbits"]


def made_texts(n=120, seed=0):
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(ANIMALS if m % 2 else SKY, size=8)) + " the and" for m in range(n)]


TEXTS = made_texts()
COLUMNS = [
    list, tuple, np.array, lambda texts: np.array(texts, dtype=object), pd.Series, pl.Series, pa.array,
    lambda texts: pa.chunked_array([texts]), lambda texts: pd.Series(texts, dtype="category", index=range(5, 125)),
]  # fmt: skip


@pytest.fixture(scope="module")
def fitted():
    return TopicModel(2).fit(TEXTS)


@pytest.mark.parametrize("form", COLUMNS)
def test_every_column_of_texts(fitted, form):
    model = TopicModel(2).fit(form(TEXTS))
    assert np.array_equal(model.components_, fitted.components_)
    assert np.array_equal(model.transform(form(TEXTS)), fitted.transform(TEXTS))
    assert sorted(sorted(words) for words in model.top_words(5)) == [sorted(ANIMALS), sorted(SKY)]


@pytest.mark.parametrize("new", [TopicModel, AnchorWords, AnchorFree])
def test_texts_are_the_counts_of_their_words(new):
    corpus = count_words(TEXTS, min_documents=2)
    by_counts = new(2).fit(corpus.counts, feature_names=corpus.vocabulary)
    by_texts = new(2).fit(TEXTS)
    assert np.array_equal(by_counts.components_, by_texts.components_)
    assert list(by_texts.vocabulary_) == corpus.vocabulary
    assert np.array_equal(by_texts.transform(TEXTS), by_counts.transform(corpus.counts))


def test_lists_of_words_are_used_as_they_are():
    lists = [text.split() for text in TEXTS]
    assert {"the", "and"} <= set(TopicModel(2).fit(lists).vocabulary_)


def test_missing_texts_have_no_words(fitted):
    with pytest.warns(UserWarning, match="1 of 2 documents have no word"):
        W = fitted.transform([TEXTS[0], None])
    assert np.allclose(W[1], fitted.topic_prevalence_)


def test_rare_words_of_a_small_and_of_a_large_collection():
    rare = [*TEXTS, "unique cats"]
    assert "unique" not in TopicModel(2).fit(rare).vocabulary_
    assert "unique" in TopicModel(2).fit(rare[-40:]).vocabulary_
    many = made_texts(400) + ["unique cats"] * 4
    assert "unique" not in TopicModel(2).fit(many).vocabulary_
    assert "unique" in TopicModel(2).fit([*many, "unique"]).vocabulary_


def test_a_preparation_is_remembered(tmp_path):
    prepare = Preparation(stem="english", extra_stop_words=["shining"])
    model = TopicModel(2, preparation=prepare).fit(TEXTS)
    assert "cat" in model.vocabulary_
    assert "cats" not in model.vocabulary_
    assert clone(model).preparation == prepare
    model.save(tmp_path / "a.cotopics")
    again = load(tmp_path / "a.cotopics")
    assert again.preparation == prepare
    assert np.array_equal(again.transform(["one cat barks"]), model.transform(["one cat barks"]))
    (tmp_path / "texts.txt").write_text("one cat barks\n", encoding="utf-8")
    arguments = ["transform", str(tmp_path / "a.cotopics"), str(tmp_path / "texts.txt")]
    written = CliRunner().invoke(main, arguments).stdout.splitlines()[1]
    assert np.allclose([float(share) for share in written.split(",")[1:]], model.transform(["one cat barks"])[0])


def test_a_preparation_of_counts_is_remembered_too(tmp_path):
    prepare = Preparation(stem="english")
    corpus = as_corpus(TEXTS, prepare=prepare)
    by_parameter = TopicModel(2, preparation=prepare).fit(corpus.counts, feature_names=corpus.vocabulary)
    by_corpus = TopicModel(2).fit(corpus)
    for model in (by_parameter, by_corpus):
        assert model.provenance_["preparation"] == prepare.to_json()
        model.save(tmp_path / "a.cotopics")
        assert np.array_equal(load(tmp_path / "a.cotopics").transform(["a cat"]), model.transform(["cats"]))


def test_a_function_prepares_but_cannot_be_saved(tmp_path):
    model = TopicModel(2, preparation=str.split).fit(TEXTS)
    assert {"the", "and"} <= set(model.vocabulary_)
    model.transform(TEXTS)
    with pytest.raises(ModelFileError, match="cannot be saved"):
        model.save(tmp_path / "a.cotopics")
    with pytest.raises(ParameterError, match="preparation='english' must be"):
        TopicModel(2, preparation="english").fit(TEXTS)


def test_a_corpus_with_other_words(fitted):
    others = as_corpus(["cats and elephants", "dogs and stars"])
    assert np.array_equal(fitted.transform(others), fitted.transform(["cats", "dogs stars"]))


def test_texts_for_everything_that_reads_documents(fitted, tmp_path):
    corpus = count_words(TEXTS, min_documents=2)
    assert metrics.evaluate(fitted, TEXTS) == metrics.evaluate(fitted, corpus.counts)
    assert fitted.score(TEXTS) == metrics.held_out_likelihood(fitted, corpus.counts)
    table = next(export.mixture_blocks(fitted, TEXTS[:3]))
    assert np.array_equal(np.array(table.columns[1:]).T, fitted.transform(TEXTS[:3]))
    fitted.report(tmp_path / "report.html", TEXTS, TEXTS)


def test_texts_that_come_and_go():
    first, second = TEXTS[:60], [*TEXTS[60:], "comets shining comets shining"]
    model = AnchorWords(2).partial_fit(first).partial_fit(second)
    whole = AnchorWords(2).partial_fit(first + second)
    assert sorted(model.vocabulary_) == sorted(whole.vocabulary_)
    model.forget(second)
    assert np.allclose(model.transform(first), AnchorWords(2).partial_fit(first).transform(first))


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ("one text", "X is one text"),
        (["a text", 3], "document 1: field 'X' holds int"),
        (pd.DataFrame({"body": TEXTS}), r"frame\['body'\]"),
        (pl.DataFrame({"n": [1] * 120, "body": TEXTS}), r"text_field='body'"),
        (pa.table({"body": TEXTS}), r"text_field='body'"),
        (["the and", "of"], "hold no word"),
    ],
)
def test_what_is_not_a_column_of_texts(X, message):
    with pytest.raises(CorpusError, match=message):
        TopicModel(2).fit(X)


def test_texts_need_a_model_that_knows_its_words(fitted):
    counts = count_words(TEXTS, min_documents=2).counts
    with pytest.raises(ParameterError, match="does not know its words"):
        TopicModel(2).fit(counts).transform(TEXTS)
    with pytest.raises(ParameterError, match="leave out feature_names"):
        TopicModel(2).fit(TEXTS, feature_names=["cats"])


@pytest.mark.parametrize("between", [[], [TfidfTransformer(use_idf=False, norm=None)], [MaxAbsScaler()]])
def test_a_pipeline_knows_the_words(between):
    pipeline = make_pipeline(CountVectorizer(), *between, TopicModel(2)).fit(TEXTS)
    words = {word for topic in pipeline[-1].top_words(5) for word in topic}
    assert words <= {*ANIMALS, *SKY, "the", "and"}
    assert pipeline[-1].transform(["cats"]).shape == (1, 2)
    pipeline.fit_transform(TEXTS)
    assert pipeline[-1].vocabulary_ is not None


def test_a_pipeline_without_words():
    hashed = make_pipeline(HashingVectorizer(n_features=32, norm=None, alternate_sign=False), TopicModel(2)).fit(TEXTS)
    assert hashed[-1].vocabulary_ is None
    counts = count_words(TEXTS, min_documents=2).counts.toarray()
    assert make_pipeline(MaxAbsScaler(), TopicModel(2)).fit(counts)[-1].vocabulary_ is None


def test_a_vectorizer_or_a_pipeline_names_the_words():
    vectorizer = CountVectorizer().fit(TEXTS)
    model = TopicModel(2).fit(vectorizer.transform(TEXTS), feature_names=vectorizer)
    nameless = TopicModel(2).fit(vectorizer.transform(TEXTS))
    assert isinstance(nameless.top_words(1)[0][0], int)
    assert nameless.top_words(feature_names=vectorizer) == model.top_words()
    assert nameless.top_words(feature_names=make_pipeline(vectorizer, nameless)) == model.top_words()


def test_a_search_over_the_number_of_topics():
    search = GridSearchCV(TopicModel(), {"n_topics": [1, 2]}, cv=2).fit(TEXTS)
    assert search.best_params_ == {"n_topics": 2}
    assert search.best_score_ < 0


def test_rows_of_a_data_frame_keep_their_index(fitted):
    texts = pd.Series(TEXTS[:3], index=["x", "y", "z"])
    shares = clone(fitted).set_output(transform="pandas").fit(TEXTS).transform(texts)
    assert shares.shape == (3, 2)


def test_more_topics_than_documents_support():
    with pytest.raises(ParameterError, match="more than the 120 documents of two words or more"):
        TopicModel(121).fit(TEXTS)
    with pytest.warns(UserWarning, match="n_topics=50 is many for 120 documents"):
        TopicModel(50, refine=0).fit(np.random.default_rng(0).poisson(1, (120, 80)))


def test_corpus_is_there_after_import():
    assert cotopics.corpus.Preparation is Preparation


def test_texts_are_added_and_taken_out_as_their_counts_are():
    """Of texts, or of a Corpus; prepared like those of the fit. New words must be in enough of them."""
    more = [*made_texts(60, seed=1), "comets cats once"]
    corpus = count_words(more, min_documents=0)
    kept = [word for word in corpus.vocabulary if word not in ("comets", "once")]
    counts = corpus.counts[:, [corpus.vocabulary.index(word) for word in kept]]
    by_counts = TopicModel(2).fit(TEXTS).partial_fit(counts, feature_names=kept)
    by_texts = TopicModel(2).fit(TEXTS).partial_fit([*more[:-1], "cats"])
    by_corpus = TopicModel(2).fit(TEXTS).partial_fit(as_corpus(counts, vocabulary=kept))
    for model in (by_texts, by_corpus):
        assert model.vocabulary_.tolist() == by_counts.vocabulary_.tolist()
        assert np.array_equal(model.components_, by_counts.components_)
    without = [by_counts.forget(counts[:5], feature_names=kept), by_texts.forget(more[:5])]
    without.append(by_corpus.forget(as_corpus(counts[:5], vocabulary=kept)))
    assert all(np.array_equal(model.components_, without[0].components_) for model in without)
    assert without[0].fit_.sums.n_documents == len(TEXTS) + 61 - 5


def test_new_words_of_many_texts_are_taken_in():
    model = TopicModel(2).fit(TEXTS).partial_fit([f"{text} comets" for text in made_texts(60, seed=1)])
    assert "comets" in model.vocabulary_
    rare = TopicModel(2).fit(TEXTS).partial_fit([*made_texts(300, seed=1), "comets stars"])
    assert "comets" not in rare.vocabulary_
