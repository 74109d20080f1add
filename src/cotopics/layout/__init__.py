"""Where topics and words go in a picture, and topics by period. Nothing is drawn here: `plot` and `report` draw."""

from cotopics.layout.periods import PERIODS, Course, iso_date, join_thin_periods, periods_of, shares_by_period
from cotopics.layout.plane import convex_hull, word_plane
from cotopics.layout.topic_positions import (
    classical_scaling,
    clustered_order,
    correlation_distance,
    lift_distance,
    lifts,
    nearest_neighbours,
    network_positions,
    separate,
    topic_circles,
)

__all__ = [
    "PERIODS",
    "Course",
    "classical_scaling",
    "clustered_order",
    "convex_hull",
    "correlation_distance",
    "iso_date",
    "join_thin_periods",
    "lift_distance",
    "lifts",
    "nearest_neighbours",
    "network_positions",
    "periods_of",
    "separate",
    "shares_by_period",
    "topic_circles",
    "word_plane",
]
