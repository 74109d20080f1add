"""What draws of documents say of topics: intervals, and how firmly each topic stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from cotopics.errors import ParameterError
from cotopics.records import Array, WordIds
from cotopics.tabular import Columns, Tabular

N_WORDS = 20  # leading words of each topic, whose ranks are kept
FIRM = 0.6  # a topic whose shares agree less with those by fits of other documents, on average, is marked


@dataclass(frozen=True, repr=False)
class Bootstrap(Tabular):
    """Topics in documents drawn again, by `cotopics.stability.bootstrap`.

    Parameters
    ----------
    names : of the topics
    estimate : (n_topics,), the model's prevalence
    correlation : (n_topics, n_topics), Pearson's coefficients of topics' shares (`metrics.association`)
    leading : (n_topics, n), ids of the model's leading words
    prevalences : (n_draws, n_topics)
    coefficients : (n_draws, n_topics, n_topics)
    counted : (n_topics,), prevalence of the same topics if they are counted in words as they are (`models/recount.py`)
    ranks : (n_draws, n_topics, n), of the leading words, from 1
    firmness : (n_topics,), from 0 to 1: the correlation of a topic's shares in documents with those of its partner in
        fits from scratch to parts of the documents, mean
    level : of the intervals
    n_documents : that were drawn from
    vocabulary : the words, or None
    """

    names: tuple[str, ...]
    estimate: Array
    correlation: Array
    leading: WordIds
    prevalences: Array
    coefficients: Array
    counted: Array
    ranks: Any
    firmness: Array
    level: float
    n_documents: int
    vocabulary: Any = None

    def __repr__(self) -> str:
        n, weak = len(self.prevalences), int((self.firmness < FIRM).sum())
        said = "all stand firm" if not weak else f"{weak} do not come back"
        return f"Bootstrap({n} draws of {self.n_documents:,} documents: {len(self.names)} topics, {said})"

    def as_columns(self) -> Mapping[str, Any]:
        return self.prevalence().columns

    @property
    def is_firm(self) -> Any:
        """(n_topics,): whether a topic comes back in fits from scratch, by a firmness of 0.6 or more."""
        return self.firmness >= FIRM

    def prevalence(self) -> Columns:
        """A row for each topic: topic, name, prevalence, low, high, firmness.

        The interval allows for the draws, and for how far it is to the prevalence of the topic counted another way."""
        low, high = self._interval(self.estimate, self.prevalences, self.estimate - self.counted)
        return Columns(
            {
                "topic": np.arange(len(self.names)),
                "name": list(self.names),
                "prevalence": self.estimate,
                "low": np.maximum(low, 0),
                "high": np.minimum(high, 1),
                "firmness": self.firmness,
            }
        )

    def correlations(self) -> Columns:
        """A row for each pair of topics: first, second, their names, correlation, low, high, and `usual`.

        Shares sum to one, so topics that have nothing to do with each other correlate a little below zero, `usual`:
        −√(p₁p₂ / ((1 − p₁)(1 − p₂))) for topics of prevalence p₁ and p₂. A pair whose interval is above goes together,
        one whose interval is below keeps apart; association is "together", "apart" or "not sure"."""
        first, second = np.triu_indices(len(self.names), 1)
        estimate = self.correlation[first, second]
        low, high = self._interval(estimate, self.coefficients[:, first, second])
        p = np.clip(self.estimate, 1e-12, 1 - 1e-12)
        odds = p / (1 - p)
        usual = -np.sqrt(odds[first] * odds[second])
        found = np.where(low > usual, "together", np.where(high < usual, "apart", "not sure"))
        return Columns(
            {
                "first": first,
                "second": second,
                "first_name": [self.names[i] for i in first],
                "second_name": [self.names[i] for i in second],
                "correlation": estimate,
                "low": np.maximum(low, -1),
                "high": np.minimum(high, 1),
                "usual": usual,
                "association": found.tolist(),
            }
        )

    def words(self, n: int = 10) -> Columns:
        """A row for each of a topic's n leading words (20 at most): topic, name, word, rank, low, high.

        low and high are the ranks between which the word is in most draws."""
        if not isinstance(n, int | np.integer) or n < 1:
            raise ParameterError(f"n={n!r} must be a whole number of words, at least 1")
        n = min(int(n), self.leading.shape[1])
        tail = 50 * (1 - self.level)
        low, high = np.percentile(self.ranks[:, :, :n], [tail, 100 - tail], axis=0, method="closest_observation")
        ids, words = self.leading[:, :n].ravel(), self.vocabulary
        return Columns(
            {
                "topic": np.repeat(np.arange(len(self.names)), n),
                "name": [name for name in self.names for _ in range(n)],
                "word": [int(i) if words is None else str(words[i]) for i in ids],
                "rank": np.tile(np.arange(1, n + 1), len(self.names)),
                "low": low.astype(int).ravel(),
                "high": high.astype(int).ravel(),
            }
        )

    def _interval(self, estimate: Array, draws: Array, off: Array | float = 0.0) -> tuple[Array, Array]:
        """Around the estimate, by the standard deviation of the draws: of 50, their outermost ones say little.

        off: another error, of this size."""
        half = stats.t.ppf((1 + self.level) / 2, len(draws) - 1) * np.hypot(draws.std(axis=0, ddof=1), off)
        return estimate - half, estimate + half
