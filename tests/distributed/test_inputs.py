"""Whatever documents come as, the counts and the words are those of one machine."""

import builtins
import sys
from itertools import pairwise

import dask
import dask.array as da
import dask.bag as db
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from cotopics import AnchorWords
from cotopics.corpus import Preparation, count_words, read_corpus
from cotopics.distributed import Partitions, as_partitions, open_partitions
from cotopics.errors import CorpusError, ParameterError

WORDS = ["sun", "moon", "star", "planet", "goal", "match", "team", "flour", "sugar", "oven", "cake", "the", "and", "of"]


@pytest.fixture(autouse=True)
def here():
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.fixture(scope="module")
def texts():
    rng = np.random.default_rng(0)
    return [" ".join(rng.choice(WORDS, size=rng.integers(0, 9))) for _ in range(60)]


def assert_same(documents, corpus):
    assert documents.vocabulary == corpus.vocabulary
    assert (documents.gather() != corpus.counts).nnz == 0
    assert documents.gather().shape == corpus.counts.shape


@pytest.mark.parametrize("n_partitions", [1, 4, 60])
def test_texts_and_lists_of_words_in_a_bag(texts, n_partitions):
    expected = count_words(texts, min_documents=2)
    assert_same(as_partitions(db.from_sequence(texts, npartitions=n_partitions), min_documents=2), expected)
    prepare = Preparation()
    lists = [prepare(text) for text in texts]
    assert_same(as_partitions(db.from_sequence(lists, npartitions=n_partitions), min_documents=2), expected)
    records = [{"text": text} for text in texts]
    assert_same(as_partitions(db.from_sequence(records, npartitions=n_partitions), min_documents=2), expected)


def test_the_sieves_are_those_of_one_machine(texts):
    sieves = {"min_documents": 0.1, "max_documents": 0.4, "vocabulary_size": 7, "stop_words": ["cake"]}
    bag = db.from_sequence(texts, npartitions=5)
    assert_same(as_partitions(bag, **sieves), count_words(texts, **sieves))


def test_a_dataframe_with_a_column_of_texts(texts):
    frame = dd.from_pandas(pd.DataFrame({"body": texts, "year": 2000}), npartitions=4)
    assert_same(as_partitions(frame, text_field="body", min_documents=1), count_words(texts, min_documents=1))
    with pytest.raises(CorpusError, match="no column 'text' of texts, and its columns are not all counts: 'body'"):
        as_partitions(frame)


def test_a_dataframe_of_counts_names_its_words(texts):
    corpus = count_words(texts, min_documents=1)
    frame = pd.DataFrame(corpus.counts.toarray(), columns=corpus.vocabulary)
    assert_same(as_partitions(dd.from_pandas(frame, npartitions=3)), corpus)


def test_a_dataframe_of_counts_may_have_a_word_called_text_and_none_twice(texts):
    corpus = count_words([f"{text} text" for text in texts], min_documents=1)
    frame = pd.DataFrame(corpus.counts.toarray(), columns=corpus.vocabulary)
    assert "text" in frame
    assert_same(as_partitions(dd.from_pandas(frame, npartitions=3)), corpus)
    twice = frame.set_axis(["sun", "sun", *corpus.vocabulary[2:]], axis=1)
    with pytest.raises(CorpusError, match="the dataframe has 'sun' twice"):
        as_partitions(dd.from_pandas(twice, npartitions=3))


def test_a_column_of_texts_alone(texts):
    column = dd.from_pandas(pd.Series(texts, name="body"), npartitions=4)
    assert_same(as_partitions(column, min_documents=1), count_words(texts, min_documents=1))


def test_a_parquet_folder_read_by_dask_or_by_the_workers(texts, tmp_path):
    (tmp_path / "shards").mkdir()
    for number in range(4):
        some = pd.DataFrame({"text": texts[15 * number : 15 * number + 15]})
        some.to_parquet(tmp_path / "shards" / f"part{number}.parquet")
    expected = read_corpus(tmp_path / "shards", min_documents=2)
    assert_same(open_partitions(tmp_path / "shards", min_documents=2), expected)
    assert_same(as_partitions(dd.read_parquet(tmp_path / "shards"), min_documents=2), expected)
    files = sorted(tmp_path.glob("shards/*.parquet"))
    assert len(files) == 4
    assert_same(open_partitions(files, min_documents=2), expected)


def test_shards_of_counts_with_their_words_beside_them(texts, tmp_path):
    corpus = count_words(texts, min_documents=1)
    for number, first in enumerate(range(0, 60, 25)):
        rows = corpus.counts[first : first + 25]
        sp.save_npz(tmp_path / f"part{number}.npz", rows[:, : rows.indices.max() + 1])  # widths differ
    (tmp_path / "vocab.txt").write_text("\n".join(corpus.vocabulary))
    assert_same(open_partitions(tmp_path, min_documents=4), read_corpus(tmp_path, min_documents=4))
    some = open_partitions(tmp_path, vocabulary=["star", "cake"])
    assert some.vocabulary == ["star", "cake"]
    assert (some.gather() != corpus.counts[:, [corpus.vocabulary.index(word) for word in ("star", "cake")]]).nnz == 0


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csr_matrix, sp.coo_array])
def test_an_array_of_dense_or_sparse_blocks(form, rng):
    X = rng.poisson(0.5, (50, 20))
    blocks = [da.from_delayed(dask.delayed(form)(part), part.shape, X.dtype) for part in np.array_split(X, 7)]
    documents = as_partitions(da.concatenate(blocks))
    assert (documents.gather() != sp.csr_array(X)).nnz == 0
    assert documents.sizes == tuple(len(part) for part in np.array_split(X, 7))


def test_words_in_several_chunks_are_brought_together(rng):
    X = rng.poisson(0.5, (50, 20))
    assert (as_partitions(da.from_array(X, chunks=(13, 6))).gather() != sp.csr_array(X)).nnz == 0


def test_given_words_are_counted_in_one_pass(texts):
    documents = as_partitions(db.from_sequence(texts, npartitions=3), ["star", "goal", "nowhere"])
    corpus = count_words(texts, min_documents=1)
    columns = [corpus.vocabulary.index(word) for word in ("star", "goal")]
    assert documents.vocabulary == ["star", "goal", "nowhere"]
    assert (documents.gather()[:, :2] != corpus.counts[:, columns]).nnz == 0
    assert documents.gather()[:, [2]].nnz == 0


def test_partitions_that_are_empty_or_have_no_words(texts):
    parts = [[], texts[:30], ["", "the"], [], texts[30:], []]
    bag = db.from_delayed([dask.delayed(list)(part) for part in parts])
    corpus = count_words([text for part in parts for text in part], min_documents=2)
    documents = as_partitions(bag, min_documents=2)
    assert_same(documents, corpus)
    here = AnchorWords(3).fit(corpus.counts)
    assert np.allclose(AnchorWords(3).fit(documents).components_, here.components_, atol=1e-9)


def test_no_words_at_all():
    with pytest.raises(CorpusError, match="the texts hold no word"):
        as_partitions(db.from_sequence(["", "the", "a"], npartitions=2))


def test_documents_that_cannot_be_read_are_named_or_skipped_and_counted(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_text('{"text": "sun moon"}\n{"text": 3}\n{"text": "sun moon star"}\n')
    with pytest.raises(CorpusError, match=r"[ab]\.jsonl, line 2: field 'text' holds int"):
        open_partitions(tmp_path, min_documents=1)
    documents = open_partitions(tmp_path, min_documents=1, on_error="skip")
    assert documents.gather().shape == (4, 3)
    assert [note.startswith("1 document left out") for note in documents.notes] == [True, True]


def test_errors_of_a_users_own_function_name_the_partition_and_the_row(texts):
    def prepare(text):
        if text == texts[17]:
            raise RuntimeError("out of order")
        return text.split()

    bag = db.from_sequence(texts, partition_size=10)
    with pytest.raises(CorpusError, match="partition 1, row 7: RuntimeError: out of order"):
        as_partitions(bag, prepare=prepare)
    with pytest.raises(CorpusError, match="partition 0: document 1: field 'text' holds int"):
        as_partitions(db.from_sequence(["sun", 3, "moon"], npartitions=1))


def test_counts_that_are_none_are_named_by_their_place_in_the_array(rng):
    X = rng.poisson(0.5, (50, 20)).astype(float)
    X[33, 4] = np.nan
    with pytest.raises(CorpusError, match="document 33, word 4"):
        as_partitions(da.from_array(X, chunks=(10, 20))).gather()
    unknown = da.from_array(X, chunks=(10, 20))[da.from_array(np.ones(50, dtype=bool), chunks=10)]
    with pytest.raises(CorpusError, match=r"partition 3: .*document 3, word 4"):
        as_partitions(unknown).gather()


def test_what_is_no_collection_of_documents(rng):
    with pytest.raises(ParameterError, match="data is int"):
        as_partitions(3)
    with pytest.raises(ParameterError, match="data is one delayed object"):
        AnchorWords(2).fit(dask.delayed(rng.poisson(1.0, (4, 3))))
    with pytest.raises(ParameterError, match="data is one Item"):
        AnchorWords(2).fit(db.from_sequence(["sun moon"]).count())
    with pytest.raises(CorpusError, match="3 dimensions"):
        as_partitions(da.zeros((2, 2, 2)))
    with pytest.raises(ParameterError, match="feature_names has 1 words, X has 2"):
        AnchorWords(2).fit(da.ones((4, 2)), feature_names=["one"])
    with pytest.raises(CorpusError, match="no partitions"):
        Partitions((), 3)
    with pytest.raises(CorpusError, match="one document"):
        AnchorWords(1).fit(da.ones((1, 4)) * 2)


@settings(max_examples=25, deadline=None)
@given(cuts=st.lists(st.integers(0, 60), max_size=8))
def test_any_partitioning_finds_the_same_words_and_counts(cuts):
    rng = np.random.default_rng(1)
    texts = [" ".join(rng.choice(WORDS, size=rng.integers(0, 9))) for _ in range(60)]
    edges = [0, *sorted(cuts), 60]
    parts = [texts[first:last] for first, last in pairwise(edges)]
    bag = db.from_delayed([dask.delayed(list)(part) for part in parts])
    with dask.config.set(scheduler="synchronous"):
        documents = as_partitions(bag, min_documents=3, vocabulary_size=8)
        assert_same(documents, count_words(texts, min_documents=3, vocabulary_size=8))


def test_without_dask_one_line_says_what_to_install(monkeypatch):
    X = da.ones((4, 3))
    for name in [name for name in sys.modules if name.startswith("cotopics.distributed")]:
        monkeypatch.delitem(sys.modules, name)
    real = builtins.__import__

    def without(name, *rest):
        if name == "dask.distributed":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ParameterError, match=r"pip install 'cotopics\[dask\]'"):
        AnchorWords(2).fit(X)
