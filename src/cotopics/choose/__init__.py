"""How many topics: what the theory offers as evidence, in one table, and a recommendation with its reason.

`evidence` says what of the documents is looked at, `number` finds the evidence, `recommend` what it points to, and
`choice` is the record of all of it.
"""

from cotopics.choose.choice import COLUMNS, MEASURES, Choice
from cotopics.choose.number import ROUNDING, choose_n_topics
from cotopics.choose.recommend import COMES_BACK

__all__ = ["COLUMNS", "COMES_BACK", "MEASURES", "ROUNDING", "Choice", "choose_n_topics"]
