"""What other libraries have in memory."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer

from cotopics.corpus import Corpus, Document, as_corpus, count_words, open_stream, read_corpus
from cotopics.errors import CorpusError, ParameterError

COUNTS = [[2, 0, 1], [0, 0, 0], [0, 3, 0]]
WORDS = ["cat", "dog", "東京"]
TEXTS = ["a cat and a dog", "", "the cat sat", None]
FRAMES = [
    pd.DataFrame,
    pl.DataFrame,
    pa.table,
    lambda columns: pl.DataFrame(columns).lazy(),
    lambda columns: pd.DataFrame(columns, index=[7 * i for i in range(len(next(iter(columns.values()))))]),
]


def stacked(stream):
    return sp.vstack(list(stream)).toarray().tolist()


@pytest.mark.parametrize(
    "form", [np.array, list, sp.csr_array, sp.csc_matrix, sp.coo_array, lambda t: np.array(t, dtype=np.float32)]
)
def test_counts_with_a_list_of_words(form):
    corpus = as_corpus(form(COUNTS), WORDS, labels="xyz", ids=[1, 2.0, "c"], dates=[2019, None, "2020-01"])
    assert corpus.counts.toarray().tolist() == COUNTS
    assert corpus.vocabulary == WORDS
    assert corpus.labels == ["x", "y", "z"]
    assert corpus.ids == ["1", "2", "c"]
    assert corpus.dates == ["2019", "", "2020-01"]
    assert as_corpus(form(COUNTS)).vocabulary == ["word0", "word1", "word2"]
    assert stacked(open_stream(form(COUNTS), chunk_documents=2)) == COUNTS
    assert read_corpus(form(COUNTS), min_documents=1).counts.toarray().tolist() == COUNTS


def test_words_that_are_left_out_do_not_take_documents_with_them():
    corpus = as_corpus(COUNTS + COUNTS, WORDS, ids="abcdef", min_documents=2, vocabulary_size=2)
    assert corpus.counts.shape == (6, 2)
    assert corpus.ids == list("abcdef")


def test_a_vectorizer_and_its_matrix():
    vectorizer = CountVectorizer()
    X = vectorizer.fit_transform([text or "" for text in TEXTS])
    for vocabulary in (vectorizer, vectorizer.get_feature_names_out(), vectorizer.vocabulary_):
        corpus = as_corpus(X, vocabulary)
        assert corpus.vocabulary == ["and", "cat", "dog", "sat", "the"]
        assert (corpus.counts != X).nnz == 0
    with pytest.raises(CorpusError, match="5 columns and the vocabulary 4 words"):
        as_corpus(X, list("abcd"))


def test_gensim():
    gensim = pytest.importorskip("gensim")
    texts = [["cat", "cat", "東京"], [], ["dog", "dog", "dog"], ["cat"]]
    dictionary = gensim.corpora.Dictionary(texts)
    bows = [dictionary.doc2bow(text) for text in texts]
    for vocabulary in (dictionary, dictionary.token2id, {i: word for word, i in dictionary.token2id.items()}):
        for corpus in (bows, iter(bows), gensim.matutils.Sparse2Corpus(gensim.matutils.corpus2csc(bows))):
            found = as_corpus(corpus, vocabulary)
            counts = {word: found.counts[:, [i]].toarray().ravel().tolist() for i, word in enumerate(found.vocabulary)}
            assert counts == {"cat": [2, 0, 0, 1], "dog": [0, 0, 3, 0], "東京": [1, 0, 0, 0]}
    assert as_corpus(bows).counts.shape == (4, 3)
    assert np.array_equal(stacked(open_stream(bows, chunk_documents=3)), as_corpus(bows).counts.toarray())


@pytest.mark.parametrize(
    ("name", "save"),
    [("a.lda-c", "BleiCorpus"), ("a.mtx", "MmCorpus"), ("docword.a.txt", "UciCorpus")],
)
def test_files_that_gensim_writes(tmp_path, name, save):
    gensim = pytest.importorskip("gensim")
    texts = [["cat", "cat", "東京"], ["dog"], ["dog", "dog", "dog", "cat"], ["cat"]]
    dictionary = gensim.corpora.Dictionary(texts)
    bows = [dictionary.doc2bow(text) for text in texts]
    getattr(gensim.corpora, save).serialize(str(tmp_path / name), bows, id2word=dictionary)
    corpus = read_corpus(tmp_path / name, min_documents=1)
    expected = as_corpus(bows, dictionary)
    assert np.array_equal(corpus.counts.toarray(), expected.counts.toarray())
    assert corpus.vocabulary == (expected.vocabulary if save == "BleiCorpus" else ["word0", "word1", "word2"])


@pytest.mark.parametrize("frame", FRAMES)
def test_frames_with_texts(frame):
    columns = {"body": TEXTS, "label": ["x", "y", "x", None], "id": [1, 2, 3, 4], "n": [0.5, None, 1.0, 2.0]}
    corpus = as_corpus(frame(columns), text_field="body", metadata_fields=["n"])
    expected = count_words([text or "" for text in TEXTS], min_documents=1)
    assert corpus.vocabulary == expected.vocabulary
    assert np.array_equal(corpus.counts.toarray(), expected.counts.toarray())
    assert corpus.ids == ["1", "2", "3", "4"]
    assert corpus.labels == ["x", "y", "x", None]
    assert corpus.metadata == {"n": [0.5, None, 1.0, 2.0]}
    stream = open_stream(frame(columns), text_field="body", vocabulary=expected.vocabulary, chunk_documents=3)
    assert stacked(stream) == expected.counts.toarray().tolist()
    with pytest.raises(CorpusError, match="no field 'page'; its fields are 'body', 'label'"):
        read_corpus(frame(columns), text_field="body", metadata_fields=["page"])
    with pytest.raises(CorpusError, match="no column 'text' of texts"):
        as_corpus(frame(columns))


@pytest.mark.parametrize("frame", FRAMES)
def test_frames_with_lists_of_words(frame):
    columns = {"text": [["Two words", "the"], [], ["the"]], "date": ["2020", "2021", "2022"]}
    corpus = as_corpus(frame(columns))
    assert corpus.vocabulary == ["Two words", "the"]
    assert corpus.counts.toarray().tolist() == [[1, 1], [0, 0], [0, 1]]
    assert corpus.dates == ["2020", "2021", "2022"]


@pytest.mark.parametrize("frame", FRAMES)
def test_frames_of_counts(frame):
    columns = {word: [row[i] for row in COUNTS] for i, word in enumerate(["text", "dog", "東京"])}
    corpus = as_corpus(frame(columns))
    assert corpus.counts.toarray().tolist() == COUNTS
    assert corpus.vocabulary == ["text", "dog", "東京"]  # a word may be "text"
    corpus = as_corpus(frame({"id": ["a", "b", "c"], **columns}))
    assert corpus.counts.toarray().tolist() == COUNTS
    assert corpus.ids == ["a", "b", "c"]
    with pytest.raises(CorpusError, match="no column 'text' of texts, and its columns are not all counts: 'name'"):
        as_corpus(frame({"name": ["a", "b", "c"], **columns}))


def test_what_pandas_means_by_missing():
    texts = pd.Series(["a cat", pd.NA, "cat dog", None], dtype="string")
    frame = pd.DataFrame({"text": texts, "date": pd.to_datetime(["2020-01-02", None, None, None])})
    corpus = as_corpus(frame)
    assert corpus.counts.toarray().tolist() == [[1, 0], [0, 0], [1, 1], [0, 0]]
    assert corpus.dates == ["2020-01-02T00:00:00", "", "", ""]


def test_sparse_frames():
    frame = pd.DataFrame.sparse.from_spmatrix(sp.csr_matrix(COUNTS), columns=WORDS)
    corpus = as_corpus(frame)
    assert corpus.counts.toarray().tolist() == COUNTS
    assert corpus.vocabulary == WORDS


@pytest.mark.parametrize(
    "texts",
    [
        TEXTS,
        tuple(TEXTS),
        (text for text in TEXTS),
        np.array(TEXTS, dtype=object),
        pd.Series(TEXTS),
        pl.Series(TEXTS),
        [{"text": text, "other": 1} for text in TEXTS],
        [Document(text or "") for text in TEXTS],
    ],
)
def test_texts(texts):
    corpus = as_corpus(texts)
    assert corpus.vocabulary == ["cat", "dog", "sat"]
    assert corpus.counts.toarray().tolist() == [[1, 1, 0], [0, 0, 0], [1, 0, 1], [0, 0, 0]]
    assert corpus.ids is None


def test_lists_of_words():
    lists = [[], ["The", "a b"], ("the",), np.array(["The"])]
    corpus = as_corpus(lists)
    assert corpus.vocabulary == ["The", "a b", "the"]
    assert corpus.counts.toarray().tolist() == [[0, 0, 0], [1, 1, 0], [0, 0, 1], [1, 0, 0]]
    assert stacked(open_stream(lists)) == corpus.counts.toarray().tolist()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("text", "data is one str; give counts"),
        ({"a": 1}, "data is one dict"),
        (3, "data is one int"),
        ([], "there are no documents"),
        ([[]], "no word"),
        ([["a"], "b"], "document 1 is a text, but others are lists of words"),
        (["b c", ["a"]], "document 1 is a list of words, but others are texts"),
        (["words here", 3], "document 1: field 'text' holds int"),
        ([["a", 1]], "document 0: .* a list with int"),
        ([{"body": "x"}], "document 0: no field 'text'; its fields are 'body'"),
        ([[1, 2], [3]], "not a table of numbers"),
        ([[1, -1]], "data: the count of document 0, word 1 is -1.0"),
        (np.array([[np.nan]]), "word 0 is nan"),
        (np.ones((2, 2), complex), "holds complex128"),
        (np.ones((2, 2, 2)), "data is 3-dimensional"),
        (sp.csr_array([[1e300]]), "1e\\+300"),
        ([[(0, -1)]], "is -1.0"),
        ([[(0, 1), (1, 2, 3)]], r"document 0 holds \(1, 2, 3\), which is not an \(id, count\)"),
        ([[(0, 1)], [(-1, 2)]], r"document 1 holds \(-1, 2\)"),
        ([[(0, 1)], [(10**9, 2)]], r"document 1 holds \(1000000000, 2\)"),
        (pd.DataFrame({"a": [1, None]}), "is nan"),
        (pd.DataFrame(), "no columns"),
        (pd.DataFrame({"text": ["a", 3]}), "document 1: field 'text' holds int"),
    ],
)
def test_objects_that_are_not_a_corpus_are_refused(data, message):
    with pytest.raises(CorpusError, match=message):
        as_corpus(data)


def test_words_must_fit():
    with pytest.raises(CorpusError, match="with an id below 3"):
        as_corpus([[(3, 1)]], WORDS)
    with pytest.raises(ParameterError, match="vocabulary is for counts"):
        as_corpus(["a cat"], WORDS)
    with pytest.raises(ParameterError, match="columns of a frame are its words"):
        as_corpus(pd.DataFrame({"a": [1]}), ["b"])
    with pytest.raises(CorpusError, match="ids from -1"):
        as_corpus([[(0, 1)]], {"a": -1})
    with pytest.raises(CorpusError, match="read only once"):
        open_stream(iter(["a cat"]))
    with pytest.raises(CorpusError, match="3 documents and 2 labels"):
        as_corpus(COUNTS, labels=[1, 2])


def test_the_users_matrix_is_left_alone():
    unsorted = sp.csr_array((np.array([1, 2, 0]), np.array([2, 0, 1]), np.array([0, 3])), shape=(1, 3))
    as_corpus(unsorted)
    assert unsorted.indices.tolist() == [2, 0, 1]


def test_no_library_is_imported_for_this():
    script = (
        "from cotopics.corpus import as_corpus; as_corpus([[(0, 1), (1, 1)]]); as_corpus(['a cat', 'a dog'])\n"
        "print([name for name in ('pyarrow', 'gensim', 'zstandard') if name in sys.modules])"
    )
    block = (
        "import sys; sys.modules['pandas'] = None; sys.modules['polars'] = None\n"  # scikit-learn takes what is there
    )
    done = subprocess.run([sys.executable, "-c", block + script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_corpus_is_a_corpus():
    corpus = Corpus(sp.csr_array(COUNTS), WORDS, list("xyz"), ["note"], list("abc"), ["2020"] * 3, {"page": [1, 2, 3]})
    assert as_corpus(corpus).metadata == {"page": [1, 2, 3]}
    parts = list(open_stream(corpus, chunk_documents=2).corpora())
    assert [part.ids for part in parts] == [["a", "b"], ["c"]]
    assert [part.metadata for part in parts] == [{"page": [1, 2]}, {"page": [3]}]
    assert open_stream(corpus).notes == ["note"]
