import gzip
import json
import sys
import weakref

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import written
from conftest import planted_corpus
from cotopics import CooccurrenceAccumulator, cooccurrence, progress
from cotopics.corpus import Corpus, count_words, keep_frequent, keep_words, open_stream
from cotopics.corpus.formats import npz, triplets
from cotopics.errors import CorpusError, ParameterError

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

X = np.array([[2, 0, 1, 0], [0, 0, 0, 0], [0, 3, 0, 0], [1, 1, 1, 0], [0, 0, 0, 0]])
LETTERS = "abcdefghijklmnopqrstuvwxyz"
TEXTS = ["The black cat sat.", "", "Cats and dogs; a black dog!", None, "Größe 42: 東京 cat 東京"]


def write(path, content):
    data = content if isinstance(content, bytes) else content.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def words_of(n):
    return [f"q{LETTERS[i // 26]}{LETTERS[i % 26]}" for i in range(n)]  # none is a stop word


def uci_text(counts):
    lines = [f"{d + 1} {w + 1} {counts[d, w]}" for d, w in np.argwhere(counts)]
    return "\n".join([*map(str, (*counts.shape, len(lines))), *lines, ""])


def write_uci(folder, counts, suffix=""):
    write(folder / "vocab.made.txt", "\n".join(words_of(counts.shape[1])))
    return write(folder / f"docword.made.txt{suffix}", uci_text(counts))


def write_shards(folder, counts):
    """Three shards, the middle one without documents, each as wide as it needs to be; the last has the whole width."""
    write(folder / "vocab.txt", "\n".join(words_of(counts.shape[1])))
    half = (len(counts) + 1) // 2
    for i, part in enumerate((counts[:half], counts[:0], counts[half:])):
        used = np.flatnonzero(part.any(axis=0))
        width = counts.shape[1] if i == 2 else max(used, default=0) + 1
        sp.save_npz(folder / f"part{i}.npz", sp.csr_array(part[:, :width]))
    return folder


def write_single(folder, counts):
    write(folder / "vocab.txt", "\n".join(words_of(counts.shape[1])))
    sp.save_npz(folder / "counts.npz", sp.csc_array(counts))
    return folder / "counts.npz"


def write_tokens(folder, counts):
    names = np.array(words_of(counts.shape[1]))
    table = pa.table({"text": pa.array([np.repeat(names, row).tolist() for row in counts], pa.list_(pa.string()))})
    for i, start in enumerate(range(0, len(counts), 2)):
        pq.write_table(table.slice(start, 2), folder / f"part{i:02}.parquet")
    return folder


def write_jsonl(folder, counts):
    names = np.array(words_of(counts.shape[1]))
    lines = [json.dumps({"text": " ".join(np.repeat(names, row))}) for row in counts]
    return write(folder / "texts.jsonl.gz", "\n".join(lines))


def write_ldac(folder, counts):
    write(folder / "vocab.txt", "\n".join(words_of(counts.shape[1])))
    return write(folder / "counts.ldac", written.ldac_text(counts))


def write_mtx(order):
    def write_matrix(folder, counts):
        write(folder / "counts.vocab", "\n".join(words_of(counts.shape[1])))
        return write(folder / "counts.mtx", written.mtx_text(counts, order=order))

    return write_matrix


def write_csv(folder, counts):
    names = np.array(words_of(counts.shape[1]))
    rows = [f'"{" ".join(np.repeat(names, row))}"' for row in counts]
    return write(folder / "texts.csv", "\n".join(["text", *rows]))


SOURCES = {
    "uci": write_uci,
    "uci.gz": lambda folder, counts: write_uci(folder, counts, ".gz"),
    "shards": write_shards,
    "npz": write_single,
    "parquet": write_tokens,
    "jsonl": write_jsonl,
    "csv": write_csv,
    "ldac": write_ldac,
    "mtx": write_mtx("C"),
    "mtx by column": write_mtx("F"),
}
count_tables = (
    st.integers(1, 6)
    .flatmap(
        lambda n_words: st.lists(
            st.lists(st.sampled_from([0, 0, 0, 1, 2, 11]), min_size=n_words, max_size=n_words), min_size=1, max_size=9
        )
    )
    .map(np.array)
)


def stacked(chunks, n_words):
    rows = [np.pad(chunk.toarray(), ((0, 0), (0, n_words - chunk.shape[1]))) for chunk in chunks]
    return np.concatenate(rows)


def in_order_of(words, counts, vocabulary):
    """The columns of a stacked stream, in the order of `words`; a word that never occurred has a column of zeros."""
    table = np.zeros((len(counts), len(words)))
    for column, word in zip(counts.T, vocabulary, strict=True):
        table[:, words.index(word)] = column
    return table


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    def new():
        return tmp_path_factory.mktemp("source")

    return new


@pytest.mark.parametrize("source", SOURCES)
@settings(max_examples=25, deadline=None)
@given(counts=count_tables, chunk_documents=st.sampled_from([1, 2, 3, 100]))
def test_chunks_are_the_whole_matrix_in_every_pass(folder, source, counts, chunk_documents):
    if not counts.any():
        counts[-1, 0] = 1  # a stream of texts has no column without a word
    opened = open_stream(SOURCES[source](folder(), counts), chunk_documents=chunk_documents)
    first, second = list(opened), list(opened)
    assert all(1 <= chunk.shape[0] <= chunk_documents for chunk in first)
    assert all(chunk.has_canonical_format and chunk.dtype == np.float64 and (chunk.data > 0).all() for chunk in first)
    assert len(opened.vocabulary) == opened.n_words == first[-1].shape[1]
    whole = in_order_of(words_of(counts.shape[1]), stacked(first, opened.n_words), opened.vocabulary)
    assert np.array_equal(whole, counts)
    assert [chunk.shape for chunk in first] == [chunk.shape for chunk in second]
    assert all((one != other).nnz == 0 for one, other in zip(first, second, strict=True))


@pytest.mark.parametrize("source", SOURCES)
def test_statistics_of_chunks_are_those_of_the_whole(tmp_path, source):
    counts = planted_corpus(n_documents=60, n_words=20)[0].toarray()
    counts[[0, 1, 30]] = 0  # also before the first word
    opened = open_stream(SOURCES[source](tmp_path, counts), chunk_documents=1 if source == "parquet" else 7)
    accumulator = CooccurrenceAccumulator()
    for chunk in opened:
        accumulator.update(chunk)
    order = [words_of(20).index(word) for word in opened.vocabulary]
    assert np.allclose(accumulator.finish().toarray(), cooccurrence(counts[:, order]).toarray(), atol=1e-15)
    assert accumulator.n_documents == 60


def test_the_number_of_words_must_fit(tmp_path):
    path = write_uci(tmp_path, X)
    write(tmp_path / "vocab.made.txt", "a\nb\n")
    with pytest.raises(CorpusError, match=r"has 4 words, but vocab\.made\.txt next to it has 2 lines"):
        open_stream(path)
    shards = write_shards(tmp_path, X)
    write(tmp_path / "vocab.txt", "a\nb\nc\nd\ne\n")
    with pytest.raises(CorpusError, match=r"part2\.npz has 4 words, but vocab\.txt next to it has 5 lines"):
        open_stream(shards)


def test_shards_grow_in_width_and_a_list_keeps_its_order(tmp_path):
    for i, table in enumerate(([[1, 2]], [[0, 1, 3]], [[4]])):
        sp.save_npz(tmp_path / f"{i}.npz", sp.csr_array(table))
    paths = [tmp_path / f"{i}.npz" for i in (2, 0, 1)]
    assert stacked(open_stream(tmp_path), 3).tolist() == [[1, 2, 0], [0, 1, 3], [4, 0, 0]]
    assert stacked(open_stream(paths), 3).tolist() == [[4, 0, 0], [1, 2, 0], [0, 1, 3]]
    opened = open_stream([str(path) for path in paths])
    assert opened.vocabulary is None
    assert {chunk.shape for chunk in opened} == {(1, 3)}


def test_one_shard_is_alive_at_a_time(tmp_path, monkeypatch):
    counts = planted_corpus(n_documents=90)[0]
    for i in range(3):
        sp.save_npz(tmp_path / f"{i}.npz", counts[30 * i : 30 * i + 30].astype(np.float64))
    shards = []

    def load(path, load_counts=npz.load_counts):
        assert not any(shard() is not None for shard in shards), "an earlier shard is still in memory"
        shard = load_counts(path)
        shards.append(weakref.ref(shard.data))
        return shard

    monkeypatch.setattr(npz, "load_counts", load)
    kept = list(open_stream(tmp_path, chunk_documents=20))  # holding on to chunks does not hold on to shards
    assert len(shards) == 3
    assert [chunk.shape[0] for chunk in kept] == [20, 10] * 3


def test_a_chunk_is_let_go_before_the_next_is_made(tmp_path, monkeypatch):
    alive = []

    def rows(self, *lines, rows=triplets.UciFile._rows):
        assert not any(chunk() is not None for chunk in alive), "an earlier chunk is still in memory"
        return rows(self, *lines)

    monkeypatch.setattr(triplets.UciFile, "_rows", rows)
    opened = open_stream(write_uci(tmp_path, X), chunk_documents=2)
    for chunks in (iter(opened), iter(keep_frequent(opened, min_documents=1))):
        alive.clear()
        for _ in range(3):
            alive.append(weakref.ref(next(chunks)))


def pickled(path):
    np.savez(path, data=np.array([{}], dtype=object), shape=(1, 1), format=b"csr", indices=[0], indptr=[0, 1])


def outside(path):
    np.savez(path, data=np.ones(2), indices=np.array([0, 99]), indptr=np.array([0, 2]), shape=(1, 3), format=b"csr")


@pytest.mark.parametrize(
    "make", [pickled, outside, lambda path: path.write_bytes(b"PK no"), lambda path: np.savez(path, shape=3)]
)
def test_bad_shards_are_named(tmp_path, make):
    sp.save_npz(tmp_path / "a.npz", sp.csr_array(X))
    make(tmp_path / "b.npz")
    with pytest.raises(CorpusError, match=r"b\.npz is not a count matrix"):
        list(open_stream(tmp_path))


def test_shards_that_change_or_disagree(tmp_path):
    sp.save_npz(tmp_path / "a.npz", sp.csr_array(X))
    opened = open_stream(tmp_path)
    sp.save_npz(tmp_path / "a.npz", sp.csr_array(np.eye(9)))
    with pytest.raises(CorpusError, match="wider since it was opened"):
        list(opened)
    for name in "xy":
        (tmp_path / name).mkdir()
        write_shards(tmp_path / name, X)
    with pytest.raises(CorpusError, match=r"2 files vocab\.txt"):
        open_stream([tmp_path / "x" / "part0.npz", tmp_path / "y" / "part0.npz"])


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())])
def test_texts_become_the_words_of_count_words(tmp_path, kind):
    table = pa.table({"id": range(5), "body": pa.array(TEXTS, pa.string()).cast(kind)})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=2)
    opened = open_stream(tmp_path / "a.parquet", text_field="body", chunk_documents=2)
    assert opened.vocabulary == []
    seen = [(chunk.shape, opened.n_words) for chunk in opened]
    assert seen == [((2, 3), 3), ((2, 6), 6), ((1, 8), 8)]
    assert opened.vocabulary == ["black", "cat", "sat", "cats", "dogs", "dog", "größe", "東京"]  # as they appear
    corpus = count_words([text or "" for text in TEXTS], min_documents=1)
    assert np.array_equal(
        in_order_of(corpus.vocabulary, stacked(opened, 8), opened.vocabulary), corpus.counts.toarray()
    )
    assert "the" in next_vocabulary(tmp_path / "a.parquet", stop_words=None)
    assert "cat" not in next_vocabulary(tmp_path / "a.parquet", stop_words=["cat"])


def next_vocabulary(path, **options):
    opened = open_stream(path, text_field="body", **options)
    list(opened)
    return opened.vocabulary


@pytest.mark.parametrize("kind", [pa.list_(pa.string()), pa.large_list(pa.large_string()), pa.list_(pa.string(), 2)])
def test_lists_are_tokens_as_they_are(tmp_path, kind):
    table = pa.table({"text": pa.array([["The", "a b"], None, ["the", None]], kind)})
    try:
        pq.write_table(table, tmp_path / "a.parquet")
    except pa.ArrowNotImplementedError as error:
        pytest.skip(f"this pyarrow cannot write such a file: {error}")
    opened = open_stream(tmp_path / "a.parquet")
    assert stacked(opened, 3).tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 1]]
    assert opened.vocabulary == ["The", "a b", "the"]


@pytest.mark.parametrize("source", SOURCES)
def test_a_given_vocabulary_fixes_the_columns(tmp_path, source):
    opened = open_stream(SOURCES[source](tmp_path, X), chunk_documents=2, vocabulary=["qac", "zz", "qaa"])
    chunks = list(opened)
    assert {chunk.shape[1] for chunk in chunks} == {3}
    assert stacked(chunks, 3).tolist() == [[1, 0, 2], [0, 0, 0], [0, 0, 0], [1, 0, 1], [0, 0, 0]]
    assert opened.vocabulary == ["qac", "zz", "qaa"]
    assert opened.n_words == 3


def test_an_abandoned_pass_changes_nothing(tmp_path):
    opened = open_stream(write_jsonl(tmp_path, X[::-1]), chunk_documents=1)
    next(iter(opened))
    pairs = list(zip(opened, opened, strict=True))
    assert all((one != other).nnz == 0 for one, other in pairs)
    assert opened.vocabulary == ["qaa", "qab", "qac"]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("options", [{"min_documents": 8}, {"min_documents": 2, "vocabulary_size": 6}])
def test_frequent_words_are_those_of_the_whole_corpus(tmp_path, source, options):
    counts = planted_corpus(n_documents=50, n_words=26, length=12)[0].toarray()
    opened = open_stream(SOURCES[source](tmp_path, counts), chunk_documents=9)
    kept = keep_frequent(opened, **options)
    order = [words_of(26).index(word) for word in opened.vocabulary]  # ties go to the earlier column
    expected = keep_words(Corpus(sp.csr_array(counts[:, order]), opened.vocabulary), **options)
    assert kept.vocabulary == expected.vocabulary
    assert kept.n_words == len(expected.vocabulary)
    for _ in range(2):
        chunks = list(kept)
        assert {chunk.shape[1] for chunk in chunks} == {kept.n_words}
        assert np.array_equal(stacked(chunks, kept.n_words), expected.counts.toarray())


def test_frequent_words_without_names_and_without_any(tmp_path):
    sp.save_npz(tmp_path / "a.npz", sp.csr_array(X))
    kept = keep_frequent(open_stream(tmp_path), min_documents=2)
    assert kept.vocabulary is None
    assert stacked(kept, 3).tolist() == X[:, :3].tolist()
    with pytest.raises(CorpusError, match="0 of 4 words are in 5 documents or more; lower min_documents"):
        keep_frequent(open_stream(tmp_path))
    with pytest.raises(ParameterError, match="vocabulary_size=1"):
        keep_frequent(open_stream(tmp_path), vocabulary_size=1)


def test_progress_is_reported_once_per_chunk(tmp_path):
    calls = []
    opened = open_stream(write_uci(tmp_path, X), chunk_documents=2)
    with progress.listening(lambda *what: calls.append(what)):
        kept = keep_frequent(opened, min_documents=1)
        assert calls == [("reading", 2, None), ("reading", 4, None), ("reading", 5, None)]
        list(kept)
    assert calls[3:] == calls[:3]


def test_parquet_that_cannot_be_read(tmp_path, monkeypatch):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"body": ["a"], "n": [1], "lists": [[1]]}), path)
    with pytest.raises(CorpusError, match=r"a\.parquet: no field 'text'; its fields are 'body', 'n', 'lists'"):
        open_stream(path)
    for field, kind in (("n", "int64"), ("lists", "list<.*int64>")):
        with pytest.raises(CorpusError, match=f"column '{field}' holds {kind}, neither texts nor lists of words"):
            open_stream(path, text_field=field)
    write(tmp_path / "b.parquet", b"PAR1 no")
    with pytest.raises(CorpusError, match=r"b\.parquet cannot be read as parquet: "):
        open_stream(tmp_path, text_field="body")
    bad = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(np.array([0, 1], np.int32)), pa.py_buffer(b"\xff")])
    pq.write_table(pa.table({"text": bad}), path)
    with pytest.raises(CorpusError, match="row 1: not UTF-8"):
        list(open_stream(path))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(CorpusError, match=r"pip install 'cotopics\[parquet\]'"):
        open_stream(path)


def test_what_cannot_be_opened_is_named(tmp_path):
    for path, message in (("nothing.npz", "there is no file"), (".", r"is a folder without \.txt, .* files")):
        with pytest.raises(CorpusError, match=message):
            open_stream(tmp_path / path)
    with pytest.raises(CorpusError, match="list of files is empty"):
        open_stream([])
    with pytest.raises(CorpusError, match=r"suffix '\.pdf'"):
        open_stream(write(tmp_path / "a.pdf", "x"))
    text = write(tmp_path / "a.txt", "the a\n of\n")
    with pytest.raises(CorpusError, match="no word of two letters"):
        list(open_stream(text))
    with pytest.raises(CorpusError, match="no documents"):
        list(open_stream(write(tmp_path / "b.txt", "")))
    counts = write_uci(tmp_path, X)
    with pytest.raises(CorpusError, match="give one docword file"):
        open_stream([counts, counts])
    with pytest.raises(CorpusError, match=r"the files are \.txt and docword; give files of one kind"):
        open_stream([counts, text])
    with pytest.raises(CorpusError, match=r"the files are \.npz and \.txt; give files of one kind"):
        open_stream([write_single(tmp_path, X), text])
    (tmp_path / "vocab.txt").unlink()
    with pytest.raises(CorpusError, match="no vocab file next to"):
        open_stream(tmp_path / "counts.npz", vocabulary=["qaa"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"chunk_documents": 0}, "chunk_documents=0"),
        ({"vocabulary": []}, "at least one"),
        ({"vocabulary": "cat"}, "list of words"),
        ({"vocabulary": ["cat", "cat"]}, "1 words twice"),
        ({"stop_words": "klingon"}, "klingon"),
    ],
)
def test_options_are_checked(tmp_path, options, message):
    with pytest.raises(ParameterError, match=message):
        open_stream(write(tmp_path / "a.txt", "cat"), **options)


def test_real_counts(data):
    counts = sp.csr_array(sp.load_npz(data / "nips" / "counts.npz"))
    opened = open_stream(data / "nips" / "counts.npz", chunk_documents=1000)
    assert (sp.vstack(list(opened)) != counts).nnz == 0
    assert keep_frequent(opened, vocabulary_size=100).n_words == 100
