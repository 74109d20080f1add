"""Damaged, wrong and hostile files: each is one CorpusError that names the file, and nothing in them is run."""

import io
import json
import pickle
import struct
import zipfile
from contextlib import suppress

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp

import written
from cotopics.corpus import files, open_stream, read_corpus
from cotopics.errors import CorpusError

CASES = {}  # name of the case → (name of the file, its bytes or what makes them, options of reading, limit on a line)


def case(name, file, content, limit=None, **options):
    assert name not in CASES
    CASES[name] = (file, content, options, limit)


def text_of(kind):
    """The bytes of a good file of documents or counts."""
    if kind in written.COUNT_WRITERS:
        text = {"docword": written.uci_text, ".ldac": written.ldac_text, ".mtx": written.mtx_text}[kind]
        return text(np.tile(written.COUNTS, (40, 5))).encode()
    lines = [{"text": f"some words of document {i}, café", "id": str(i)} for i in range(200)]
    if kind == ".jsonl":
        return "\n".join(map(json.dumps, lines)).encode()
    if kind == ".csv":
        return "\n".join(["id,text", *(f'{line["id"]},"{line["text"]}"' for line in lines)]).encode()
    return "\n".join(line["text"] for line in lines).encode()


def name_of(kind):
    return "docword.bad.txt" if kind == "docword" else f"bad{kind}"


def saved(write, *content, **options):
    file = io.BytesIO()
    write(file, *content, **options)
    return file.getvalue()


NPZ = saved(sp.save_npz, sp.csr_array(np.tile(written.COUNTS, (40, 5))))
PARQUET = saved(lambda file: pq.write_table(pa.table({"text": [f"some words {i}" for i in range(500)]}), file))

# Cut off: at the start, within and just before the end.
for kind in (".txt", ".jsonl", ".csv", "docword", ".ldac", ".mtx"):
    for packing in (".gz", ".bz2", ".xz", ".zst"):
        data = written.PACK[packing](text_of(kind))
        for place, cut in {"start": 1, "half": len(data) // 2, "end": len(data) - 1}.items():
            case(f"{kind}{packing} cut at the {place}", name_of(kind) + packing, data[:cut])
for share in (0, 1, 40, 90, 99):
    case(f"npz of which {share} % are left", "bad.npz", NPZ[: len(NPZ) * share // 100])
    case(f"parquet of which {share} % are left", "bad.parquet", PARQUET[: len(PARQUET) * share // 100])
for kind, cut in ((".jsonl", -9), (".csv", -9), ("docword", -5), (".ldac", -9), (".mtx", -5)):
    case(f"{kind} cut off in a line", name_of(kind), text_of(kind)[:cut])
    case(f"{kind} without anything", name_of(kind), b"")
case("txt without anything", "bad.txt", b"")
case("txt of blanks", "bad.txt", b" \n\n\t\n")
case("mtx cut between lines", "bad.mtx", b"\n".join(text_of(".mtx").split(b"\n")[:50]) + b"\n")
case("csv of a header", "bad.csv", b"id,text\n")

# Changed bits.
for packing in (".gz", ".bz2", ".xz", ".zst"):
    data = bytearray(written.PACK[packing](text_of(".txt")))
    for place, at in {"start": 1, "middle": len(data) // 2, "end": len(data) - 7}.items():
        changed = data.copy()
        changed[at] ^= 0x10
        case(f"{packing} with a bit changed at the {place}", f"bad.txt{packing}", bytes(changed))
    case(f"{packing} that is none", f"bad.txt{packing}", b"these are words, not an archive")
    second = written.PACK[packing](b"some words\n") + b"\x00\x01 and no archive"
    case(f"{packing} with something after its end", f"bad.txt{packing}", second)
for place, at in {"directory": -30, "middle": len(NPZ) // 2, "start": 0}.items():
    changed = bytearray(NPZ)
    changed[at] ^= 0x10
    case(f"npz with a bit changed in the {place}", "bad.npz", bytes(changed))
for at in (-1, -5, -6):
    changed = bytearray(PARQUET)
    changed[at] ^= 0x11
    case(f"parquet with bits changed at {at}", "bad.parquet", bytes(changed))

# Wrong encodings.
LATIN = "some words, café naïve".encode("latin-1")
for encoding in ("utf-16", "utf-16-be", "utf-32"):
    for kind in (".txt", ".jsonl", ".csv"):
        case(f"{kind} in {encoding}", f"bad{kind}", '{"text": "wörds"}\n'.encode(encoding))
case("txt in latin-1", "bad.txt", b"good words\n" + LATIN)
case("jsonl in latin-1", "bad.jsonl", b'{"text": "' + LATIN + b'"}')
case("csv in latin-1", "bad.csv", b"id,text\n1," + LATIN)
case("tsv with a header in latin-1", "bad.tsv", LATIN + b"\ttext\n1\twords")
case("txt that is not ascii", "bad.txt", "café".encode(), encoding="ascii")
case("utf-16 that is none", "bad.txt", b"odd", encoding="utf-16")
case("utf-16 with half a character", "bad.txt", "words\n".encode("utf-16-le") + b"\x00\xd8a\x00", encoding="utf-16-le")
case("half of a character in JSON", "bad.jsonl", b'{"text": "words \\ud800"}')
case("npz with words in latin-1", "bad.npz", NPZ, next_to={"vocab.txt": LATIN})

# Wrong columns.
case("jsonl without the text", "bad.jsonl", b'{"body": "words"}\n{"body": "more"}')
case("jsonl with one object without the text", "bad.jsonl", b'{"text": "words"}\n{"body": "more"}')
case("jsonl without the metadata", "bad.jsonl", b'{"text": "words words"}', metadata_fields=["page"])
case("csv without the text", "bad.csv", b"id,body\n1,words")
case("csv with two texts", "bad.csv", b"text,text\n1,words")
case("csv without the metadata", "bad.csv", b"id,text\n1,words", metadata_fields=["page"])
case("csv with a short row", "bad.csv", b"id,text\n1,words\n2\n3,more")
case("csv with a long row", "bad.csv", b"id,text\n1,words, more words")
case("csv with a quote that is not closed", "bad.csv", b'id,text\n1,words\n2,"more words\n3,words')
case("csv with a quote within", "bad.csv", b'id,text\n1,"words" more')
case("csv with old ends of lines", "bad.csv", b"id,text\r1,words\r")
case("csv with cells between colons", "bad.csv", b"id:text\n1:words")
for name in ("body", "label"):
    table = pa.table({name: ["words"]})
    case(f"parquet with {name} only", "bad.parquet", saved(lambda file, table=table: pq.write_table(table, file)))

# Mixed and wrong types.
for value in ("3", "3.5", "true", '{"a": "b"}', '[1, "a"]', '["a", ["b"]]', "[[]]"):
    case(f"jsonl with the text {value}", "bad.jsonl", f'{{"text": "words"}}\n{{"text": {value}}}'.encode())
case("jsonl with texts and lists", "bad.jsonl", b'{"text": "words"}\n{"text": ["more", "words"]}')
for line in ("[1]", "3", '"words"', "null", "{", '{"text": "words"', "words", "{'text': 'words'}", "[" * 100_000):
    case(f"jsonl with the line {line[:30]}", "bad.jsonl", f'{{"text": "words"}}\n{line}'.encode())
case("jsonl with a huge number", "bad.jsonl", b'{"text": "words", "id": ' + b"9" * 5000 + b"}")
COLUMNS = {
    "numbers": [1, 2],
    "lists of numbers": [[1], [2]],
    "bytes": [b"words", b"more"],
    "truths": [True, False],
    "structures": [{"a": 1}, {"a": 2}],
    "lists of lists": [[["words"]], [["more"]]],
}
for name, column in COLUMNS.items():
    table = pa.table({"text": column})
    case(f"parquet with {name}", "bad.parquet", saved(lambda file, table=table: pq.write_table(table, file)))
NOT_UTF8 = pa.Array.from_buffers(
    pa.string(), 1, [None, pa.py_buffer(np.array([0, 1], np.int32)), pa.py_buffer(b"\xff")]
)
table = pa.table({"text": NOT_UTF8})
case("parquet in latin-1", "bad.parquet", saved(lambda file, table=table: pq.write_table(table, file)))

# What would fill the memory.
MB = 1 << 20
for packing in (".gz", ".bz2", ".xz", ".zst"):
    bomb = written.PACK[packing](b"a" * MB) * 4
    for file in ("bad.txt", "bad.jsonl", "bad.csv", "docword.bad.txt", "bad.mtx", "bad.ldac"):
        case(f"{file}{packing} that becomes large", file + packing, bomb, limit=MB)
case("csv with a row that has no end", "bad.csv", b'id,text\n1,"' + b"words\n" * (MB // 3), limit=MB)
case("npz that becomes large", "bad.npz", saved(sp.save_npz, sp.csr_array(np.ones((1000, 2000)))), limit=MB)
REPEATED = pa.table({"text": ["a" * (4 * MB)]})
case(
    "parquet that becomes large",
    "bad.parquet",
    saved(lambda file: pq.write_table(REPEATED, file, compression="zstd")),
    limit=MB,
)
OFTEN = pa.table({"text": pa.array(["one two " * 1000] * 2000).dictionary_encode()})
case("parquet of one text in every row", "bad.parquet", saved(lambda file: pq.write_table(OFTEN, file)), limit=MB)
NEVER = pa.table({"text": pa.nulls(100_000, pa.string())})
case("parquet of rows without texts", "bad.parquet", saved(lambda file: pq.write_table(NEVER, file)), limit=MB)
case("npz with many words in its list", "bad.npz", NPZ, limit=MB, next_to={"vocab.txt": b"a" * (2 * MB)})


class Trap:
    def __reduce__(self):
        return exec, ("raise SystemExit('a pickle was loaded')",)


# Pickles under other names.
NAMES = ("bad.txt", "bad.jsonl", "bad.csv", "bad.tsv", "bad.parquet", "bad.npz", "bad.ldac", "bad.mtx")
for file in (*NAMES, "docword.bad.txt", "bad.dat", "bad.txt.gz", "bad.mtx.zst"):
    case(f"a pickle called {file}", file, pickle.dumps(Trap(), protocol=4))


# Counts that are none.
def parts(**changed):
    """An archive with the arrays of a good one, some of them changed, or left out where they are None."""
    good = sp.csr_array(written.COUNTS)
    arrays = {"data": good.data, "indices": good.indices, "indptr": good.indptr, "shape": (5, 4), "format": b"csr"}
    return {name: array for name, array in (arrays | changed).items() if array is not None}


N = len(parts()["data"])


def counts_with(value):
    return np.where(np.arange(N) == 3, value, 1.0)


WRONG_PARTS = {
    "a negative count": {"data": counts_with(-1)},
    "NaN": {"data": counts_with(np.nan)},
    "infinity": {"data": counts_with(np.inf)},
    "a huge count": {"data": counts_with(1e300)},
    "complex counts": {"data": np.ones(N, complex)},
    "texts as counts": {"data": np.array(["a"] * N)},
    "objects as counts": {"data": np.array([{}] * N, dtype=object)},
    "dates as counts": {"data": np.ones(N, "M8[s]")},
    "a word out of range": {"indices": np.full(N, 4)},
    "a negative word": {"indices": np.full(N, -1)},
    "words that are not whole": {"indices": np.zeros(N)},
    "ends that go back": {"indptr": np.array([0, 2, 1, 4, 6, N])},
    "ends that are too large": {"indptr": np.array([0, 2, 2, 4, 6, 10**9])},
    "too few ends": {"indptr": np.array([0, N])},
    "fewer words than counts": {"indices": np.zeros(2, np.int32)},
    "columns out of range": {"format": b"csc", "indices": np.full(N, 5), "indptr": np.array([0, 2, 4, 6, N])},
    "pairs out of range": {"format": b"coo", "row": np.zeros(N, int), "col": np.full(N, 9)},
    "blocks out of range": {"format": b"bsr", "data": np.ones((N, 1, 1)), "indices": np.full(N, 9)},
    "a format that is none": {"format": b"xyz"},
    "a format that is a function": {"format": b"random"},
    "no format": {"format": None},
    "no shape": {"shape": None},
    "one dimension": {"shape": (5,)},
    "three dimensions": {"shape": (5, 4, 3)},
    "a shape that is not whole": {"shape": (5.5, 4.0)},
    "a negative shape": {"shape": (-5, 4)},
    "a billion documents": {
        "shape": (2 * 10**9, 4),
        "format": b"coo",
        "row": np.zeros(N, int),
        "col": np.zeros(N, int),
    },
    "a trillion words": {"shape": (5, 10**12)},
    "a part that is none": {"evil": np.ones(3)},
}
for name, changed in WRONG_PARTS.items():
    case(f"npz with {name}", "bad.npz", saved(np.savez, **parts(**changed)))


def zipped(change=None, extra=(), **options):
    """The same archive, written by hand: `change` alters the bytes of an array, `extra` are further files."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in parts().items():
            data = saved(np.save, np.asarray(array))
            archive.writestr(f"{name}.npy", change(name, data) if change else data)
        for name, data in extra:
            archive.writestr(name, data)
    return file.getvalue()


def claiming(shape):
    """The header of `data` says that there is far more of it than there is."""
    new = str(shape).encode()

    def change(name, data):
        old = f"({N},), }}".encode()
        return data.replace(old, new + b", }", 1) if name == "data" else data

    return zipped(change)


case("npz with a path upwards", "bad.npz", zipped(extra=[("../../evil.npy", b"x")]))
case("npz with an absolute path", "bad.npz", zipped(extra=[("/tmp/evil.npy", b"x")]))
case("npz with a path of Windows", "bad.npz", zipped(extra=[("C:\\evil.npy", b"x")]))
case("npz with a script", "bad.npz", zipped(extra=[("data.py", b"x")]))
case("npz within an npz", "bad.npz", zipped(extra=[("bad.npz", NPZ)]))
case("npz that claims 10**12 counts", "bad.npz", claiming((10**12,)))
case("npz that claims 10**30 counts", "bad.npz", claiming((10**30,)))
case("npz that claims −1 counts", "bad.npz", claiming((-1,)))
case("npz with a header that is code", "bad.npz", zipped(lambda name, data: data.replace(b"{'descr'", b"exit(1)#", 1)))
case(
    "npz with a header of 2 GB", "bad.npz", zipped(lambda name, data: data[:6] + b"\x02\x00" + struct.pack("<I", 2**31))
)
case("npz with a version that is none", "bad.npz", zipped(lambda name, data: data[:6] + b"\x09\x00" + data[8:]))
case("npz with parts that are texts", "bad.npz", zipped(lambda name, data: b"words"))
case("npz that is an npy", "bad.npz", saved(np.save, np.ones(3)))

HEAD = "%%MatrixMarket matrix coordinate integer general\n"
REAL = HEAD.replace("integer", "real")
MATRICES = {
    "a NUL byte in a line": HEAD + "7 19 2\n7 19 1\0\n15 1 3\n",
    "a NUL byte before a line": HEAD + "7 19 2\n\0007 19 1\n1 1 3\n",
    "NUL bytes only": "\0" * 500,
    "no banner": "3 4 1\n1 1 1\n",
    "another banner": "%%MatrixMarket vector coordinate integer general\n3 4 1\n1 1 1\n",
    "a dense matrix": "%%MatrixMarket matrix array integer general\n2 1\n1\n2\n",
    "complex values": HEAD.replace("integer", "complex") + "2 2 1\n1 1 1 0\n",
    "symmetry": HEAD.replace("general", "symmetric") + "2 2 1\n1 1 1\n",
    "no sizes": HEAD + "% comment\n",
    "two sizes": HEAD + "3 4\n1 1 1\n",
    "a negative size": HEAD + "-3 4 1\n1 1 1\n",
    "no rows": HEAD + "0 4 0\n",
    "a trillion rows": HEAD + "1000000000000 4 1\n1 1 1\n",
    "a billion rows": HEAD + "1000000000 4 1\n1 1 1\n",
    "a trillion columns": HEAD + "3 1000000000000 1\n1 1 1\n",
    "more entries than promised": HEAD + "3 4 1\n1 1 1\n2 2 2\n",
    "fewer entries than promised": HEAD + "3 4 3\n1 1 1\n2 2 2\n",
    "a row out of range": HEAD + "3 4 1\n4 1 1\n",
    "a column out of range": HEAD + "3 4 1\n3 5 1\n",
    "a row 0": HEAD + "3 4 1\n0 1 1\n",
    "a negative row": HEAD + "3 4 1\n-1 1 1\n",
    "a negative count": HEAD + "3 4 1\n1 1 -1\n",
    "a count that is not whole": HEAD + "3 4 1\n1 1 1.5\n",
    "a negative real": REAL + "3 4 1\n1 1 -1.0\n",
    "NaN": REAL + "3 4 1\n1 1 nan\n",
    "infinity": REAL + "3 4 1\n1 1 1e999\n",
    "a huge count": REAL + "3 4 1\n1 1 1e300\n",
    "a count of many digits": HEAD + f"3 4 1\n1 1 {'9' * 400}\n",
    "an underscore": REAL + "3 4 1\n1 1 1_0\n",
    "a hexadecimal count": REAL + "3 4 1\n1 1 0x10\n",
    "a row that is not whole": REAL + "3 4 1\n1.0 1 2.0\n",
    "words": HEAD + "3 4 1\none two three\n",
    "a comment among the entries": HEAD + "3 4 2\n1 1 1\n% no\n2 1 1\n",
    "two values": HEAD + "3 4 1\n1 1 1 1\n",
    "lines that do not end where they should": REAL + "3 4 2\n1 1\n1 2 2 1.0\n",
    "other digits": HEAD + "3 4 1\n١ 1 1\n",
    "a pattern with values": HEAD.replace("integer", "pattern") + "3 4 1\n1 1 1\n",
    "escapes": HEAD + "3 4 1\n\x1b[31m 1 1\n",
}
for name, content in MATRICES.items():
    case(f"mtx with {name}", "bad.mtx", content.encode())
LDAC = {
    "a promise that is broken": "2 0:1\n",
    "no promise": "0:1 1:1\n",
    "no colon": "1 5\n",
    "two colons": "1 0:1:1\n",
    "no term": "1 :1\n",
    "no count": "1 0:\n",
    "a negative count": "1 0:-1\n",
    "NaN": "1 0:nan\n",
    "infinity": "1 0:inf\n",
    "a huge count": "1 0:1e300\n",
    "an underscore": "1 0:1_0\n",
    "a negative term": "1 -1:1\n",
    "a term that is not whole": "1 1.0:1\n",
    "a term beyond all": "1 999999999:1\n",
    "a term of many digits": f"1 {'9' * 400}:1\n",
    "a NUL byte": "1 0\0:1\n",
    "words": "some words\n",
}
for name, content in LDAC.items():
    case(f"lda-c with {name}", "bad.ldac", b"1 0:1\n" + content.encode())
case("lda-c with a term beyond its words", "bad.ldac", b"1 4:1\n", next_to={"vocab.txt": b"a\nb\nc\nd\n"})
case("npz with too few words", "bad.npz", NPZ, next_to={"vocab.txt": b"a\nb\n"})
for name, deep in {"lists": "[" * 500 + "]" * 500, "objects": '{"a":' * 500 + "1" + "}" * 500}.items():
    for field in ("label", "id", "date"):
        case(f"a {field} of {name} within {name}", "bad.jsonl", f'{{"text": "one two", "{field}": {deep}}}\n'.encode())
case(
    "half a character and nested lists",
    "bad.jsonl",
    b'{"text": "\\ud800", "x": ' + b"[" * 900 + b"]" * 900 + b"}\n",
)
case("a file with an unknown suffix", "bad.pdf", b"words")


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("read", [read_corpus, lambda path, **options: list(open_stream(path, **options))])
def test_a_bad_file_is_one_clear_error(tmp_path, monkeypatch, name, read):
    file, content, options, limit = CASES[name]
    path = tmp_path / file
    path.write_bytes(content)
    options = dict(options)
    for other, data in options.pop("next_to", {}).items():
        (tmp_path / other).write_bytes(data)
    if limit is not None:
        monkeypatch.setattr(files, "MAX_BYTES", limit)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(CorpusError) as caught:
        read(path, **options)
    message = str(caught.value)
    assert file in message or "vocab.txt" in message
    assert "\n" not in message.strip()
    assert "\x1b" not in message
    assert len(message) < 700
    assert sorted(tmp_path.iterdir()) == before


INSERTED = (b"\0", b"9" * 20, b"\n", b"-1", b"nan", b'"', b"\xff\xfe", b"1e400", b"")


@pytest.mark.parametrize("packing", ["", ".zst"])
@pytest.mark.parametrize("kind", [*written.DOCUMENT_WRITERS, *written.COUNT_WRITERS])
def test_changed_files_are_read_or_refused(tmp_path, rng, kind, packing):
    if kind in written.COUNT_WRITERS:
        path = written.COUNT_WRITERS[kind](tmp_path, written.COUNTS, written.WORDS, packing)
    else:
        path, _ = written.DOCUMENT_WRITERS[kind](tmp_path, written.DOCUMENTS, kind, packing)
    file = path / f"0.txt{packing}" if kind == "folder" else path
    good = file.read_bytes()
    for _ in range(40):
        at, n = int(rng.integers(len(good))), int(rng.choice([0, 1, 1, 20]))
        file.write_bytes(good[:at] + INSERTED[rng.integers(len(INSERTED))] + good[at + n :])
        with suppress(CorpusError):
            for chunk in open_stream(path):
                assert np.isfinite(chunk.data).all()
                assert (chunk.data > 0).all()


def test_there_are_many():
    assert len(CASES) > 200
