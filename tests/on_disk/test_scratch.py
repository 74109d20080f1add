"""What a fit on disk holds in memory, and what it leaves behind: nothing."""

import gc
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from conftest import planted_corpus
from cotopics import TopicModel
from cotopics.corpus import open_stream
from cotopics.errors import CorpusError
from cotopics.on_disk import documents as on_disk
from cotopics.on_disk import pack
from cotopics.on_disk.scratch import ScratchFile, get, put
from cotopics.refine.tokens import Tokens

X = planted_corpus(n_documents=2000, n_words=60, n_topics=4, length=30)[0]
on_linux = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")


def test_memory_does_not_depend_on_the_number_of_documents(monkeypatch, tmp_path):
    monkeypatch.setattr(on_disk, "PIECE_NUMBERS", 20_000)
    monkeypatch.setattr("cotopics.models.topics_per_document.MAX_TOKENS", 20_000)
    monkeypatch.setattr("cotopics.models.recommended.TRIAL_TOKENS", 20_000)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    sp.save_npz(tmp_path / "part.npz", X)
    peaks = {}
    for kind in ("one", "many"):
        for times in (1, 2, 8):  # the first also compiles what is not compiled yet
            stream = open_stream([tmp_path / "part.npz"] * times, chunk_documents=500)
            tracemalloc.start()
            TopicModel(4, refine=6, topics_per_document=kind).fit(stream)
            peaks[times] = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        assert peaks[8] < 1.25 * peaks[2]


def open_files():
    gc.collect()
    return len(os.listdir("/proc/self/fd"))


@on_linux
def test_scratch_files_have_no_name_and_are_closed(monkeypatch, tmp_path):
    monkeypatch.setattr(on_disk, "PIECE_NUMBERS", 5000)
    before, seen = open_files(), []

    def looked(*_):
        seen.append((os.listdir(tmp_path), open_files()))

    monkeypatch.setattr("cotopics.progress.tell", looked)
    with pack(open_stream(X, chunk_documents=500), scratch=tmp_path) as documents:
        TopicModel(4, refine=4, topics_per_document="many").fit(documents)
    assert max(n for _, n in seen) > before
    assert all(names == [] for names, _ in seen)
    assert open_files() == before


@on_linux
@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize("when", ["reading", "refining"])
def test_nothing_is_left_after_an_error(error, when, monkeypatch):
    before = open_files()

    def interrupt(what, *_):
        if what == when:
            raise error

    monkeypatch.setattr("cotopics.progress.tell", interrupt)
    with pytest.raises(error) as caught:
        TopicModel(4, refine=4, topics_per_document="many").fit(open_stream(X, chunk_documents=500))
    del caught
    assert open_files() == before


@on_linux
def test_a_full_disk_is_an_error_with_a_remedy():
    """A limit on the size of files does what a full disk does."""
    code = """
import resource, signal
import numpy as np
from cotopics.errors import CorpusError
from cotopics.on_disk.scratch import ScratchFile
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
file = ScratchFile(None)
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
try:
    file.write(np.linspace(0, 1, 5000))
except CorpusError as error:
    print(error)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "no room for a scratch file" in told
    assert "--scratch" in told


# --- arrays in a file ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "array",
    [
        np.arange(300),
        np.array([[1.0, 2.0], [3.0, 70_000.0]]),
        np.array([0.5, 1e300, -1.0]),
        np.array([np.nan, np.inf]),
        np.array([-3, 5]),
        np.array([2**40]),
        np.array([2.0**31, 2.0**32]),
        np.empty((0, 3), np.float32),
        np.array([True, False]),
        np.arange(12.0).reshape(3, 4).T,
    ],
    ids=lambda array: f"{array.dtype}{array.shape}",
)
def test_arrays_come_back_as_they_were(array, tmp_path):
    file = ScratchFile(tmp_path)
    file.write(np.arange(1000))
    back = get(file, put(file, array))
    assert back.dtype == array.dtype
    assert np.array_equal(back, array, equal_nan=array.dtype.kind == "f")
    assert back.flags.writeable


def test_whole_numbers_take_few_bytes(tmp_path):
    file = ScratchFile(tmp_path)
    file.write(np.ones(1000))
    file.write(np.full(1000, 300, dtype=np.int64))
    assert file.size == 3000


def test_what_is_in_a_file_is_not_written_again(tmp_path):
    counts = sp.csr_array(X, dtype=np.float64)
    file, other = ScratchFile(tmp_path), ScratchFile(tmp_path)
    tokens = get(other, put(file, counts))
    size = other.size
    again = get(other, put(other, Tokens(tokens)))
    assert other.size == size == 0
    other.write(tokens.data[:100])  # a part of it is another array
    assert other.size > 0
    assert isinstance(again, Tokens)
    assert (counts != again.X).nnz == 0
    size = other.size
    other.append(tokens.data)  # what may have changed is written again
    assert other.size == size + tokens.data.nbytes


def test_a_file_that_is_closed_cannot_be_read(tmp_path):
    with pack(open_stream(X), scratch=tmp_path) as documents:
        pass
    with pytest.raises((CorpusError, ValueError)):
        documents.gather()
