"""What every fitted model satisfies. Asked before one is saved, and again of whatever a file says is one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from cotopics.anchor_free import ANCHOR_FREE
from cotopics.anchors import SELECTORS
from cotopics.choice import Choice
from cotopics.cooccur import WEIGHTINGS, Balanced
from cotopics.cooccur.convert import REPRESENTATIONS
from cotopics.corpus import Preparation
from cotopics.errors import ModelFileError
from cotopics.recover import RECOVERIES
from cotopics.rectify import RECTIFIERS
from cotopics.refine import ExpectationMaximisation
from cotopics.registry import DEVICES, TOPICS_PER_DOCUMENT
from cotopics.top import SplitHalves

SUM_TOLERANCE = 1e-6  # by which a distribution may miss 1 in sum: those of single precision come to 1e-7
LARGEST = 1e100  # of an option, or of a correlation, which has the scale of the C it was found in
RARE_WORDS = ("group", "remove", "keep")
DISTRIBUTIONS = {  # and how far below zero their entries may be: the last is a difference, and only ranks words
    "components_": 0.0,
    "topic_prevalence_": 0.0,
    "background_": 0.0,
    "usage": 0.0,
    "anchor_cooccurrence_": 1e-12,
}


def check_arrays_of_model(arrays: Mapping[str, Any]) -> None:
    """A ModelFileError unless distributions are distributions and correlations symmetric.

    Correlations may be anything else: they are estimates, and those of few documents are zero or negative at times.
    """
    for name, below in DISTRIBUTIONS.items():
        if arrays.get(name) is not None:
            _check_distributions(name, np.atleast_2d(arrays[name]), below)
    A = arrays["topic_correlation_"]
    scale = float(np.abs(A).max())
    if not scale < LARGEST or np.abs(A - A.T).max() > 1e-8 * scale:
        raise ModelFileError("topic_correlation_ is not a symmetric matrix of finite numbers")


def _check_distributions(name: str, rows: Any, below: float) -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        least, sums = rows.min(axis=1), rows.sum(axis=1)
    wrong = ~((least >= -below) & (np.abs(sums - 1) <= SUM_TOLERANCE))  # NaN is wrong too
    if wrong.any():
        k = int(np.argmax(wrong))
        where = f" in row {k}" if len(rows) > 1 else ""
        raise ModelFileError(
            f"{name} does not hold probabilities{where}: the least is {least[k]:.3g} and their sum {sums[k]:.9g}, not 1"
        )


# --- options ---------------------------------------------------------------------------------------------------------


def check_options(class_name: str, options: Mapping[str, Any]) -> None:
    """A ModelFileError unless the options of a model have the types and ranges that its fit takes."""
    for name, value in options.items():
        if name in OPTIONS and not OPTIONS[name](value):
            chooses = name == "n_topics" and class_name == "TopicModel" and value == "auto"
            if not chooses:
                raise ModelFileError(f"its option {name} is {value!r:.80}, which {class_name} does not take")


def check_step_options(step: Any, options: Mapping[str, Any]) -> None:
    """A ModelFileError unless the options of a step have the types that it declares; itself it checks their ranges."""
    for field in dataclasses.fields(step):
        if field.name in options and not _has_type(options[field.name], str(field.type)):
            raise ModelFileError(
                f"option {field.name} of its step {step.__name__} is {options[field.name]!r:.80}, not {field.type}"
            )


def _has_type(value: Any, declared: str) -> bool:
    """Whether a value has a type as it stands in the code, which is text: nothing is evaluated here."""
    if " | " in declared:
        return any(_has_type(value, one) for one in declared.split(" | "))
    if declared.startswith("tuple["):  # which JSON has as a list
        inside = declared.removeprefix("tuple[").partition(",")[0]
        return _is_list(value) and all(_has_type(entry, inside) for entry in value)
    return TYPES[declared](value) if declared in TYPES else True


def _is_whole(value: Any, least: float = -(2**63), most: float = 2**63) -> bool:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return bool(whole and least <= value < most)


def _is_number(value: Any, least: float = -np.inf) -> bool:
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    return bool(number and abs(value) < LARGEST and value >= least)


def _is_number_or_share(value: Any) -> bool:
    return _is_whole(value, 0) or (_is_number(value, 0) and value <= 1)


def _is_one_of(names: Iterable[str], steps: Iterable[type] = ()) -> Callable[[Any], bool]:
    names, steps = tuple(names), tuple(steps)
    return lambda value: (isinstance(value, str) and value in names) or isinstance(value, steps)


def _is_anchors(value: Any) -> bool:
    """Words, word ids, or groups of them."""

    def is_word(word: Any) -> bool:
        return isinstance(word, str) or _is_whole(word, 0)

    groups = [entry if isinstance(entry, list | tuple) else [entry] for entry in value] if _is_list(value) else [[]]
    return value is None or all(len(group) > 0 and all(is_word(word) for word in group) for group in groups)


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


TYPES: dict[str, Callable[[Any], bool]] = {
    "int": _is_whole,
    "float": _is_number,
    "bool": lambda value: isinstance(value, bool),
    "str": lambda value: isinstance(value, str),
    "None": lambda value: value is None,
}
_is_c1 = _is_one_of(["cv"], [SplitHalves])
_is_rectifier = _is_one_of(RECTIFIERS, RECTIFIERS.values())
OPTIONS: dict[str, Callable[[Any], bool]] = {
    "n_topics": lambda value: _is_whole(value, 1),
    "weighting": _is_one_of(WEIGHTINGS, [Balanced]),
    "rectifier": lambda value: value is None or _is_rectifier(value),
    "selector": _is_one_of(SELECTORS, SELECTORS.values()),
    "recovery": _is_one_of(RECOVERIES, RECOVERIES.values()),
    "solver": _is_one_of(ANCHOR_FREE, ANCHOR_FREE.values()),
    "representation": _is_one_of([*REPRESENTATIONS, "sketch"]),
    "anchors": _is_anchors,
    "topics_per_document": _is_one_of(TOPICS_PER_DOCUMENT),
    "device": _is_one_of(DEVICES),
    "background": lambda value: value == "auto" or (_is_number(value, 0) and value < 1),
    "min_anchor_documents": _is_number_or_share,
    "min_constraint_documents": _is_number_or_share,
    "min_documents": _is_number_or_share,
    "refine": lambda value: _is_whole(value, 0) or isinstance(value, ExpectationMaximisation),
    "c0": lambda value: _is_number(value, 0),
    "c1": lambda value: _is_c1(value) or (_is_number(value, 0) and value > 0),
    "unit": lambda value: value == "words" or (_is_number(value, 0) and value > 0),
    "n_repeats": lambda value: _is_whole(value, 1),
    "rare_words": _is_one_of(RARE_WORDS),
    "preparation": lambda value: value is None or isinstance(value, Preparation),
    "random_state": lambda value: value is None or _is_whole(value, 0, 2**32),
}


# --- diagnostics -----------------------------------------------------------------------------------------------------


def check_diagnostics(diagnostics: Mapping[str, Any]) -> None:
    """A ModelFileError unless what steps reported has the form in which fits write it.

    Entries that other versions may have are passed over, except that reports of steps have one form in all of them.
    """
    for name, value in diagnostics.items():
        known = DIAGNOSTICS.get(name)
        valid = _is_report(value) if known is None else value is None or known(value)
        if not valid:
            raise ModelFileError(f"its diagnostics are not those of a fit: {name} is {value!r:.80}")


def _is_count(value: Any) -> bool:
    return _is_whole(value, 0)


def _is_record_of(each: Callable[[Any], bool], *names: str) -> Callable[[Any], bool]:
    """Whether a value is an object whose entries all are what `each` asks for; with names, it has these entries."""

    def valid(value: Any) -> bool:
        return isinstance(value, dict) and all(name in value for name in names) and all(map(each, value.values()))

    return valid


def _is_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_finite, value))


def _is_finite(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < np.inf


PARTS_OF_REPORT: dict[str, Callable[[Any], bool]] = {
    "n_iter": _is_count,
    "converged": lambda value: isinstance(value, bool),
    "history": _is_record_of(_is_numbers),
    "rank": _is_count,
    "words": _is_count,
    "reason": lambda value: isinstance(value, str),
}


def _is_report(value: Any) -> bool:
    """What a step reported, or anything else than that."""
    return not isinstance(value, dict) or all(
        PARTS_OF_REPORT[name](value[name]) for name in value if name in PARTS_OF_REPORT
    )


def _is_step(value: Any) -> bool:
    return isinstance(value, dict) and {"n_iter", "converged", "history"} <= set(value) and _is_report(value)


def _is_correlation(value: Any) -> bool:
    """What is said of the topics' correlations: numbers, and perhaps the topics whose anchors say nothing of them."""
    if not isinstance(value, dict):
        return False
    topics = value.get("without_anchors", [])
    return _is_list(topics) and all(map(_is_count, topics)) and _has_sums({**value, "without_anchors": 0})


def _is_documents(value: Any) -> bool:
    """How many documents were used and left out; and whether they have one topic or many, and why."""
    if not isinstance(value, dict):
        return False
    texts = {name: value[name] for name in ("topics_per_document", "reason") if name in value}
    numbers = {name: number for name, number in value.items() if name not in texts}
    return all(isinstance(text, str) for text in texts.values()) and _has_counts(numbers)


def _is_start(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("weighting"), str) and _is_gain(value.get("gain"))


def _is_choice(value: Any) -> bool:
    """Why there are so many topics; early versions kept the reason alone."""
    if isinstance(value, dict) and "candidates" not in value:
        return isinstance(value.get("reason", ""), str)
    try:
        Choice.from_dict(value)
    except ModelFileError:
        return False
    return True


def _is_edits(value: Any) -> bool:
    """What was done to topics since the fit: merge, drop, split or leave words out."""
    return _is_list(value) and all(isinstance(edit, dict) and len(edit) == 1 for edit in value)


_is_gain = _is_record_of(_is_finite)
_has_counts = _is_record_of(_is_count, "used", "left_out")
_has_sums = _is_record_of(_is_finite, "sum", "least_entry", "least_eigenvalue")
DIAGNOSTICS: dict[str, Callable[[Any], bool]] = {
    "documents": _is_documents,
    "words": _is_record_of(_is_count, "used", "without_pairs"),
    "representation": lambda value: isinstance(value, str),
    "rare_words": _is_count,
    "constrained_words": _is_count,
    "expected_bytes": _is_count,
    "correlation": _is_correlation,
    "c1": _is_finite,
    "n_topics_by_c1": _is_record_of(_is_count),
    "choice": _is_choice,
    "edits": _is_edits,
    "start": _is_start,
    "seconds": _is_record_of(_is_finite),
    **dict.fromkeys(("rectification", "anchors", "recovery", "topics", "refinement"), _is_step),
}
