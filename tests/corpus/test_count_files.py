"""What is particular to lda-c, MatrixMarket and npz."""

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

import written
from conftest import planted_corpus
from cotopics.corpus import open_stream, read_corpus
from cotopics.corpus.formats import digits
from cotopics.corpus.formats.matrix_market import MatrixMarketFile
from cotopics.corpus.formats.npz import load_counts
from cotopics.errors import CorpusError

COUNTS = planted_corpus(n_documents=30, n_words=15)[0].toarray()
WORDS = [f"w{i}" for i in range(15)]
HEAD = "%%MatrixMarket matrix coordinate integer general\n"


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def stacked(path, **options):
    return sp.vstack(list(open_stream(path, **options))).toarray()


@pytest.mark.parametrize("block", [1, 7, 8, 64, 1 << 20])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("kind", ["ldac", "integer", "real", "pattern"])
def test_documents_over_block_borders_come_out_whole(tmp_path, monkeypatch, kind, end, block):
    monkeypatch.setattr(digits, "BLOCK", block)
    counts = np.minimum(COUNTS, 1) if kind == "pattern" else COUNTS
    text = written.ldac_text(counts) if kind == "ldac" else written.mtx_text(counts, kind)
    path = write(tmp_path / ("a.ldac" if kind == "ldac" else "a.mtx"), text.replace("\n", end))
    for chunk_documents in (1, 4, 100):
        assert np.array_equal(stacked(path, chunk_documents=chunk_documents), counts)


@pytest.mark.parametrize("field", ["integer", "real", "pattern"])
@pytest.mark.parametrize("form", [sp.coo_array, sp.csc_array, sp.csr_array])
def test_what_scipy_writes(tmp_path, form, field):
    matrix = form(COUNTS.astype(float if field == "real" else int))
    scipy.io.mmwrite(tmp_path / "a.mtx", matrix, field=field, comment="made here\nin two lines", symmetry="general")
    expected = COUNTS > 0 if field == "pattern" else COUNTS
    assert np.array_equal(stacked(tmp_path / "a.mtx", chunk_documents=7), expected)


@pytest.mark.parametrize("kind", ["integer", "real"])
def test_entries_in_any_order(tmp_path, rng, kind):
    head, *lines = written.mtx_text(COUNTS, kind).rstrip("\n").split("\n")[2:]
    shuffled = [lines[i] for i in rng.permutation(len(lines))]
    banner = HEAD.replace("integer", kind)
    path = write(tmp_path / "a.mtx", banner + "\n".join([head, *shuffled]))
    stream = open_stream(path, chunk_documents=7)
    for _ in range(2):
        chunks = list(stream)
        assert [chunk.shape[0] for chunk in chunks] == [7, 7, 7, 7, 2]
        assert np.array_equal(sp.vstack(chunks).toarray(), COUNTS)


def test_what_is_sorted_by_document_is_never_in_memory_whole(tmp_path, monkeypatch):
    def read_all(self):
        raise AssertionError("read into memory")

    monkeypatch.setattr(MatrixMarketFile, "_read_all", read_all)
    assert np.array_equal(stacked(write(tmp_path / "a.mtx", written.mtx_text(COUNTS))), COUNTS)
    transposed = write(tmp_path / "b.mtx", written.mtx_text(COUNTS.T, order="F"))
    write(tmp_path / "b.vocab", "\n".join(WORDS))
    assert np.array_equal(stacked(transposed), COUNTS)


@pytest.mark.parametrize("words_file", ["a.mtx.vocab", "a.vocab", "a.txt", "vocab.txt", "vocab.txt.gz"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_number_of_words_says_which_side_they_are_on(tmp_path, words_file, order):
    packing = ".gz" if words_file.endswith(".gz") else ""
    write(tmp_path / words_file, written.PACK[packing]("\n".join(WORDS).encode()))
    for counts, name in ((COUNTS, "documents first"), (COUNTS.T, "words first")):
        path = write(tmp_path / "a.mtx", written.mtx_text(counts, order=order))
        corpus = read_corpus(path, min_documents=0)
        assert np.array_equal(corpus.counts.toarray(), COUNTS), name
        assert corpus.vocabulary == WORDS
    write(tmp_path / words_file, written.PACK[packing](b"a\nb"))
    with pytest.raises(CorpusError, match="next to it has 2 lines"):
        open_stream(path)


def test_matrices_cope_with_what_is_unusual(tmp_path):
    """Capitals, blank lines, tabs, zeros, an entry twice, many digits, no end of the last line, no entries."""
    head = "%%matrixmarket MATRIX Coordinate Integer General\n%\n\n% x\n 3\t4 5 \n\n"
    path = write(tmp_path / "a.mtx", head + "1 3\t2\n1 1 1 \n1 3 4\n3 2 0\n3 4 1234567890123")
    counts = next(iter(open_stream(path)))
    assert counts.toarray().tolist() == [[1, 0, 6, 0], [0, 0, 0, 0], [0, 0, 0, 1234567890123]]
    assert counts.nnz == 3
    assert stacked(write(tmp_path / "b.mtx", HEAD + "2 3 0\n")).tolist() == [[0, 0, 0], [0, 0, 0]]
    real = HEAD.replace("integer", "real") + "1 2 2\n1 1 .5\n1 2 1e+1\n"
    assert stacked(write(tmp_path / "c.mtx", real)).tolist() == [[0.5, 10]]


def test_unusual_lda_c_files_are_read(tmp_path):
    """Blanks at the end, empty documents, real counts, a term twice, blank lines, no end of the last line."""
    path = write(tmp_path / "a.ldac", "2 1:3 0:1 \n0\n0 \n\n3 2:1.5 2:1 0:0\n1 1:7")
    assert stacked(path).tolist() == [[1, 3, 0], [0, 0, 0], [0, 0, 0], [0, 0, 2.5], [0, 7, 0]]
    assert stacked(path, chunk_documents=2).shape == (5, 3)
    for name in ("a.ldac.vocab", "a.vocab", "vocab.txt"):
        words = write(tmp_path / name, "x\ny\nz\nunused")
        assert open_stream(path).vocabulary == ["x", "y", "z", "unused"]
        words.unlink()


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array, sp.coo_array, sp.bsr_array, sp.dia_array, sp.csr_matrix])
@pytest.mark.parametrize("kind", [np.int8, np.uint64, np.float32, bool])
def test_any_npz_that_scipy_writes(tmp_path, form, kind):
    counts = COUNTS.astype(kind)
    sp.save_npz(tmp_path / "a.npz", form(counts), compressed=kind is bool)
    assert np.array_equal(load_counts(tmp_path / "a.npz").toarray(), counts)
    assert np.array_equal(stacked(tmp_path / "a.npz", chunk_documents=7), counts)


def test_well_packed_counts_are_not_refused(tmp_path):
    """Ones in every place are packed to a thousandth, which only a large file must not be."""
    sp.save_npz(tmp_path / "a.npz", sp.csr_array(np.ones((1000, 1000))))
    assert (tmp_path / "a.npz").stat().st_size < 12e6 / 200
    assert load_counts(tmp_path / "a.npz").sum() == 1e6


def test_words_without_names_are_not_made_up_without_limit(tmp_path):
    path = write(tmp_path / "a.ldac", "1 50000000:1\n")
    assert open_stream(path).n_words == 50_000_001
    with pytest.raises(CorpusError, match="50,000,001 words without names"):
        read_corpus(path)


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array])
@pytest.mark.parametrize("dtype", ["f2", "f4", "g", "?", "i1", "u8", ">f8", ">i4"])
def test_counts_of_any_type(tmp_path, dtype, form):
    matrix = form(np.minimum(COUNTS, 1))
    matrix.data = matrix.data.astype(dtype)
    sp.save_npz(tmp_path / "a.npz", matrix)
    assert np.array_equal(stacked(tmp_path / "a.npz", chunk_documents=7), np.minimum(COUNTS, 1))
    assert np.array_equal(read_corpus(tmp_path / "a.npz", min_documents=0).counts.toarray(), np.minimum(COUNTS, 1))


@pytest.mark.parametrize("dtype", ["c8", "M8[s]", "m8[s]", "S3", "U3", "V4", [("a", "f8")]])
def test_what_is_not_a_number_is_refused(tmp_path, dtype):
    matrix = sp.csr_array(COUNTS)
    parts = {"indices": matrix.indices, "indptr": matrix.indptr, "shape": COUNTS.shape, "format": b"csr"}
    np.savez(tmp_path / "a.npz", data=np.zeros(matrix.nnz, dtype=dtype), **parts)
    with pytest.raises(CorpusError, match="not a count matrix"):
        read_corpus(tmp_path / "a.npz")
