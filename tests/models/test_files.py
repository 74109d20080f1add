import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from safetensors.numpy import save_file

import cotopics
from cotopics import AnchorWords, load
from cotopics.errors import ModelFileError
from cotopics.persistence import Record, read_record, write_record
from cotopics.rectify import AlternatingProjection

WORDS = [f"w{i}" for i in range(58)] + ["</script>", "naïve\u2028\x00词"]


@pytest.fixture(scope="module")
def model(corpus):
    options = {"rectifier": AlternatingProjection(tolerance=1e-3), "anchors": ["w3", ["w1", "w2"]]}
    return AnchorWords(4, random_state=7, **options).fit(corpus[0], feature_names=WORDS)


@pytest.fixture
def path(model, tmp_path):
    model.save(tmp_path / "model.cotopics")
    return tmp_path / "model.cotopics"


def test_the_same_model_comes_back(model, path, corpus):
    back = load(path)
    assert type(back) is AnchorWords
    assert back.get_params() == model.get_params()
    for name in ("components_", "topic_correlation_", "topic_prevalence_", "anchors_", "anchor_cooccurrence_"):
        assert (getattr(back, name) == getattr(model, name)).all()
    assert back.vocabulary_.tolist() == WORDS
    assert [group.tolist() for group in back.anchor_groups_] == [group.tolist() for group in model.anchor_groups_]
    assert back.diagnostics_ == model.diagnostics_
    assert back.top_words() == model.top_words()
    assert back.characteristic_words() == model.characteristic_words()
    assert (back.transform(corpus[0]) == model.transform(corpus[0])).all()
    assert np.allclose(back.fit(corpus[0], feature_names=WORDS).components_, model.components_)


def test_without_a_vocabulary(corpus, tmp_path):
    AnchorWords(3).fit(corpus[0]).save(tmp_path / "m")
    assert load(tmp_path / "m").vocabulary_ is None


def test_saved_twice_is_the_same_file(model, path, tmp_path):
    model.save(tmp_path / "again")
    assert path.read_bytes() == (tmp_path / "again").read_bytes()


def test_only_plain_parameters_are_saved(corpus, tmp_path):
    model = AnchorWords(3, rectifier=lambda C, k: AlternatingProjection()(C, k)).fit(corpus[0])
    with pytest.raises(ModelFileError, match="rectifier"):
        model.save(tmp_path / "m")
    assert not list(tmp_path.iterdir())


def test_an_unfitted_model_is_not_saved(tmp_path):
    with pytest.raises(ValueError, match="not fitted"):
        AnchorWords().save(tmp_path / "m")


def test_every_damage_is_noticed(path):
    content = path.read_bytes()
    rng = np.random.default_rng(0)
    for kind in range(300):
        damaged = bytearray(content)
        if kind % 3 == 0:
            damaged = damaged[: rng.integers(len(content))]
        else:
            for _ in range(rng.integers(1, 4)):
                position = rng.integers(len(content) if kind % 3 == 1 else 4000)
                damaged[position] ^= 1 << rng.integers(8)
        if damaged == content:
            continue
        path.write_bytes(damaged)
        with pytest.raises(ModelFileError):
            load(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a readable model file"),
        (b"\x80\x04\x95 pickle", "not a readable model file"),
        (b"\xff" * 100, "not a readable model file"),
    ],
)
def test_what_is_no_model_file(tmp_path, content, message):
    (tmp_path / "m").write_bytes(content)
    with pytest.raises(ModelFileError, match=message):
        load(tmp_path / "m")


def test_no_file_and_other_safetensors_files(tmp_path):
    with pytest.raises(ModelFileError, match="no model file"):
        load(tmp_path / "nothing")
    save_file({"x": np.ones(3)}, tmp_path / "other")
    with pytest.raises(ModelFileError, match="not a cotopics model"):
        load(tmp_path / "other")


def rewritten(path, change, tmp_path):
    """The model file with its manifest or arrays changed, and a right checksum."""
    record = read_record(path)
    manifest, arrays = json.loads(json.dumps(record.manifest)), dict(record.arrays)
    change(manifest, arrays)
    write_record(tmp_path / "changed", Record(manifest, arrays))
    return tmp_path / "changed"


CHANGES = {
    "unknown class": lambda m, a: m.update({"class": "Evil"}),
    "no parameters": lambda m, a: m.pop("parameters"),
    "unknown parameter": lambda m, a: m["parameters"].update(magic=1),
    "unknown step": lambda m, a: m["parameters"].update(rectifier={"step": "os.system", "options": {"command": "ls"}}),
    "short vocabulary": lambda m, a: m["vocabulary"].pop(),
    "vocabulary of numbers": lambda m, a: m.update(vocabulary=list(range(60))),
    "anchors out of range": lambda m, a: m.update(anchor_groups=[[99]] * 4),
    "too few anchors": lambda m, a: m["anchor_groups"].pop(),
    "missing array": lambda m, a: a.pop("topic_correlation_"),
    "unknown array": lambda m, a: a.update(extra=np.ones(2)),
    "wrong shape": lambda m, a: a.update(topic_correlation_=np.ones((2, 2))),
    "wrong type": lambda m, a: a.update(topic_prevalence_=np.ones(4, dtype=np.float32)),
    "NaN": lambda m, a: a.update(topic_prevalence_=np.full(4, np.nan)),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_a_file_that_lies_is_refused(path, tmp_path, change):
    with pytest.raises(ModelFileError):
        load(rewritten(path, change, tmp_path))


def test_a_newer_version_is_refused(path, tmp_path, monkeypatch, model):
    monkeypatch.setattr("cotopics.persistence.VERSION", 99)
    model.save(tmp_path / "newer")
    monkeypatch.undo()
    with pytest.raises(ModelFileError, match=r"version '99'.*Update cotopics"):
        load(tmp_path / "newer")


def test_a_failed_write_leaves_the_old_file(path, model, monkeypatch):
    before = path.read_bytes()

    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        model.save(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


KILLED = """
import sys; from cotopics.persistence import Record, write_record; import numpy as np
i = 0
while True:
    i += 1
    write_record(sys.argv[1], Record({"i": i}, {"x": np.full(200_000, float(i))}))
"""


def test_killed_at_any_moment_the_file_is_whole(tmp_path):
    path = tmp_path / "m"
    rng = np.random.default_rng(0)
    for _ in range(6):
        process = subprocess.Popen([sys.executable, "-c", KILLED, path], cwd=os.path.dirname(cotopics.__file__))
        while not path.exists() and process.poll() is None:
            time.sleep(0.01)
        time.sleep(0.02 + 0.1 * rng.random())
        process.send_signal(signal.SIGKILL)
        process.wait()
        record = read_record(path)
        assert (record.arrays["x"] == record.manifest["i"]).all()
