"""Co-occurrence of words: the statistic that every method of cotopics starts from.

The package is not called `cooccurrence` because that is the name of the public function `cotopics.cooccurrence`: a
package of that name would replace the function as soon as one of its modules is imported.
"""

from cotopics.cooccur.accumulate import CooccurrenceAccumulator
from cotopics.cooccur.base import Cooccurrence, DocumentSummary
from cotopics.cooccur.convert import REPRESENTATIONS, as_cooccurrence, cooccurrence, represent
from cotopics.cooccur.counts import check_counts, check_structure
from cotopics.cooccur.implicit import Implicit
from cotopics.cooccur.low_rank import Clipped, LowRank
from cotopics.cooccur.matrices import Combined, Dense, Remembered, Sparse
from cotopics.cooccur.sketch import CooccurrenceSketch, Sketch
from cotopics.cooccur.statistics_file import Statistics, load_statistics
from cotopics.cooccur.sums import DocumentSums
from cotopics.cooccur.weighting import Balanced, check_weighting
from cotopics.registry import WEIGHTINGS

__all__ = [
    "REPRESENTATIONS", "WEIGHTINGS", "Balanced", "Clipped", "Combined", "Cooccurrence", "CooccurrenceAccumulator",
    "CooccurrenceSketch", "Dense", "DocumentSummary", "DocumentSums", "Implicit", "LowRank", "Remembered", "Sketch",
    "Sparse", "Statistics", "as_cooccurrence", "check_counts", "check_structure", "check_weighting", "cooccurrence",
    "load_statistics", "represent",
]  # fmt: skip
