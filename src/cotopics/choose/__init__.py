"""How many topics: the evidence in one table, and a recommendation with its reason.

`evidence` selects documents and words, `number` computes the evidence, `recommend` decides, and `choice` is the record
of all of it.

Topics are recommended that come back in other documents. If topics are planted, directions of C beyond their number do
not come back in the other half of the documents, with or without anchors. Real text has no such edge: every number of
topics has some support, and the largest number at which all topics come back is recommended.

This room is below `models`: it joins the steps itself, with one eigendecomposition for all numbers of topics, and an
estimator may ask it for a number of topics.
"""

from cotopics.choose.choice import COLUMNS, MEASURES, Choice
from cotopics.choose.number import ROUNDING, choose_n_topics
from cotopics.choose.recommend import COMES_BACK

__all__ = ["COLUMNS", "COMES_BACK", "MEASURES", "ROUNDING", "Choice", "choose_n_topics"]
