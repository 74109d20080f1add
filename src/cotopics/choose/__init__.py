"""How many topics: the evidence in one table, and a recommendation with its reason.

`evidence` selects documents, `spectrum` says whether the co-occurrence itself breaks off after some number of topics,
`halves` has `TopicModel` find topics in two halves of the documents and compares them, `search` decides which numbers
to try, `recommend` decides, and `number` brings it together. The record of all of it is `cotopics.choice.Choice`.

This room is above `models`: it asks the recommended model itself.
"""

from cotopics.choice import COLUMNS, MEASURES, Choice
from cotopics.choose.number import choose_for, choose_n_topics
from cotopics.choose.recommend import COMES_BACK
from cotopics.choose.spectrum import ROUNDING

__all__ = [
    "COLUMNS",
    "COMES_BACK",
    "MEASURES",
    "ROUNDING",
    "Choice",
    "choose_for",
    "choose_n_topics",
]
