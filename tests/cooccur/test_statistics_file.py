"""Statistics that were saved and opened go on as if they had never been away."""

import json

import numpy as np
import pytest
import scipy.sparse as sp

from conftest import planted_corpus
from cotopics import AnchorWords, CooccurrenceAccumulator, CooccurrenceSketch
from cotopics.cooccur import accumulate, load_statistics
from cotopics.errors import CorpusError, ModelFileError, ParameterError
from cotopics.persistence import MODEL, STATISTICS, Record, read_record, write_record


@pytest.fixture(scope="module")
def X():
    return sp.csr_array(planted_corpus(n_documents=200, n_words=40, n_topics=3, length=30)[0])


@pytest.fixture
def folding(monkeypatch):
    """Documents are added up after a few of them, as they are after millions of them elsewhere."""
    monkeypatch.setattr(accumulate, "MAX_KEPT_COUNTS", 500)


def documents(X):
    """Documents that are kept: three pieces, one of them narrower, some documents removed again."""
    return CooccurrenceAccumulator().update(X[:50, :30]).update(X[50:90]).remove(X[:7, :30]).update(X[90:91])


def pairs(X):
    return CooccurrenceAccumulator(40).update(X[:60]).update(X[60:70])


def sparse_pairs(X):
    first = np.arange(400) % 200
    neighbours = sp.csr_array(
        (np.full(800, 3), (np.tile(np.arange(400), 2), np.concatenate([first, (first + 1) % 200])))
    )
    return CooccurrenceAccumulator().update(neighbours).update(X[:3])


MAKE = {
    "nothing": lambda X: CooccurrenceAccumulator(),
    "nothing of 40 words": lambda X: CooccurrenceAccumulator(40),
    "documents": documents,
    "kept documents": lambda X: CooccurrenceAccumulator(keep_documents=True).update(X[:50]).update(X[50:90]),
    "pairs": pairs,
    "sparse pairs": sparse_pairs,
    "long documents": lambda X: CooccurrenceAccumulator().update(X[:90].toarray() + 1),
    "merged": lambda X: pairs(X).merge(documents(X)),
    "without pairs": lambda X: CooccurrenceAccumulator().update([[1, 0], [0, 0]]),
    "sketch": lambda X: CooccurrenceSketch(12).update(X[:50, :30]).update(X[50:90]).remove(X[:7, :30]),
    "sketch of nothing": lambda X: CooccurrenceSketch(12, 40),
    "sketch with landmarks": lambda X: CooccurrenceSketch(5, 40, landmarks=[3, 50]).update(X[:90]),
    "sketch of landmarks": lambda X: CooccurrenceSketch(1).update(X[:90]),
    "sketch before words": lambda X: CooccurrenceSketch(6).update(sp.csr_array((2, 40))),
}


@pytest.mark.parametrize("make", MAKE.values(), ids=list(MAKE))
def test_bit_for_bit(X, tmp_path, folding, make):
    sums = make(X)
    sums.save(tmp_path / "s")
    back, vocabulary, provenance = load_statistics(tmp_path / "s")
    assert type(back) is type(sums)
    assert (vocabulary, provenance) == (None, None)
    back.save(tmp_path / "again")
    assert (tmp_path / "s").read_bytes() == (tmp_path / "again").read_bytes()
    other = type(sums)(*([sums.n_columns] if hasattr(sums, "n_columns") else []), **given_landmarks(sums))
    other.update(X[170:])
    for either in (sums, back):
        either.update(X[90:150]).remove(X[100:110]).update(X[150:170]).merge(other)
    assert back.n_documents == sums.n_documents
    assert (back.finish().toarray() == sums.finish().toarray()).all()
    assert (back.copy().finish().toarray() == sums.copy().finish().toarray()).all()


def given_landmarks(sums):
    return {} if getattr(sums, "landmarks", None) is None else {"landmarks": sums.landmarks}


def test_the_table_has_every_form(X, tmp_path, folding):
    forms = set()
    for make in MAKE.values():
        make(X).save(tmp_path / "s")
        manifest = read_record(tmp_path / "s", STATISTICS).manifest
        forms.add((manifest["class"], manifest.get("pairs")))
    accumulators = {("CooccurrenceAccumulator", form) for form in (None, "sparse", "rows")}
    assert forms >= {*accumulators, ("CooccurrenceSketch", None)}


def test_columns_first(X, tmp_path, folding):
    """A sum in memory order has other last bits in another order."""
    sums = pairs(X)
    sums._pairs = np.asfortranarray(sums._pairs + np.triu(np.full((40, 40), 1e-17)))
    sums.save(tmp_path / "s")
    back = load_statistics(tmp_path / "s").sums
    assert (back._pairs == sums._pairs).all()
    assert back._pairs.flags.f_contiguous
    assert back._total() == sums._total()


def test_words_and_where_they_came_from(X, tmp_path):
    words = [f"w\u2028{i}" for i in range(40)]
    provenance = {"preparation": {"stop_words": ["the"]}, "files": ["a.txt"]}
    CooccurrenceAccumulator().update(X).save(tmp_path / "s", words, provenance)
    sums, vocabulary, back = load_statistics(tmp_path / "s")
    assert vocabulary == words
    assert back == provenance
    model = AnchorWords(3).fit_cooccurrence(sums, feature_names=vocabulary)
    assert (model.components_ == AnchorWords(3).fit(X).components_).all()


def test_what_cannot_be_saved(X, tmp_path):
    sums = CooccurrenceAccumulator().update(X)
    with pytest.raises(ParameterError, match="vocabulary has 2 words, the statistics have 40"):
        sums.save(tmp_path / "s", ["a", "b"])
    with pytest.raises(ModelFileError, match="vocabulary: entry 39"):
        sums.save(tmp_path / "s", ["a"] * 39 + ["\ud800"])
    with pytest.raises(ModelFileError, match="provenance"):
        sums.save(tmp_path / "s", provenance={"when": object()})
    assert not list(tmp_path.iterdir())


def test_a_model_file_is_not_a_statistics_file(X, tmp_path):
    AnchorWords(3).fit(X).save(tmp_path / "m")
    with pytest.raises(ModelFileError, match=r"a model file \(cotopics-model\).*cotopics.load opens it"):
        load_statistics(tmp_path / "m")


def test_removing_what_was_never_added_is_still_refused(X, tmp_path):
    CooccurrenceAccumulator().update(X[:5]).save(tmp_path / "s")
    with pytest.raises(CorpusError, match="never added"):
        load_statistics(tmp_path / "s").sums.remove(X)


def number(name, value):
    return lambda m, a: m.update({name: value})


def array(name, value):
    return lambda m, a: a.update({name: np.asarray(value)})


def edit(name, function):
    def change(m, a):
        a[name] = a[name].copy()
        function(a[name])

    return change


def put(where, value):
    return lambda values: values.__setitem__(where, value)


LIES = {
    "documents": {
        "indptr": edit("documents.indptr", put(3, 10**9)),
        "backwards": edit("documents.indptr", put(3, 0)),
        "indices": edit("documents.indices", put(0, 40)),
        "beyond its piece": edit("documents.indices", put(0, 35)),  # the first is 30 words wide
        "below zero": edit("documents.indices", put(0, -1)),
        "sign": edit("documents.pieces", put((0, 2), 0)),
        "width": edit("documents.pieces", put((0, 1), 41)),
        "rows": edit("documents.pieces", put((0, 0), 10**9)),
        "rows that wrap": array("documents.pieces", [[2**62, 40, 1]] * 4 + [[98, 40, 1]]),
        "rows below zero": edit("documents.pieces", put((0, 0), -1)),
        "lengths": edit("documents.lengths", put(0, 1.0)),
        "NaN": edit("documents.data", put(0, np.nan)),
        "short": lambda m, a: a.update({"documents.data": a["documents.data"][1:]}),
        "parts missing": lambda m, a: a.pop("documents.lengths"),
        "pieces missing": lambda m, a: a.pop("documents.pieces"),
        "frequency": edit("frequency", put(0, 10**6)),
        "frequency below zero": edit("frequency", put(0, -1)),
        "correction": array("correction", np.zeros(39)),
        "no sums": lambda m, a: a.pop("frequency"),
        "class": number("class", "Evil"),
        "no class": number("class", None),
        "class in a list": number("class", ["CooccurrenceAccumulator"]),
        "n_words": number("n_words", 39),
        "n_words as a fraction": number("n_words", 40.0),
        "n_used": number("n_used", True),
        "huge": number("n_left_out", 10**30),
        "keep": number("keep_documents", 1),
        "more arrays": array("evil", [1.0]),
        "half a vocabulary": array("vocabulary.text", np.zeros(3, dtype=np.uint8)),
        "words for others": lambda m, a: a.update(
            {"vocabulary.text": np.zeros(0, np.uint8), "vocabulary.offsets": np.zeros(3, np.int64)}
        ),
        "provenance": number("provenance", "here"),
    },
    "pairs": {
        "shape": array("pairs", np.ones((39, 40))),
        "type": array("pairs", np.ones((40, 40), dtype=np.float32)),
        "gone": lambda m, a: a.pop("pairs"),
        "form": number("pairs", "sparse"),
    },
    "sparse pairs": {
        "indices": edit("pairs.indices", put(0, 200)),
        "indptr": edit("pairs.indptr", put(1, 10**6)),
        "type": lambda m, a: a.update({"pairs.indices": a["pairs.indices"].astype(np.float64)}),
    },
    "sketch": {
        "columns": number("n_columns", 11),
        "no columns": number("n_columns", 0),
        "signs": edit("signs", put((0, 0), 1)),
        "huge landmarks": array("landmarks", np.arange(13)),
        "landmarks below zero": array("landmarks", [-1, 0, 1, 2, 3, 4]),
        "no landmarks": lambda m, a: a.pop("landmarks"),
        "squares": array("squares", np.ones(3)),
    },
}


@pytest.mark.parametrize(("form", "lie"), [(form, lie) for form, lies in LIES.items() for lie in lies])
def test_files_that_lie_are_refused(X, tmp_path, folding, form, lie):
    MAKE[form](X).save(tmp_path / "s")
    record = read_record(tmp_path / "s", STATISTICS)
    manifest, arrays = json.loads(json.dumps(record.manifest)), dict(record.arrays)
    LIES[form][lie](manifest, arrays)
    write_record(tmp_path / "s", Record(manifest, arrays), STATISTICS)
    with pytest.raises(ModelFileError, match="/s: "):
        load_statistics(tmp_path / "s")


def test_signs_of_another_numpy(X, tmp_path, monkeypatch):
    MAKE["sketch"](X).save(tmp_path / "s")
    monkeypatch.setattr("cotopics.cooccur.sketch._signs", lambda start, n, m: np.ones((n, m), dtype=np.int8))
    with pytest.raises(ModelFileError, match="numpy"):
        load_statistics(tmp_path / "s")


def test_a_record_of_models_is_not_mistaken(tmp_path):
    write_record(tmp_path / "s", Record({"class": "CooccurrenceAccumulator"}, {}), MODEL)
    with pytest.raises(ModelFileError, match="model file"):
        load_statistics(tmp_path / "s")
