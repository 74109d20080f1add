"""What holds for every format of documents and of counts, packed or not."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import written
from cotopics.corpus import Document, open_stream, read_corpus, read_documents
from cotopics.corpus.files import PACKINGS
from cotopics.corpus.formats import COUNTS, DOCUMENTS
from cotopics.corpus.inputs import NEVER_PACKED
from cotopics.errors import CorpusError

FORMATS = [(kind, packing) for kind in DOCUMENTS for packing in written.PACK]
FORMATS = [(kind, packing) for kind, packing in FORMATS if not (packing and kind == ".parquet")]
COUNT_FORMATS = [(kind, packing) for kind in COUNTS for packing in written.PACK if not (packing and kind == ".npz")]


def test_every_format_and_packing_is_tested_here():
    assert set(written.DOCUMENT_WRITERS) == set(DOCUMENTS)
    assert set(written.COUNT_WRITERS) == set(COUNTS)
    assert set(written.PACK) == {"", *PACKINGS}


@pytest.mark.parametrize(("kind", "packing"), FORMATS)
def test_documents_come_back_in_every_pass(tmp_path, kind, packing):
    path, expected = written.DOCUMENT_WRITERS[kind](tmp_path, written.DOCUMENTS, kind, packing)
    metadata = ["page"] if kind not in (".txt", "folder") else []
    documents = read_documents(path, metadata_fields=metadata)
    for _ in range(2):
        assert list(documents) == expected
        assert documents.skipped.number == 0
    assert list(read_documents([path, str(path)], metadata_fields=metadata)) == expected * 2
    assert list(read_documents(path, metadata_fields=metadata, kind=kind.removeprefix("."))) == expected


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_all_that_is_known_of_documents_is_in_the_corpus(tmp_path, kind):
    path, documents = written.DOCUMENT_WRITERS[kind](tmp_path, written.DOCUMENTS, kind, "")
    known = kind not in (".txt", "folder")
    corpus = read_corpus(path, min_documents=1, metadata_fields=["page"] if known else [])
    assert corpus.vocabulary == ["café", "ein", "lines", "naïve", "quoted", "tab", "東京"]
    assert corpus.counts.shape[0] == len(documents)
    assert corpus.counts.sum(axis=0).tolist() == [3, 1, 2, 1, 1, 1, 2]
    empty = [] if kind == ".txt" else ["1 document without text"]
    assert corpus.notes == [*empty, "2 words left out: stop words, too short or too long"]
    if known:
        assert corpus.ids == ["d1", "ä/2", "d3", ""]
        assert corpus.labels == ["x", "ü, y", None, "x"]
        assert corpus.dates == ["2020-01-02", "1999", "", "2021-12-31T10:00:00"]
        assert corpus.metadata == {"page": ["7", "8", None, "9"]}
    elif kind == ".txt":
        assert (corpus.ids, corpus.labels, corpus.dates, corpus.metadata) == (None,) * 4
    else:
        assert corpus.ids == ["0.txt", "label 0/2.txt", "label 1/1.txt", "label 1/3.txt"]
        assert corpus.labels == [None, "label 0", "label 1", "label 1"]


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_stream_gives_the_same_in_pieces(tmp_path, kind):
    path, _ = written.DOCUMENT_WRITERS[kind](tmp_path, written.DOCUMENTS, kind, "")
    metadata = ["page"] if kind not in (".txt", "folder") else []
    whole = read_corpus(path, min_documents=1, metadata_fields=metadata)
    stream = open_stream(path, chunk_documents=3, metadata_fields=metadata, vocabulary=whole.vocabulary)
    parts = list(stream.corpora())
    assert [part.counts.shape[0] for part in parts] == ([3] if kind == ".txt" else [3, 1])
    assert np.array_equal(sp.vstack([part.counts for part in parts]).toarray(), whole.counts.toarray())
    assert all(part.vocabulary == whole.vocabulary for part in parts)
    for name in ("ids", "labels", "dates"):
        empty = None if name == "labels" else ""
        values = [value for part in parts for value in getattr(part, name) or [empty] * part.counts.shape[0]]
        assert values == (getattr(whole, name) or [empty] * len(values))


@pytest.mark.parametrize("kind", [".jsonl", ".parquet"])
def test_lists_of_words_are_used_as_they_are(tmp_path, kind):
    documents = [Document(None), Document(["Two words", "the", "the"]), Document([]), Document(["a", "Two words"])]
    path, _ = written.DOCUMENT_WRITERS[kind](tmp_path, documents, kind, "")
    assert [document.text for document in read_documents(path)] == ["", *(d.text for d in documents[1:])]
    corpus = read_corpus(path, min_documents=1)
    assert corpus.vocabulary == ["Two words", "a", "the"]
    assert corpus.counts.toarray().tolist() == [[0, 0, 0], [1, 0, 2], [0, 0, 0], [1, 1, 0]]


@pytest.mark.parametrize(("kind", "packing"), COUNT_FORMATS)
def test_counts_come_back_with_the_files_next_to_them(tmp_path, kind, packing):
    path = written.COUNT_WRITERS[kind](tmp_path, written.COUNTS, written.WORDS, packing)
    (tmp_path / "labels.txt").write_text("x\n\ny\nx\nü\n", encoding="utf-8")
    (tmp_path / f"ids.txt{packing}").write_bytes(written.PACK[packing](b"1\n2\n3\n4\n5"))
    corpus = read_corpus(path, min_documents=1)
    assert np.array_equal(corpus.counts.toarray(), written.COUNTS)
    assert corpus.counts.dtype == np.float64
    assert corpus.vocabulary == written.WORDS
    assert corpus.labels == ["x", None, "y", "x", "ü"]
    assert corpus.ids == list("12345")
    assert corpus.dates is None
    parts = list(open_stream(path, chunk_documents=2).corpora())
    assert [part.ids for part in parts] == [["1", "2"], ["3", "4"], ["5"]]
    assert np.array_equal(sp.vstack([part.counts for part in parts]).toarray(), written.COUNTS)
    for lines in ("x\n", "x\n" * 6):
        (tmp_path / "labels.txt").write_text(lines)
        with pytest.raises(CorpusError, match=r"documents, but labels\.txt next to it has \d lines"):
            read_corpus(path)
    assert len(list(open_stream(path))) == 1  # the lists are not read if only counts are wanted


@pytest.mark.parametrize("kind", COUNTS)
def test_counts_without_words_have_numbered_ones(tmp_path, kind):
    path = written.COUNT_WRITERS[kind](tmp_path, written.COUNTS, written.WORDS, "")
    for name in ("vocab.txt", "vocab.made.txt", "made.vocab"):
        (tmp_path / name).unlink(missing_ok=True)
    assert open_stream(path).vocabulary is None
    assert open_stream(path).n_words == 4
    assert read_corpus(path, min_documents=2).vocabulary == ["word0", "word1", "word2", "word3"]
    with pytest.raises(CorpusError, match="holds counts, not texts"):
        read_documents(path)


tables = st.integers(1, 6).flatmap(
    lambda n_words: st.lists(
        st.lists(st.sampled_from([0, 0, 1, 2, 10**9, 123_456_789_012]), min_size=n_words, max_size=n_words),
        min_size=1,
        max_size=8,
    )
)


@pytest.mark.parametrize("kind", COUNTS)
@settings(max_examples=30, deadline=None)
@given(table=tables, chunk=st.sampled_from([1, 3, 100]))
def test_any_counts_come_back(tmp_path_factory, kind, table, chunk):
    counts = np.array(table)
    words = [f"w{i}" for i in range(counts.shape[1])]
    path = written.COUNT_WRITERS[kind](tmp_path_factory.mktemp("counts"), counts, words, "")
    assert np.array_equal(sp.vstack(list(open_stream(path, chunk_documents=chunk))).toarray(), counts)


@pytest.mark.parametrize("kind", NEVER_PACKED[:2])
def test_what_is_packed_within_is_not_packed_again(tmp_path, kind):
    (tmp_path / f"made{kind}.gz").write_bytes(b"")
    with pytest.raises(CorpusError, match=r"made.*\.gz is packed.*unpack it"):
        open_stream(tmp_path / f"made{kind}.gz")


def test_names_of_kinds(tmp_path):
    documents = [Document("cat dog"), Document("dog")]
    for kind, alias in ((".jsonl", ".NDJSON"), (".jsonl", ".jsonl.GZ"), (".csv", ".CSV")):
        packing = ".gz" if alias.endswith("GZ") else ""
        path, _ = written.DOCUMENT_WRITERS[kind](tmp_path, documents, kind, packing)
        assert list(read_documents(path.rename(tmp_path / f"a{alias}"))) == documents
    path = written.COUNT_WRITERS[".ldac"](tmp_path, written.COUNTS, written.WORDS, "")
    for alias in ("a.lda-c", "a.dat"):
        path = path.rename(tmp_path / alias)
        assert np.array_equal(read_corpus(path, min_documents=1).counts.toarray(), written.COUNTS)
    assert np.array_equal(read_corpus(path, min_documents=1, kind="ldac").counts.toarray(), written.COUNTS)
    with pytest.raises(ValueError, match="kind='xml' is unknown; choose txt, jsonl"):
        read_corpus(path, kind="xml")
