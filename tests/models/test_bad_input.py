"""Bad input gets an error that names it, or a finite answer; never a crash, never silence."""

import numpy as np
import pytest
import scipy.sparse as sp

from cotopics import TOP, AnchorWords

GOOD = np.random.default_rng(0).poisson(1.0, size=(20, 6))


def spoiled(value):
    X = GOOD.astype(float)
    X[4, 2] = value
    return X


REFUSED = {
    "NaN": (spoiled(np.nan), "NaN or infinity, first in document 4, word 2"),
    "infinity": (spoiled(np.inf), "NaN or infinity"),
    "negative": (spoiled(-1), "negative count, first in document 4, word 2"),
    "sparse NaN": (sp.csr_array(spoiled(np.nan)), "document 4, word 2"),
    "sparse negative": (sp.csr_array(spoiled(-2)), "document 4, word 2"),
    "huge": (spoiled(1e300), "too large"),
    "no documents": (np.zeros((0, 6)), "no documents or no words"),
    "no words": (np.zeros((6, 0)), "0 feature"),
    "one document": (GOOD[:1], "one document"),
    "one word": (GOOD[:, :1], "one word"),
    "all zero": (np.zeros((5, 6)), "two tokens or more"),
    "frequencies": (GOOD / np.maximum(GOOD.sum(axis=1, keepdims=True), 1), "counts rather than frequencies"),
    "more topics than usable words": (np.pad(GOOD[:, :2], ((0, 0), (0, 4))), "more than the 2 words"),
    "one dimension": (GOOD[0], "2D array"),
    "three dimensions": (GOOD[None], "dim 3"),
    "words": (np.array([["a", "b"], ["c", "d"]]), "could not convert|string"),
    "texts of one word": (["some text", "more text"], "one word in all|one word goes"),
    "complex": (GOOD + 1j, "Complex data"),
    "None": (None, "None|2D"),
}


@pytest.mark.parametrize(("X", "message"), REFUSED.values(), ids=list(REFUSED))
def test_refused_with_its_reason(X, message):
    with pytest.raises(ValueError, match=message):
        AnchorWords(3).fit(X)


TAKEN = {
    "bool": GOOD > 0,
    "uint8": GOOD.astype(np.uint8),
    "float32": GOOD.astype(np.float32),
    "float16": GOOD.astype(np.float16),
    "object": GOOD.astype(object),
    "lists": GOOD.tolist(),
    "csc": sp.csc_array(GOOD),
    "coo": sp.coo_matrix(GOOD),
    "zero rows and columns": np.pad(GOOD, ((2, 2), (1, 1))),
    "fractional": GOOD * 0.7,
    "read-only": np.frombuffer(GOOD.astype(np.float64).tobytes()).reshape(GOOD.shape),
    "Fortran order": np.asfortranarray(GOOD),
}


@pytest.mark.parametrize("X", TAKEN.values(), ids=list(TAKEN))
@pytest.mark.filterwarnings("ignore:.*documents have no word", "ignore:the co-occurrence has numerical rank")
def test_taken(X):
    kept = X.copy()
    model = AnchorWords(3).fit(X)
    W = model.transform(X)
    assert np.isfinite(model.components_).all()
    assert np.allclose(model.components_.sum(axis=1), 1)
    assert np.allclose(W.sum(axis=1), 1)
    same = (kept != X) if not isinstance(X, list) else np.array(kept) != np.array(X)
    assert not (same.nnz if sp.issparse(same) else np.any(same))


@pytest.mark.parametrize("case", sorted(set(REFUSED) - {"more topics than usable words"}))
def test_refused_by_top(case):
    X, message = REFUSED[case]
    with pytest.raises(ValueError, match=message):
        TOP().fit(X)


@pytest.mark.parametrize("X", TAKEN.values(), ids=list(TAKEN))
@pytest.mark.parametrize("c1", [0.05, 1.1])
@pytest.mark.filterwarnings(
    "ignore:.*documents have no word", "ignore:all words look alike", "ignore:.*no two anchor words"
)
def test_taken_by_top(X, c1):
    model = TOP(c1=c1).fit(X)
    assert np.isfinite(model.components_).all()
    assert np.allclose(model.components_.sum(axis=1), 1)
    assert np.allclose(model.transform(X).sum(axis=1), 1)


def test_wrong_shape_between_fit_and_transform():
    model = AnchorWords(3).fit(GOOD)
    with pytest.raises(ValueError, match="5 features, but AnchorWords is expecting 6"):
        model.transform(GOOD[:, :5])


def test_feature_names_of_the_wrong_length():
    with pytest.raises(ValueError, match="2 words, X has 6"):
        AnchorWords(3).fit(GOOD, feature_names=["a", "b"])
