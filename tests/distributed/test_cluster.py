"""Worker processes, some of which are killed: the same bits come back."""

import os
import signal
from pathlib import Path

import dask
import dask.array as da
import numpy as np
import pytest
import scipy.sparse as sp
from dask.distributed import LocalCluster
from sklearn.base import clone

from conftest import planted_corpus
from cotopics import AnchorWords, CooccurrenceSketch, TopicModel, progress
from cotopics.cli.cluster import cluster
from cotopics.cli.display import start_run
from cotopics.distributed import Partitions, connected, open_partitions
from cotopics.errors import CorpusError
from platforms import needs_proc, needs_signals

X = planted_corpus(n_documents=600, n_words=80, length=30)[0]


def same(one, other):
    """Whether two fitted models are the same, bit for bit."""
    names = ("components_", "topic_correlation_", "topic_prevalence_")
    return all(getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in names)


def blocks(n_partitions=12, deadly=None):
    """X in partitions. Whoever first makes one of those in `deadly`, a folder of files named by number, dies."""
    parts = np.array_split(X.toarray(), n_partitions)
    made = [dask.delayed(_block)(part, number, deadly) for number, part in enumerate(parts)]
    return da.concatenate([da.from_delayed(one, part.shape, part.dtype) for one, part in zip(made, parts, strict=True)])


def _block(part, number, deadly):
    order = None if deadly is None else Path(deadly) / str(number)
    if order is not None and order.exists():
        order.unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return part


@needs_signals
def test_workers_killed_in_the_middle_of_the_pass_change_nothing(client, tmp_path):
    with dask.config.set(scheduler="threads"):
        expected = AnchorWords(4).fit(blocks())
    for number in (3, 8):
        (tmp_path / str(number)).touch()
    found = AnchorWords(4).fit(blocks(deadly=tmp_path))
    assert not list(tmp_path.iterdir())  # both died
    assert same(found, expected)


@needs_signals
def test_workers_killed_between_steps_of_refinement_change_nothing(client):
    with dask.config.set(scheduler="threads"):
        expected = TopicModel(4, refine=4).fit(blocks())
    killed = []

    def kill(step, done, total):
        if step == "refining" and done == 2 and len(killed) < 2:  # in the trial of each start
            killed.append(min(client.run(os.getpid).values()))
            os.kill(killed[-1], signal.SIGKILL)

    with progress.listening(kill):
        found = TopicModel(4, refine=4).fit(blocks())
    assert len(set(killed)) == 2
    assert same(found, expected)


def test_the_number_of_workers_changes_nothing(client):
    model = AnchorWords(4, rectifier="enn", representation="sketch", refine=2)
    with dask.config.set(scheduler="threads"):
        expected = clone(model).fit(blocks())
    try:
        for n_workers in (3, 1):
            client.cluster.scale(n_workers)
            client.wait_for_workers(n_workers, timeout=60)
            assert same(clone(model).fit(blocks()), expected)
    finally:
        client.cluster.scale(2)


def test_workers_may_be_threads_of_this_process():
    with connected(processes=False, n_workers=2):
        found = AnchorWords(4).fit(blocks())
    with dask.config.set(scheduler="threads"):
        assert same(found, AnchorWords(4).fit(blocks()))


def test_an_error_on_a_worker_names_the_file_and_the_row(client, tmp_path):
    for number in range(4):
        lines = ['{"text": "sun moon star"}'] * 5
        if number == 2:
            lines[3] = '{"text": 17}'
        (tmp_path / f"part{number}.jsonl").write_text("\n".join(lines))
    with pytest.raises(CorpusError, match=r"part2\.jsonl, line 4: field 'text' holds int"):
        open_partitions(tmp_path)
    Y = X.toarray()[:40].astype(float)
    Y[23, 5] = -1
    with pytest.raises(CorpusError, match="document 23, word 5"):
        AnchorWords(4).fit(da.from_array(Y, chunks=(10, 80)))


def test_a_scheduler_without_workers_is_told_of(capsys):
    with LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address=None) as empty:
        with pytest.warns(UserWarning, match="has no workers yet"), connected(empty.scheduler_address):
            pass
        start_run()
        with cluster(empty.scheduler_address, "documents"):
            assert "has no workers yet" in capsys.readouterr().err  # before the work, which waits for them
        start_run(quiet=True)
        with cluster(empty.scheduler_address, "documents"):
            assert capsys.readouterr().err == ""


def peak_memory():
    """Of this process, in bytes. The peak that getrusage knows is also that of the process which started this one."""
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) << 10


@needs_proc
def test_statistics_larger_than_a_workers_memory_stay_below_its_limit():
    """32 sketches of 27 MB each, of which one worker may hold a few."""
    n_words, n_columns, n_partitions, limit = 10_000, 300, 32, 640 << 20
    rng = np.random.default_rng(0)
    parts = [sp.csr_array(sp.random(200, n_words, 0.002, random_state=rng)).ceil() for _ in range(n_partitions)]
    with connected(n_workers=1, memory_limit=limit) as client:
        documents = Partitions(tuple(dask.delayed(part) for part in parts), n_words)
        sums = documents.add_up(CooccurrenceSketch(n_columns))
        (peak,) = client.run(peak_memory).values()
    assert sums.n_documents == 200 * n_partitions
    assert n_partitions * 9 * n_words * n_columns > limit > peak
