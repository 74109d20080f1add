"""Files that are damaged, or lie, or are something else: a ModelFileError that names the file, and nothing else."""

import hashlib
import io
import json
import os
import pickle
import struct
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open

from cotopics import AnchorWords, load
from cotopics.errors import ModelFileError
from cotopics.persistence import CORPUS, MODEL, Record, read_record, write_record
from cotopics.rectify import AlternatingProjection
from platforms import needs_links, needs_pipes

WORDS = ["кот", "犬", "</script>", "naïve\u2028\x00", "e", "\x1f"]
X = [[3, 2, 0, 0, 0, 0], [2, 4, 0, 0, 1, 0], [0, 0, 5, 2, 0, 1], [0, 0, 2, 2, 1, 0], [1, 1, 1, 1, 0, 0]]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    model = AnchorWords(2, rectifier=AlternatingProjection(tolerance=1e-3), anchors=[["кот", "犬"]])
    path = tmp_path_factory.mktemp("model") / "m.cotopics"
    model.fit(X, feature_names=WORDS).save(path, statistics=True)
    return path


@pytest.fixture(scope="module")
def whole(path):
    return path.read_bytes()


def refused(path, content):
    path.write_bytes(content)
    with pytest.raises(ModelFileError) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}: ")
    return str(caught.value)


def test_the_model_is_fine(path):
    assert load(path).vocabulary_.tolist() == WORDS


SHARES = [*np.linspace(0, 0.999, 40)]


@pytest.mark.parametrize("length", [*range(1, 9), *SHARES, "last"])
def test_cut_short(whole, tmp_path, length):
    length = len(whole) - 1 if length == "last" else int(length if length >= 1 else length * len(whole))
    refused(tmp_path / "m", whole[:length])


@pytest.mark.parametrize("more", [b"\0", b" ", b"\0" * 8, b"}"])
def test_bytes_at_the_end(whole, tmp_path, more):
    refused(tmp_path / "m", whole + more)


@pytest.mark.parametrize("bit", range(8))
@pytest.mark.parametrize("part", ["length", "heading", "checksum", "manifest", "escape", "header", "arrays"])
def test_one_bit_is_wrong(whole, tmp_path, part, bit):
    """Every tenth byte of a part, one at a time."""
    n = 8 + int.from_bytes(whole[:8], "little")
    bounds = {
        "length": (0, 8),
        "heading": (8, 60),
        "checksum": (whole.index(b" 2 ") + 3, whole.index(b" 2 ") + 67),
        "manifest": (150, whole.index(b'"statistics.')),
        "escape": (whole.index(b"\\\\u001f"), whole.index(b"\\\\u001f") + 8),
        "header": (whole.index(b'},"') - 400, n),
        "arrays": (n, len(whole)),
    }[part]
    assert 0 < bounds[0] < bounds[1] or part == "length"
    for position in range(*bounds, max((bounds[1] - bounds[0]) // 12, 1)):
        damaged = bytearray(whole)
        damaged[position] ^= 1 << bit
        refused(tmp_path / "m", damaged)


def rewritten(path, change):
    """The bytes of the file with its manifest or arrays changed, and right checksums."""
    record = read_record(path, MODEL)
    manifest, arrays = json.loads(json.dumps(record.manifest)), dict(record.arrays)
    change(manifest, arrays)
    other = path.with_name("changed")
    write_record(other, Record(manifest, arrays), MODEL)
    return other.read_bytes()


def of(entry, value, *, inside=None):
    """Change an entry of the manifest."""
    return lambda m, a: (m[inside] if inside else m).__setitem__(entry, value)


def array(name, value):
    return lambda m, a: a.__setitem__(name, np.asarray(value))


STEP = {"step": "AlternatingProjection", "options": {}}
LIES = {
    "unknown class": of("class", "Evil"),
    "class of another type": of("class", ["AnchorWords"]),
    "no class": lambda m, a: m.pop("class"),
    "a class of Python": of("class", "os.system"),
    "no parameters": lambda m, a: m.pop("parameters"),
    "parameters in a list": of("parameters", [1]),
    "unknown parameter": of("magic", 1, inside="parameters"),
    "self": of("self", 1, inside="parameters"),
    "unknown step": of("rectifier", {"step": "os.system", "options": {"command": "ls"}}, inside="parameters"),
    "a step without options": of("rectifier", {"step": "AlternatingProjection"}, inside="parameters"),
    "unknown option": of("rectifier", {**STEP, "options": {"evil": 1}}, inside="parameters"),
    "options in a list": of("rectifier", {**STEP, "options": [1]}, inside="parameters"),
    "a step that is a list": of("rectifier", {**STEP, "step": ["AlternatingProjection"]}, inside="parameters"),
    "an object": of("anchors", {"a": 1}, inside="parameters"),
    "an object in a list": of("anchors", [[{"a": 1}]], inside="parameters"),
    "an option that cannot be": of("refine", {"step": "DecoupledPrograms", "options": {"c0": -1}}, inside="parameters"),
    "short vocabulary": lambda m, a: m["vocabulary"].pop(),
    "vocabulary of numbers": of("vocabulary", list(range(6))),
    "vocabulary in an object": of("vocabulary", dict.fromkeys(WORDS)),
    "vocabulary in a text": of("vocabulary", "abcdef"),
    "anchors out of range": of("anchor_groups", [[0], [6]]),
    "anchors below zero": of("anchor_groups", [[0], [-1]]),
    "anchors that are no numbers": of("anchor_groups", [["a"], ["b"]]),
    "anchors with fractions": of("anchor_groups", [[0], [1.0]]),
    "anchors that are true": of("anchor_groups", [[0], [True]]),
    "huge anchors": of("anchor_groups", [[0], [10**30]]),
    "too few anchors": lambda m, a: m["anchor_groups"].pop(),
    "an empty group": of("anchor_groups", [[0], []]),
    "merged topics of too few": of("topic_of", [0]),
    "merged topics with gaps": of("topic_of", [0, 2]),
    "merged topics below zero": of("topic_of", [-1, 0]),
    "merged topics that are true": of("topic_of", [False, True]),
    "merged topics in an object": of("topic_of", {"0": 0}),
    "too few names": of("topic_names", ["a"]),
    "names that are numbers": of("topic_names", [1, 2]),
    "names in two lines": of("topic_names", ["a\nb", None]),
    "names in a text": of("topic_names", "ab"),
    "anchors in an object": of("anchor_groups", {"0": 1}),
    "diagnostics in a list": of("diagnostics", []),
    "no diagnostics": lambda m, a: m.pop("diagnostics"),
    "provenance in a list": of("provenance", []),
    "preparation in a text": of("provenance", {"preparation": "rm -rf"}),
    "statistics in a list": of("statistics", []),
    "no statistics but their arrays": of("statistics", None),
    "statistics without class": of("statistics", {}),
    "unknown statistics": of("class", "Evil", inside="statistics"),
    "more documents than": of("n_used", 0, inside="statistics"),
    "documents below zero": of("n_left_out", -1, inside="statistics"),
    "documents in words": of("n_used", "five", inside="statistics"),
    "other words": of("n_words", 7, inside="statistics"),
    "keep what": of("keep_documents", "yes", inside="statistics"),
    "pairs how": of("pairs", "diagonal", inside="statistics"),
    "pairs missing": of("pairs", "rows", inside="statistics"),
    "statistics of other words": lambda m, a: a.update(
        {f"statistics.{name}": np.zeros(2, dtype) for name, dtype in (("correction", float), ("frequency", np.int64))}
    ),
    "a column too far": array("statistics.documents.indices", np.full(14, 10**6)),
    "statistics with infinity": array("statistics.correction", np.full(6, np.inf)),
    "an array of statistics too many": array("statistics.evil", [1.0]),
    "an array that is named like a path": array("../../etc/passwd", [1.0]),
    "an array that is named like an attribute": array("__class__", [1.0]),
    "missing array": lambda m, a: a.pop("topic_correlation_"),
    "no components": lambda m, a: a.pop("components_"),
    "no topics": array("components_", np.zeros((0, 6))),
    "no words": array("components_", np.zeros((2, 0))),
    "components in a row": array("components_", np.ones(12)),
    "components in a cube": array("components_", np.ones((2, 6, 1))),
    "more words": array("components_", np.ones((2, 7))),
    "wrong shape": array("topic_correlation_", np.ones((2, 3))),
    "prevalence of others": array("topic_prevalence_", np.ones(3)),
    "wrong type": array("topic_prevalence_", np.ones(2, dtype=np.float32)),
    "whole numbers": array("topic_prevalence_", np.ones(2, dtype=np.int64)),
    "NaN": array("topic_prevalence_", np.full(2, np.nan)),
    "infinity": array("components_", np.full((2, 6), np.inf)),
    "other anchors' words": array("anchor_cooccurrence_", np.ones((3, 6))),
}


@pytest.mark.parametrize("change", LIES.values(), ids=list(LIES))
def test_lies_with_right_checksums(path, tmp_path, change):
    refused(tmp_path / "m", rewritten(path, change))


def raw(entries, data=b"", claimed=None):
    """A file with any header."""
    header = entries if isinstance(entries, bytes) else json.dumps(entries).encode()
    return struct.pack("<Q", len(header) if claimed is None else claimed) + header + data


def tensor(shape, begin, end, dtype="F64", **more):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end], **more}


def signed(manifest, version=2, kind="cotopics-model"):
    """The text that belongs to a manifest, whatever that is."""
    text = manifest if isinstance(manifest, str) else json.dumps(manifest)
    return {"cotopics": f"{kind} {version} {hashlib.sha256(text.encode()).hexdigest()}\n{text}"}


def with_manifest(manifest, **more):
    return raw({"__metadata__": signed(manifest, **more)})


HEADERS = {  # the first of these are what safetensors looks at
    "a length of 2^63": raw(b"{}", claimed=2**63),
    "a length of 2^64 - 1": raw(b"{}", claimed=2**64 - 1),
    "a length beyond the file": raw(b"{}", claimed=90_000_000),
    "a length of nothing": raw(b"{}", claimed=0),
    "overlapping arrays": raw({"a": tensor([2], 0, 16), "b": tensor([2], 8, 24)}, bytes(24)),
    "a hole": raw({"a": tensor([2], 0, 16), "b": tensor([2], 24, 40)}, bytes(40)),
    "more bytes than arrays": raw({"a": tensor([2], 0, 16)}, bytes(17)),
    "fewer bytes than arrays": raw({"a": tensor([2], 0, 16)}, bytes(15)),
    "a shape for other bytes": raw({"a": tensor([3], 0, 16)}, bytes(16)),
    "a huge shape": raw({"a": tensor([2**40, 2**40], 0, 16)}, bytes(16)),
    "a shape below zero": raw({"a": tensor([-2], 0, 16)}, bytes(16)),
    "a shape in words": raw({"a": tensor("two", 0, 16)}, bytes(16)),
    "offsets backwards": raw({"a": tensor([2], 16, 0)}, bytes(16)),
    "an unknown type": raw({"a": tensor([2], 0, 16, dtype="O")}, bytes(16)),
    "not JSON": raw(b"{" * 100),
    "deep JSON": raw(b'{"a":' * 10_000 + b"1" + b"}" * 10_000),
    "NaN in the header": raw(b'{"__metadata__":{"cotopics":NaN}}'),
    "half a character in the header": raw(b'{"__metadata__":{"cotopics":"\\ud800"}}'),
    "no UTF-8": raw(b'{"__metadata__":{"cotopics":"\xff"}}'),
    "metadata twice": raw(b'{"__metadata__":{"cotopics":"a"},"__metadata__":{"cotopics":"b"}}'),
    # from here safetensors has no objection
    "no metadata": raw({"a": tensor([2], 0, 16)}, bytes(16)),
    "other metadata": raw({"__metadata__": {"format": "pt"}}),
    "a type that numpy lacks": raw(
        {"__metadata__": signed({"arrays": {}}), "a": tensor([8], 0, 16, "BF16")}, bytes(16)
    ),
    "eight bits": raw({"__metadata__": signed({"arrays": {}}), "a": tensor([16], 0, 16, "F8_E4M3")}, bytes(16)),
    "too many dimensions": raw({"__metadata__": signed({"arrays": {}}), "a": tensor([1] * 70, 0, 8)}, bytes(8)),
    "nothing, 2^62 times": raw({"__metadata__": signed({"arrays": {}}), "a": tensor([0, 2**62], 0, 0)}),
    "an array that the manifest does not know": raw(
        {"__metadata__": signed({"arrays": {}}), "a": tensor([1], 0, 8)}, bytes(8)
    ),
    "an array that is not there": with_manifest(
        {"arrays": {"a": {"dtype": "float64", "shape": [1], "sha256": "0" * 64}}}
    ),
    "no list of arrays": with_manifest({"class": "AnchorWords"}),
    "arrays in a list": with_manifest({"arrays": []}),
    "a manifest in a list": with_manifest([]),
    "a manifest of nothing": with_manifest(""),
    "a manifest that is cut": with_manifest('{"arrays": {'),
    "a key twice": with_manifest('{"arrays": {}, "arrays": {}}'),
    "NaN in the manifest": with_manifest('{"arrays": {}, "diagnostics": {"x": NaN}}'),
    "1e999 in the manifest": with_manifest('{"arrays": {}, "diagnostics": {"x": 1e999}}'),
    "half a character": with_manifest('{"arrays": {}, "x": "\\ud800"}'),
    "a deep manifest": with_manifest('{"arrays": {}, "x": ' + "[" * 500 + "]" * 500 + "}"),
    "a bottomless manifest": with_manifest('{"x": ' * 100_000 + "{}" + "}" * 100_000),
    "a number of 5,000 digits": with_manifest('{"arrays": {}, "x": ' + "1" * 5000 + "}"),
    "a newer version": with_manifest({"arrays": {}}, version=3),
    "version 0": with_manifest({"arrays": {}}, version=0),
    "version 2.0": with_manifest({"arrays": {}}, version="2.0"),
    "another kind": with_manifest({"arrays": {}}, kind=CORPUS),
    "a kind that nobody knows": with_manifest({"arrays": {}}, kind="cotopics-evil"),
}


@pytest.mark.parametrize("content", HEADERS.values(), ids=list(HEADERS))
def test_headers_that_cotopics_does_not_write(tmp_path, content):
    refused(tmp_path / "m", content)


OTHER_WAYS = {  # of saying the same
    "with blanks": lambda entries: json.dumps(entries, ensure_ascii=False).encode(),
    "with escapes": lambda entries: json.dumps(entries, separators=(",", ":")).encode(),
    "after blanks": lambda entries: b" " * 8 + json.dumps(entries, ensure_ascii=False, separators=(",", ":")).encode(),
    "in another order": lambda entries: json.dumps(
        dict(reversed(entries.items())), ensure_ascii=False, separators=(",", ":")
    ).encode(),
    "an array twice": lambda entries: (
        json.dumps(entries, ensure_ascii=False, separators=(",", ":")).encode()[:-1]
        + b',"components_":'
        + json.dumps(entries["components_"], separators=(",", ":")).encode()
        + b"}"
    ),
    "more metadata": lambda entries: json.dumps(
        entries | {"__metadata__": entries["__metadata__"] | {"evil": "1"}}, ensure_ascii=False, separators=(",", ":")
    ).encode(),
    "more of an array": lambda entries: json.dumps(
        entries | {"components_": entries["components_"] | {"evil": 1}}, ensure_ascii=False, separators=(",", ":")
    ).encode(),
}


@pytest.mark.parametrize("write", OTHER_WAYS.values(), ids=list(OTHER_WAYS))
def test_one_content_is_one_file(whole, tmp_path, write):
    """Checksums would be right, and safetensors reads the same: but there is one way to write a file."""
    n = 8 + int.from_bytes(whole[:8], "little")
    header = write(json.loads(whole[8:n]))
    header += b" " * (-len(header) % 8)
    assert header != whole[8:n]
    (tmp_path / "m").write_bytes(raw(header, whole[n:]))
    with safe_open(tmp_path / "m", framework="numpy") as file:
        assert file.metadata()["cotopics"] == json.loads(whole[8:n])["__metadata__"]["cotopics"]
    assert "header is not what cotopics writes" in refused(tmp_path / "m", raw(header, whole[n:]))


def archive():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        file.writestr("../../evil", "x")
    return content.getvalue()


def npy():
    content = io.BytesIO()
    np.save(content, np.ones(3))
    return content.getvalue()


OTHERS = {
    "nothing": (b"", "empty"),
    "a pickle": (pickle.dumps({"a": 1}), "a pickle, which cotopics never opens"),
    "a zip archive": (archive(), "zip"),
    "gzip": (b"\x1f\x8b" + b"\0" * 50, "gzip"),
    "an array": (npy(), "numpy"),
    "JSON": (b'{"topics": []}', "JSON"),
    "zeros": (b"\0" * 100, "not a readable model file"),
    "ones": (b"\xff" * 100, "not a readable model file"),
    "text": (b"one two three\n" * 10, "not a readable model file"),
}


@pytest.mark.parametrize(("content", "message"), OTHERS.values(), ids=list(OTHERS))
def test_files_of_others(tmp_path, content, message):
    assert message in refused(tmp_path / "m", content)


@pytest.mark.parametrize("share", np.linspace(0, 0.999, 25))
def test_damage_in_version_1(tmp_path, share):
    content = bytearray((Path(__file__).parents[1] / "files" / "v1" / "top.cotopics").read_bytes())
    refused(tmp_path / "m", content[: int(share * len(content))])
    content[int(share * len(content))] ^= 4
    refused(tmp_path / "m", content)


@needs_pipes
def test_what_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "circle", tmp_path / "dangling", "/dev/zero", "a\0b", ""):
        with pytest.raises(ModelFileError):
            load(path)


@needs_links
def test_a_link_is_followed(path, tmp_path):
    (tmp_path / "link").symlink_to(path)
    assert load(tmp_path / "link").n_topics_ == 2


FORBIDDEN = ("pickle.find_class", "exec", "subprocess.Popen", "socket.connect", "os.system", "marshal.loads")
events = []


def listen(event, arguments):
    if listening and event in FORBIDDEN:
        events.append(event)


listening = []
sys.addaudithook(listen)


def test_nothing_is_executed(path, whole, tmp_path):
    listening.append(True)
    try:
        load(path)
        for content in (pickle.dumps(print), whole[:-1], *HEADERS.values()):
            refused(tmp_path / "m", content)
    finally:
        listening.clear()
    assert events == []
