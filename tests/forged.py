"""Files whose contents were changed and whose checksums were made anew; and what must hold of each of them.

`forgeries(path, n, seed)` makes any number of them from a valid model, statistics or corpus file, and `hold(path)` is
what a test or a battery asks of each: it is refused in one line that names the file, or all that it is for works.
"""

import copy
import json
import warnings
from contextlib import suppress
from pathlib import Path

import numpy as np

from cotopics import load
from cotopics.cooccur import load_statistics
from cotopics.corpus import load_corpus
from cotopics.errors import CotopicsError, ModelFileError
from cotopics.export import topic_words_table, topics_table
from cotopics.infer import INFERENCES
from cotopics.persistence import CORPUS, MODEL, STATISTICS, Record, read_record, write_record
from cotopics.report.content import content

VALUES = (
    *(None, True, False, 0, 1, -1, 2, 10**6, 2**31, 10**30, -(2**63), 0.5, -0.5, 1e-300, 1e300, "", "x", "auto", "\0"),
    *("a" * 10_000, [], {}, [[]], [0, 0], [-1], ["a", "a"], [None], [[1], [2]], {"a": 1}, {"step": "PivotedQR"}),
    *({"n_iter": "x", "converged": False}, {"reason": 5}, {"used": "five"}, {"step": "Balanced", "options": {}}),
)
NUMBERS = (0, -1, 1, -1e-9, 1e-9, 0.5, 2, 1e6, -1e6, 1e30, 1e300, -1e300, 5e-324, np.nan, np.inf, 2**31, 2**40)


def kind_of(path):
    """Which of the three kinds a file is."""
    beginning = Path(path).read_bytes()[:400]
    return next(kind for kind in (MODEL, STATISTICS, CORPUS) if kind.encode() in beginning)


def forgeries(path, n, seed=0):
    """n times (what was changed, the path of a file with this change and right checksums), next to the file."""
    rng, kind = np.random.default_rng(seed), kind_of(path)
    record = read_record(path, kind)
    forged = Path(path).with_name("forged")
    for _ in range(n):
        manifest, arrays = json.loads(json.dumps(record.manifest)), {k: a.copy() for k, a in record.arrays.items()}
        changed = [_change(manifest, arrays, rng) for _ in range(1 if rng.random() < 0.9 else 2)]
        with suppress(ModelFileError):  # of what no file can hold
            write_record(forged, Record(manifest, arrays), kind)
            yield "; ".join(changed), forged


def _change(manifest, arrays, rng):
    return _change_array(arrays, rng) if arrays and rng.random() < 0.5 else _change_manifest(manifest, rng)


def _change_array(arrays, rng):
    name = sorted(arrays)[rng.integers(len(arrays))]
    array = arrays[name]
    operation = list(OF_ARRAYS)[rng.integers(len(OF_ARRAYS))]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        arrays[name] = np.ascontiguousarray(OF_ARRAYS[operation](array, rng))
    return f"array {name}: {operation}"


def _entry(array, rng):
    array = array.copy()
    if array.size:
        number = NUMBERS[rng.integers(len(NUMBERS))]
        array.reshape(-1)[rng.integers(array.size)] = np.array(number).astype(array.dtype)
    return array


def _row(array, rng):
    array = array.copy()
    if len(array):
        number = NUMBERS[rng.integers(len(NUMBERS))]
        array[rng.integers(len(array))] = np.array(number).astype(array.dtype)
    return array


OF_ARRAYS = {
    "an entry": _entry,
    "a row": _row,
    "nothing": lambda array, rng: np.zeros_like(array),
    "negated": lambda array, rng: np.negative(array, dtype=array.dtype, casting="unsafe"),
    "times a million": lambda array, rng: (array * 1e6).astype(array.dtype),
    "times a little more than one": lambda array, rng: (array * 1.01).astype(array.dtype),
    "shifted": lambda array, rng: array + array.dtype.type(1),
    "shuffled": lambda array, rng: rng.permutation(array.reshape(-1)).reshape(array.shape),
    "reversed": lambda array, rng: array[::-1],
    "transposed": lambda array, rng: array.T,
    "shorter": lambda array, rng: array[:-1],
    "longer": lambda array, rng: np.concatenate([array, array[-1:]]),
    "empty": lambda array, rng: array[:0],
    "of another type": lambda array, rng: array.astype(rng.choice(["float32", "int8", "uint16", "float64", "int64"])),
    "one dimension more": lambda array, rng: array[None],
}


def _change_manifest(manifest, rng):
    """Another value, or none, somewhere in the tree."""
    place, where = manifest, []
    while True:
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        key = keys[rng.integers(len(keys))]
        where.append(str(key))
        inner = place[key]
        if not isinstance(inner, dict | list) or len(inner) == 0 or rng.random() < 0.3:
            break
        place = inner
    if rng.random() < 0.1:
        place.pop(key)
        return f"{'.'.join(where)}: left out"
    if rng.random() < 0.1 and isinstance(inner, list):
        place[key] = [*inner, *inner[-1:]]
        return f"{'.'.join(where)}: its last entry twice"
    place[key] = copy.deepcopy(VALUES[rng.integers(len(VALUES))])
    return f"{'.'.join(where)}: {place[key]!r:.60}"


def hold(path):
    """Whether the file was opened; then it must work in every use. Otherwise it must raise an error of ours."""
    kind = kind_of(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            opened = {MODEL: load, STATISTICS: load_statistics, CORPUS: load_corpus}[kind](path)
    except ModelFileError as error:
        message = str(error)
        if not message.startswith(f"{path}: ") or "\n" in message or len(message) > 1000:
            raise AssertionError(f"not a line that names the file: {message:.2000}") from error
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        {MODEL: _use_model, STATISTICS: _use_statistics, CORPUS: _use_corpus}[kind](opened, path)
    return True


def _use_model(model, path):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (5, model.n_features_in_)) + np.eye(5, model.n_features_in_, dtype=int)
    for method in (None, *INFERENCES):
        W = model.transform(X, method)
        assert np.isfinite(W).all(), method
        assert (W >= 0).all(), method
        assert np.allclose(W.sum(axis=1), 1, atol=1e-6), method
    assert np.shape(model.top_words(3)) == (model.n_topics_, min(3, model.n_features_in_))
    if model.anchor_cooccurrence_ is not None:
        model.characteristic_words(3)
    topics_table(model)
    topic_words_table(model)
    json.dumps(content(model), allow_nan=False)
    model.save(path.with_name("again"))
    repr(model)


def _use_statistics(opened, path):
    sums, vocabulary, provenance = opened
    for use in (sums.finish, lambda: sums.copy().update(np.ones((2, len(sums._frequency)))).finish()):
        with suppress(CotopicsError):
            assert np.isfinite(use().row_sums()).all()
    sums.save(path.with_name("again"), vocabulary, provenance)


def _use_corpus(corpus, path):
    assert corpus.counts.shape[1] == len(corpus.vocabulary)
    assert np.isfinite(corpus.counts.astype(float) @ np.ones(len(corpus.vocabulary))).all()
    assert (corpus.counts.data > 0).all()
