"""Topics found in two halves of the documents: how well each half predicts the other, and whether both agree.

For every number of topics two models are fitted, one to each half, by the recommended fit itself. They are asked two
things of documents that they have not seen, or not both:

- **Prediction**, by document completion: one half of a document's words says what its topics are, and the other half,
  which is made of different words, is predicted. The gain over predicting words by their frequency is measured in nats
  a token.
- **Agreement**: both models read the same documents. A topic comes back as far as its shares in these documents are
  correlated with those of its partner in the other model.

More topics predict better up to a point, and come back less and less. The gain over two topics, the coarsest division
there is, times the correlation that seven of ten topics reach, is the reliable gain: its maximum is where more topics
stop paying. A mean would be high where a few topics are firm and others are not there at all. Which documents are in
which half changes it by some percent, so it is asked of several halvings.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment

from cotopics.choice import COLUMNS
from cotopics.cooccur import Cooccurrence, cooccurrence
from cotopics.documents import InMemory, split_words
from cotopics.infer import OneTopic, PriorAware
from cotopics.linalg import mixture_likelihood
from cotopics.metrics import MEASURES
from cotopics.models.fit import Fit
from cotopics.models.recommended import Finish, fit_documents
from cotopics.models.recommended_start import SharedEigenpairs
from cotopics.records import Array

N_FOLDS = 10  # that standard errors are taken over
MAX_TESTED = 4000  # documents that are predicted: enough for standard errors of a few thousandths
MAX_READ = 1000  # documents that both halves read: enough for correlations to a hundredth or two
AT_FIRST = 30  # eigenpairs: as many as most numbers that are tried
READ_TO = 3e-3  # a change of a document's shares, in all, below which they are known well enough
COARSEST = 2  # topics
WEAK = 0.3  # of the topics: how well the others come back counts
UNSEEN = 0.01  # of every prediction is p(word) in all documents, so that words which topics lack are possible
NOISE = 0.06  # another halving changes the difference of two scores by about such a share of one of them;
NOISE_OF_ONE = 0.14  # where documents have one topic each, whose topics depend more on anchors


@dataclass(frozen=True)
class _Ready(InMemory):
    """Documents whose co-occurrences are made once for all numbers of topics."""

    made: dict[Any, Cooccurrence] = field(default_factory=dict, compare=False)

    def cooccurrence(self, weighting: Any, dtype: Any = np.float64) -> Cooccurrence:
        if (weighting, dtype) not in self.made:
            self.made[weighting, dtype] = super().cooccurrence(weighting, dtype)
        return self.made[weighting, dtype]


@dataclass(frozen=True)
class Trial:
    """What some halvings say about one number of topics.

    n_topics : the number.
    gains : (n_halvings, n_folds), by how much unseen tokens are likelier than by their frequency, nats a token.
    coarsest : (n_halvings, n_folds), the same with two topics.
    held_out : (n_halvings,), log p of an unseen token.
    agreement : (n_halvings, n_topics), the correlation of each topic's shares with those of its partner.
    measures : other measures of topics, by name.
    """

    n_topics: int
    gains: Array
    coarsest: Array
    held_out: Array
    agreement: Array
    measures: dict[str, float]

    @property
    def n_halvings(self) -> int:
        return len(self.gains)

    @property
    def most_back(self) -> Array:
        """(n_halvings,): the correlation that seven of ten topics reach, at least zero."""
        return np.quantile(np.maximum(self.agreement, 0), WEAK, axis=1)

    @property
    def scores(self) -> Array:
        """(n_halvings,): the reliable gain, that over two topics, times what most topics reach; a loss counts whole."""
        gains = (self.gains - self.coarsest).mean(axis=1)
        return np.asarray(np.where(gains > 0, gains * self.most_back, gains))

    @property
    def score(self) -> float:
        return float(self.scores.mean())

    def with_halving(self, other: Trial) -> Trial:
        """The same number with what another halving says too."""
        names = ("gains", "coarsest", "held_out", "agreement")
        both: dict[str, Any] = {name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in names}
        return replace(self, **both)


class Halves:
    """Two halves of documents (counts, documents × words), and what numbers of topics do with them.

    numbers: one for each document, that looks random and follows from its words. finish: what a fit is asked for.
    most: topics at most. other: other halves of the same documents, which found which starts are taken, how documents
    are read, and what two topics gain; they report measures of topics.
    """

    def __init__(
        self,
        counts: sp.csr_array,
        numbers: Any,
        finish: Finish,
        most: int = 10,
        other: Halves | None = None,
    ) -> None:
        self.counts = counts
        first = numbers % np.uint64(2) == 0
        if first.all() or not first.any():  # a handful of documents
            first = np.argsort(np.argsort(numbers, kind="stable"), kind="stable") % 2 == 0
        self.parts = [_Ready(sp.csr_array(counts[rows])) for rows in (first, ~first)]
        order = np.argsort(numbers, kind="stable")[:MAX_TESTED]
        self.tested = sp.csr_array(counts[order])
        self.is_first = first[order]
        self.fold = np.arange(len(order)) % N_FOLDS
        totals = counts.sum(axis=0) + 1.0
        self.frequency = totals / totals.sum()
        self.is_odd = _every_second(counts, numbers)
        self.trials: dict[int, Trial] = {}
        self.fits: dict[int, list[Fit]] = {}  # that were made before they were asked for
        self.eigenpairs = SharedEigenpairs(min(most, AT_FIRST))
        self.finish = finish
        self.known: dict[int, dict[str, Any]] = {} if other is None else other.known
        self.coarsest: Array | None = None if other is None else other.coarsest
        self.is_the_first = other is None  # whose measures of topics are reported

    @property
    def noise(self) -> float:
        """By what share of a score another halving changes its difference from another one, about."""
        return NOISE_OF_ONE if self.finish.topics_per_document == "one" else NOISE

    def try_number(self, n_topics: int) -> Trial:
        """The evidence for a number of topics, found once. Two topics are tried too, to compare with."""
        if n_topics not in self.trials:
            if n_topics != COARSEST and self.coarsest is None:
                self.try_number(COARSEST)
            fits = self.fits.pop(n_topics, None) or [self._fitted(part, n_topics) for part in self.parts]
            likelihood, common, n_tokens = self._predicted(fits)
            gains = ((likelihood - common) / np.maximum(n_tokens, 1))[None]
            self.coarsest = gains if self.coarsest is None else self.coarsest
            coarsest = gains if n_topics == COARSEST else self.coarsest
            held_out = np.array([likelihood.sum() / max(n_tokens.sum(), 1)])
            measures = self._measures(fits[0]) if self.is_the_first else {}
            self.trials[n_topics] = Trial(n_topics, gains, coarsest, held_out, self._agreement(fits)[None], measures)
        return self.trials[n_topics]

    def settle(self, typical: int) -> None:
        """Documents have one topic if both halves say so, with so many topics, and many if not; decided once, so that
        numbers can be compared."""
        if self.finish.topics_per_document == "auto" and self.finish.step is not None:
            fits = [self._fitted(part, typical) for part in self.parts]
            kind = "one" if {_kind(fit) for fit in fits} == {"one"} else "many"
            self.finish = replace(self.finish, topics_per_document=kind)
            for part, fit in zip(self.parts, fits, strict=True):
                self.fits.setdefault(typical, []).append(fit if _kind(fit) == kind else self._fitted(part, typical))

    def _fitted(self, part: _Ready, n_topics: int) -> Fit:
        """The fit of one half. Which start is taken and how documents are read is found once for a number of topics: it
        is half of the work of a fit, and the same for all halves."""
        known = self.known.setdefault(n_topics, {})
        fit = fit_documents(part, n_topics, replace(self.finish, **known), self.eigenpairs)
        known.update(_known_of(fit))
        return fit

    def _predicted(self, fits: list[Fit]) -> tuple[Array, Array, Array]:
        """(n_folds,) each: log p of unseen tokens in the folds, log p by frequency, and how many tokens these are."""
        sums = np.zeros((3, N_FOLDS))
        rest = UNSEEN * self.frequency
        for half, folds, seen, hidden in self._splits:
            B, W = np.ascontiguousarray(fits[half].document_words()), read(fits[half], seen)
            for fold in np.unique(folds):
                rows = folds == fold
                words = sp.csr_array(hidden[rows])
                likelihood = mixture_likelihood(words, W[rows], B, 1 - UNSEEN, rest)
                sums[:, fold] += likelihood, words.data @ np.log(self.frequency[words.indices]), words.data.sum()
        return sums[0], sums[1], sums[2]

    @cached_property
    def _splits(self) -> list[tuple[int, Any, sp.csr_array, sp.csr_array]]:
        """Which half predicts them, their folds, and the words that are seen and hidden, of documents to be tested.

        Of documents in odd folds odd words are seen, and of those in even folds even ones."""
        splits = []
        has = sp.csr_array(self.tested > 0).astype(np.int64)
        for half, was_read in enumerate((self.is_first, ~self.is_first)):
            for is_seen, parity in ((~self.is_odd, 0), (self.is_odd, 1)):
                has_both = (has @ is_seen > 0) & (has @ ~is_seen > 0)
                rows = np.flatnonzero(~was_read & (self.fold % 2 == parity) & has_both)
                seen, hidden = split_words(sp.csr_array(self.tested[rows]), is_seen)
                if hidden.nnz:
                    splits.append((half, self.fold[rows], seen, hidden))
        return splits

    def _agreement(self, fits: list[Fit]) -> Array:
        """The correlation of each topic's shares with those of the topic of the other half that fits it best."""
        W, V = (read(fit, sp.csr_array(self.tested[:MAX_READ])) for fit in fits)
        with np.errstate(invalid="ignore", divide="ignore"):
            r = np.nan_to_num(np.corrcoef(W.T, V.T)[: W.shape[1], W.shape[1] :])
        return np.asarray(r[linear_sum_assignment(-r)])

    def _measures(self, fit: Fit) -> dict[str, float]:
        model = SimpleNamespace(components_=fit.components)
        given = SimpleNamespace(model=model, X=self.tested, C=self._cooccurrence)
        return {name: float(MEASURES[name].of(given)) for name in COLUMNS if name in MEASURES}

    @cached_property
    def _cooccurrence(self) -> Cooccurrence:
        return cooccurrence(self.counts, representation="implicit")


def _kind(fit: Fit) -> str | None:
    """ "one" or "many" topics a document; None where a fit read no documents."""
    kind: str | None = fit.diagnostics["documents"].get("topics_per_document")
    return kind


def _known_of(fit: Fit) -> dict[str, Any]:
    """Which start a fit took, and how its documents are read, as `Finish` says it to other fits."""
    known = {"start": fit.diagnostics["start"]["weighting"]} if "start" in fit.diagnostics else {}
    if isinstance(fit.inference, PriorAware):
        return {**known, "read_background": fit.inference.background}
    return {**known, "sharpness": fit.inference.sharpness} if isinstance(fit.inference, OneTopic) else known


def read(fit: Fit, counts: sp.csr_array, tolerance: float = READ_TO) -> Array:
    """Topics' shares (n_documents, n_topics) of documents; those without words that the topics know get the mean.

    tolerance: of shares, in all, where documents are read in steps."""
    known = np.flatnonzero(fit.components.sum(axis=0) > 0)
    counts = sp.csr_array(counts[:, known])
    has_words = np.diff(counts.indptr) > 0
    W = np.tile(fit.prevalence, (counts.shape[0], 1))
    infer = replace(fit.inference, tolerance=tolerance) if isinstance(fit.inference, PriorAware) else fit.inference
    if has_words.any():
        background = None if fit.background is None else fit.background[known]
        B = np.ascontiguousarray(fit.components[:, known].T)
        W[has_words] = infer(sp.csr_array(counts[has_words]), B, fit.prevalence, fit.correlation, background)
    return W


def _every_second(counts: sp.csr_array, numbers: Any) -> Any:
    """Mask (n_words,) of every second word by frequency; of equal ones by their documents, not by their place."""
    has = sp.csr_array((np.ones(counts.nnz, np.uint64), counts.indices, counts.indptr), shape=counts.shape)
    order = np.lexsort((numbers @ has, has.sum(axis=0)))
    is_odd = np.zeros(len(order), dtype=bool)
    is_odd[order[1::2]] = True
    return is_odd
