"""Co-occurrence of words: the one statistic that every method of cotopics starts from."""

from cotopics.cooccur.accumulate import CooccurrenceAccumulator
from cotopics.cooccur.base import Cooccurrence, DocumentSummary
from cotopics.cooccur.combined import Combined
from cotopics.cooccur.convert import as_cooccurrence
from cotopics.cooccur.counts import check_counts, check_structure
from cotopics.cooccur.dense import Dense
from cotopics.cooccur.estimate import REPRESENTATIONS, cooccurrence, represent
from cotopics.cooccur.implicit import Implicit
from cotopics.cooccur.low_rank import Clipped, LowRank
from cotopics.cooccur.remembered import Remembered
from cotopics.cooccur.sketch import CooccurrenceSketch, Sketch
from cotopics.cooccur.sparse import Sparse
from cotopics.cooccur.store import Statistics, load_statistics
from cotopics.cooccur.sums import DocumentSums
from cotopics.cooccur.weighting import Balanced, check_weighting
from cotopics.registry import WEIGHTINGS

__all__ = [
    "REPRESENTATIONS",
    "WEIGHTINGS",
    "Balanced",
    "Clipped",
    "Combined",
    "Cooccurrence",
    "CooccurrenceAccumulator",
    "CooccurrenceSketch",
    "Dense",
    "DocumentSummary",
    "DocumentSums",
    "Implicit",
    "LowRank",
    "Remembered",
    "Sketch",
    "Sparse",
    "Statistics",
    "as_cooccurrence",
    "check_counts",
    "check_structure",
    "check_weighting",
    "cooccurrence",
    "load_statistics",
    "represent",
]
