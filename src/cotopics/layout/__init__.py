"""Where topics, words and documents go in a picture. Nothing is drawn here: figures and pages take the positions."""

from cotopics.layout.network import network_positions, separate
from cotopics.layout.order import clustered_order, nearest_neighbours
from cotopics.layout.periods import PERIODS, Course, shares_by_period
from cotopics.layout.plane import convex_hull, word_plane
from cotopics.layout.scaling import classical_scaling, correlation_distance

__all__ = [
    "PERIODS",
    "Course",
    "classical_scaling",
    "clustered_order",
    "convex_hull",
    "correlation_distance",
    "nearest_neighbours",
    "network_positions",
    "separate",
    "shares_by_period",
    "word_plane",
]
