"""Every measure that applies to a model, in one table."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from cotopics import progress
from cotopics.cooccur import Cooccurrence, Remembered, cooccurrence
from cotopics.cooccur.named import counts_over_words_of
from cotopics.cooccur.weighting import check_weighting
from cotopics.errors import CotopicsError, ParameterError
from cotopics.linalg.threads import one_blas_thread
from cotopics.metrics.clustering import Ids, clustering_accuracy, nmi
from cotopics.metrics.coherence import coherence, npmi
from cotopics.metrics.diversity import dissimilarity, exclusivity, similarity_count, topic_diversity
from cotopics.metrics.factorisation import approximation_error, dominancy, recovery_error, specificity
from cotopics.metrics.geometry import log_relative_volume, mst_incoherence
from cotopics.metrics.inputs import proportions
from cotopics.metrics.likelihood import held_out_likelihood
from cotopics.records import Array


@dataclass(frozen=True)
class _Given:
    """A model, counts X (documents × words) and labels; and what several measures of them need, found once."""

    model: Any
    X: sp.csr_array
    labels: list[Any] | None
    weighting: Any
    W: Array | None = None

    @property
    def anchored(self) -> Any:
        """The model, where it has anchors."""
        if getattr(self.model, "anchor_groups_", None) is None:
            raise ParameterError(f"{type(self.model).__name__} finds topics without anchor words")
        return self.model

    @cached_property
    def C(self) -> Cooccurrence:
        return Remembered(cooccurrence(self.X, weighting=self.weighting))

    @cached_property
    def held_out(self) -> float:
        return held_out_likelihood(self.model, self.X)

    @cached_property
    def labelled(self) -> tuple[list[Any], Ids]:
        """The labels that documents have, and these documents' leading topics."""
        if self.labels is None:
            raise ParameterError("no labels of the documents were given")
        labelled = np.flatnonzero([label is not None for label in self.labels])
        if len(labelled) == 0:
            raise ParameterError("no document has a label")
        W = proportions(self.model, self.X[labelled]) if self.W is None else self.W[labelled]
        return [self.labels[m] for m in labelled], W.argmax(axis=1)


class Measure(NamedTuple):
    """Which way is better ("higher", "lower", or "" where neither is), what it is in words, and what gives it."""

    better: str
    meaning: str
    of: Callable[[_Given], float]


MEASURES = {
    "recovery": Measure(
        "lower",
        "words' rows of C̄ from mixtures of anchors' rows: mean distance",
        lambda g: recovery_error(g.anchored, g.C),
    ),
    "relative_recovery": Measure(
        "lower", "the same over ‖C̄‖", lambda g: recovery_error(g.anchored, g.C, relative=True)
    ),
    "approximation": Measure("lower", "‖C − BABᵀ‖", lambda g: approximation_error(g.model, g.C)),
    "relative_approximation": Measure(
        "lower", "the same over ‖C‖", lambda g: approximation_error(g.model, g.C, relative=True)
    ),
    "dominancy": Measure(
        "", "p(same topic again | topic); lower: topics more correlated", lambda g: dominancy(g.model)
    ),
    "relative_dominancy": Measure("", "mean A_kk over ‖A‖", lambda g: dominancy(g.model, relative=True)),
    "specificity": Measure("higher", "how far topics are from the corpus, bits", lambda g: specificity(g.model, g.C)),
    "dissimilarity": Measure(
        "higher", "of a topic's 20 leading words, those in no other's", lambda g: dissimilarity(g.model)
    ),
    "similarity_count": Measure(
        "lower", "words shared by two topics' leading 20, over all pairs", lambda g: similarity_count(g.model)
    ),
    "topic_diversity": Measure(
        "higher", "share of distinct words among the leading 25", lambda g: topic_diversity(g.model)
    ),
    "exclusivity": Measure(
        "higher", "p(word | topic) over all topics' p, of the leading 10", lambda g: exclusivity(g.model)
    ),
    "coherence": Measure(
        "higher", "leading 20 words in the same documents, sum of logs", lambda g: coherence(g.model, g.X)
    ),
    "npmi": Measure("higher", "leading 10 words in the same documents, −1 to 1", lambda g: npmi(g.model, g.X)),
    "mst_incoherence": Measure(
        "lower", "cost of a tree that joins a topic's words", lambda g: mst_incoherence(g.anchored, g.C)
    ),
    "log_relative_volume": Measure(
        "higher", "log of the anchors' simplex over that of random ones", lambda g: log_relative_volume(g.anchored, g.C)
    ),
    "held_out_likelihood": Measure("higher", "log p of a held-out token, nats", lambda g: g.held_out),
    "perplexity": Measure("lower", "exp(−held-out likelihood)", lambda g: float(np.exp(-g.held_out))),
    "clustering_accuracy": Measure(
        "higher", "documents' leading topics against labels, matched", lambda g: clustering_accuracy(*g.labelled)
    ),
    "nmi": Measure("higher", "the same by mutual information, 0 to 1", lambda g: nmi(*g.labelled)),
}  # name → measure, in the order of the table


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
        return [
            Row(name, self.values.get(name), measure.better, measure.meaning, self.notes.get(name, ""))
            for name, measure in MEASURES.items()
        ]

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
    notes: dict[str, str] = {}
    for done, (name, measure) in enumerate(MEASURES.items()):
        progress.tell("measuring", done, len(MEASURES))
        if name in without:
            notes[name] = "left out, as asked for"
            continue
        try:
            values[name] = measure.of(given)
        except CotopicsError as error:
            notes[name] = str(error)
            continue
        remark = _remark(name, values[name])
        if remark:
            notes[name] = remark
    return Evaluation(values, notes, str(weighting))


def written(value: float | None) -> str:
    """A value with the digits that a reader wants, or a dash."""
    if value is None:
        return "–"
    if float(value).is_integer() or not np.isfinite(value):
        return f"{value:.0f}"
    if abs(value) >= 1000:
        return f"{value:.1f}"
    return f"{value:#.4g}" if abs(value) >= 1e-4 else f"{value:.3e}"


def _remark(name: str, value: float) -> str:
    """What a reader should know of an odd value."""
    if name == "dominancy" and not 0 <= value <= 1:
        return "no probability, because topic_correlation_ has negative entries"
    if not np.isfinite(value):
        return f"{value}: the anchors span no volume, because some lie in the plane of the others"
    return ""


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
