"""How topics' shares go with what is known of documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from cotopics.effects.design import make_design, require_formulaic
from cotopics.effects.formula import check_formula, nearest
from cotopics.effects.least_squares import regress
from cotopics.effects.metadata import Column, columns_of, entries, is_missing, read_column
from cotopics.effects.record import CORRECTIONS, Effects
from cotopics.effects.shares import SCALE_ERROR, document_shares
from cotopics.errors import ParameterError


def estimate_effects(
    model: Any,
    X: Any,
    metadata: Any,
    formula: str,
    *,
    shares: str = "unbiased",
    topics: str = "estimated",
    clusters: str | None = None,
    reference: Mapping[str, Any] | None = None,
    missing: str = "drop",
    level: float = 0.95,
    correction: str | None = "holm",
    simultaneous: bool = False,
) -> Effects:
    """A regression of documents' topic shares on metadata: by how much the expected share of each topic differs.

    Parameters
    ----------
    model : a fitted model
    X : documents as its `transform` takes them, (n_documents, n_words)
    metadata : a data frame, a dict of columns, or a Corpus; None: what the Corpus X knows. One entry per document
    formula : such as "rating + bs(day, df=4)": fields, + - * : / ^, and bs, cr, cs, cc (splines), poly, center, scale,
        log, log2, log10, exp, I (arithmetic), C (numbers as groups), days and year (texts as dates). Nothing else is
        evaluated. A field of text is one of groups; `backticks` enclose names with blanks
    shares : "unbiased", or "posterior": means given the documents under the model's prior, with their uncertainty as
        by the method of composition. These are drawn to the mean of all, so effects come out too small, most so for
        short documents
    topics : "estimated" (topics that a fit found: they are counted again in X, in words as they are, and errors allow
        for a scale of shares that is not known better than to a tenth), or "known" (topics that are certain)
    clusters : a field; documents with the same value (an author's) may be alike, and errors allow for it
    reference : field → the group that others are compared with; by default the first by the alphabet
    missing : "drop" (documents with a missing value are left out and counted), or "error"
    level : of the intervals
    correction : p_adjusted of the topics of a term is by "holm", by "bh" (Benjamini and Hochberg), or None
    simultaneous : intervals of a term hold for all topics at once

    Returns
    -------
    Effects, with `table()`, `contrast(field, first, second)` and `expected(field)`; `plot.effects` draws it. Nothing is
    drawn at random, and the order of documents does not matter.

    Which words make up a topic is taken as known: `cotopics.stability.bootstrap` says how firmly topics stand.

    >>> from cotopics import AnchorWords
    >>> words = ["cat", "dog", "sun", "sky"]
    >>> model = AnchorWords(2).fit_cooccurrence(np.kron(np.eye(2), np.ones((2, 2))) / 8, feature_names=words)
    >>> X = [[3, 0, 1, 0], [4, 3, 0, 1], [1, 0, 1, 2], [0, 1, 3, 4]]
    >>> effects = estimate_effects(model, X, {"paper": ["A", "A", "B", "B"]}, "paper", topics="known")
    >>> for row in effects.contrast("paper", "A", "B"):
    ...     print(row["name"], row["term"], round(row["estimate"], 3), round(row["error"], 3))
    cat, dog paper: A − B 0.625 0.125
    sun, sky, dog paper: A − B -0.625 0.125
    """
    _check_options(missing, level, correction)
    require_formulaic()
    fields = columns_of(metadata, X)
    checked = check_formula(formula, fields)
    if clusters is not None and clusters not in fields:
        raise ParameterError(f"there is no field {clusters!r} for clusters{nearest(str(clusters), list(fields))}")
    found = document_shares(model, X, shares, topics)
    n = len(found.W)
    first = _references(reference, [name for name, _ in checked.fields.values()])
    columns = {
        alias: read_column(name, entries(name, fields[name], n), kind, first.get(name))
        for alias, (name, kind) in checked.fields.items()
    }
    groups = None if clusters is None else _clusters(entries(clusters, fields[clusters], n))
    kept, dropped = _complete(found.known, checked.fields, columns, groups, clusters, missing)
    design = make_design(checked, {alias: _rows(column, kept) for alias, column in columns.items()})
    result = regress(
        design.Z,
        found.W[kept],
        None if groups is None else groups[kept],
        None if found.variance is None else found.variance[kept],
        np.flatnonzero(kept),
    )
    return Effects(
        formula,
        tuple(getattr(model, "topic_names_", None) or map(str, range(found.W.shape[1]))),
        result.coefficients,
        result.covariance + (_scale_errors(design.Z, result.coefficients) if topics == "estimated" else 0.0),
        result.degrees,
        int(kept.sum()),
        dropped,
        level,
        correction,
        simultaneous,
        design,
    )


def _scale_errors(Z: Any, coefficients: Any) -> Any:
    """What an error of SCALE_ERROR in the scale of shares adds to the covariance (n_topics, p, p).

    Shares that are a tenth too far from their mean make every difference a tenth too large, and no mean."""
    mean = (Z @ coefficients).mean(axis=0)
    constant = np.linalg.lstsq(Z, np.ones(len(Z)), rcond=None)[0]  # coefficients of shares that are always one
    away = SCALE_ERROR * (coefficients - np.outer(constant, mean))
    return np.einsum("pk,qk->kpq", away, away)


def _check_options(missing: str, level: float, correction: Any) -> None:
    if missing not in ("drop", "error"):
        raise ParameterError(f"missing={missing!r} is unknown; choose 'drop' or 'error'")
    if not (isinstance(level, float) and 0 < level < 1):
        raise ParameterError(f"level={level!r} must be between 0 and 1, such as 0.95")
    if correction not in CORRECTIONS:
        raise ParameterError(f"correction={correction!r} is unknown; choose 'holm', 'bh' or None")


def _references(reference: Mapping[str, Any] | None, used: list[str]) -> Mapping[str, Any]:
    for name in reference or {}:
        if name not in used:
            raise ParameterError(f"reference names {name!r}, which the formula has not{nearest(str(name), used)}")
    return reference or {}


def _clusters(listed: list[Any]) -> Any:
    """The number of each document's cluster, −1 where it is missing."""
    numbers: dict[str, int] = {}
    return np.array(
        [-1 if is_missing(value) else numbers.setdefault(str(value).strip(), len(numbers)) for value in listed]
    )


def _complete(
    known: Any,
    fields: Mapping[str, tuple[str, str]],
    columns: Mapping[str, Column],
    groups: Any,
    clusters: Any,
    missing: str,
) -> tuple[Any, dict[str, int]]:
    """Which documents are used, and why how many others are not."""
    gone = {f"no {fields[alias][0]}": column.missing for alias, column in columns.items()}
    if groups is not None:
        gone[f"no {clusters}"] = groups < 0
    if missing == "error":
        for why, rows in gone.items():
            if rows.any():
                raise ParameterError(f"{int(rows.sum())} documents have {why}, the first is {int(np.argmax(rows))}")
    kept, dropped = np.ones(len(known), dtype=bool), {}
    for why, rows in {"no word that the topics know": ~known, **gone}.items():
        n = int((kept & rows).sum())
        if n:
            dropped[why] = n
        kept &= ~rows
    if not kept.any():
        raise ParameterError("no document has a value of every field, so there is nothing to estimate")
    return kept, dropped


def _rows(column: Column, kept: Any) -> Column:
    """The column of some documents, with the groups that these have."""
    values, levels = column.values[kept], column.levels
    if levels is not None:
        present = np.unique(values)
        values, levels = np.searchsorted(present, values), [levels[i] for i in present]
    return replace(column, values=values, missing=column.missing[kept], levels=levels)
