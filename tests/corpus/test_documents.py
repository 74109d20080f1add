import io
import json
import os
import subprocess
import sys
import tracemalloc

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import written
from cotopics.corpus import (
    Corpus,
    Document,
    files,
    inputs,
    open_stream,
    read_corpus,
    read_documents,
    read_texts,
)
from cotopics.errors import CorpusError, ParameterError
from platforms import needs_links, needs_pipes

TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("documents")


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("kind", [".jsonl", ".csv", ".tsv"])
@settings(deadline=None)
@given(texts=TEXTS)
def test_any_text_comes_back(folder, kind, texts):
    documents = [Document(text, id=str(i), label=text or None) for i, text in enumerate(texts)]
    path, _ = written.DOCUMENT_WRITERS[kind](folder, documents, kind, "")
    assert list(read_documents(path)) == documents


@settings(deadline=None)
@given(texts=st.lists(st.text("ab é東\x85\u2028\x0b\x1c\r", min_size=1), min_size=1, max_size=6))
def test_only_newlines_end_lines(folder, texts):
    path = write(folder / "a.txt", "\n".join(texts))
    assert [document.text for document in read_documents(path)] == [text.strip() for text in texts if text.strip()]


@pytest.mark.parametrize(
    "encoding", ["latin-1", "cp1252", "utf-16", "utf-16-le", "utf-32", "utf-8-sig", "gb18030", "cp500"]
)
def test_other_encodings(tmp_path, encoding):
    text = "café\nnaïve \u00a0x\n"
    path = write(tmp_path / "a.txt", text.encode(encoding))
    assert [document.text for document in read_documents(path, encoding=encoding)] == ["café", "naïve \u00a0x"]
    table = write(tmp_path / "a.csv", 'id,text\n1,"café\nnaïve"\n'.encode(encoding))
    assert list(read_documents(table, encoding=encoding)) == [Document("café\nnaïve", "1")]
    write(tmp_path / "texts" / "a.txt", text.encode(encoding))
    assert [document.text for document in read_documents(tmp_path / "texts", encoding=encoding)] == [text]
    assert read_corpus(path, encoding=encoding, min_documents=1).vocabulary == ["café", "naïve"]


def test_options_are_checked(tmp_path):
    path = write(tmp_path / "a.txt", "words")
    for options, message in (
        ({"encoding": "klingon"}, "encoding='klingon' is unknown"),
        ({"encoding": "base64"}, "encoding='base64' is unknown"),
        ({"on_error": "ignore"}, "on_error='ignore' is unknown; choose 'raise' or 'skip'"),
    ):
        for read in (read_documents, read_corpus, open_stream):
            with pytest.raises(ParameterError, match=message):
                read(path, **options)
    with pytest.raises(ParameterError, match="metadata_fields='page' is one string"):
        read_corpus(path, metadata_fields="page")


BAD_LINES = {
    ".txt": ["good words", b"\xff bad", "more good words"],
    ".jsonl": [
        '{"text": "good words", "id": 1}',
        "{",
        '{"text": 3}',
        b'{"text": "\xff"}',
        '{"body": "x"}',
        "[]",
        '{"text": "\\udc80"}',
        '{"text": ["a"]}',
        '{"text": "' + "long " * 50 + '"}',
        '{"text": null}',
        '{"text": "more good words", "id": 2}',
    ],
    ".csv": [
        "id,text",
        "1,good words",
        '2,"a" b',
        "3,too,many",
        "too few",
        b"4,\xff",
        b'5,"\xff in a cell\nof two lines"',
        "6," + "long " * 50,
        '7,"' + "in quotes " * 30 + '"',
        "8,",
        "9,more good words",
    ],
}
LINES_OF_BAD = {".txt": [2], ".jsonl": [2, 3, 4, 5, 6, 7, 8, 9], ".csv": [3, 4, 5, 6, 7, 9, 10]}


@pytest.mark.parametrize("packing", ["", ".zst"])
@pytest.mark.parametrize("kind", BAD_LINES)
def test_what_is_skipped_is_counted_exactly(tmp_path, monkeypatch, kind, packing):
    monkeypatch.setattr(files, "MAX_BYTES", 200)
    lines = [line if isinstance(line, bytes) else line.encode() for line in BAD_LINES[kind]]
    path = write(tmp_path / f"a{kind}{packing}", written.PACK[packing](b"\n".join(lines)))
    documents = read_documents(path, on_error="skip")
    for _ in range(2):
        texts = [document.text for document in documents]
        assert [text for text in texts if text] == ["good words", "more good words"]
        assert documents.skipped.number == len(LINES_OF_BAD[kind])
        shown = [reason.split(": ")[0] for reason in documents.skipped.first]
        assert shown == [f"{path}, line {number}" for number in LINES_OF_BAD[kind]]
    with pytest.raises(CorpusError, match=f"line {LINES_OF_BAD[kind][0]}: "):
        list(read_documents(path))
    corpus = read_corpus(path, on_error="skip", min_documents=1)
    assert corpus.vocabulary == ["good", "words"]
    assert corpus.counts.shape[0] == len(texts)
    n = len(LINES_OF_BAD[kind])
    noun = "document" if n == 1 else "documents"
    assert corpus.notes[0].startswith(
        f"{n} {noun} left out that cannot be read: {path}, line {LINES_OF_BAD[kind][0]}: "
    )
    stream = open_stream(path, on_error="skip")
    assert sum(chunk.shape[0] for chunk in stream) == len(texts)
    assert stream.notes == corpus.notes[:1]


def test_rows_of_parquet_are_skipped(tmp_path):
    offsets = pa.py_buffer(np.array([0, 4, 5, 9], np.int32))
    texts = pa.Array.from_buffers(pa.string(), 3, [None, offsets, pa.py_buffer(b"good\xffwell")])
    pq.write_table(pa.table({"text": texts, "id": [1, 2, 3]}), tmp_path / "a.parquet")
    documents = read_documents(tmp_path / "a.parquet", on_error="skip")
    assert list(documents) == [Document("good", "1"), Document("well", "3")]
    assert documents.skipped.first == [f"{tmp_path / 'a.parquet'}, row 2: not UTF-8 (invalid start byte)"]


def test_nothing_left(tmp_path):
    path = write(tmp_path / "a.jsonl", "{\n" * 5)
    for read in (read_corpus, lambda path, **options: list(open_stream(path, **options))):
        with pytest.raises(CorpusError, match=r"no documents in .*; 5 documents left out .* line 1: not JSON.*; …"):
            read(path, on_error="skip")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt.gz", written.PACK[".gz"](b"words\n" * 1000)[:-9]),
        ("a.csv", b"id,body\n1,words\n"),
        ("a.jsonl", b'{"body": "words"}\n' * 3),
        ("a.parquet", b"PAR1 no"),
    ],
    ids=["txt.gz", "csv", "jsonl", "parquet"],  # packed bytes hold the time
)
def test_errors_that_end_the_reading_are_always_raised(tmp_path, name, content):
    path = write(tmp_path / name, content)
    for on_error in ("raise", "skip"):
        with pytest.raises(CorpusError, match=r"cut off|no field 'text'|cannot be read"):
            list(read_documents(path, on_error=on_error))


def test_fields(tmp_path):
    rows = [
        {"body": "words", "kind": 3, "key": 17, "day": "2020", "page": 1.5, "n": None},
        {"body": None, "kind": None, "key": 18.0, "day": None, "page": [1, {"a": None}]},
        {"body": "more", "kind": ["a", "b"], "key": "x", "day": 2021, "n": True},
    ]
    path = write(tmp_path / "a.jsonl", "\n".join(map(json.dumps, rows)))
    fields = {"label_field": "kind", "id_field": "key", "date_field": "day", "metadata_fields": ["page", "n"]}
    assert list(read_documents(path, text_field="body", **fields)) == [
        Document("words", "17", 3, "2020", {"page": 1.5, "n": None}),
        Document("", "18", None, None, {"page": [1, {"a": None}], "n": None}),
        Document("more", "x", ["a", "b"], "2021", {"page": None, "n": True}),
    ]
    nothing = read_documents(path, text_field="body", label_field=None, id_field=None, date_field=None)
    assert [document.id for document in nothing] == [None] * 3
    elsewhere = read_documents(path, text_field="body", label_field="topic", id_field="number", date_field="year")
    assert [document.label for document in elsewhere] == [None] * 3
    assert list(read_texts(path, text_field="body", label_field="kind")) == [
        ("words", 3),
        ("", None),
        ("more", ["a", "b"]),
    ]


def test_columns_of_parquet_become_plain(tmp_path):
    import datetime

    table = {
        "text": ["a", None],
        "id": pa.array([b"\xc3\xa9", None]),
        "label": pa.array(["x", "x"]).dictionary_encode(),
        "date": [datetime.date(2020, 1, 2), None],
        "when": [datetime.datetime(2020, 1, 2, 3, 4), None],
        "share": pa.array([0.5, float("nan")]),
    }
    pq.write_table(pa.table(table), tmp_path / "a.parquet")
    documents = list(read_documents(tmp_path / "a.parquet", metadata_fields=("when", "share")))
    assert documents == [
        Document("a", "é", "x", "2020-01-02", {"when": "2020-01-02T03:04:00", "share": 0.5}),
        Document("", None, "x", None, {"when": None, "share": None}),
    ]


def test_a_long_text_in_every_row_is_in_memory_once(tmp_path):
    """Files of some kilobytes with a text of 4 MB in each row; what they unpack to is limited."""
    for n_rows in (16, 500):
        repeated = pa.DictionaryArray.from_arrays(pa.array(np.zeros(n_rows, np.int32)), pa.array(["word " * 800_000]))
        pq.write_table(pa.table({"text": repeated}), tmp_path / f"{n_rows}.parquet", compression="zstd")
    tracemalloc.start()
    assert sum(1 for _ in read_documents(tmp_path / "16.parquet")) == 16
    with pytest.raises(CorpusError, match="unpack to"):
        list(map(id, read_documents(tmp_path / "500.parquet")))
    assert tracemalloc.get_traced_memory()[1] < 30e6
    tracemalloc.stop()


@pytest.mark.parametrize("packing", [".gz", ".bz2", ".xz", ".zst"])
def test_a_line_without_end_ends_at_the_limit(tmp_path, monkeypatch, packing):
    """An archive that would become 256 MB, read with a limit of 1 MB."""
    monkeypatch.setattr(files, "MAX_BYTES", 1 << 20)
    path = write(tmp_path / f"a.txt{packing}", written.PACK[packing](b"a" * (1 << 20)) * 256)
    tracemalloc.start()
    with pytest.raises(CorpusError, match="line 1: longer than the 1 MB"):
        list(read_documents(path))
    assert tracemalloc.get_traced_memory()[1] < 50e6
    tracemalloc.stop()


def test_folders(tmp_path):
    root = tmp_path / "news"
    write(root / "b.txt", "top\nlevel")
    write(root / "sports" / "2.TXT", "goal")
    write(root / "sports" / "10.txt.gz", written.PACK[".gz"](b"score"))
    write(root / "sports" / "deep" / "a.txt", "deep")
    write(root / "sports" / ".a.txt", "hidden")
    write(root / ".git" / "a.txt", "hidden")
    write(root / "empty.txt", "")
    write(root / "readme.md", "no")
    documents = list(read_documents(root))
    assert [(d.id, d.label, d.text) for d in documents] == [
        ("b.txt", None, "top\nlevel"),
        ("empty.txt", None, ""),
        ("sports/10.txt.gz", "sports", "score"),
        ("sports/2.TXT", "sports", "goal"),
        ("sports/deep/a.txt", "sports/deep", "deep"),
    ]
    assert [d.text for d in read_documents([root / "sports" / "deep", root / "sports" / "deep"])] == ["deep"] * 2
    write(root / "sports" / "bad.txt.gz", b"\x1f\x8b no")
    write(root / "latin.txt", "é".encode("latin-1"))
    with pytest.raises(CorpusError, match=r"latin\.txt: not UTF-8"):
        list(read_documents(root))
    skipping = read_documents(root, on_error="skip")
    assert len(list(skipping)) == 5
    assert [reason.split(": ")[0] for reason in skipping.skipped.first] == [
        str(root / "latin.txt"),
        str(root / "sports" / "bad.txt.gz"),
    ]


@needs_links
def test_links_do_not_lead_out_of_a_folder(tmp_path):
    secret = write(tmp_path / "secret.txt", "secret")
    root = tmp_path / "texts"
    write(root / "a.txt", "inside")
    (root / "same.txt").symlink_to("a.txt")
    (root / "loop").symlink_to(root)
    assert [document.text for document in read_documents(root)] == ["inside", "inside"]
    links = {"out.txt": secret, "relative.txt": "../secret.txt", "folder": tmp_path, "nowhere.txt": "nothing.txt"}
    for name, target in links.items():
        (root / name).symlink_to(target)
        with pytest.raises(CorpusError, match=rf"{name}: the link leads (out of the folder|nowhere)"):
            list(read_documents(root))
        skipping = read_documents(root, on_error="skip")
        assert [document.text for document in skipping] == ["inside", "inside"]
        assert skipping.skipped.number == 1
        (root / name).unlink()
    (root / "self.txt").symlink_to("self.txt")
    with pytest.raises(CorpusError, match=r"self\.txt: the link leads nowhere"):
        list(read_documents(root))


@needs_pipes
def test_pipes_are_not_waited_for(tmp_path):
    write(tmp_path / "a.txt", "words")
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(CorpusError, match="a pipe or a device"):
        list(read_documents(tmp_path))
    with pytest.raises(CorpusError, match="is a pipe or a device, but files are read twice; give -"):
        read_documents(tmp_path / "pipe.txt")


def test_which_files_of_a_folder(tmp_path):
    write(tmp_path / "b.jsonl", '{"text": "second"}')
    write(tmp_path / "a.ndjson.gz", written.PACK[".gz"](b'{"text": "first"}'))
    write(tmp_path / "readme.txt", "not a document")
    assert [document.text for document in read_documents(tmp_path)] == ["first", "second"]
    assert [document.text for document in read_documents(tmp_path, kind="txt")] == ["not a document"]
    assert [document.id for document in read_documents(tmp_path, kind="folder")] == ["readme.txt"]
    with pytest.raises(CorpusError, match=r"is a folder without \.csv files"):
        read_documents(tmp_path, kind="csv")
    write(tmp_path / "c.csv", "text\nwords")
    with pytest.raises(CorpusError, match=r"the files are \.csv and \.jsonl; give files of one kind"):
        read_documents(tmp_path)


class Standard:
    def __init__(self, data):
        self.buffer = io.BytesIO(data)


@pytest.mark.parametrize("packing", written.PACK)
@pytest.mark.parametrize(
    ("content", "kind", "expected"),
    [
        ("cat dog\ndog\n", None, ["cat dog", "dog"]),
        ('\ufeff {"text": "cat dog"}\n{"text": "dog"}', None, ["cat dog", "dog"]),
        ("id,text\n1,cat dog\n2,dog\n", "csv", ["cat dog", "dog"]),
    ],
)
def test_standard_input(monkeypatch, packing, content, kind, expected):
    monkeypatch.setattr(sys, "stdin", Standard(written.PACK[packing](content.encode())))
    documents = read_documents("-", kind=kind)
    assert [document.text for document in documents] == expected
    assert [document.text for document in documents] == expected
    assert read_corpus("-", kind=kind, min_documents=1).vocabulary == ["cat", "dog"]
    assert "standard-input" in str(documents.paths[0])


@pytest.mark.parametrize("kind", [".npz", ".mtx"])
def test_counts_from_standard_input(tmp_path, monkeypatch, kind):
    path = written.COUNT_WRITERS[kind](tmp_path, written.COUNTS, written.WORDS, "")
    monkeypatch.setattr(sys, "stdin", Standard(path.read_bytes()))
    assert np.array_equal(read_corpus("-", min_documents=1).counts.toarray(), written.COUNTS)


def test_the_copy_of_standard_input_is_removed_at_the_end(tmp_path):
    script = (
        "from cotopics.corpus import read_documents as r; d = r('-'); print(d.paths[0]); print([x.text for x in d])"
    )
    done = subprocess.run([sys.executable, "-c", script], input=b"cat\ndog", capture_output=True, check=True)
    path, texts = done.stdout.decode().splitlines()
    assert texts == "['cat', 'dog']"
    assert not os.path.exists(path)
    assert not os.path.exists(os.path.dirname(path))


def test_damaged_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Standard(b"\x1f\x8b no"))
    with pytest.raises(CorpusError, match="standard input is damaged"):
        read_documents("-")
    assert inputs._spooled is None or inputs._spooled[0] is not sys.stdin.buffer


needs_zstandard = pytest.mark.skipif(sys.version_info >= (3, 14), reason="the standard library reads .zst here")


@pytest.mark.parametrize(
    ("missing", "path", "message"),
    [
        pytest.param("zstandard", "a.txt.zst", "pip install zstandard", marks=needs_zstandard),
        ("pyarrow", "a.parquet", r"pip install 'cotopics\[parquet\]'"),
    ],
)
def test_what_is_not_installed_is_named(tmp_path, monkeypatch, missing, path, message):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(CorpusError, match=message):
        list(read_documents(write(tmp_path / path, b"")))


def test_a_corpus_fits_together():
    counts = np.ones((2, 1))
    for name in ("ids", "dates", "labels"):
        with pytest.raises(CorpusError, match=f"2 documents and 1 {name}"):
            Corpus(counts, ["a"], **{name: ["x"]})
    with pytest.raises(CorpusError, match="2 documents and 3 values of 'page'"):
        Corpus(counts, ["a"], metadata={"page": [1, 2, 3]})


@pytest.mark.parametrize("on_error", ["raise", "skip"])
def test_a_quote_that_is_never_closed_does_not_swallow_the_rest(tmp_path, on_error):
    path = tmp_path / "a.csv"
    path.write_text('id,text\n1,some words\n2,"more words\n' + "3,others\n" * 50, encoding="utf-8")
    with pytest.raises(CorpusError, match=r"a\.csv, line 3: a quote is opened here and never closed"):
        list(read_documents(path, on_error=on_error))


def test_a_folder_of_texts_and_a_table(tmp_path):
    for i in range(3):
        (tmp_path / f"{i}.txt").write_text("some words", encoding="utf-8")
    (tmp_path / "about.csv").write_text("id,text\n1,other words\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"holds \.csv files and 3 \.txt files"):
        read_documents(tmp_path)
    assert len(list(read_documents(tmp_path, kind="folder"))) == 3
    assert len(list(read_documents(tmp_path, kind="csv"))) == 1
