import gzip

import numpy as np
import pytest

from conftest import planted_corpus
from cotopics.corpus import open_stream
from cotopics.corpus.formats import digits
from cotopics.errors import CorpusError


def write(path, content):
    data = content if isinstance(content, bytes) else content.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def uci_text(counts, end="\n"):
    lines = [f"{d + 1} {w + 1} {counts[d, w]}" for d, w in np.argwhere(counts)]
    return end.join([*map(str, (*counts.shape, len(lines))), *lines, ""])


@pytest.mark.parametrize("block", [1, 7, 8, 64])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_documents_over_block_borders_come_out_whole(tmp_path, monkeypatch, block, end):
    monkeypatch.setattr(digits, "BLOCK", block)
    counts = planted_corpus(n_documents=30, n_words=15)[0].toarray()
    path = write(tmp_path / "docword.txt", uci_text(counts, end))
    assert open_stream(path).vocabulary is None
    chunks = [chunk.toarray() for chunk in open_stream(path, chunk_documents=4)]
    assert np.array_equal(np.concatenate(chunks), counts)


def test_unusual_uci_files_are_read(tmp_path):
    """Tabs, blank lines, no end of the last line, words in any order, a word twice, a count of zero, large numbers."""
    path = write(tmp_path / "docword.txt", "3\n4\n5\n1\t3 2\n\n1 1 1 \n1 3 4\n3 2 0\n3 4 1234567890123")
    counts = next(iter(open_stream(path)))
    assert counts.toarray().tolist() == [[1, 0, 6, 0], [0, 0, 0, 0], [0, 0, 0, 1234567890123]]
    assert counts.nnz == 3


HEAD = "5\n4\n3\n"
BAD_UCI = {
    "no number": ("5\nfour\n3\n", r"line 2: the header gives the number of words \(W\) as 'four'"),
    "no documents": ("0\n4\n3\n", r"line 1: the header gives the number of documents \(D\) as '0'"),
    "short header": ("5\n4\n", r"line 3: the header gives the number of counts \(NNZ\) as ''"),
    "negative header": ("5\n4\n-3\n", "line 3: the header"),
    "document 0": (HEAD + "0 1 1\n1 1 1\n1 2 1\n", "line 4: the docID 0 is out of range; the header allows 1 to 5"),
    "document 6": (HEAD + "1 1 1\n5 1 1\n6 2 1\n", "line 6: the docID 6 is out of range; the header allows 1 to 5"),
    "word 0": (HEAD + "1 1 1\n2 0 1\n3 2 1\n", "line 5: the wordID 0 is out of range; the header allows 1 to 4"),
    "word 5": (HEAD + "1 1 1\n2 5 1\n3 2 1\n", "line 5: the wordID 5 is out of range"),
    "unsorted": (HEAD + "1 1 1\n3 1 1\n2 2 1\n", "line 6: docID 2 comes after 3; sort the lines"),
    "negative": (HEAD + "1 1 1\n2 1 -1\n3 2 1\n", "line 5: the count is '-1', not a whole number, 0 or more"),
    "not whole": (HEAD + "1 1 1\n2 1 1\n3 2 1.5\n", "line 6: the count is '1.5', not a whole number"),
    "too large": (HEAD + f"1 1 1\n2 1 1\n3 2 {10**20}\n", "line 6: the count is '1000.*', not a whole number"),
    "two numbers": (HEAD + "1 1 1\n2 1\n3 2 1\n", "line 5: found '2 1', not `docID wordID count`"),
    "four numbers": (HEAD + "1 1\n2 1 1 1\n3 2 1\n", "line 4: found '1 1'"),
    "cut off": (HEAD + "1 1 1\n2 1 1\n", "cut off: line 3 promises 3 lines of counts, but there are 2"),
    "cut off in a line": (HEAD + "1 1 1\n2 1 1\n3 2", "line 6: the file is cut off: it ends in '3 2'"),
    "too long": (
        HEAD + "1 1 1\n1 2 1\n1 3 1\n1 4 1\n",
        "line 3: the header promises 3 lines.*there are more",
    ),
    "no lines": (HEAD + "1" * 5000, "line 4: found '1111"),
    "escapes": (HEAD + "\x1b[31m 1 1\n", r"line 4: the docID is '\\x1b\[31m'"),
}


@pytest.mark.parametrize("name", BAD_UCI)
@pytest.mark.parametrize("block", [5, 1 << 20])
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_what_is_wrong_in_a_uci_file_is_named_with_its_line(tmp_path, monkeypatch, name, block, suffix):
    monkeypatch.setattr(digits, "BLOCK", block)
    content, message = BAD_UCI[name]
    path = write(tmp_path / f"docword.bad.txt{suffix}", content)
    with pytest.raises(CorpusError, match=rf"docword\.bad\.txt.*{message}"):
        list(open_stream(path))


def test_damaged_archives(tmp_path):
    counts = planted_corpus()[0].toarray()
    data = gzip.compress(uci_text(counts).encode())
    cases = {"cut": data[:-2000], "changed": data[:-2000] + b"\0" * 1000 + data[-1000:], "other": b"no archive"}
    for name, content in cases.items():
        (tmp_path / f"docword.{name}.txt.gz").write_bytes(content)
        with pytest.raises(CorpusError, match=rf"docword\.{name}\.txt\.gz, after line \d+: the archive is damaged"):
            list(open_stream(tmp_path / f"docword.{name}.txt.gz"))
