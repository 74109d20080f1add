"""Numerical pieces that know nothing of topics: eigenpairs, simplex projection, least squares and divergence."""

from cotopics.linalg.eigen import Eigenpairs, fix_signs, top_eigenpairs
from cotopics.linalg.exponentiated_gradient import exponentiated_gradient
from cotopics.linalg.kl import simplex_kl
from cotopics.linalg.simplex import SimplexSolution, project_to_simplex, simplex_least_squares

__all__ = [
    "Eigenpairs",
    "SimplexSolution",
    "exponentiated_gradient",
    "fix_signs",
    "project_to_simplex",
    "simplex_kl",
    "simplex_least_squares",
    "top_eigenpairs",
]
