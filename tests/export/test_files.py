"""Tables as files: what is read back is what was written, and a failure leaves the old file."""

import csv
import errno
import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys
import tracemalloc
import weakref
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import cotopics
from cotopics.errors import ParameterError
from cotopics.export import Table, check_table_name, write_table
from cotopics.export.tables import FORMULA, RUNS, defused, encodable
from platforms import needs_links, needs_pipes, needs_signals

HOSTILE = [
    "=1+1", "=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "\rx", "\n", " =1", '"=1', "'=1", "''=1", "＝1",
    "＋a", "－1", "＠b", "\ufeff=1", "\u200e-1", "\x00", "a\x00b", "\u202eevil", "\ud800", "a\udfffb", 'quo"te', '""',
    "a; =1", "a;'=1", ";;@x",
    ",", ";", "a,b", "a\r\nb", "", " ", "NA", "null", "\u2028", "\x85", "\\", "\\N", "#", "</data>", "]]>", "&amp;",
    "\x1b[31m", "\uffff", "词", "😀",
]  # fmt: skip
WORDS = st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(), max_size=8)), min_size=1, max_size=12)
NUL = pd.read_csv(io.StringIO('word\n"\0"\n'), keep_default_na=False)["word"][0]
PANDAS_ENGINE = "c" if NUL == "\0" else "python"  # before version 3, C's stops at a NUL
SPECIAL = [0.0, -0.0, 1.0, -0.5, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, 1e-300, 123456789.123456789]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tables")


def as_before(cell):
    """The text that was defused: the apostrophes taken away where they were put."""
    first = cell[1:] if cell.startswith("'") and RUNS.match(cell[1:]) else cell
    return re.sub(f";'(?={FORMULA})", ";", first)


def numbers(rng, n=500):
    columns = {f"topic_{k}": column for k, column in enumerate(rng.dirichlet(np.full(6, 0.1), size=n).T)}
    return Table(("document", *columns), (np.arange(n), *columns.values()))


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".csv.gz"])
def test_numbers_come_back_from_text(folder, rng, suffix):
    table, path = numbers(rng), folder / f"n{suffix}"
    write_table(table, path)
    expected = np.column_stack(table.columns)
    separator = "\t" if suffix == ".tsv" else ","
    with (gzip.open if suffix.endswith("gz") else open)(path, "rt", newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file, delimiter=separator)
    assert tuple(names) == table.names
    assert (np.array(rows, dtype=float) == expected).all()
    assert np.abs(pd.read_csv(path, sep=separator).to_numpy() - expected).max() <= 1e-15
    assert np.abs(pl.read_csv(path, separator=separator).to_numpy() - expected).max() <= 1e-15


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_numbers_come_back_from_json(folder, rng, suffix):
    table, path = numbers(rng), folder / f"n{suffix}"
    write_table(table, path)
    expected = np.column_stack(table.columns)
    with (gzip.open if suffix.endswith("gz") else open)(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    assert (pd.DataFrame(rows).to_numpy() == expected).all()
    assert tuple(rows[0]) == table.names
    assert np.abs(pl.DataFrame(rows).to_numpy() - expected).max() == 0


def test_numbers_come_back_from_parquet(folder, rng):
    table = numbers(rng)
    write_table(table, folder / "n.parquet")
    back = pq.read_table(folder / "n.parquet")
    assert tuple(back.column_names) == table.names
    for name, column in table.as_dict().items():
        assert (back[name].to_numpy() == column).all()
        assert back[name].type == ("int64" if name == "document" else "double")
    assert (pl.read_parquet(folder / "n.parquet").to_numpy() == np.column_stack(table.columns)).all()


def test_special_numbers(folder):
    table = Table(("x", "y"), (SPECIAL, np.arange(len(SPECIAL))))
    write_table(table, folder / "s.csv")
    write_table(table, folder / "s.jsonl")
    _, *rows = csv.reader((folder / "s.csv").read_text().splitlines())
    assert np.array([float(row[0]) for row in rows]).tobytes() == table.columns[0].tobytes()
    back = [json.loads(line)["x"] for line in (folder / "s.jsonl").read_text().splitlines()]
    assert np.array(back).tobytes() == table.columns[0].tobytes()


def test_what_is_missing(folder):
    table = Table(("n", "text", "x"), ([1, 2, 3], ["", None, "c"], [0.5, float("nan"), float("inf")]))
    write_table(table, folder / "m.csv")
    assert (folder / "m.csv").read_text() == 'n,text,x\n1,"",0.5\n2,,\n3,c,inf\n'
    write_table(table, folder / "m.jsonl")
    rows = [json.loads(line) for line in (folder / "m.jsonl").read_text().splitlines()]
    assert [(row["text"], row["x"]) for row in rows] == [("", 0.5), (None, None), ("c", None)]
    write_table(table, folder / "m.parquet")
    assert pq.read_table(folder / "m.parquet")["text"].to_pylist() == ["", None, "c"]


@settings(max_examples=60, deadline=None)
@given(WORDS)
@example(HOSTILE)
def test_every_word_comes_back_from_every_format(folder, words):
    table = Table(("word", "p"), (words, np.linspace(-1, 1, len(words))))
    expected = [encodable(word) for word in words]
    for suffix, separator in ((".csv", ","), (".tsv", "\t")):
        path = folder / f"words{suffix}"
        write_table(table, path)
        with path.open(newline="", encoding="utf-8") as file:
            _, *rows = csv.reader(file, delimiter=separator)
        assert [as_before(word) for word, _ in rows] == expected
        assert [float(p) for _, p in rows] == table.columns[1].tolist()
        frame = pd.read_csv(path, sep=separator, dtype={"word": str}, keep_default_na=False, engine=PANDAS_ENGINE)
        assert [as_before(word) for word in frame["word"]] == expected
        frame = pl.read_csv(path, separator=separator, schema={"word": pl.String, "p": pl.Float64})
        assert [as_before(word) for word in frame["word"]] == expected
    write_table(table, folder / "words.jsonl")
    text = (folder / "words.jsonl").read_text(encoding="utf-8")
    assert [json.loads(line)["word"] for line in text.splitlines()] == expected  # whatever ends a line somewhere
    assert (
        pl.read_ndjson(folder / "words.jsonl", schema={"word": pl.String, "p": pl.Float64})["word"].to_list()
        == expected
    )
    write_table(table, folder / "words.parquet")
    assert pq.read_table(folder / "words.parquet")["word"].to_pylist() == expected


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.sampled_from(HOSTILE), st.text(st.characters())))
def test_no_cell_is_a_formula(text):
    cell = defused(text)
    bare = cell.lstrip(' \t\r\n"\x00\xa0\u3000\ufeff')
    assert not bare.startswith(tuple("=+-@＝＋－＠"))
    assert not cell.startswith(("\t", "\r", "\n"))
    assert as_before(cell) == text
    parts = zip(cell.split(";"), text.split(";"), strict=True)
    assert all(part in (before, f"'{before}") for part, before in parts)
    assert not any(re.match(r"[\s\"]*[=+\-@＝＋－＠]", part) for part in cell.split(";"))


def test_defusing_can_be_left_out(folder):
    table = Table(("word", "x"), (["=1", "b"], [-1.5, -2]))
    write_table(table, folder / "d.csv")
    assert (folder / "d.csv").read_text() == "word,x\n'=1,-1.5\nb,-2.0\n"  # numbers stay numbers
    write_table(table, folder / "d.csv", defuse=False)
    assert (folder / "d.csv").read_text() == "word,x\n=1,-1.5\nb,-2.0\n"


def test_equal_tables_are_equal_files(folder, rng):
    table = numbers(rng)
    for suffix in (".csv.gz", ".parquet"):
        write_table(table, folder / f"one{suffix}")
        write_table(table.pieces(100) if suffix == ".csv.gz" else table, folder / f"two{suffix}")
        assert (folder / f"one{suffix}").read_bytes() == (folder / f"two{suffix}").read_bytes()


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_blocks_are_written_as_they_come(tmp_path, suffix):
    """When the third block is asked for, the first is gone from memory; parquet keeps the first for its types."""
    seen = []

    def blocks():
        for i in range(6):
            block = Table(("i", "text"), (np.full(2000, i), [f"{i} {j}" for j in range(2000)]))
            seen.append(weakref.ref(block))
            yield block
            del block
            alive = [j for j, reference in enumerate(seen) if reference() is not None]
            assert set(alive) <= {i, 0 if suffix == ".parquet" else i}

    write_table(blocks(), tmp_path / f"t{suffix}")
    readers = {".csv": pl.read_csv, ".jsonl": pl.read_ndjson, ".parquet": pl.read_parquet}
    back = readers[suffix](tmp_path / f"t{suffix}")
    assert back["i"].to_list() == np.repeat(np.arange(6), 2000).tolist()


def test_memory_does_not_grow_with_documents(tmp_path):
    def peak(n_blocks):
        W = np.full((4000, 10), 0.1)  # so large that what other threads do meanwhile is small
        tracemalloc.start()
        blocks = (Table(tuple("abcdefghij"), tuple(W[:, k] for k in range(10))) for _ in range(n_blocks))
        write_table(blocks, tmp_path / "t.csv")
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    peak(2)
    assert peak(20) < 1.2 * peak(4)


def failing(error):
    yield Table(("a",), (np.arange(5),))
    raise error


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".jsonl", ".parquet"])
@pytest.mark.parametrize("error", [RuntimeError("stop"), KeyboardInterrupt()])
def test_a_failure_leaves_the_old_file(tmp_path, suffix, error):
    path = tmp_path / f"t{suffix}"
    path.write_bytes(b"old")
    with pytest.raises(type(error)):
        write_table(failing(error), path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_names_the_file(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_bytes(b"old")

    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as caught:
        write_table(Table(("a",), ([1],)), path)
    assert caught.value.filename == str(path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_another_files_error_keeps_its_name(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        write_table(failing(FileNotFoundError(errno.ENOENT, "No such file", "source.txt")), tmp_path / "t.csv")
    assert caught.value.filename == "source.txt"


@needs_signals
def test_a_kill_leaves_the_old_file(tmp_path):
    path = tmp_path / "t.csv"
    write_table(Table(("a",), ([1, 2],)), path)
    script = (
        "import itertools, numpy as np, sys\n"
        "from cotopics.export import Table, write_table\n"
        "def blocks():\n"
        "    for i in itertools.count():\n"
        "        yield Table(('a',), (np.arange(5000),))\n"
        "        print(i, flush=True)\n"
        "write_table(blocks(), sys.argv[1])\n"
    )
    source = str(Path(cotopics.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": source}
    child = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, env=environment)
    with child:
        for _ in range(3):
            assert child.stdout.readline()
        child.send_signal(signal.SIGKILL)
    assert path.read_text() == "a\n1\n2\n"
    write_table(Table(("a",), ([3],)), path)
    assert path.read_text() == "a\n3\n"


@pytest.mark.parametrize("name", ["t", "t.txt", "t.gz", "t.xlsx", "t.csv.zip", "t.parquet.gz"])
def test_names_that_say_nothing(tmp_path, name):
    with pytest.raises(ParameterError, match=r"tables are written as|leave out \.gz"):
        write_table(Table(("a",), ([1],)), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_capitals_are_suffixes_too(tmp_path):
    write_table(Table(("a",), ([1],)), tmp_path / "T.CSV.GZ")
    assert gzip.decompress((tmp_path / "T.CSV.GZ").read_bytes()) == b"a\n1\n"


def test_without_pyarrow_one_line_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ParameterError, match=r'pip install "cotopics\[parquet\]"'):
        check_table_name(tmp_path / "t.parquet")
    write_table(Table(("a",), ([1],)), tmp_path / "t.csv")


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_blocks_of_different_tables(tmp_path, suffix):
    for other in (Table(("b",), ([1],)), Table(("a",), (["x"],))):
        with pytest.raises(ParameterError, match="same columns"):
            write_table([Table(("a",), ([1],)), other], tmp_path / f"t{suffix}")
    with pytest.raises(ParameterError, match="no table to write"):
        write_table([], tmp_path / f"t{suffix}")
    assert not list(tmp_path.iterdir())


def test_an_empty_table_has_a_heading(tmp_path):
    write_table(Table(("topic", "share"), (np.arange(0), np.zeros(0))), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "topic,share\n"
    assert list(csv.reader(io.StringIO("topic,share\n"))) == [["topic", "share"]]
    write_table(Table(("topic", "share"), (np.arange(0), np.zeros(0))), tmp_path / "t.parquet")
    assert pq.read_table(tmp_path / "t.parquet").num_rows == 0


@needs_pipes
def test_a_pipe_is_no_file_to_be_replaced(tmp_path):
    path = tmp_path / "p.csv"
    os.mkfifo(path)
    with pytest.raises(OSError, match=r"p\.csv"):
        write_table(Table(["a"], [np.array([1.0])]), path)
    assert path.is_fifo()


@needs_links
def test_a_link_stays_and_so_do_permissions(tmp_path):
    target, link = tmp_path / "t.csv", tmp_path / "link.csv"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o600)
    link.symlink_to(target)
    write_table(Table(["a"], [np.array([1.0])]), link)
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8").startswith("a\n1")
    assert target.stat().st_mode & 0o777 == 0o600
