"""A fitted estimator ↔ a plain record: what `save` writes and `load` reads."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from cotopics import __version__
from cotopics.anchor_free import ANCHOR_FREE
from cotopics.anchors import SELECTORS
from cotopics.cooccur import Balanced, statistics_file
from cotopics.corpus import Preparation
from cotopics.errors import CorpusError, CotopicsError, ModelFileError, ParameterError
from cotopics.infer import INFERENCES
from cotopics.models.checks import check_arrays_of_model, check_diagnostics, check_options, check_step_options
from cotopics.models.fit import Fit
from cotopics.models.operations import grouped, rename
from cotopics.models.topic_sums import TopicSums
from cotopics.persistence import Record, check_arrays, check_texts, plain
from cotopics.recover import RECOVERIES
from cotopics.rectify import RECTIFIERS
from cotopics.refine import ExpectationMaximisation
from cotopics.top import SplitHalves

OTHER_STEPS = {"balanced": Balanced, "cv": SplitHalves, "refine": ExpectationMaximisation}
FAMILIES: tuple[Mapping[str, Any], ...] = (RECTIFIERS, SELECTORS, RECOVERIES, ANCHOR_FREE, INFERENCES, OTHER_STEPS)
RETIRED = {"ExpectationMaximisation": ("n_pieces", "held_out", "patience")}  # options that early versions wrote
STEPS = {step.__name__: step for family in FAMILIES for step in family.values()}

ARRAYS = {  # of a fit, and what a file calls them; the last three may be missing
    "components": "components_",
    "correlation": "topic_correlation_",
    "prevalence": "topic_prevalence_",
    "anchor_cooccurrence": "anchor_cooccurrence_",
    "background": "background_",
    "usage": "usage",
}
SUMS = {"frequency": "int64", "occurrences": "float64", "damped": "float64", "totals": "float64"}  # of `TopicSums`
SUM_NUMBERS = ("n_documents", "n_left_out", "smoothing")
PREPARATION = "preparation"  # the key of a parameter that is one
STATISTICS = "statistics."  # begins the names of the arrays with which partial_fit goes on


def to_record(model: Any, *, statistics: bool = False) -> Record:
    """The parameters, fitted arrays, vocabulary, provenance and diagnostics of a fitted estimator.

    Nothing of when, where or how fast it was fitted: the same model is the same file.
    """
    fit: Fit = model.fit_
    found = vars(fit) | vars(fit.inferred)  # merged topics are made of their parts again when a file is read
    arrays = {name: found[field] for field, name in ARRAYS.items() if found[field] is not None}
    topic_sums = fit.sums if fit.sums is not None and fit.sums.fits(fit.components) else None
    if topic_sums is not None:
        arrays |= {f"sums.{name}": getattr(topic_sums, name).astype(dtype) for name, dtype in SUMS.items()}
    words, groups = model.vocabulary_, found["anchor_groups"]
    if words is not None:
        words = [str(word) for word in words]
        check_texts("vocabulary_", words)
    sums = _statistics(model) if statistics else None
    if sums is not None:
        arrays |= {STATISTICS + name: array for name, array in sums.arrays.items()}
    manifest = {
        "class": type(model).__name__,
        "cotopics": __version__,
        "parameters": {name: _encode(name, value) for name, value in model.get_params(deep=False).items()},
        "vocabulary": words,
        "words_from_input": hasattr(model, "feature_names_in_"),
        "anchor_groups": None if groups is None else [group.tolist() for group in groups],
        "inference": _encode("inference", fit.inference),
        "relevance": fit.relevance,
        "n_tokens": fit.n_tokens,
        "sums": None if topic_sums is None else {name: getattr(topic_sums, name) for name in SUM_NUMBERS},
        "topic_of": None if fit.topic_of is None else fit.topic_of.tolist(),
        "topic_names": None if fit.names is None else list(fit.names),
        "diagnostics": {name: value for name, value in fit.diagnostics.items() if name != "seconds"},
        "provenance": _checked_provenance(plain(model.provenance_, "provenance_")),
        "statistics": None if sums is None else sums.manifest,
    }
    _check_valid(type(model).__name__, manifest, arrays)
    return Record(manifest, arrays)


def from_record(record: Record, classes: dict[str, type]) -> Any:
    """The estimator that `to_record` described; every part is checked before anything is set."""
    manifest = record.manifest
    name = manifest.get("class")
    if not isinstance(name, str) or name not in classes:
        raise ModelFileError(
            f"it holds a model of unknown class {name!r:.80}; this cotopics knows {', '.join(classes)}"
        )
    for key in ("parameters", "diagnostics"):
        if not isinstance(manifest.get(key), dict):
            raise ModelFileError(f"it has no valid {key}")
    if not isinstance(manifest.get("words_from_input", False), bool):
        raise ModelFileError("it does not say whether its words came with the documents")
    arrays = {key: array for key, array in record.arrays.items() if not key.startswith(STATISTICS)}
    n_topics, n_words = _check_valid(name, manifest, arrays)
    model = _unfitted(classes[name], manifest["parameters"])
    model._statistics = _restored_statistics(record, n_words)
    model.n_features_in_ = n_words
    model.vocabulary_ = _checked_vocabulary(manifest.get("vocabulary"), n_words)
    if manifest.get("words_from_input") is True and model.vocabulary_ is not None:
        model.feature_names_in_ = model.vocabulary_.copy()
    fit = Fit(
        **{field: arrays.get(name) for field, name in ARRAYS.items()},  # type: ignore[arg-type]
        anchor_groups=_checked_groups(manifest.get("anchor_groups"), n_topics, n_words),
        diagnostics=manifest["diagnostics"],
        inference=_inference(model, manifest.get("inference")),
        relevance=_number(manifest, "relevance", model._default_relevance(), 1.0),
        n_tokens=_number(manifest, "n_tokens", None, np.inf),
        sums=_restored_sums(manifest.get("sums"), arrays),
    )
    model._fitted = _edited(fit, manifest)
    if manifest.get("provenance") is not None:
        model.provenance_ = _checked_provenance(manifest["provenance"])
    return model


def _check_valid(name: str, manifest: dict[str, Any], arrays: dict[str, Any]) -> tuple[int, int]:
    """(n_topics, n_words) of what is a fitted model, before it is written and when it is read."""
    shape = _check_shapes({key: array for key, array in arrays.items() if not key.startswith(STATISTICS)})
    check_arrays_of_model(arrays)
    check_diagnostics(manifest["diagnostics"])
    check_options(name, {key: _decode(value) for key, value in manifest["parameters"].items()})
    return shape


def _statistics(model: Any) -> Record:
    """The documents' statistics, with which a loaded model can go on."""
    sums = getattr(model, "_statistics", None)
    if sums is None:
        raise CorpusError(
            "this model keeps no statistics of documents (its weighting is not 'counts', or it was fitted from a "
            "matrix, or loaded without them); save it with statistics=False"
        )
    return statistics_file.to_record(sums)


def _restored_statistics(record: Record, n_words: int) -> Any:
    """The statistics of a file, or None: then partial_fit says that there are none."""
    manifest = record.manifest.get("statistics")
    arrays = {key.removeprefix(STATISTICS): array for key, array in record.arrays.items() if key.startswith(STATISTICS)}
    if manifest is None and not arrays:
        return None
    if not isinstance(manifest, dict):
        raise ModelFileError("it has no valid statistics")
    sums = statistics_file.from_record(Record(manifest, arrays))
    if len(sums._frequency) != n_words:
        raise ModelFileError(f"its statistics are of {len(sums._frequency)} words and its topics of {n_words}")
    return sums


def _restored_sums(manifest: Any, arrays: dict[str, Any]) -> TopicSums | None:
    """What the file keeps of the documents, checked; early versions kept nothing."""
    found = {name: arrays[f"sums.{name}"] for name in SUMS if f"sums.{name}" in arrays}
    if manifest is None and not found:
        return None
    if not isinstance(manifest, dict) or len(found) < len(SUMS):
        raise ModelFileError("it has no valid sums of its documents")
    numbers = {name: _number(manifest, name, None, 2.0**53) for name in SUM_NUMBERS}
    n_documents, n_left_out, smoothing = (-1.0 if value is None else value for value in numbers.values())
    whole = n_documents >= 1 and n_left_out >= 0 and n_documents % 1 == n_left_out % 1 == 0
    if not whole or smoothing < 0 or any(array.min(initial=0) < 0 for array in found.values()):
        raise ModelFileError("the sums of its documents have a number below 0, or a part of a document")
    if found["frequency"].max(initial=0) > n_documents:
        raise ModelFileError("the sums of its documents have a word in more documents than there are")
    return TopicSums(int(n_documents), int(n_left_out), **found, smoothing=smoothing)


def _inference(model: Any, encoded: Any) -> Any:
    """How documents are inferred; earlier versions did not write it, and the model itself decided."""
    if encoded is None:
        return model._default_inference()
    step = _decode(encoded)
    if not isinstance(step, tuple(INFERENCES.values())):
        raise ModelFileError(f"it names no way to infer documents' topics: {encoded!r:.80}")
    return step


def _edited(fit: Fit, manifest: dict[str, Any]) -> Fit:
    """The fit with topics merged and named as the file says."""
    topic_of, names, n_topics = manifest.get("topic_of"), manifest.get("topic_names"), fit.n_topics
    if topic_of is not None:
        is_list = isinstance(topic_of, list) and len(topic_of) == n_topics and all(type(k) is int for k in topic_of)
        if not is_list or set(topic_of) != set(range(len(set(topic_of)))):
            raise ModelFileError("it does not say which of its topics were merged: topic_of is not a list of topics")
        n_topics, diagnostics = len(set(topic_of)), fit.diagnostics
        fit = replace(grouped(fit, np.array(topic_of)), diagnostics=diagnostics)
    if names is None:
        return fit
    if not isinstance(names, list) or len(names) != n_topics:
        raise ModelFileError(f"it has no names for its {n_topics} topics")
    try:
        return rename(fit, dict(enumerate(names)))
    except ParameterError as error:
        raise ModelFileError(f"its topics have wrong names: {error}") from None


def _number(manifest: dict[str, Any], name: str, missing: Any, most: float) -> Any:
    """A number from 0 to `most` of the manifest; `missing` in files of early versions."""
    value = manifest.get(name)
    if value is None:
        return missing
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most or value == np.inf:
        raise ModelFileError(f"its {name} is {value!r:.80}, not a number from 0 to {most}")
    return float(value)


def _unfitted(model: type, parameters: dict[str, Any]) -> Any:
    options = {key: _decode(value) for key, value in parameters.items()}
    try:
        return model(**options)
    except (TypeError, ValueError) as error:
        raise ModelFileError(f"it has parameters that {model.__name__} does not take: {error}") from None


def _encode(name: str, value: Any) -> Any:
    if type(value).__name__ in STEPS and dataclasses.is_dataclass(value) and not isinstance(value, type):
        options = {field.name: _encode(name, getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {"step": type(value).__name__, "options": options}
    if isinstance(value, Preparation):
        return {PREPARATION: value.to_json()}
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
    if isinstance(value, dict) and PREPARATION in value:
        try:
            return Preparation.from_json(value[PREPARATION])
        except CotopicsError as error:
            raise ModelFileError(f"it says how texts become words in a way that cannot be used: {error}") from None
    if isinstance(value, dict):
        step = STEPS.get(str(value.get("step")))
        if step is None or not isinstance(value.get("options"), dict):
            raise ModelFileError(f"it names a step that this cotopics does not know: {value.get('step')!r:.80}")
        options = {key: option for key, option in value["options"].items() if key not in RETIRED.get(step.__name__, ())}
        check_step_options(step, options)
        try:
            return step(**options)
        except (TypeError, ValueError) as error:
            raise ModelFileError(f"it has options that {step.__name__} does not take: {error}") from None
    return [_decode(entry) for entry in value] if isinstance(value, list) else value


def _check_shapes(arrays: dict[str, Any]) -> tuple[int, int]:
    """(n_topics, n_words) of arrays that are those of a model."""
    components = arrays.get("components_")
    if components is None or components.ndim != 2 or 0 in components.shape:
        raise ModelFileError("it holds no topics")
    n_topics, n_words = components.shape
    check_arrays(
        arrays,
        {
            "components_": ("float64", (n_topics, n_words)),
            "topic_correlation_": ("float64", (n_topics, n_topics)),
            "topic_prevalence_": ("float64", (n_topics,)),
        },
        {
            "anchor_cooccurrence_": ("float64", (n_topics, n_words)),
            "background_": ("float64", (n_words,)),
            "usage": ("float64", (n_words,)),
            **{f"sums.{name}": (dtype, (n_topics if name == "totals" else n_words,)) for name, dtype in SUMS.items()},
        },
    )
    return n_topics, n_words


def _checked_provenance(provenance: Any) -> dict[str, Any] | None:
    if provenance is None:
        return None
    if not isinstance(provenance, dict) or not isinstance(provenance.get("preparation"), dict | None):
        raise ModelFileError('provenance_ must be a dict or None, and so must its entry "preparation"')
    return provenance


def _checked_vocabulary(words: Any, n_words: int) -> Any:
    if words is None:
        return None
    if not isinstance(words, list) or len(words) != n_words or not all(isinstance(word, str) for word in words):
        raise ModelFileError(f"its vocabulary is not a list of {n_words} words")
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
        raise ModelFileError("its anchors are not groups of its word ids, one per topic")
    return [np.array(group, dtype=np.int64) for group in groups]
