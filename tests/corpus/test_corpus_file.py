"""A corpus that was written and opened is the same corpus, and need not fit into memory on the way."""

import json
import os
import signal
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import planted_corpus
from cotopics import AnchorWords, TopicModel, load
from cotopics.corpus import (
    Corpus,
    CorpusWriter,
    keep_words,
    load_corpus,
    open_stream,
    read_corpus,
    save_corpus,
    tfidf_scores,
)
from cotopics.errors import CorpusError, ModelFileError
from cotopics.persistence import CORPUS, Record, read_record, write_record
from platforms import needs_signals

COUNTS = sp.csr_array([[2, 1, 0], [0, 0, 0], [0, 1, 300]])
WORDS = ["sun", "луна", "\u2028\x00"]
FULL = Corpus(
    COUNTS,
    WORDS,
    labels=["a", 3, None],
    notes=["2 empty lines left out"],
    ids=["x/1", "", "🐍"],
    dates=["2024-01-31", "", "1999"],
    metadata={"author": ["A", None, "B"], "../stars": [1, 2.5, True], "tags": [["a"], [], {"k": "v"}]},
)


@pytest.fixture
def path(tmp_path):
    save_corpus(FULL, tmp_path / "c.corpus")
    return tmp_path / "c.corpus"


def same(one, other):
    assert (one.counts != other.counts).nnz == 0
    assert one.counts.shape == other.counts.shape
    for name in ("vocabulary", "labels", "notes", "ids", "dates", "metadata"):
        assert getattr(one, name) == getattr(other, name)


@pytest.mark.parametrize("options", [{}, {"verify": True}, {"mmap": False}, {"mmap": False, "verify": False}])
def test_a_corpus_comes_back(path, options):
    back = load_corpus(path, **options)
    same(back, FULL)
    assert [type(value) for value in back.metadata["../stars"]] == [int, float, bool]


def test_what_is_not_known_stays_unknown(tmp_path):
    save_corpus(Corpus(COUNTS, WORDS), tmp_path / "c")
    same(load_corpus(tmp_path / "c"), Corpus(COUNTS, WORDS))
    save_corpus(Corpus(COUNTS, WORDS, metadata={}), tmp_path / "c")
    assert load_corpus(tmp_path / "c").metadata == {}


def test_counts_are_views_of_the_file_and_read_only(path):
    counts = load_corpus(path).counts
    for part in (counts.data, counts.indices, counts.indptr):
        assert not part.flags.writeable
        assert not part.flags.owndata
    with pytest.raises(ValueError, match="read-only"):
        counts.data[0] = 7
    assert load_corpus(path, mmap=False).counts.data.flags.writeable


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([1, 255], "uint8"),
        ([1.0, 256.0], "uint16"),
        ([1, 65536], "uint32"),
        ([True, True], "uint8"),
        (np.array([3, 70000], dtype=np.uint64), "uint32"),
        ([0.5, 2], "float32"),
        ([-1, 2], "float32"),
        ([0.1, 2], "float64"),
        ([1e300, 2], "float64"),
        ([2**32, 1], "float32"),
        ([2**32 + 1, 1], "float64"),
    ],
)
def test_counts_take_the_smallest_type_that_is_exact(tmp_path, values, dtype):
    save_corpus(Corpus(sp.csr_array([values]), ["a", "b"]), tmp_path / "c")
    counts = load_corpus(tmp_path / "c").counts
    assert counts.dtype == dtype
    assert (counts.toarray()[0] == np.asarray(values)).all()


@pytest.mark.parametrize("value", [np.nan, np.inf, 2**60, 1j])
def test_a_number_that_is_not_a_count_is_refused(tmp_path, value):
    with pytest.raises(CorpusError):
        save_corpus(Corpus(sp.csr_array([[1, value]]), ["a", "b"]), tmp_path / "c")
    assert not list(tmp_path.iterdir())


def test_estimators_take_what_is_mapped(tmp_path):
    X = sp.csr_array(planted_corpus(n_documents=200, n_words=60, n_topics=3)[0]).astype(float)
    words = [f"w{i}" for i in range(60)]
    save_corpus(Corpus(X, words), tmp_path / "c")
    corpus = load_corpus(tmp_path / "c")
    assert corpus.counts.dtype == np.uint8
    assert (tfidf_scores(corpus.counts) == tfidf_scores(X)).all()
    kept = keep_words(corpus, vocabulary_size=20)
    assert (kept.counts != keep_words(Corpus(X, words), vocabulary_size=20).counts).nnz == 0
    for model in (AnchorWords(3), AnchorWords(3, rectifier="enn", representation="implicit"), TopicModel(3)):
        expected = model.fit(X).components_.copy()
        assert (model.fit(corpus.counts).components_ == expected).all()
        assert (model.transform(corpus.counts[:20]) == model.transform(X[:20])).all()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(
    words=st.lists(st.text(), min_size=3, max_size=3),
    ids=st.lists(st.text(), min_size=3, max_size=3),
    values=st.lists(
        st.none() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(), min_size=3, max_size=3
    ),
    name=st.text(),
)
def test_texts_of_any_kind(tmp_path, words, ids, values, name):
    corpus = Corpus(COUNTS, words, labels=values, ids=ids, dates=ids, metadata={name: values}, notes=ids)
    save_corpus(corpus, tmp_path / "c")
    same(load_corpus(tmp_path / "c"), corpus)


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ({"ids": ["a", "b", "\ud800"]}, "ids: entry 2 .*surrogate"),
        ({"dates": ["a", "b", None]}, "dates: entry 2 is None"),
        ({"ids": [1, 2, 3]}, r"ids: entry 0 is 1, not a text; give str\(1\)"),
        ({"labels": ["a", "\udc80", "b"]}, "surrogate"),
        ({"labels": ["a", float("nan"), "b"]}, "labels holds nan"),
        ({"metadata": {"m": [object(), 1, 2]}}, "metadata 'm' holds"),
        ({"metadata": {"\ud800": [1, 1, 2]}}, "surrogate"),
        ({"metadata": {3: [1, 1, 2]}}, "metadata: entry 0 is 3"),
        ({"notes": [b"bytes"]}, "notes holds"),
        ({"vocabulary": ["a", "b", "\udfff"]}, "vocabulary: entry 2"),
    ],
)
def test_what_cannot_be_written_is_named(tmp_path, column, message):
    with pytest.raises(ModelFileError, match=message):
        save_corpus(Corpus(**{"counts": COUNTS, "vocabulary": WORDS, **column}), tmp_path / "c")
    assert not list(tmp_path.iterdir())


def test_any_chunks_give_the_same_file(path, tmp_path):
    for bounds in ([0, 3], [0, 1, 2, 3], [0, 0, 2, 2, 3]):
        with CorpusWriter(tmp_path / "chunks", WORDS) as writer:
            for a, b in pairwise(bounds):
                names = reversed(FULL.metadata) if a else FULL.metadata  # in any order
                metadata = {name: FULL.metadata[name][a:b] for name in names}
                writer.append(COUNTS[a:b], FULL.labels[a:b], FULL.ids[a:b], FULL.dates[a:b], metadata)
            writer.finish(FULL.notes)
        assert (tmp_path / "chunks").read_bytes() == path.read_bytes()


def test_a_stream_of_counts_becomes_a_file(tmp_path):
    X = sp.csr_array(planted_corpus(n_documents=500)[0])
    with CorpusWriter(tmp_path / "c", [f"w{i}" for i in range(60)]) as writer:
        for start in range(0, 500, 70):
            writer.append(X[start : start + 70])
        assert not (tmp_path / "c").exists()
        assert list(tmp_path.iterdir()) == []  # nor anything else that has a name
    corpus = load_corpus(tmp_path / "c", verify=True)
    assert (corpus.counts != X).nnz == 0


def test_no_documents(tmp_path):
    with CorpusWriter(tmp_path / "c", WORDS):
        pass
    assert load_corpus(tmp_path / "c").counts.shape == (0, 3)


def test_chunks_that_do_not_fit(tmp_path):
    writer = CorpusWriter(tmp_path / "c", WORDS).append([[1, 0, 2]], ids=["a"], metadata={"m": [1]})
    with pytest.raises(CorpusError, match="2 words and the vocabulary 3"):
        writer.append([[1, 2]], ids=["b"], metadata={"m": [1]})
    with pytest.raises(CorpusError, match="labels, ids and dates"):
        writer.append([[1, 0, 2]], metadata={"m": [1]})
    with pytest.raises(CorpusError, match="metadata of the first chunk"):
        writer.append([[1, 0, 2]], ids=["b"])
    with pytest.raises(CorpusError, match="metadata of the first chunk"):
        writer.append([[1, 0, 2]], ids=["b"], metadata={"n": [1]})
    with pytest.raises(CorpusError, match="1 documents and 2 ids"):
        writer.append([[1, 0, 2]], ids=["b", "c"], metadata={"m": [1]})
    writer.finish()
    assert load_corpus(tmp_path / "c").ids == ["a"]
    with pytest.raises(CorpusError, match="finished"):
        writer.append([[1, 0, 2]], ids=["b"], metadata={"m": [1]})


def test_a_writer_that_fails_leaves_the_old_file(path):
    before = path.read_bytes()

    def fail():
        with CorpusWriter(path, WORDS) as writer:
            writer.append(COUNTS)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


KILLED = """
import sys
from cotopics.corpus import CorpusWriter
writer = CorpusWriter(sys.argv[1], ["a", "b"])
for _ in range(50):
    writer.append([[1, 2]] * 100, ids=["x"] * 100)
print("ready", flush=True)
sys.stdin.readline()
"""


@needs_signals
def test_a_writer_that_is_killed_leaves_nothing(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, tmp_path / "c"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    with process:
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGKILL)
    assert list(tmp_path.iterdir()) == []


def test_other_kinds(path, tmp_path):
    with pytest.raises(ModelFileError, match=r"a corpus file .*cotopics.corpus.load_corpus opens it"):
        load(path)
    AnchorWords(2).fit([[3, 2, 0, 0], [2, 4, 0, 0], [0, 0, 5, 2], [0, 0, 2, 2]]).save(tmp_path / "m")
    with pytest.raises(ModelFileError, match=r"m: this is a model file .*cotopics.load opens it"):
        load_corpus(tmp_path / "m")
    with pytest.raises(ModelFileError, match="no corpus file"):
        load_corpus(tmp_path / "nothing")


def test_damage_is_found_when_asked_for(path):
    content = bytearray(path.read_bytes())
    content[content.index(np.array([2, 1, 1, 300], dtype=np.uint16).tobytes())] ^= 1  # 2 becomes 3
    path.write_bytes(content)
    assert load_corpus(path).counts.toarray()[0, 0] == 3
    for options in ({"verify": True}, {"mmap": False}):
        with pytest.raises(ModelFileError, match="data does not match its checksum"):
            load_corpus(path, **options)


def array(name, value):
    return lambda m, a: a.update({name: np.asarray(value)})


def listed(name, text):
    return array(name, np.frombuffer(text.encode(), np.uint8))


LIES = {
    "no counts": lambda m, a: a.pop("indptr"),
    "no vocabulary": lambda m, a: [a.pop(f"vocabulary.{part}") for part in ("text", "offsets")],
    "half a vocabulary": lambda m, a: a.pop("vocabulary.offsets"),
    "a column too far": array("indices", np.array([0, 1, 1, 3], dtype=np.int32)),
    "a column below zero": array("indices", np.array([-1, 1, 1, 2], dtype=np.int32)),
    "words in no order": array("indices", np.array([1, 0, 1, 2], dtype=np.int32)),
    "a word twice": array("indices", np.array([1, 1, 1, 2], dtype=np.int32)),
    "indices that are numbers": array("indices", np.array([0, 1, 1, 2], dtype=np.float32)),
    "rows backwards": array("indptr", np.array([0, 3, 2, 4], dtype=np.int32)),
    "rows beyond": array("indptr", np.array([0, 2, 2, 9], dtype=np.int32)),
    "fewer rows": array("indptr", np.array([0, 4], dtype=np.int32)),
    "no rows": array("indptr", np.zeros(0, dtype=np.int32)),
    "a zero": array("data", np.array([2, 0, 1, 3], dtype=np.uint8)),
    "NaN": array("data", np.array([2, np.nan, 1, 3])),
    "fewer counts": array("data", np.array([2, 1], dtype=np.uint8)),
    "counts of text": array("data", np.array([2, 1, 1, 3], dtype=np.int8)),
    "a table": array("data", np.ones((2, 2), dtype=np.uint8)),
    "an id cut off": array("ids.offsets", np.array([0, 3, 3, 4])),
    "an id within a character": array("ids.offsets", np.array([0, 3, 5, 7])),
    "fewer ids": array("ids.offsets", np.array([0, 7])),
    "ids without offsets": lambda m, a: a.pop("ids.offsets"),
    "labels that are not a list": listed("labels.json", '{"a": 1}'),
    "fewer labels": listed("labels.json", "[1]"),
    "labels that are not JSON": listed("labels.json", "[1, 2,"),
    "labels with NaN": listed("labels.json", "[1, NaN, 2]"),
    "labels that are deep": listed("labels.json", "[" * 5000 + "]" * 5000),
    "labels that are not UTF-8": array("labels.json", np.full(3, 255, dtype=np.uint8)),
    "labels in numbers": array("labels.json", np.ones(3)),
    "metadata missing": lambda m, a: a.pop("metadata.1.json"),
    "metadata without names": lambda m, a: m.update(metadata=None),
    "metadata twice": lambda m, a: m.update(metadata=["a", "a", "b"]),
    "metadata in an object": lambda m, a: m.update(metadata={"a": 1}),
    "notes in a text": lambda m, a: m.update(notes="all"),
    "notes of numbers": lambda m, a: m.update(notes=[1]),
    "more arrays": array("../evil", [1.0]),
}


@pytest.mark.parametrize("mmap", [False, True])
@pytest.mark.parametrize("change", LIES.values(), ids=list(LIES))
def test_files_that_lie_are_refused(path, change, mmap):
    record = read_record(path, CORPUS)
    manifest, arrays = json.loads(json.dumps(record.manifest)), dict(record.arrays)
    change(manifest, arrays)
    write_record(path, Record(manifest, arrays), CORPUS)
    with pytest.raises(ModelFileError, match=r"c\.corpus: "):
        load_corpus(path, mmap=mmap)


@pytest.mark.parametrize("share", np.linspace(0, 0.999, 30))
def test_cut_short(path, share):
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(ModelFileError, match=r"c\.corpus: "):
        load_corpus(path)


def test_a_saved_corpus_is_an_input_like_any_other(tmp_path):
    X = planted_corpus(n_documents=50)[0]
    words, ids = [f"w{i}" for i in range(X.shape[1])], [f"d{i}" for i in range(50)]
    save_corpus(Corpus(X, words, ids=ids), tmp_path / "a.corpus")
    whole = read_corpus(tmp_path / "a.corpus", min_documents=10)
    kept = keep_words(Corpus(X, words), min_documents=10)
    assert whole.vocabulary == kept.vocabulary
    assert (whole.counts != kept.counts).nnz == 0
    assert whole.ids == ids
    chunks = list(open_stream(tmp_path / "a.corpus", chunk_documents=20, vocabulary=words[:5]))
    assert [chunk.shape for chunk in chunks] == [(20, 5), (20, 5), (10, 5)]
    assert (sp.vstack(chunks) != X[:, :5]).nnz == 0
    (tmp_path / "b.corpus").write_bytes(b"words")
    with pytest.raises(ModelFileError, match=r"b\.corpus"):
        read_corpus(tmp_path / "b.corpus")
