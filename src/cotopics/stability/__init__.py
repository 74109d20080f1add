"""How firmly topics stand: documents drawn again with replacement, and what becomes of the topics.

`weighted.py` takes steps of documents that count several times or not at all, `draws.py` draws them, `afresh.py`
fits parts of them from scratch, and `record.py` is what comes out: intervals of prevalence, of correlations and of
words' ranks, and a score per topic.
"""

from cotopics.stability.draws import bootstrap
from cotopics.stability.record import Bootstrap

__all__ = ["Bootstrap", "bootstrap"]
