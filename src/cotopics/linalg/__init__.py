"""Numerical methods that know nothing of topics: eigenpairs, least squares on the simplex, linear programs, mixtures.

Compiled loops are in `kernels/`. Functions import them when they are called, because that imports numba.
"""

from cotopics.linalg.eigen import Eigenpairs, basis_bytes, fix_signs, largest_first, orthonormal, top_eigenpairs
from cotopics.linalg.kl import simplex_kl
from cotopics.linalg.lp import LPError, LPSolution, solve_lp
from cotopics.linalg.mixture import (
    Mixtures,
    likeliest_mixtures,
    linear_bayes_mixtures,
    mixture_likelihood,
    relative_spread,
)
from cotopics.linalg.ranking import leading
from cotopics.linalg.simplex import (
    SimplexSolution,
    exponentiated_gradient,
    nonnegative_least_squares,
    simplex_least_squares,
)

__all__ = [
    "Eigenpairs",
    "LPError",
    "LPSolution",
    "Mixtures",
    "SimplexSolution",
    "basis_bytes",
    "exponentiated_gradient",
    "fix_signs",
    "largest_first",
    "leading",
    "likeliest_mixtures",
    "linear_bayes_mixtures",
    "mixture_likelihood",
    "nonnegative_least_squares",
    "orthonormal",
    "relative_spread",
    "simplex_kl",
    "simplex_least_squares",
    "solve_lp",
    "top_eigenpairs",
]
