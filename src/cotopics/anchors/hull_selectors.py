"""Selectors that compare rows of C with the convex hull or the cone of the rows taken: SNPA and XRAY."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from cotopics.anchors.greedy import RANK_TOLERANCE, Candidates, GreedySelector, Selection, largest
from cotopics.linalg import simplex_least_squares
from cotopics.records import Array, WordIds

INSIDE_TOLERANCE = 1e-6  # relative distance up to which a row is in the hull: the square root of rounding errors
FIRST_BATCH = 256


class Hull(Selection):
    """Squared distances of the scaled rows of C from conv{0, W}, W (k, n_words) the scaled rows taken.

    Row i is divided by scale[i]; its squared norm is then norms[i], and its distance is multiplied by weight[i].
    Distances are least squares over the simplex, with the origin as one more point, from inner products only: a step
    makes one product with C and solves the problems of the words that matter. The hull only grows, so an old distance
    is an upper bound, and only words whose bound reaches the largest distance are solved again.
    """

    def __init__(
        self, candidates: Candidates, scale: Array, norms: Array, *, weight: Array | float = 1.0, tie: float
    ) -> None:
        super().__init__(candidates)
        n = self.C.shape[0]
        self.scale, self.norms, self.tie = scale, norms, tie
        self.weight = np.broadcast_to(np.square(weight), n)
        self.squared = self.norms * self.weight
        self.inside = INSIDE_TOLERANCE**2 * float(self.squared[self.left].max(initial=0))
        self.solved = np.zeros(n, dtype=np.int64)  # number of rows in W when a word was last solved
        self.W = np.empty((0, n))
        self.F = np.empty((n, 0))  # inner products of all scaled rows with W
        self.Y = np.empty((n, 0))  # weights of W in the nearest point of the hull

    def merged(self, group: WordIds) -> Array:
        """The scaled row of a group: the sum of its rows over the sum of their scales."""
        row: Array = self.C.rows(group).sum(axis=0) / self.scale[group].sum()
        return row

    def multiplier(self, group: WordIds) -> float:
        """The factor for the distance of a group's scaled row."""
        return 1.0

    def reach(self) -> float:
        """The hull is that of 0 and reach · W: 1, or more if the hull stands for a cone."""
        return 1.0

    def farthest(self) -> WordIds:
        """The candidates farthest from the hull, with ties; none if all are inside."""
        batch = FIRST_BATCH
        while True:
            left, squared = self.left, self.squared[self.left]
            current = self.solved[left] == len(self.W)
            best = max(squared[current].max(initial=0), self.inside)
            stale = left[~current & (squared >= best * (1 - self.tie))]
            if not len(stale):
                return left[current & (squared > self.inside) & (squared >= best * (1 - self.tie))]
            self._solve(stale[np.argsort(-self.squared[stale], kind="stable")][:batch])
            batch *= 2

    def next(self) -> int:
        tied = self.farthest()
        return self.candidates.most_frequent(self.prefer(tied) if len(tied) else self.left)

    def prefer(self, tied: WordIds) -> WordIds:
        """The words to choose from if `tied` are farthest from the hull: those with the longest scaled rows."""
        return tied[largest(self.norms[tied])]

    def expand(self, group: WordIds) -> float:
        row = self.merged(group)
        distance = self._distance(group, row)
        self.W = np.vstack([self.W, row])
        along = np.zeros(len(self.F))
        along[self.left] = (self.C @ row)[self.left] / self.scale[self.left]
        self.F = np.column_stack([self.F, along])
        self.Y = np.column_stack([self.Y, np.zeros(len(self.Y))])
        return distance

    def rank(self) -> int:
        R = scipy.linalg.qr(self.W.T, mode="r", pivoting=True)[0]
        pivots = np.abs(np.diagonal(R))
        return int((pivots > RANK_TOLERANCE * pivots[0]).sum())

    def _distance(self, group: WordIds, row: Array) -> float:
        y = self._nearest((self.W @ row)[None])[0]
        return self.multiplier(group) * float(np.linalg.norm(row - y @ self.W))

    def _solve(self, words: WordIds) -> None:
        F = self.F[words]
        Y = self._nearest(F)
        G = self.W @ self.W.T
        squared = self.norms[words] - np.einsum("ij,ij->i", Y, 2 * F - Y @ G)
        self.Y[words] = Y
        self.squared[words] = np.minimum(np.maximum(squared, 0) * self.weight[words], self.squared[words])
        self.solved[words] = len(self.W)

    def _nearest(self, F: Array) -> Array:
        """Weights (n, k) of W in the points of the hull nearest to points with inner products F (n, k) with W."""
        if not len(self.W):
            return F
        t = self.reach()
        G = np.pad(t**2 * (self.W @ self.W.T), (0, 1))  # the last point is the origin
        solution = simplex_least_squares(G, np.pad(t * F, ((0, 0), (0, 1))))
        self.converged = self.converged and solution.converged
        return t * solution.Y[:, :-1]


@dataclass(frozen=True)
class SNPA(GreedySelector):
    """Successive non-negative projection: take the row of C̄ farthest from the hull of the origin and the rows taken.

    Unlike SPA it uses non-negative weights only, so it continues beyond the rank of C while rows are outside the hull.
    Ties as in SPA. Gillis 2014, Algorithm 2; a baseline of Fu et al. 2019, section 6.3.

    >>> C = np.array([[4, 0, 2], [0, 4, 2], [2, 2, 2]]) / 18  # words 0 and 1 are anchors, word 2 is of both topics
    >>> sorted(SNPA()(C, 2).words.tolist())
    [0, 1]
    """

    tie: float = 1e-6

    def start(self, candidates: Candidates) -> Hull:
        return Hull(candidates, candidates.row_sums, candidates.normalised_norms(), tie=self.tie)


@dataclass(frozen=True)
class XRAY(GreedySelector):
    """Take the extreme ray of the cone of C's rows in the direction of the largest residual.

    The row i of C with the largest residual r, after non-negative least squares on the rows taken, gives the next
    anchor: argmax_j rᵀC_j / 1ᵀC_j. Rows keep their lengths, so frequent words decide the direction. Kumar, Sindhwani
    and Kambadur 2013, Algorithm 1, with the "max" criterion; a baseline of Fu et al. 2019, section 6.3.

    >>> C = np.array([[4, 0, 2], [0, 4, 2], [2, 2, 2]]) / 18  # words 0 and 1 are anchors, word 2 is of both topics
    >>> sorted(XRAY()(C, 2).words.tolist())
    [0, 1]
    """

    def start(self, candidates: Candidates) -> Hull:
        lengths = np.sqrt(candidates.C.squared_row_norms())
        scale = np.where(lengths > 0, lengths, 1)
        return _Cone(candidates, scale, np.ones(len(scale)), weight=lengths, tie=1e-9)


class _Cone(Hull):
    """Distances from the cone of W; rows have unit length.

    For non-negative unit rows and a unit target, ‖Wᵀh‖ ≤ 1 at the minimiser and ‖Wᵀh‖² ≥ Σh² ≥ (Σh)²/k. So the sum of
    weights is at most √k, and the hull of 0 and 2√k W has every point of the cone that is needed.
    """

    def reach(self) -> float:
        return 2 * float(np.sqrt(len(self.W)))

    def merged(self, group: WordIds) -> Array:
        row: Array = self.C.rows(group).sum(axis=0)
        return row / np.linalg.norm(row)

    def multiplier(self, group: WordIds) -> float:
        return float(np.linalg.norm(self.C.rows(group).sum(axis=0)))

    def prefer(self, tied: WordIds) -> WordIds:
        """The extreme ray in the direction of the residual of the most frequent tied word."""
        i = self.candidates.most_frequent(tied)
        residual = self.C.rows(np.array([i]))[0] / self.scale[i] - self.Y[i] @ self.W
        score = (self.C @ residual)[self.left] / self.row_sums[self.left]
        return self.left[largest(score, tie=self.tie)]
