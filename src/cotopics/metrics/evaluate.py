"""Every measure that applies to a model, in one table."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

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


@dataclass(frozen=True)
class _Given:
    """A model, counts X (documents × words) or None, and labels; and what several measures of them need, found once."""

    model: Any
    X: Any = None
    labels: list[Any] | None = None
    weighting: Any = "counts"
    W: Array | None = None

    @cached_property
    def lacks(self) -> dict[str, str]:
        """What a measure may need and was not given, and why."""
        lacks = {}
        if self.X is None:
            lacks["documents"] = "no documents were given"
        if getattr(self.model, "anchor_groups_", None) is None:
            lacks["anchors"] = f"{type(self.model).__name__} finds topics without anchor words"
        if self.labels is None:
            lacks["labels"] = "no labels of the documents were given"
        elif all(label is None for label in self.labels):
            lacks["labels"] = "no document has a label"
        return lacks

    @cached_property
    def C(self) -> Cooccurrence:
        return Remembered(cooccurrence(self.X, weighting=self.weighting))

    @cached_property
    def held_out(self) -> float:
        return held_out_likelihood(self.model, self.X)

    @cached_property
    def labelled(self) -> tuple[list[Any], Ids]:
        """The labels that documents have, and these documents' leading topics."""
        labels = self.labels or []
        labelled = np.flatnonzero([label is not None for label in labels])
        W = proportions(self.model, self.X[labelled]) if self.W is None else self.W[labelled]
        return [labels[m] for m in labelled], W.argmax(axis=1)


class Row(NamedTuple):
    """A line of the table; value is None where the measure does not apply, and note says why."""

    name: str
    value: float | None
    better: str
    meaning: str
    note: str


@dataclass(frozen=True)
class Evaluation:
    """The measures of a model. `evaluation["npmi"]` is a value, `print(evaluation)` the table.

    values: name → value, of those that apply. notes: name → why a measure does not apply, or what is odd about its
    value. MEASURES says what they mean. weighting: that of the documents in C, which recovery, approximation,
    specificity, mst_incoherence and log_relative_volume are of.
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
        """The lines of the table."""
        return [_row(name, self.values.get(name), self.notes.get(name, "")) for name in MEASURES]

    def as_dict(self) -> dict[str, Any]:
        """Everything in kinds that JSON knows; what is not finite is None, with a note."""
        measures = {row.name: {**row._asdict(), "value": _finite(row.value)} for row in self.rows}
        return {"weighting": self.weighting, "measures": measures}

    def __str__(self) -> str:
        lines = [("measure", "value", "better", "meaning")]
        lines += [(row.name, written(row.value), row.better, row.note or row.meaning) for row in self.rows]
        widths = [max(len(line[i]) for line in lines) for i in range(3)]
        return "\n".join(
            f"{name:<{widths[0]}}  {value:>{widths[1]}}  {better:<{widths[2]}}  {meaning}"
            for name, value, better, meaning in lines
        )


@one_blas_thread()  # many small products: on a busy machine BLAS threads make them several times as slow
def evaluate(
    model: Any, X: Any, labels: Any = None, *, weighting: Any = None, W: Any = None, without: Collection[str] = ()
) -> Evaluation:
    """Every measure of a fitted model on documents X (documents × words) that applies, and why the others do not.

    X has the model's words as its columns, and may be other documents than it was fitted on: for the held-out
    likelihood it should. labels (n_documents,), None or NaN where a document has none, are compared with the documents'
    leading topics; a document without a word that the model knows goes to the most prevalent one. weighting: how
    documents enter C (None: as in the model). The measures of C ≈ BABᵀ are of the C that a model sees; to compare
    models of different weightings by them, give the same, such as "counts", for all. W (n_documents, n_topics): the
    model's transform of X, where it is known already. without: names of measures to leave out.

    All are exact but log_relative_volume, whose reference is drawn, and the held-out likelihood, whose halves are: both
    with a fixed seed. Words × words is never kept, and its row norms, the most costly part, are found once.

    >>> from cotopics import AnchorWords
    >>> X = np.kron(np.eye(2, dtype=int), [[2, 2, 0], [2, 1, 1], [1, 0, 2]])
    >>> evaluation = evaluate(AnchorWords(2).fit(X), X, labels=["a", "a", "a", "b", "b", "b"])
    >>> evaluation["clustering_accuracy"], evaluation["nmi"]
    (1.0, 1.0)
    """
    if getattr(model, "components_", None) is None:
        raise ParameterError(f"evaluate takes a fitted model; {type(model).__name__} is none, or not fitted")
    weighting = getattr(model, "weighting", "counts") if weighting is None else weighting
    check_weighting(weighting)
    counts = counts_over_words_of(model, X)
    listed = None if labels is None else _listed(labels, counts.shape[0])
    given = _Given(model, counts, listed, weighting, _mixtures(model, counts, W))
    unknown = [name for name in without if name not in MEASURES]
    if unknown:
        raise ParameterError(f"without={unknown[0]!r} is no measure; choose among {', '.join(MEASURES)}")
    values: dict[str, float] = {}
    notes: dict[str, str] = dict.fromkeys(without, "left out, as asked for")
    for done, name in enumerate(MEASURES):
        progress.tell("measuring", done, len(MEASURES))
        if name not in without:
            value, note = _measured(MEASURES[name], given)
            if value is not None:
                values[name] = value
            if note:
                notes[name] = note
    return Evaluation(values, notes, str(weighting))


def rows_of_model(model: Any) -> list[Row]:
    """The lines of the measures that need no documents."""
    given = _Given(model)
    return [
        _row(name, *_measured(measure, given)) for name, measure in MEASURES.items() if "documents" not in measure.needs
    ]


def _measured(measure: Measure, given: _Given) -> tuple[float | None, str]:
    """A value, or None and why there is none; and what is odd about the value."""
    for need in measure.needs:
        if need in given.lacks:
            return None, given.lacks[need]
    try:
        value = measure.of(given)
    except CotopicsError as error:
        return None, str(error)
    return value, measure.odd(value) or ("" if np.isfinite(value) else f"{value}: not a finite number")


def _row(name: str, value: float | None, note: str) -> Row:
    return Row(name, value, MEASURES[name].better, MEASURES[name].meaning, note)


def written(value: float | None) -> str:
    """A value with the digits that a reader wants, or a dash."""
    if value is None:
        return "–"
    if float(value).is_integer() or not np.isfinite(value):
        return f"{value:.0f}"
    if abs(value) >= 1000:
        return f"{value:.1f}"
    return f"{value:#.4g}" if abs(value) >= 1e-4 else f"{value:.3e}"


def _finite(value: float | None) -> float | None:
    return None if value is None or not np.isfinite(value) else value


def _mixtures(model: Any, counts: sp.csr_array, W: Any) -> Array | None:
    if W is None:
        return None
    W, shape = np.asarray(W, dtype=np.float64), (counts.shape[0], model.components_.shape[0])
    if W.shape != shape:
        raise ParameterError(f"W of shape {W.shape} is not documents × topics, {shape}")
    return W


def _listed(labels: Any, n_documents: int) -> list[Any]:
    """Labels as a list with None for those that are missing."""
    try:
        listed = [None if _is_missing(label) else label for label in labels]
    except TypeError:
        raise ParameterError(
            f"labels={labels!r} is no list; give one label for each document, None where it has none"
        ) from None
    if len(listed) != n_documents:
        raise ParameterError(f"there are {n_documents} documents and {len(listed)} labels")
    return listed


def _is_missing(label: Any) -> bool:
    """None, and what is not equal to itself: NaN, and pandas' NaT and NA."""
    try:
        return label is None or bool(label != label)
    except TypeError:  # NA says neither that it is nor that it is not
        return True
    except ValueError:  # an array is no label, and no gap either
        return False
