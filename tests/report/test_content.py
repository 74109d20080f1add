"""The record: what the page shows, without a page."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from conftest import planted_corpus
from cotopics import TOP, AnchorFree, AnchorWords, TopicModel, choose_n_topics, datasets, load
from cotopics.corpus import Corpus
from cotopics.errors import CorpusError, ParameterError
from cotopics.report import content, documents, lexicon
from cotopics.stability import bootstrap

X, _, _ = planted_corpus(n_documents=120)


def test_the_record_is_json(plain):
    record = plain[3]
    assert json.loads(json.dumps(record, allow_nan=False)) == record


def test_the_same_model_is_the_same_record(plain):
    model, corpus, texts, record = plain
    assert content(model, corpus, texts) == record


def test_texts_from_anywhere(plain):
    """From a generator, and from a column of a dataframe, where a text that is missing is NaN."""
    model, corpus, texts, record = plain
    assert content(model, corpus, (text for text in texts)) == record
    assert content(model, corpus, [float("nan"), *texts[1:]]) == content(model, corpus, [None, *texts[1:]])


@pytest.mark.parametrize("relevance", lexicon.RELEVANCES)
def test_words_are_those_of_top_words(plain, relevance):
    model, _, _, record = plain
    expected = model.top_words(lexicon.N_TOPIC_WORDS, relevance)
    for k, topic in enumerate(record["topics"]):
        order = topic["orders"][record["relevances"].index(relevance)]
        shown = [record["words"][topic["words"][i][0]] for i in order]
        assert shown == expected[k][: len(shown)]
        assert len(shown) == min(lexicon.N_TOPIC_WORDS, np.count_nonzero(model.components_[k]))


def test_probabilities_and_lifts(plain):
    model, corpus, _, record = plain
    p = model.topic_prevalence_ @ model.components_
    for k, topic in enumerate(record["topics"]):
        for place, probability, lift in topic["words"]:
            word = corpus.vocabulary.index(record["words"][place])
            assert probability == pytest.approx(model.components_[k, word], rel=5e-3)
            assert lift == pytest.approx(model.components_[k, word] / p[word], rel=5e-3)


def test_characteristic_words_and_anchors(plain):
    model, _, _, record = plain
    for k, topic in enumerate(record["topics"]):
        shown = [record["words"][place] for place, _ in topic["characteristic"]]
        assert shown == model.characteristic_words(len(shown))[k]
        [[place, share, _]] = topic["anchors"]
        assert record["words"][place] == model.vocabulary_[model.anchors_[k]]
        assert share > 0.9  # an anchor is its topic's alone


def test_topics_of_a_word(plain):
    model, corpus, _, record = plain
    joint = model.components_ * model.topic_prevalence_[:, None]
    share = joint / joint.sum(axis=0)
    for name, (uses, *shares) in zip(record["words"], record["memberships"], strict=True):
        word = corpus.vocabulary.index(name)
        assert uses == pytest.approx(1e6 * joint[:, word].sum(), rel=5e-3)
        assert shares[1::2] == [round(1000 * share[k, word]) for k in shares[::2]]
        assert shares[1::2] == sorted(shares[1::2], reverse=True)


def test_documents_with_their_mixtures(plain):
    model, corpus, texts, record = plain
    W = model.transform(corpus.counts)
    assert [d["number"] for d in record["documents"]] == list(range(120))
    for d, shown in enumerate(record["documents"]):
        assert shown["shares"][1::2] == [round(1000 * W[d, k]) for k in shown["shares"][::2]]
        assert (shown["id"], shown["label"], shown["date"]) == (corpus.ids[d], corpus.labels[d], corpus.dates[d])
        assert shown["length"] == corpus.counts[[d]].sum()
        assert texts[d].startswith(shown["text"].rstrip("…"))


def test_leading_documents_mark_the_words_of_their_topic(plain):
    model, corpus, texts, record = plain
    W, own = model.transform(corpus.counts), model.top_words(documents.N_MARKED_WORDS)
    for k, topic in enumerate(record["topics"]):
        shares = [found["share"] for found in topic["documents"]]
        assert shares == sorted(shares, reverse=True)
        assert shares[0] == round(W[:, k].max(), 3)
        for found in topic["documents"]:
            d = record["documents"][found["document"]]["number"]
            assert "".join(found["text"]) == texts[d]
            for i, piece in enumerate(found["text"]):
                for word in piece.split():
                    p = model.components_[:, corpus.vocabulary.index(word)]
                    assert (word in own[k] and W[d, k] * p[k] > W[d] @ p / 2) == (i % 2 == 1)


def test_an_excerpt_is_where_the_words_are():
    model = AnchorWords(2).fit_cooccurrence(
        np.kron(np.eye(2), np.ones((2, 2))) / 8, feature_names=["sea", "ship", "x", "y"]
    )
    topic = next(k for k, leading in enumerate(model.top_words(2)) if "sea" in leading)
    text = "filler " * 1000 + "The Sea, a ship; SEA! " + "filler " * 1000
    pieces = documents.excerpt(model, text, np.full(2, 0.5), topic, {0, 1}, documents.word_finder(model))
    assert pieces[1::2] == ["Sea", "ship", "SEA"]
    assert pieces[0].startswith("… ")
    assert pieces[-1].endswith(" …")
    assert len("".join(pieces)) <= documents.EXCERPT_LENGTH + 4


def test_stability_gives_intervals_and_marks_weak_topics(plain):
    model, corpus, _, record = plain
    found = bootstrap(model, corpus, n=10)
    shown = content(model, corpus, stability=found)
    for topic, row in zip(shown["topics"], found.prevalence(), strict=True):
        assert topic["interval"][0] <= topic["prevalence"] <= topic["interval"][1]
        assert topic["firmness"] == round(row["firmness"], 2)
    assert shown["weak"] == np.flatnonzero(~found.is_firm).tolist()
    weak = replace(found, firmness=np.array([0.9, 0.1, 0.9, 0.2]))
    assert content(model, corpus, stability=weak)["weak"] == [1, 3]
    assert (
        "fitted anew; take them with care: 1, 3." in content(model, corpus, stability=weak)["overview"]["warnings"][-1]
    )
    assert "interval" not in record["topics"][0]
    with pytest.raises(ParameterError, match="not of this model"):
        content(model, corpus, stability="sure")


def test_topics_over_time():
    W = np.array([[1, 0], [0, 1], [0.5, 0.5], [0, 1]])
    found = documents.over_time(["2020-01-05", "2020-01-20", "2020-04-01", ""], W)
    days = documents.over_time(["2020-01-05", "2020-01-06", "", ""], W)
    errors = days.pop("errors")
    assert days == {"periods": ["2020-01-05", "2020-01-06"], "documents": [1, 1], "shares": [[1, 0], [0, 1]]}
    assert errors == [[None, None], [None, None]]  # of one document each
    assert np.isclose(found["errors"][0][0], stats.t.ppf(0.975, 1) * stats.sem([1, 0]), rtol=1e-3)
    assert found["errors"][0][1:] == [None, None, None]
    assert found["periods"] == ["2020-01", "2020-02", "2020-03", "2020-04"]  # 88 days are too many
    assert found["documents"] == [2, 0, 0, 1]
    assert found["shares"] == [[0.5, None, None, 0.5], [0.5, None, None, 0.5]]


@pytest.mark.parametrize(
    ("dates", "periods"),
    [
        (["1999-03", "2000-03"], 13),
        (["1999", "2003-01-01"], 5),
        (["1000-01-01", "1999-12-31T12:00:00Z"], 2),  # a thousand years: only those that there are
        (["9999-12-30", "9999-12-31"], 2),
        (["soon", "later"], None),
        (["2020-13-01", "2020-01-40"], None),
        (["2020-01-01"] * 2, None),
        (None, None),
    ],
)
def test_periods(dates, periods):
    found = documents.over_time(dates, np.ones((2, 1)))
    assert (None if found is None else len(found["periods"])) == periods


def test_what_is_shown_is_bounded(monkeypatch):
    monkeypatch.setattr(documents, "MAX_DOCUMENTS", 30)
    monkeypatch.setattr(lexicon, "MAX_SEARCHED_WORDS", 10)
    monkeypatch.setattr(lexicon, "N_TOPIC_WORDS", 3)
    record = content(AnchorWords(4).fit(X), X)
    assert len(record["documents"]) <= 30 + 4 * documents.N_LEADING
    assert record["n_documents"] == 120
    assert {found["document"] for topic in record["topics"] for found in topic["documents"]} <= set(
        range(len(record["documents"]))
    )


def test_the_model_alone(plain):
    record = content(plain[0])
    assert record["documents"] == []
    assert record["time"] is None
    assert record["space"]["observed"] is None
    assert {m["name"] for m in record["overview"]["measures"]} >= {"dissimilarity", "exclusivity"}
    assert "documents" not in record["topics"][0]


def test_measures_and_facts(plain):
    model, _, _, record = plain
    overview = record["overview"]
    assert all(m["good"] for m in overview["measures"] if m["better"])
    [volume] = [m for m in overview["measures"] if m["name"] == "log_relative_volume"]
    assert volume["value"] is None
    assert "`cotopics evaluate` has it" in volume["note"]
    assert dict(overview["facts"])["Topics"] == "4"
    assert dict(overview["facts"])["Documents in this report"] == "120"
    assert [name for name, _ in overview["seconds"]] == list(model.diagnostics_["seconds"])
    assert dict(overview["parameters"])["rectifier"] == "'ap'"


def test_the_choice_of_a_number(plain):
    X, _, _ = datasets.make_corpus(300, 60, 3, length=100, anchors_per_topic=3, random_state=0)
    choice = choose_n_topics(X, [2, 3, 4])
    shown = content(plain[0], choice=choice)["choice"]
    assert (shown["n_topics"], shown["candidates"], shown["sentence"]) == (choice.n_topics, [2, 3, 4], choice.sentence)
    for measure in shown["measures"]:
        assert measure["values"] == pytest.approx(choice.measures[measure["name"]], rel=1e-3, nan_ok=True)


def test_a_model_that_chose_its_number_shows_why(tmp_path):
    X, _, _ = datasets.make_corpus(300, 60, 3, length=100, anchors_per_topic=3, random_state=0)
    model = TopicModel("auto").fit(X)
    choice = choose_n_topics(X)
    shown = content(model)["choice"]
    assert shown == content(TopicModel(3).fit(X), choice=choice)["choice"]
    model.save(tmp_path / "m.cotopics")
    assert content(load(tmp_path / "m.cotopics"))["choice"] == shown
    model.diagnostics_["choice"] = {"n_topics": 3, "reason": "as files of earlier versions have it"}
    assert content(model)["choice"] is None


def test_warnings_in_plain_words(plain):
    model, corpus, texts, _ = plain
    counts = corpus.counts.copy()
    counts.data[: counts.indptr[1]] = 0  # the first document has no words
    record = content(model, replace(corpus, counts=counts, notes=["3 lines left out"]), texts)
    assert (
        "1 documents have no word that the topics know; they get the average mixture." in record["overview"]["warnings"]
    )
    assert ["Left out", "3 lines left out"] in record["overview"]["facts"]


@pytest.mark.parametrize("model", [AnchorFree(3), TopicModel(3), TOP(), AnchorWords(1)], ids=lambda m: type(m).__name__)
def test_every_model_has_a_report(model):
    counts, _, _ = datasets.make_corpus(200, 60, 3, length=200, anchors_per_topic=3, random_state=0)
    model.fit(counts)
    record = content(model, counts)
    assert len(record["topics"]) == model.n_topics_
    assert json.dumps(record, allow_nan=False)
    assert (record["topics"][0]["characteristic"] is None) == (model.anchor_groups_ is None)


@pytest.mark.parametrize("model", [AnchorFree(4), TopicModel(4), TOP(), AnchorWords(4)], ids=lambda m: type(m).__name__)
def test_edited_models_have_reports(model):
    counts, _, _ = datasets.make_corpus(200, 60, 4, length=200, anchors_per_topic=3, random_state=0)
    words = [f"w{i}" for i in range(60)]
    model.fit(counts, feature_names=words)
    edited = model.split(0, into=2, X=counts).merge([[1, 2]]).drop([2]).rename({1: "both"})
    record = content(edited, Corpus(counts, words, [f"label {i % 3}" for i in range(200)]))
    assert json.dumps(record, allow_nan=False)
    assert [topic["name"] for topic in record["topics"]] == edited.topic_names_
    assert [topic["given"] for topic in record["topics"]] == [k == 1 for k in range(edited.n_topics_)]


def test_shares_by_label():
    W = np.array([[1, 0], [0, 1], [0.5, 0.5], [0, 1]])
    found = documents.by_label(["b", "a", "b", None], W)
    assert found == {"names": ["a", "b"], "documents": [1, 2], "shares": [[0, 0.75], [1, 0.25]]}
    assert documents.by_label(None, W) is None
    assert documents.by_label(["a"] * 4, W) is None
    assert documents.by_label([f"{i}" for i in range(100)], np.ones((100, 1))) is None


def test_words_are_matched_by_name(plain):
    model, corpus, texts, record = plain
    order = np.arange(60)[::-1]
    turned = replace(corpus, counts=corpus.counts[:, order], vocabulary=[corpus.vocabulary[i] for i in order])
    assert content(model, turned, texts) == record


def test_wrong_input_is_named(plain):
    model, corpus, texts, _ = plain
    with pytest.raises(ParameterError, match="120 documents and 119 texts"):
        content(model, corpus, texts[1:])
    for wrong, message in (("x" * 120, "one string"), ([*texts[1:], 3], "text 119 is int"), ([b"x"] * 120, "is bytes")):
        with pytest.raises(ParameterError, match=message):
            content(model, corpus, wrong)
    with pytest.raises(ParameterError, match="choice is dict"):
        content(model, choice={"n_topics": 3})
    with pytest.raises(ParameterError, match=r"compare is str; give a fitted model, or load\(file\)"):
        content(model, compare="other.cotopics")
    with pytest.raises(ParameterError, match="give corpus="):
        content(model, texts=texts)
    with pytest.raises(ParameterError, match="60 words and X has 59"):
        content(AnchorWords(2).fit(X), X[:, :59])
    with pytest.raises(CorpusError, match="no document"):
        content(AnchorWords(2).fit(X), X[:0])
