"""Fits of every estimator on three small corpora, and all that they say: what a change of the source must not change.

Imports only what users import, so that it runs on two source trees whose folders differ. Names of steps are typed as
users type them, not taken from the dictionaries: these names are what must stay, and a step that is new needs no line.
"""

import tempfile
import warnings
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import scipy.sparse as sp

from cotopics import TOP, AnchorFree, AnchorWords, TopicModel, cooccurrence, load
from cotopics.infer import EM
from same_bits.estimators import digest, planted

RECTIFIERS = ("ap", "dc", "enn", "palm", None)
RECOVERIES = ("l2", "kl")
SELECTORS = ("fast", "spa", "snpa", "xray")
SOLVERS = ("auto", "lp", "pds")
INFERENCES = ("nnls", "simplex", "project", "em", "prior")
ARRAYS = ("components_", "topic_correlation_", "topic_prevalence_", "anchor_cooccurrence_", "background_")
K = 4


def long():
    """Documents long enough for TOP."""
    return planted(K, n_documents=120, n_words=60, length=150)[0]


def short():
    """Documents of five tokens or so; some are empty, and some have one token, which says nothing of pairs."""
    X = planted(K + 1, n_documents=500, n_words=50, length=10)[0].toarray().astype(int)
    X = np.random.default_rng(0).binomial(X, 0.5)
    X[::50] = 0
    return sp.csr_array(X)


def frame():
    """A data frame with names; one word is in no document."""
    X = planted(K + 2, n_documents=100, n_words=40, length=40)[0].toarray().astype(int)
    X[:, 30] = 0
    return pd.DataFrame(X, columns=[f"word{i:02}" for i in range(X.shape[1])])


CORPORA = {function.__name__: cache(function) for function in (long, short, frame)}


def piece(X, start, stop=None):
    return X.iloc[start:stop] if isinstance(X, pd.DataFrame) else X[start:stop]


def on_dask(X):
    """In three partitions."""
    n = -(-X.shape[0] // 3)
    return (
        dd.from_pandas(X, chunksize=n) if isinstance(X, pd.DataFrame) else da.from_array(X.toarray(), (n, X.shape[1]))
    )


def fit_given(make):
    """With the first topic's anchors, two words as one, and the third's; the others are found."""

    def fitted(X):
        names = list(X) if isinstance(X, pd.DataFrame) else range(X.shape[1])
        return make([[names[0], names[1]], names[2]]).fit(X)

    return fitted


def fit_parts(model, forgets=False):
    """In two pieces; some documents may then be forgotten."""

    def fitted(X):
        n = X.shape[0] // 2
        model.partial_fit(piece(X, 0, n)).partial_fit(piece(X, n))
        return model.forget(piece(X, 5, 15)) if forgets else model

    return fitted


def fit_on_after_opening(model):
    """Half of the documents, saved with what was counted of them; the others after it was opened."""

    def fitted(X):
        n = X.shape[0] // 2
        with tempfile.TemporaryDirectory() as folder:
            model.partial_fit(piece(X, 0, n)).save(Path(folder, "model"), statistics=True)
            return load(Path(folder, "model")).partial_fit(piece(X, n))

    return fitted


def fit_matrix(model, **form):
    """The co-occurrence alone, with the names of a data frame's words."""
    return lambda X: model.fit_cooccurrence(
        cooccurrence(X, **form), feature_names=list(X) if isinstance(X, pd.DataFrame) else None
    )


def fit_dask(model):
    def fitted(X):
        with dask.config.set(scheduler="synchronous"):
            return model.fit(on_dask(X))

    return fitted


def top(**changed):
    return TOP(**{"c1": 0.1, "min_documents": 0.2, "n_repeats": 3, **changed})


def cases():
    """Name → a function of a corpus that returns a fitted model; every call makes new models."""
    models = {
        "TopicModel": TopicModel(K),
        "TopicModel, refine 0": TopicModel(K, refine=0),
        "TopicModel, auto": TopicModel("auto"),
        **{
            f"AnchorWords, {rectifier}, {recovery}": AnchorWords(K, rectifier=rectifier, recovery=recovery)
            for rectifier in RECTIFIERS
            for recovery in RECOVERIES
        },
        **{f"AnchorWords, {selector}": AnchorWords(K, selector=selector) for selector in SELECTORS},
        "AnchorWords, refine": AnchorWords(K, refine=5),
        "AnchorWords, dc, seed": AnchorWords(K, rectifier="dc", random_state=7),
        "AnchorWords, tfidf": AnchorWords(K, weighting="tfidf", min_anchor_documents=0.05),
        "AnchorWords, balanced, refine": AnchorWords(K, weighting="balanced", min_anchor_documents=3, refine=5),
        "AnchorWords, implicit": AnchorWords(K, rectifier="enn", representation="implicit"),
        "AnchorWords, sparse": AnchorWords(K, rectifier="enn", representation="sparse"),
        "AnchorWords, sketch": AnchorWords(K, rectifier="enn", representation="sketch"),
        **{f"AnchorFree, {solver}": AnchorFree(K, solver=solver) for solver in SOLVERS},
        "AnchorFree, counts": AnchorFree(K, weighting="counts", min_constraint_documents=4),
        "AnchorFree, refine": AnchorFree(K, refine=5),
        "TOP": top(),
        "TOP, cv": top(c1="cv"),
        "TOP, refine": top(refine=5, rare_words="remove"),
    }
    return {
        **{name: model.fit for name, model in models.items()},
        "TopicModel, given": fit_given(lambda anchors: TopicModel(K, anchors=anchors)),
        "AnchorWords, given": fit_given(lambda anchors: AnchorWords(K, anchors=anchors)),
        "AnchorWords, partial": fit_parts(AnchorWords(K)),
        "AnchorWords, forget": fit_parts(AnchorWords(K), forgets=True),
        "AnchorWords, refine, forget": fit_parts(AnchorWords(K, refine=5), forgets=True),
        "AnchorWords, sketch, forget": fit_parts(
            AnchorWords(K, rectifier="enn", representation="sketch"), forgets=True
        ),
        "AnchorWords, opened, partial": fit_on_after_opening(AnchorWords(K)),
        "AnchorFree, partial": fit_parts(AnchorFree(K, weighting="counts")),
        "TOP, forget": fit_parts(top(), forgets=True),
        "TopicModel, refine 0, matrix": fit_matrix(TopicModel(K, refine=0), representation="dense"),
        "TopicModel, matrix of documents": fit_matrix(TopicModel(K), representation="implicit"),
        "AnchorWords, matrix": fit_matrix(AnchorWords(K)),
        "AnchorFree, matrix": fit_matrix(AnchorFree(K), weighting="balanced"),
        "TOP, matrix of documents": fit_matrix(top(), representation="implicit"),
        "TopicModel, dask": fit_dask(TopicModel(K)),
        "AnchorWords, dask": fit_dask(AnchorWords(K)),
        "AnchorWords, refine, dask": fit_dask(AnchorWords(K, rectifier="enn", representation="implicit", refine=5)),
        "AnchorFree, dask": fit_dask(AnchorFree(K)),
        "TOP, dask": fit_dask(top()),
    }


NAMES = [f"{corpus}: {case}" for corpus in CORPORA for case in cases()]


def found(name):
    """What a case says: `facts` that are plain values, `arrays` by name, and the bytes of the saved file."""
    corpus, case = name.split(": ")
    X = CORPORA[corpus]()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        model = cases()[case](X)
        facts = plain(model)
        n_of_fit = len(warned)
        arrays = said(model, X)
        file = reopened(model, X, arrays)
    counts = X.to_numpy() if isinstance(X, pd.DataFrame) else X.toarray()
    facts["corpus"] = digest([counts.astype(np.int64)])[:16]
    facts["warnings of fit"] = sorted({one.category.__name__ for one in warned[:n_of_fit]})
    facts["other warnings"] = sorted({one.category.__name__ for one in warned[n_of_fit:]})
    return SimpleNamespace(facts=facts, arrays=arrays, file=file)


def said(model, X):
    """All numbers of a fit, and documents by every inference; the last one has options of its own."""
    arrays = {name: getattr(model, name, None) for name in ARRAYS}
    arrays |= {f"transform {method}": model.transform(X, method) for method in (None, *INFERENCES)}
    arrays["transform EM"] = model.transform(X, EM(smoothing=0.5, background=0.2))
    return {name: array for name, array in arrays.items() if array is not None}


def plain(model):
    """What is equal on every processor: anchors, words, what diagnostics tell of, what parameters are."""
    has_anchors = model.anchors_ is not None
    return {
        "n_topics": int(model.n_topics_),
        "parameters": repr(model),
        "vocabulary": model.vocabulary_ is not None,
        "anchors": model.anchors_.tolist() if has_anchors else None,
        "groups": [group.tolist() for group in model.anchor_groups_] if has_anchors else None,
        "words": listed(model.top_words(5)),
        "words by lift": listed(model.top_words(5, relevance=0.6)),
        "characteristic": listed(model.characteristic_words(3)) if has_anchors else None,
        "outputs": len(model.get_feature_names_out()),
        "diagnostics": keys(model.diagnostics_),
    }


def listed(words):
    return [" ".join(map(str, some)) for some in words]


def keys(record, before=""):
    """The keys of a record and of the records in it: a.b, a.c, d."""
    found = []
    for name, value in sorted(record.items()):
        found += keys(value, f"{before}{name}.") if isinstance(value, dict) and value else [before + name]
    return found


def reopened(model, X, arrays):
    """The bytes of the file that a model is saved in; an error unless the file opens as the same model."""
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder, "first"), Path(folder, "second")
        model.save(first)
        again = load(first)
        again.save(second)
        file = first.read_bytes()
        assert second.read_bytes() == file, "a model that was opened is saved as another file"
    kept = {name: value for name, value in model.diagnostics_.items() if name != "seconds"}
    assert keys(again.diagnostics_) == keys(kept), "a model that was opened has other diagnostics"
    other = said(again, X)
    assert other.keys() == arrays.keys(), "a model that was opened knows other things"
    assert all((other[name] == arrays[name]).all() for name in arrays), "a model that was opened has other numbers"
    return file
