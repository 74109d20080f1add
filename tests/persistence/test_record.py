"""Records come back as they were, from files that any reader of safetensors opens."""

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors import safe_open

from cotopics.errors import ModelFileError
from cotopics.persistence import CORPUS, KINDS, MODEL, STATISTICS, Record, layout, read_record, write_record
from cotopics.persistence.values import (
    MAX_DEPTH,
    check_arrays,
    check_rows,
    from_json,
    pack_texts,
    plain,
    to_json,
    unpack_texts,
)

ARRAYS = {
    "numbers": np.linspace(-1, 1, 12).reshape(3, 4),
    "columns": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "ж/../☃": np.arange(5, dtype=np.int32),
    "swapped": np.arange(4, dtype=">f8"),
    "bytes": np.arange(7, dtype=np.uint8),
    "flags": np.array([True, False, True]),
    "none": np.zeros((0, 3)),
    "one": np.array(2.5),
    "every other": np.arange(10, dtype=np.int16)[::2],
    "half": np.ones(3, dtype=np.float16),
}
RECORD = Record({"text": 'naïve\u2028\x00\x1f\\"词', "list": [1, 2.5, None, True, {"a": []}], "tiny": 5e-324}, ARRAYS)


@pytest.fixture
def path(tmp_path):
    write_record(tmp_path / "r", RECORD, MODEL)
    return tmp_path / "r"


@pytest.mark.parametrize("mmap", [False, True])
def test_a_record_comes_back(path, mmap):
    back = read_record(path, MODEL, mmap=mmap)
    assert back.manifest == RECORD.manifest
    assert set(back.arrays) == set(ARRAYS)
    for name, array in ARRAYS.items():
        assert back.arrays[name].dtype == array.dtype.newbyteorder("=")
        assert back.arrays[name].shape == array.shape
        assert (back.arrays[name] == array).all()
        assert back.arrays[name].flags.writeable is not mmap
        assert back.arrays[name].flags.aligned


def test_safetensors_reads_the_same(path):
    with safe_open(path, framework="numpy") as file:
        assert set(file.keys()) == set(ARRAYS)
        for name, array in ARRAYS.items():
            assert (file.get_tensor(name) == array).all()


def test_equal_records_are_equal_files(path, tmp_path):
    manifest = dict(reversed(RECORD.manifest.items()))
    write_record(tmp_path / "again", Record(manifest, dict(reversed(ARRAYS.items()))), MODEL)
    assert path.read_bytes() == (tmp_path / "again").read_bytes()


def test_no_arrays(tmp_path):
    write_record(tmp_path / "r", Record({"a": 1}, {}), STATISTICS)
    assert read_record(tmp_path / "r", STATISTICS) == Record({"a": 1}, {})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("other", KINDS)
def test_a_file_of_another_kind_says_what_it_is(tmp_path, kind, other):
    write_record(tmp_path / "r", Record({}, {}), kind)
    if kind == other:
        read_record(tmp_path / "r", other)
        return
    noun, opens, _ = KINDS[kind]
    with pytest.raises(ModelFileError, match=f"r: this is a {noun} file .*; {opens} opens it"):
        read_record(tmp_path / "r", other)


@pytest.mark.parametrize(("kind", "version"), [(MODEL, 0), (MODEL, 3), (CORPUS, 1), (STATISTICS, "2 "), (MODEL, "²")])
def test_unknown_versions_are_refused(tmp_path, monkeypatch, kind, version):
    monkeypatch.setattr(layout, "VERSION", version)
    write_record(tmp_path / "r", Record({}, {}), kind)
    with pytest.raises(ModelFileError, match=r"r: .*version.*Update cotopics|damaged"):
        read_record(tmp_path / "r", kind)


def test_contents_are_checked_unless_verify_is_false(path):
    content = bytearray(path.read_bytes())
    content[content.index(ARRAYS["numbers"].tobytes())] ^= 1
    path.write_bytes(content)
    assert (read_record(path, MODEL, verify=False).arrays["numbers"] != ARRAYS["numbers"]).any()
    with pytest.raises(ModelFileError, match="numbers does not match its checksum"):
        read_record(path, MODEL)


def test_the_manifest_is_always_checked(path):
    content = path.read_bytes()
    for old, new in ((b"5e-324", b"6e-324"), (b"[3,4]", b"[4,3]"), (b'"I32"', b'"F32"')):
        assert old in content
        path.write_bytes(content.replace(old, new))
        with pytest.raises(ModelFileError, match="damaged"):
            read_record(path, MODEL, mmap=True, verify=False)


def test_a_file_that_is_replaced_while_it_is_read(path):
    stop = threading.Event()

    def replace():
        i = 0
        while not stop.is_set():
            i += 1
            write_record(path, Record({"i": i}, {"x": np.full(1000, float(i))}), MODEL)

    thread = threading.Thread(target=replace)
    thread.start()
    try:
        for _ in range(100):
            record = read_record(path, MODEL)
            assert "text" in record.manifest or (record.arrays["x"] == record.manifest["i"]).all()
    finally:
        stop.set()
        thread.join()


def test_what_cannot_be_written(tmp_path, monkeypatch):
    path = tmp_path / "r"
    for manifest in ({"x": np.nan}, {"x": object()}, {"x": "\ud800"}, {"x": {1, 2}}):
        with pytest.raises(ModelFileError):
            write_record(path, Record(manifest, {}), MODEL)
    with pytest.raises(ModelFileError, match="array x of type object"):
        write_record(path, Record({}, {"x": np.array([{}])}), MODEL)
    with pytest.raises(ModelFileError, match="array x of type complex"):
        write_record(path, Record({}, {"x": np.zeros(2, dtype=complex)}), MODEL)
    monkeypatch.setattr(layout, "MAX_HEADER", 1000)
    with pytest.raises(ModelFileError, match="keep fewer words"):
        write_record(path, Record({"vocabulary": ["word"] * 500}, {}), MODEL)
    assert not list(tmp_path.iterdir())


@given(st.lists(st.text()))
def test_texts_come_back(texts):
    arrays = pack_texts("words", texts) | {"other": np.zeros(1)}
    assert unpack_texts(arrays, "words", len(texts)) == texts
    assert set(arrays) == {"other"}
    assert unpack_texts(arrays, "words", len(texts)) is None


def test_an_entry_that_is_not_a_text_is_named():
    with pytest.raises(ModelFileError, match=r"words: entry 1 is '\\udc80'.*errors='replace'"):
        pack_texts("words", ["a", "\udc80"])
    with pytest.raises(ModelFileError, match=r"words: entry 2 is 7, not a text; give str\(7\)"):
        pack_texts("words", ["a", "b", 7])


@pytest.mark.parametrize(
    ("content", "offsets"),
    [
        (b"abc", [0, 2]),  # not to the end
        (b"abc", [1, 3]),
        (b"abc", [0, 4]),
        (b"abc", [0, 2, 1, 3]),
        (b"abc", [0, -1, 3]),
        (b"abc", []),
        (b"\xff", [0, 1]),
        ("é".encode(), [0, 1, 2]),  # cut within a character
        (b"\xed\xa0\x80", [0, 3]),  # half a surrogate pair
    ],
)
def test_texts_that_cannot_be(content, offsets):
    arrays = {"x.text": np.frombuffer(content, np.uint8), "x.offsets": np.array(offsets, dtype=np.int64)}
    with pytest.raises(ModelFileError):
        unpack_texts(arrays, "x", max(len(offsets) - 1, 0))


@pytest.mark.parametrize(
    ("indptr", "indices"),
    [([0, 2], [0, 3]), ([0, 2], [-1, 0]), ([0, 3], [0, 1]), ([0, 2, 1, 2], [0, 1]), ([1, 2], [0, 1]), ([], [])],
)
def test_rows_that_cannot_be(indptr, indices):
    with pytest.raises(ModelFileError):
        check_rows(np.array(indptr, dtype=int), np.array(indices, dtype=int), 3, "counts")


def test_arrays_that_are_not_those_expected():
    expected = {"a": ("float64", (2, None))}
    check_arrays({"a": np.ones((2, 7))}, expected)
    check_arrays({"a": np.ones((2, 7)), "b": np.ones(1, dtype=np.int8)}, expected, {"b": (("int8", "int16"), (1,))})
    for wrong in (
        {},
        {"a": np.ones((3, 7))},
        {"a": np.ones(2)},
        {"a": np.ones((2, 7), dtype=np.float32)},
        {"a": np.full((2, 7), np.inf)},
        {"a": np.full((2, 7), np.nan)},
        {"a": np.ones((2, 7)), "b": np.ones(1)},
    ):
        with pytest.raises(ModelFileError):
            check_arrays(wrong, expected)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(JSON)
def test_plain_values_come_back(value):
    assert plain(value, "x") == value
    assert from_json(to_json(value)) == value


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 2}',
        '{"b": {"a": 1, "a": 1}}',
        "NaN",
        "[-Infinity]",
        "1e999",
        '"\\ud800"',
        '{"\\udfff": 1}',
        "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        "1" * 5000,
        "{} {}",
        "",
        "{'a': 1}",
    ],
)
def test_json_that_is_not_plain(text):
    with pytest.raises(ValueError):
        from_json(text)


def test_values_that_are_not_plain_are_named():
    assert plain({"a": (np.int64(3), np.array([1.5]))}, "x") == {"a": [3, [1.5]]}
    with pytest.raises(ModelFileError, match=r"x\['a'\] holds nan"):
        plain({"a": [float("nan")]}, "x")
    with pytest.raises(ModelFileError, match="x holds"):
        plain({1: 2}, "x")
