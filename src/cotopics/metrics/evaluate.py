"""Every measure that applies to a model, in one table."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from cotopics import progress
from cotopics.cooccur import Cooccurrence, Remembered, cooccurrence
from cotopics.cooccur.counts import counts_over_words_of
from cotopics.cooccur.weighting import check_weighting
from cotopics.errors import CotopicsError, ParameterError
from cotopics.linalg.threads import one_blas_thread
from cotopics.metrics.clustering import Ids
from cotopics.metrics.inputs import proportions
from cotopics.metrics.likelihood import held_out_likelihood
from cotopics.metrics.measure import MEASURES, Measure
from cotopics.records import Array
from cotopics.tabular import Tabular


@dataclass(frozen=True)
class _Given:
    """A model, counts X (documents × words) or None, and labels; and results that several measures share."""

    model: Any
    X: Any = None
    labels: list[Any] | None = None
    weighting: Any = "counts"
    W: Array | None = None
    reference: Any = None

    @cached_property
    def missing(self) -> dict[str, str]:
        """What a measure may need and was not given, and why."""
        missing = {}
        if self.X is None:
            missing["documents"] = "no documents were given"
        if self.reference is None:
            missing["reference"] = "no reference corpus was given"
        if getattr(self.model, "anchor_groups_", None) is None:
            missing["anchors"] = f"{type(self.model).__name__} finds topics without anchor words"
        if self.labels is None:
            missing["labels"] = "no labels of the documents were given"
        elif all(label is None for label in self.labels):
            missing["labels"] = "no document has a label"
        return missing

    @cached_property
    def C(self) -> Cooccurrence:
        return Remembered(cooccurrence(self.X, weighting=self.weighting))

    @cached_property
    def held_out(self) -> float:
        return held_out_likelihood(self.model, self.X)

    @cached_property
    def labelled(self) -> tuple[list[Any], Ids]:
        """The labels of the documents that have one, and the leading topics of these documents."""
        labels = self.labels or []
        labelled = np.flatnonzero([label is not None for label in labels])
        W = proportions(self.model, self.X[labelled]) if self.W is None else self.W[labelled]
        return [labels[m] for m in labelled], W.argmax(axis=1)


class Row(NamedTuple):
    """A row of the table; value is None if the measure does not apply, and note says why."""

    name: str
    value: float | None
    better: str
    meaning: str
    note: str


@dataclass(frozen=True, repr=False)
class Evaluation(Tabular):
    """The measures of a model. `evaluation["npmi"]` is a value, `print(evaluation)` the table.

    pandas.DataFrame, polars.DataFrame and pyarrow.table take it as it is, a row for each measure.

    values: name → value, of the measures that apply. notes: name → why a measure does not apply, or what is unusual
    about its value. MEASURES says what they mean. weighting: how documents were weighted in C, which recovery,
    approximation, specificity, mst_incoherence and log_relative_volume use.

    >>> from cotopics import AnchorWords
    >>> X = np.kron(np.eye(2, dtype=int), [[2, 2, 0], [2, 1, 1], [1, 0, 2]])
    >>> evaluation = evaluate(AnchorWords(2).fit(X), X)
    >>> evaluation.notes["nmi"]
    'no labels of the documents were given'
    """

    values: dict[str, float]
    notes: dict[str, str]
    weighting: str

    def __getitem__(self, name: str) -> float:
        if name not in self.values and name in self.notes:
            raise KeyError(f"{name} does not apply: {self.notes[name]}")
        return self.values[name]

    @property
    def rows(self) -> list[Row]:
        """The rows of the table, one for each measure; that of a reference corpus only where there is one."""
        shown = [name for name in MEASURES if name in self.values or name in self.notes]
        return [_row(name, self.values.get(name), self.notes.get(name, "")) for name in shown]

    def __repr__(self) -> str:
        return f"Evaluation({len(self.values)} of {len(MEASURES)} measures apply; print it for the table)"

    def as_columns(self) -> dict[str, list[Any]]:
        """The columns of the table."""
        return {name: [getattr(row, name) for row in self.rows] for name in Row._fields}

    def as_dict(self) -> dict[str, Any]:
        """All measures in types that JSON has; a value that is not finite is None, with a note."""
        rows = [row if np.isfinite(row.value or 0) else row._replace(value=None) for row in self.rows]
        return {"weighting": self.weighting, "measures": {row.name: row._asdict() for row in rows}}

    def __str__(self) -> str:
        lines = [("measure", "value", "better", "meaning")]
        lines += [(row.name, formatted(row.value), row.better, row.note or row.meaning) for row in self.rows]
        widths = [max(len(line[i]) for line in lines) for i in range(3)]
        return "\n".join(
            f"{name:<{widths[0]}}  {value:>{widths[1]}}  {better:<{widths[2]}}  {meaning}"
            for name, value, better, meaning in lines
        )


@one_blas_thread()  # many small products: on a busy machine BLAS threads make them several times slower
def evaluate(
    model: Any,
    X: Any,
    labels: Any = None,
    *,
    weighting: Any = None,
    W: Any = None,
    reference: Any = None,
    without: Collection[str] = (),
) -> Evaluation:
    """Every measure of a fitted model that applies to documents X (documents × words), and why the others do not.

    All measures are exact except log_relative_volume and the held-out likelihood, which draw random numbers with a
    fixed seed. Words × words is never stored, and its row norms, the most expensive part, are computed once.

    Parameters
    ----------
    model : a fitted model.
    X : counts with the model's words as columns. For the held-out likelihood, use documents the model has not seen.
    labels : (n_documents,), None or NaN if a document has none. They are compared with the documents' leading topics; a
        document without a word that the model knows gets the most prevalent one.
    weighting : how documents are weighted in C (None: as in the model). Use the same one, such as "counts", to compare
        models of different weightings by measures of C.
    W : (n_documents, n_topics), the model's transform of X if it is already known.
    reference : counts of other documents, with the model's words as columns, in which leading words are looked up too:
        in texts of a few words, they hardly ever meet, and what they have in common shows only in longer ones.
    without : names of measures to leave out.

    >>> from cotopics import AnchorWords
    >>> X = np.kron(np.eye(2, dtype=int), [[2, 2, 0], [2, 1, 1], [1, 0, 2]])
    >>> evaluation = evaluate(AnchorWords(2).fit(X), X, labels=["a", "a", "a", "b", "b", "b"])
    >>> evaluation["clustering_accuracy"], evaluation["nmi"]
    (1.0, 1.0)
    """
    if getattr(model, "components_", None) is None:
        raise ParameterError(f"evaluate needs a fitted model; this {type(model).__name__} is not one")
    weighting = getattr(model, "weighting", "counts") if weighting is None else weighting
    check_weighting(weighting)
    counts = counts_over_words_of(model, X)
    if W is not None:
        W, shape = np.asarray(W, dtype=np.float64), (counts.shape[0], model.components_.shape[0])
        if W.shape != shape:
            raise ParameterError(f"W must be documents × topics, {shape}; its shape is {W.shape}")
    labels = None if labels is None else _listed(labels, counts.shape[0])
    other = None if reference is None else counts_over_words_of(model, reference)
    given = _Given(model, counts, labels, weighting, W, other)
    unknown = [name for name in without if name not in MEASURES]
    if unknown:
        raise ParameterError(f"without={unknown[0]!r} is not a measure; choose from {', '.join(MEASURES)}")
    values: dict[str, float] = {}
    notes: dict[str, str] = dict.fromkeys(without, "left out on request")
    for done, name in enumerate(MEASURES):
        progress.tell("measuring", done, len(MEASURES))
        if name not in without and (other is not None or "reference" not in MEASURES[name].needs):
            value, note = _measured(MEASURES[name], given)
            if value is not None:
                values[name] = value
            if note:
                notes[name] = note
    return Evaluation(values, notes, str(weighting))


def rows_of_model(model: Any) -> list[Row]:
    """The rows of the measures that need no documents."""
    given = _Given(model)
    return [
        _row(name, *_measured(measure, given))
        for name, measure in MEASURES.items()
        if not {"documents", "reference"} & set(measure.needs)
    ]


def _measured(measure: Measure, given: _Given) -> tuple[float | None, str]:
    """The value and what is unusual about it, or None and why there is no value."""
    for need in measure.needs:
        if need in given.missing:
            return None, given.missing[need]
    try:
        value = measure.of(given)
    except CotopicsError as error:
        return None, str(error)
    if value > measure.most:
        return None, f"it is {value:.3g}, above {measure.most:g}: the model was not made to fit what it measures"
    return value, measure.odd(value) or ("" if np.isfinite(value) else f"{value}: not a finite number")


def _row(name: str, value: float | None, note: str) -> Row:
    return Row(name, value, MEASURES[name].better, MEASURES[name].meaning, note)


def formatted(value: float | None) -> str:
    """A value with about four digits, or a dash."""
    if value is None:
        return "–"
    if float(value).is_integer() or not np.isfinite(value):
        return f"{value:.0f}"
    if abs(value) >= 1000:
        return f"{value:.1f}"
    return f"{value:#.4g}" if abs(value) >= 1e-4 else f"{value:.3e}"


def _listed(labels: Any, n_documents: int) -> list[Any]:
    """Labels as a list, with None for missing ones."""
    try:
        listed = [None if _is_missing(label) else label for label in labels]
    except TypeError:
        raise ParameterError(
            f"labels={labels!r} is not a list; give one label for each document, None if it has none"
        ) from None
    if len(listed) != n_documents:
        raise ParameterError(f"there are {n_documents} documents and {len(listed)} labels")
    return listed


def _is_missing(label: Any) -> bool:
    """Whether this is None, NaN, or pandas' NaT or NA."""
    try:
        return label is None or bool(label != label)
    except TypeError:  # NA has no truth value
        return True
    except ValueError:  # an array is not a missing label; it fails later with its own message
        return False
