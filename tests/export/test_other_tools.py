"""Graphs, pyLDAvis and gensim: what they read is what the model says."""

import copy
import json
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from cotopics import AnchorFree, AnchorWords
from cotopics.errors import CorpusError, ParameterError
from cotopics.export import GensimView, pyldavis_data, write_graphml, write_pyldavis
from cotopics.export.graphml import graphml
from cotopics.metrics import association

WORDS = [f"w{i}" for i in range(60)]
NAMESPACE = "{http://graphml.graphdrawing.org/xmlns}"


@pytest.fixture(scope="module")
def model(corpus):
    return AnchorWords(4).fit(corpus[0], feature_names=WORDS)


@pytest.fixture(scope="module")
def correlated(model):
    """The same with topics 0 and 1, and 2 and 3, in the same documents."""
    model = copy.deepcopy(model)
    A = np.kron(np.eye(2), np.array([[0.15, 0.1], [0.1, 0.15]])) - 0.001
    model._fitted = replace(model.fit_, correlation=A)
    return model


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("exported")


def renamed(model, words):
    model = copy.copy(model)
    model.vocabulary_ = np.array([*words, *WORDS[len(words) :]], dtype=object)
    return model


def test_networkx_reads_the_graph(correlated, folder):
    nx = pytest.importorskip("networkx")
    write_graphml(correlated, folder / "g.graphml")  # a noisy correlation below zero is no edge
    graph = nx.read_graphml(folder / "g.graphml", node_type=int)
    assert list(graph) == [0, 1, 2, 3]
    assert set(graph.edges) == {(0, 1), (2, 3)}
    found = association(correlated)
    assert graph.edges[0, 1]["weight"] == found.lift[0, 1] > 1
    assert graph.edges[0, 1]["correlation"] == found.correlation[0, 1] > 0
    assert graph.edges[0, 1]["joint"] == found.joint[0, 1]
    for k, topic in graph.nodes.items():
        assert topic["label"] == correlated.topic_names_[k]
        assert topic["prevalence"] == correlated.topic_prevalence_[k]
        assert topic["anchor"] == WORDS[correlated.anchors_[k]]
        assert topic["topic"] == k


def test_thresholds_choose_edges(model):
    weights = association(model).lift[np.triu_indices(4, k=1)]
    for threshold in (0, *np.sort(weights)):
        edges = "".join(graphml(model, threshold)).count("<edge ")
        assert edges == np.count_nonzero(weights > threshold)
    for wrong in (-1, float("nan")):
        with pytest.raises(ParameterError, match="threshold="):
            graphml(model, wrong)


def test_what_is_not_defined_is_not_in_the_graph(model):
    model = copy.copy(model)
    A = np.full((4, 4), 1 / 16)  # every document has all topics alike: no correlation is defined
    model._fitted = replace(model.fit_, correlation=A)
    text = "".join(graphml(model))
    assert text.count("<edge ") == 6
    assert "nan" not in text.lower()


def test_topics_without_anchors_are_nodes_too(corpus, folder):
    write_graphml(AnchorFree(3).fit(corpus[0]), folder / "free.graphml.gz")
    assert "anchor</" not in "".join(graphml(AnchorFree(3).fit(corpus[0])))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(st.characters(), min_size=1, max_size=6), min_size=60, max_size=60))
def test_every_word_is_valid_xml(correlated, words):
    model = renamed(correlated, words)
    root = ET.fromstring("".join(graphml(model)).encode("utf-8"))
    allowed = "\t\n\r"

    def kept(text):
        bad = [(c < " " and c not in allowed) or "\ud800" <= c <= "\udfff" or c in "\ufffe\uffff" for c in text]
        return "".join("\ufffd" if is_bad else c for c, is_bad in zip(text, bad, strict=True))

    anchors = [node.find(f"{NAMESPACE}data[@key='anchor']").text for node in root.iter(f"{NAMESPACE}node")]
    assert anchors == [kept(words[word]) for word in model.anchors_]


def test_the_arguments_of_pyldavis(model, corpus):
    X = sp.vstack([corpus[0], sp.csr_array((3, 60))]).tocsr()  # three documents without words
    data = pyldavis_data(model, X)
    assert set(data) == {
        *("topic_term_dists", "doc_topic_dists", "doc_lengths", "vocab", "term_frequency", "sort_topics")
    }
    assert data["sort_topics"] is False
    assert data["topic_term_dists"].shape == (4, len(data["vocab"]))
    assert data["doc_topic_dists"].shape == (400, 4)
    for name in ("topic_term_dists", "doc_topic_dists"):
        assert data[name].dtype == np.float64
        assert data[name].sum(axis=1) == pytest.approx(1, abs=1e-14)
        assert (data[name] >= 0).all()
    assert data["topic_term_dists"] == pytest.approx(model.components_, abs=1e-15)
    assert data["doc_topic_dists"] == pytest.approx(model.transform(X[:400]), abs=1e-12)
    assert data["doc_lengths"].dtype == data["term_frequency"].dtype == np.int64
    assert data["doc_lengths"].tolist() == X[:400].sum(axis=1).tolist()
    assert data["term_frequency"].tolist() == X.sum(axis=0).tolist()
    assert np.isfinite(np.log(data["topic_term_dists"])).all()


def test_words_that_no_topic_knows_are_left_out(model, corpus):
    model = copy.copy(model)
    model._fitted = replace(model.fit_, components=model.components_ * (np.arange(60) != 7))
    only_unknown = sp.csr_array(([3], ([0], [7])), shape=(1, 60))
    data = pyldavis_data(model, sp.vstack([corpus[0], only_unknown]))
    assert data["vocab"] == WORDS[:7] + WORDS[8:]
    assert data["doc_lengths"].tolist() == (corpus[0].sum(axis=1) - corpus[0][:, [7]].toarray()[:, 0]).tolist()
    with pytest.raises(CorpusError, match="no document has a word"):
        pyldavis_data(model, only_unknown)
    with pytest.raises(ValueError, match="60 words and X has 50"):
        pyldavis_data(model, corpus[0][:, :50])


def test_the_file_holds_the_same(model, corpus, folder):
    hostile = renamed(model, ["\ud800", '"', "\x00", "</script>"])
    write_pyldavis(hostile, corpus[0], folder / "vis.json")
    read, data = json.loads((folder / "vis.json").read_text()), pyldavis_data(hostile, corpus[0])
    assert list(read) == list(data)
    assert read["vocab"][:4] == ["\ufffd", '"', "\x00", "</script>"]
    for name in ("topic_term_dists", "doc_topic_dists", "doc_lengths", "term_frequency"):
        assert (np.array(read[name]) == data[name]).all()


@pytest.mark.filterwarnings("ignore")  # pyLDAvis' own
def test_pyldavis_draws_it(corpus, folder):
    pyLDAvis = pytest.importorskip("pyLDAvis")
    X = sp.csr_array(sp.block_diag([corpus[0][:60, :20], corpus[0][60:120, :20], corpus[0][120:180, :20]]))
    model = AnchorFree(3).fit(X)
    model.components_[model.components_ < 1e-6] = 0  # three topics of twenty words each, fewer than are shown
    prepared = pyLDAvis.prepare(**pyldavis_data(model, X), n_jobs=1, R=40)

    def refuse(constant):
        raise AssertionError(f"{constant} is no JSON")

    shown = json.loads(prepared.to_json(), parse_constant=refuse)
    assert shown["topic.order"] == [1, 2, 3]  # our 0, 1, 2
    assert set(shown["tinfo"]["Term"]) <= {str(i) for i in range(60)}
    for k, words in enumerate(model.top_words(5)):
        terms = prepared.sorted_terms(topic=k + 1, _lambda=1)["Term"].tolist()
        assert set(terms[:5]) == {str(word) for word in words}


def test_the_view_shows_topics_as_gensim_does(model):
    view = GensimView(model)
    assert (view.num_topics, view.num_terms) == (4, 60)
    assert (view.get_topics() == model.components_).all()
    assert [word for word, _ in view.show_topic(2, 5)] == model.top_words(5)[2]
    assert view.show_topic(2, 1)[0][1] == model.components_[2].max()
    assert view.get_topic_terms(1, 3) == [(WORDS.index(word), p) for word, p in view.show_topic(1, 3)]
    word, p = view.show_topic(3, 1)[0]
    assert view.print_topic(3, 1) == f'{p:.3f}*"{word}"'
    assert [k for k, _ in view.show_topics()] == [0, 1, 2, 3]
    assert view.show_topics(-1, 2, formatted=False)[1] == (1, view.show_topic(1, 2))
    assert [k for k, _ in view.show_topics(2)] == np.argsort(-model.topic_prevalence_)[:2].tolist()


def test_printing_logs(model, caplog):
    with caplog.at_level("INFO", logger="cotopics.export.gensim_view"):
        assert GensimView(model).print_topics(2, 3) == GensimView(model).show_topics(2, 3)
    assert len(caplog.records) == 2


def test_documents_by_the_view(model, corpus):
    view, W = GensimView(model), model.transform(corpus[0])
    bows = [
        list(zip(row.nonzero()[0].tolist(), row[row.nonzero()].tolist(), strict=True)) for row in corpus[0].toarray()
    ]
    assert view[bows[0]] == list(enumerate(W[0].tolist()))
    everything = view[bows[:50]]
    assert [[share for _, share in shares] for shares in everything] == pytest.approx(W[:50])
    assert view[iter(bows[:50])] == everything
    assert view.get_document_topics(bows[0], minimum_probability=0.3) == [(k, w) for k, w in view[bows[0]] if w >= 0.3]
    assert [share for _, share in view[[]]] == pytest.approx(model.topic_prevalence_)
    assert view[[bows[0], []]][0] == view[bows[0]]
    assert view[[(3, 1), (3, 1)]] == view[[(3, 2)]]
    for wrong in ([(60, 1)], [(-1, 1)]):
        with pytest.raises(ParameterError, match="from 0 to 59"):
            view[wrong]


def test_the_dictionary(model):
    words = GensimView(model).id2word
    assert words[5] == "w5"
    assert words.token2id["w5"] == 5
    assert words.doc2bow(["w5", "unheard", "w1", "w5"]) == [(1, 1), (5, 2)]
    assert words.doc2bow([]) == []


@pytest.mark.filterwarnings("ignore")  # gensim's own
def test_gensim_measures_the_view(model, corpus):
    pytest.importorskip("gensim")
    from gensim.models import CoherenceModel

    view = GensimView(model)
    texts = [[WORDS[i] for i, n in enumerate(row) for _ in range(n)] for row in corpus[0].toarray()]
    bows = [view.id2word.doc2bow(text) for text in texts]
    u_mass = CoherenceModel(model=view, corpus=bows, coherence="u_mass", topn=5)
    X = corpus[0].toarray() > 0
    expected = []
    for topic in np.argsort(-model.components_, axis=1)[:, :5]:
        pairs = [(topic[i], topic[j]) for i in range(1, 5) for j in range(i)]
        scores = [np.log((np.mean(X[:, a] & X[:, b]) + 1e-12) / np.mean(X[:, b])) for a, b in pairs]
        expected.append(np.mean(scores))
    assert u_mass.get_coherence_per_topic() == pytest.approx(expected)
    npmi = CoherenceModel(model=view, texts=texts, coherence="c_npmi", topn=5, processes=1)
    assert np.isfinite(npmi.get_coherence())
    assert CoherenceModel.top_topics_as_word_lists(view, view.id2word, topn=5) == model.top_words(5)
