"""The number of topics that was chosen, and why: a small record, and its file.

A model that was fitted with n_topics="auto" keeps this record in its diagnostics, so that a report of a model from a
file can show it. `cotopics choose -o choice.json` writes the same record.
"""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cotopics.errors import ModelFileError
from cotopics.persistence import from_json, open_regular, write_atomically
from cotopics.records import Array
from cotopics.tabular import Tabular

MAX_BYTES = 1 << 24  # of a file; real ones are much smaller
AS_GOOD = 0.94  # of the largest reliable gain: another halving of the documents may change it as much


class Column(NamedTuple):
    """A column of the evidence: its heading, the format of its numbers, and its meaning."""

    heading: str
    digits: str
    meaning: str


COLUMNS = {  # names that are in metrics.MEASURES are these measures
    "held_out": Column("held-out", ".4f", "log p of an unseen token of an unseen document (higher predicts better)"),
    "held_out_error": Column("±", ".4f", "standard error of its difference from the best number"),
    "agreement": Column("agree", ".2f", "correlation of topics' shares found from two halves of the documents, mean"),
    "weakest": Column("weakest", ".2f", "the same, of the topic that comes back least"),
    "most_back": Column("most", ".2f", "the same, that seven of ten topics reach"),
    "reliable_gain": Column("reliable", ".4f", "what is gained over two topics, times that (higher is better)"),
    "coherence": Column("coherence", ".0f", "Coherence (higher: words go together)"),
    "topic_diversity": Column("diverse", ".2f", "topic_diversity (higher: topics share fewer leading words)"),
    "specificity": Column("specific", ".2f", "Specificity (higher: topics differ from the corpus)"),
    "dissimilarity": Column("dissim.", ".1f", "Dissimilarity (higher: topics differ in words)"),
    "gap": Column("gap", ".2f", "eigenvalue K over the next, of the rectified co-occurrence"),
    "replication": Column("replic.", ".2f", "share of direction K found in one half that is there in the other"),
}
OLD_COLUMNS = {  # of files of early versions
    "share_back": Column("back", ".2f", "share of the topics that come back"),
    "stability": Column("stable", ".2f", "overlap of topics found in independent halves, mean"),
    "relative_recovery": Column("recovery", ".4f", "RelativeRecovery (lower is closer)"),
    "relative_approximation": Column("approx.", ".3f", "RelativeApproximation (lower is closer)"),
}
MEASURES = {name: column.meaning for name, column in (COLUMNS | OLD_COLUMNS).items()}


@dataclass(frozen=True, repr=False)
class Choice(Tabular):
    """A recommended number of topics, the reason, and the evidence.

    pandas.DataFrame, polars.DataFrame and pyarrow.table take it as it is: the evidence, a row for each candidate.

    Parameters
    ----------
    n_topics : the recommended number.
    reason : why, in words that follow "20 topics:".
    candidates : (k,), the numbers that were compared.
    measures : name → (k,), the evidence for each candidate; MEASURES says what it means.
    spectrum : (m,), the eigenvalues of the rectified co-occurrence.
    replication : (m,), the share of each direction that comes back in other documents.
    n_topics_top : c1 → the number of topics that TOP finds.
    finest : the smallest number that predicts unseen documents as well as any that was compared; None where unknown.
    coarser : smaller numbers, all topics of which come back when they are found in other documents.
    sample : how many documents were looked at, where these were not all; None: all.

    >>> from cotopics import choose_n_topics, datasets
    >>> X, B, W = datasets.make_corpus(300, 100, 3, length=100, anchors_per_topic=2, random_state=0)
    >>> choice = choose_n_topics(X, [2, 3, 5])
    >>> choice.n_topics, [row["n_topics"] for row in choice.table]
    (3, [2, 3, 5])
    """

    n_topics: int
    reason: str
    candidates: np.ndarray[Any, np.dtype[np.int64]]
    measures: dict[str, Array]
    spectrum: Array
    replication: Array
    n_topics_top: dict[float, int]
    finest: int | None = None
    coarser: tuple[int, ...] = ()
    sample: int | None = None

    @property
    def sentence(self) -> str:
        """The number and the reason, as one sentence."""
        return f"{self.n_topics} topics: {self.reason}"

    @property
    def sample_sentence(self) -> str:
        """How many documents were looked at, where these were not all; else nothing."""
        return "" if self.sample is None else f"A sample of {self.sample:,} documents was looked at."

    @property
    def table(self) -> list[dict[str, float]]:
        """A row for each candidate: n_topics and all measures, for pandas.DataFrame and the like."""
        names = self.measures.items()
        return [{"n_topics": int(K), **{name: float(v[i]) for name, v in names}} for i, K in enumerate(self.candidates)]

    def __repr__(self) -> str:
        return f"Choice(n_topics={self.n_topics}: {self.reason})"

    def as_columns(self) -> dict[str, Any]:
        """The evidence: the candidates, and each measure of them."""
        return {"n_topics": self.candidates, **self.measures}

    def as_dict(self) -> dict[str, Any]:
        """Everything in types that JSON has, one row for each candidate; a number that is not finite is None."""
        rows = [
            {**{name: _finite(value) for name, value in row.items()}, "n_topics": row["n_topics"]} for row in self.table
        ]
        return {
            "n_topics": int(self.n_topics),
            "reason": self.reason,
            "finest": self.finest,
            "coarser": list(self.coarser),
            "sample": self.sample,
            "candidates": rows,
            "spectrum": [_finite(value) for value in self.spectrum],
            "replication": [_finite(value) for value in self.replication],
            "n_topics_top": {str(c1): int(K) for c1, K in self.n_topics_top.items()},
        }

    @classmethod
    def from_dict(cls, record: Any) -> Choice:
        """The choice that `as_dict` described."""
        try:
            rows = record["candidates"]
            names = [name for name in MEASURES if name in rows[0]]
            choice = cls(
                operator.index(record["n_topics"]),
                record["reason"],
                np.array([operator.index(row["n_topics"]) for row in rows], dtype=np.int64),
                {name: _numbers(row[name] for row in rows) for name in names},
                _numbers(record["spectrum"]),
                _numbers(record["replication"]),
                {float(c1): operator.index(K) for c1, K in record["n_topics_top"].items()},
                _index_or_none(record.get("finest")),
                tuple(operator.index(K) for K in record.get("coarser", ())),
                _index_or_none(record.get("sample")),
            )
        except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
            raise ModelFileError(f"this is not a choice of n_topics: {type(error).__name__} {error}") from None
        if not isinstance(choice.reason, str) or not choice.reason:
            raise ModelFileError("this is not a choice of n_topics: it has no reason")
        if choice.n_topics not in choice.candidates:
            raise ModelFileError("this is not a choice of n_topics: its number is not among the candidates")
        return choice

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a JSON file for `Choice.load`; an old file stays until the new one is complete."""
        write_atomically(path, (json.dumps(self.as_dict(), indent=1, ensure_ascii=False) + "\n").encode("utf-8"))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Choice:
        """The choice in a file that `save` or `cotopics choose -o choice.json` wrote."""
        with open_regular(path) as file:
            content = file.read(MAX_BYTES + 1)
        try:
            if len(content) > MAX_BYTES:
                raise ValueError("it is too large")
            return cls.from_dict(from_json(content.decode("utf-8")))
        except ValueError as error:  # includes ModelFileError
            raise ModelFileError(
                f"{os.fspath(path)} is not what `cotopics choose -o choice.json` writes: {error}"
            ) from None


def _finite(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None


def _index_or_none(value: Any) -> int | None:
    return None if value is None else operator.index(value)


def _numbers(values: Iterable[Any]) -> Array:
    return np.array([np.nan if value is None else float(value) for value in values], dtype=np.float64)
