"""The path of alternating projection, in fewer steps than the path has.

A step takes a factor Y (n_words, k) of C = YYᵀ to the factor of the projected C. Steps soon become small: after t of
them, one more moves C by about 1/t². The factors then lie on a curve, dY/dt = step(Y) − Y, whose rates are between 0
and 1, because a step is a product of projections. A Runge–Kutta–Chebyshev method is stable at such rates: s stages,
each the work of one step, go as far along the curve as 1.9 s² steps (van der Houwen and Sommeijer 1980; Verwer 1996).
150 steps cost 43. The sets that are projected on have many points in common; as the curve is followed, the result is
the one that plain steps approach.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import numpy as np
import scipy.linalg

from cotopics import progress
from cotopics.linalg.threads import one_blas_thread, thin_product
from cotopics.records import Array

PAPER_STEPS = 150  # plain steps that the authors' code makes
PLAIN_STEPS = 10  # made one by one, while the factor is not yet on a smooth curve
GROWTH = 0.3  # each move goes on by this share of the steps so far
DAMPING = 0.05  # of the method: the usual value, for which it covers 1.9 s² steps
SETTLED = 0.02  # L1: as many steps again would move the median anchor's row no further
STILL = 1e-4  # L1: and here, 150 more at the present speed would not move any of them
SMALL_CHANGE = 1e-6  # of C in a step; only then may the rows stand still before PAPER_STEPS


class Step(NamedTuple):
    """Where a plain step leads: factor Y (n_words, k), relative change of YYᵀ, and the sum of what was below zero."""

    Y: Array
    change: float
    negative_mass: float


@dataclass(frozen=True)
class Path:
    """The factor at the end, the steps made (plain ones and stages), whether it has settled, and what was recorded.

    history: "change" and "negative_mass" of plain steps at "plain_steps", and "row_movement" where it was looked at.
    """

    Y: Array
    n_iter: int
    converged: bool
    history: dict[str, list[float]]


def follow(step: Callable[[Array], Step], Y: Array, *, max_iter: int, tolerance: float | None) -> Path:
    """Go along the path of plain steps from Y (n_words, k).

    With a tolerance: plain steps until one changes YYᵀ by no more than that. None: 150 plain steps or what comes close
    to them, and on until the rows of the words that can be anchors have settled. At most `max_iter` steps and stages.
    """
    history: dict[str, list[float]] = {"change": [], "negative_mass": []}
    if tolerance is None:
        history["plain_steps"] = []  # otherwise all steps are
    t, done = 0.0, 0  # plain steps' worth, and the work of so many
    while True:
        made = step(Y)
        done += 1
        progress.tell("rectifying", done, max_iter)
        for name, value in zip(history, (made.change, made.negative_mass, t + 1), strict=False):
            history[name].append(value)
        if tolerance is not None:
            converged = made.change <= tolerance
        else:
            converged = _has_settled(Y, made, t + 1, history)
        if converged or done >= max_iter:
            return Path(made.Y, done, converged, history)
        if tolerance is not None or t < PLAIN_STEPS:
            Y, t = made.Y, t + 1
            continue
        least = PAPER_STEPS - 1 - t  # one more step is made at the end
        length = min(GROWTH * t, least) if least > 0 else GROWTH * t
        stages = min(_stages(length), max_iter - done)  # the first is made, and the last is followed by a step
        length = min(length, _Chebyshev(stages).reach)
        Y = _move(step, Y, made.Y, length, stages)
        t, done = t + length, done + stages - 1


# --- when to stop ----------------------------------------------------------------------------------------------------


def _has_settled(Y: Array, made: Step, t: float, history: dict[str, list[float]]) -> bool:
    """Whether to stop after t plain steps' worth; the last of them goes from Y to made.Y."""
    is_early = t < PAPER_STEPS - 1e-9
    if is_early and made.change > SMALL_CHANGE:
        return False
    movement = row_movement(Y, made.Y)
    history.setdefault("row_movement", []).append(float(np.median(movement)))
    if movement.max() * PAPER_STEPS <= STILL:
        return True
    return not is_early and float(np.median(movement)) * t <= SETTLED


def row_movement(Y: Array, Z: Array) -> Array:
    """How far rows of C move from YYᵀ to ZZᵀ, in L1: (k,), those of the k words that span the others best.

    Rows are non-negative and sum to one, as those of anchors. The norm of C would not do: rare words, which are the
    likeliest anchors, hardly count in it.
    """
    sums = thin_product(Y, Y.sum(axis=0)[:, None])[:, 0]
    unit = np.divide(Y, sums[:, None], out=np.zeros_like(Y), where=sums[:, None] > 0)
    with one_blas_thread():
        words = scipy.linalg.qr(unit.T, mode="r", pivoting=True)[1][: Y.shape[1]]
    before, after = (np.maximum(thin_product(F[words], F.T), 0) for F in (Y, Z))
    for rows in (before, after):
        rows /= np.maximum(rows.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    return np.asarray(np.abs(before - after).sum(axis=1))


# --- several steps in one move ---------------------------------------------------------------------------------------


class _Chebyshev:
    """Coefficients of the first-order Runge–Kutta–Chebyshev method of s stages, and how many steps it may cover."""

    def __init__(self, s: int) -> None:
        self.w0 = 1 + DAMPING / s**2
        T, slope = [1.0, self.w0], [0.0, 1.0]  # Chebyshev polynomials at w0, and their derivatives
        for j in range(2, s + 1):
            slope.append(2 * T[j - 1] + 2 * self.w0 * slope[j - 1] - slope[j - 2])
            T.append(2 * self.w0 * T[j - 1] - T[j - 2])
        self.T = T
        self.w1 = T[s] / slope[s]
        self.reach = (1 + self.w0) / self.w1


def _stages(length: float) -> int:
    return next(s for s in count(1) if _Chebyshev(s).reach >= length)


def _move(step: Callable[[Array], Step], Y: Array, first: Array, length: float, stages: int) -> Array:
    """The factor `length` plain steps after Y, where `first` = step(Y) is known; Verwer 1996, Eq. 2.2."""
    c = _Chebyshev(stages)
    before, now = Y, Y + length * c.w1 / c.w0 * (_turned(first, Y) - Y)
    for j in range(2, stages + 1):
        rate = _turned(step(now).Y, now) - now
        share = 2 * c.T[j - 1] / c.T[j]
        before, now = now, share * c.w0 * now - c.T[j - 2] / c.T[j] * before + share * c.w1 * length * rate
    return now


def _turned(Z: Array, Y: Array) -> Array:
    """ZQ with the orthogonal Q for which it is nearest to Y: a factor is known up to a rotation only."""
    with one_blas_thread():
        U, _, Vt = scipy.linalg.svd(thin_product(Z.T, Y))
    return np.asarray(thin_product(Z, U @ Vt))
