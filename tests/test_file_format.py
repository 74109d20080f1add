"""docs/file-format.md is true: its code reads what cotopics writes."""

import json
import re
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from safetensors import safe_open

from cotopics import AnchorWords, CooccurrenceAccumulator
from cotopics.corpus import Corpus, save_corpus
from cotopics.persistence import KINDS, VERSION

PAGE = (Path(__file__).parents[1] / "docs" / "file-format.md").read_text(encoding="utf-8")
X = sp.csr_array([[3, 2, 0, 0], [2, 4, 0, 0], [0, 0, 5, 2], [0, 0, 2, 2], [1, 1, 1, 1]])
WORDS = ["cat", "dog", "星", "moon"]


def write_files(folder):
    model = AnchorWords(2).fit(X, feature_names=WORDS)
    model.save(folder / "model.cotopics", statistics=True)
    CooccurrenceAccumulator().update(X).save(folder / "s.statistics", WORDS)
    documents = [str(i) for i in range(5)]
    corpus = Corpus(X, WORDS, documents, ["a note"], documents, documents, {"m": documents})
    save_corpus(corpus, folder / "songs.corpus")
    return model


def test_the_code_on_the_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    model = write_files(tmp_path)
    names = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        assert len(block.splitlines()) <= 10
        exec(block, names)
        if "kind" in names and "words" not in names:
            assert (names["kind"], names["version"]) == ("cotopics-model", str(VERSION))
            assert (names["arrays"]["components_"] == model.components_).all()
    assert capsys.readouterr().out.splitlines() == [str(words) for words in model.top_words(5)]
    assert names["words"] == WORDS
    assert (names["counts"] != X).nnz == 0


def test_every_name_is_on_the_page(tmp_path):
    """Every array and every key of a manifest, of every kind of file."""
    write_files(tmp_path)
    for path in tmp_path.iterdir():
        with safe_open(path, framework="numpy") as file:
            heading, text = file.metadata()["cotopics"].split("\n", 1)
            arrays = list(file.keys())
        kind, version, _ = heading.split()
        assert f"`{kind}`" in PAGE
        assert path.suffix in PAGE
        assert f"\n| {version} |" in PAGE
        for key in json.loads(text):
            assert f"`{key}`" in PAGE, key
        for name in arrays:
            own = name.removeprefix("statistics.")
            assert f"`{own}`" in PAGE or f"`{own.rpartition('.')[0]}.…`" in PAGE, name


def test_every_kind_and_what_opens_it_is_on_the_page():
    for kind, (_, opens, _) in KINDS.items():
        assert re.search(rf"`{kind}`.*`{re.escape(opens)}`", PAGE)


def test_arrays_begin_where_the_page_says(tmp_path):
    write_files(tmp_path)
    for path in tmp_path.iterdir():
        content = path.read_bytes()
        n = int.from_bytes(content[:8], "little")
        assert n % 8 == 0
        entries = json.loads(content[8 : 8 + n])
        assert next(iter(entries)) == "__metadata__"
        del entries["__metadata__"]
        end = 0
        with safe_open(path, framework="numpy") as file:
            for name, entry in entries.items():
                begin, last = end, entry["data_offsets"][1]
                array = file.get_tensor(name)
                assert entry["data_offsets"][0] == begin
                assert content[8 + n + begin : 8 + n + last] == np.ascontiguousarray(array).tobytes()
                assert begin % array.itemsize == 0
                end = last
        assert 8 + n + end == len(content)
