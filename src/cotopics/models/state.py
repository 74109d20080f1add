"""A fitted estimator ↔ a plain record: what `save` writes and `load` reads."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from cotopics import __version__
from cotopics.anchor_free import ANCHOR_FREE
from cotopics.anchors import SELECTORS, SplitHalves
from cotopics.cooccur import Balanced
from cotopics.errors import ModelFileError
from cotopics.persistence import Record
from cotopics.recover import RECOVERIES
from cotopics.rectify import RECTIFIERS
from cotopics.refine import ExpectationMaximisation

OTHER_STEPS = {"balanced": Balanced, "cv": SplitHalves, "refine": ExpectationMaximisation}
FAMILIES: tuple[dict[str, Any], ...] = (RECTIFIERS, SELECTORS, RECOVERIES, ANCHOR_FREE, OTHER_STEPS)
STEPS = {step.__name__: step for family in FAMILIES for step in family.values()}

ARRAYS = {  # attribute → number of dimensions and dtype; every model has these
    "components_": (2, "float64"),
    "topic_correlation_": (2, "float64"),
    "topic_prevalence_": (1, "float64"),
}
OPTIONAL_ARRAYS = {"anchor_cooccurrence_": (2, "float64"), "background_": (1, "float64")}


def to_record(model: Any) -> Record:
    """The parameters, fitted arrays, vocabulary and diagnostics of a fitted estimator."""
    arrays = {name: getattr(model, name) for name in ARRAYS}
    arrays |= {name: getattr(model, name) for name in OPTIONAL_ARRAYS if getattr(model, name, None) is not None}
    words, groups = model.vocabulary_, model.anchor_groups_
    manifest = {
        "class": type(model).__name__,
        "cotopics": __version__,
        "parameters": {name: _encode(name, value) for name, value in model.get_params(deep=False).items()},
        "vocabulary": None if words is None else [str(word) for word in words],
        "words_from_input": hasattr(model, "feature_names_in_"),
        "anchor_groups": None if groups is None else [group.tolist() for group in groups],
        "diagnostics": model.diagnostics_,
    }
    return Record(manifest, arrays)


def from_record(record: Record, classes: dict[str, type]) -> Any:
    """The estimator that `to_record` described; every part is checked before anything is set."""
    manifest, arrays = record.manifest, record.arrays
    name = manifest.get("class")
    if name not in classes:
        raise ModelFileError(
            f"the file holds a model of unknown class {name!r}; this cotopics knows {', '.join(classes)}"
        )
    for key, kind in {"parameters": dict, "diagnostics": dict}.items():
        if not isinstance(manifest.get(key), kind):
            raise ModelFileError(f"the model file has no valid {key}")
    _check_arrays(arrays)
    n_topics, n_words = arrays["components_"].shape
    try:
        model = classes[name](**{key: _decode(value) for key, value in manifest["parameters"].items()})
    except TypeError as error:
        raise ModelFileError(f"the model file has parameters that {name} does not take: {error}") from None
    for key in (*ARRAYS, *OPTIONAL_ARRAYS):
        setattr(model, key, arrays.get(key))
    model._statistics = None  # a file holds none, and partial_fit says so
    model.n_features_in_ = n_words
    model.n_topics_ = n_topics
    model.vocabulary_ = _checked_vocabulary(manifest.get("vocabulary"), n_words)
    if manifest.get("words_from_input") is True and model.vocabulary_ is not None:
        model.feature_names_in_ = model.vocabulary_.copy()
    groups = _checked_groups(manifest.get("anchor_groups"), n_topics, n_words)
    model.anchor_groups_ = groups
    model.anchors_ = None if groups is None else np.array([group[0] for group in groups])
    model.diagnostics_ = manifest["diagnostics"]
    return model


def _encode(name: str, value: Any) -> Any:
    if type(value).__name__ in STEPS and dataclasses.is_dataclass(value) and not isinstance(value, type):
        options = {field.name: _encode(name, getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {"step": type(value).__name__, "options": options}
    if isinstance(value, np.integer | np.floating):
        return value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple | np.ndarray):
        return [_encode(name, entry) for entry in value]
    raise ModelFileError(
        f"parameter {name}={value!r} cannot be saved: a model file holds numbers, words and cotopics' own steps. "
        "Set it to one of these before saving"
    )


def _decode(value: Any) -> Any:
    if isinstance(value, dict):
        step = STEPS.get(str(value.get("step")))
        if step is None or not isinstance(value.get("options"), dict):
            raise ModelFileError(f"the model file names a step that this cotopics does not know: {value.get('step')!r}")
        return step(**value["options"])
    return [_decode(entry) for entry in value] if isinstance(value, list) else value


def _check_arrays(arrays: Any) -> None:
    known = ARRAYS | OPTIONAL_ARRAYS
    if set(arrays) - set(known) or set(ARRAYS) - set(arrays):
        raise ModelFileError(f"the model file holds the arrays {sorted(arrays)}, which are not those of a model")
    for name, array in arrays.items():
        if (array.ndim, array.dtype.name) != known[name] or not np.isfinite(array).all():
            raise ModelFileError(f"array {name} of the model file has the wrong type, shape or values")
    n_topics, n_words = arrays["components_"].shape
    shapes = {
        "topic_correlation_": (n_topics, n_topics),
        "topic_prevalence_": (n_topics,),
        "anchor_cooccurrence_": (n_topics, n_words),
        "background_": (n_words,),
    }
    for name, shape in shapes.items():
        if name in arrays and arrays[name].shape != shape:
            raise ModelFileError(f"array {name} of the model file has shape {arrays[name].shape} instead of {shape}")


def _checked_vocabulary(words: Any, n_words: int) -> Any:
    if words is None:
        return None
    if not isinstance(words, list) or len(words) != n_words or not all(isinstance(word, str) for word in words):
        raise ModelFileError(f"the vocabulary of the model file is not a list of {n_words} words")
    return np.array(words, dtype=object)


def _checked_groups(groups: Any, n_topics: int, n_words: int) -> list[np.ndarray[Any, Any]] | None:
    if groups is None:
        return None
    valid = (
        isinstance(groups, list)
        and len(groups) == n_topics
        and all(isinstance(group, list) and group for group in groups)
        and all(type(word) is int and 0 <= word < n_words for group in groups for word in group)
    )
    if not valid:
        raise ModelFileError("the anchors of the model file are not groups of its word ids, one per topic")
    return [np.array(group, dtype=np.int64) for group in groups]
