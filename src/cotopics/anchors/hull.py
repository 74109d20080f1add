"""Rows of C and the hull of those taken and the origin: what SNPA and XRAY share."""

from __future__ import annotations

import numpy as np
import scipy.linalg

from cotopics.anchors.base import RANK_TOLERANCE, Candidates, Chosen
from cotopics.linalg import simplex_least_squares
from cotopics.records import Array, WordIds

INSIDE = 1e-6  # relative distance of a row that lies in the hull: inner products know it to the root of rounding
FIRST_BATCH = 256


class Hull(Chosen):
    """Squared distances of the scaled rows of C from conv{0, W}, W (k, n_words) the scaled rows taken.

    Row i is divided by scale[i], its squared length then is norms[i], and its distance is multiplied by weight[i].
    Least squares over the simplex with the origin as one more point gives distances from inner products alone: a step
    is one product with C and the problems of the words that matter. The hull only grows, so an old distance is an
    upper bound, and only words whose bound reaches the largest distance are solved anew.
    """

    def __init__(
        self, candidates: Candidates, scale: Array, norms: Array, *, weight: Array | float = 1.0, tie: float
    ) -> None:
        super().__init__(candidates)
        n = self.C.shape[0]
        self.scale, self.norms, self.tie = scale, norms, tie
        self.weight = np.broadcast_to(np.square(weight), n)
        self.squared = self.norms * self.weight
        self.inside = INSIDE**2 * float(self.squared[self.left].max(initial=0))
        self.solved = np.zeros(n, dtype=np.int64)  # how many rows the hull had when a word was last solved
        self.W = np.empty((0, n))
        self.F = np.empty((n, 0))  # inner products of all scaled rows with W
        self.Y = np.empty((n, 0))  # how the nearest point of the hull is made of W

    def merged(self, group: WordIds) -> Array:
        """The scaled row of a group: the rows' sum over the sum of their scales."""
        row: Array = self.C.rows(group).sum(axis=0) / self.scale[group].sum()
        return row

    def multiplier(self, group: WordIds) -> float:
        """What the distance of a group's scaled row is multiplied by."""
        return 1.0

    def reach(self) -> float:
        """The hull is that of 0 and reach · W: 1, or more for a hull that stands in for a cone."""
        return 1.0

    def farthest(self) -> WordIds:
        """The candidates farthest from the hull, with ties; none when all are inside."""
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
        """Coefficients (n, k) of the points of the hull nearest to points with inner products F (n, k) with W."""
        if not len(self.W):
            return F
        t = self.reach()
        G = np.pad(t**2 * (self.W @ self.W.T), (0, 1))  # the last point is the origin
        solution = simplex_least_squares(G, np.pad(t * F, ((0, 0), (0, 1))))
        self.converged = self.converged and solution.converged
        return t * solution.Y[:, :-1]
