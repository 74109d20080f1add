"""TOP: topics and their number from all anchor words; Bing, Bunea and Wegkamp 2020, Algorithm 3, step by step.

=======================  ==================================================================  ==========================
file                     step                                                                Bing et al. 2020
=======================  ==================================================================  ==========================
`tolerance.py`           errors η of Ĉ and δ of R̂, R_il = C_il/(f_i f_l), from documents     (20), (21), (50), (51)
`split_halves.py`        c1, how many δ apart two numbers differ, where none is given        section 6, own criterion
`anchors.py`             rare words made one word; groups of anchor words, one a topic       Proposition 2, Algorithm 2
`programs.py`            topics B: anchors by frequency, other words by an inverse of C_LL   (38), (43), (44), and (18)
`l1_inverse.py`          that inverse: one linear program a column, proven by its dual       (41), (42)
`kernels.py`             compiled loops of all these
=======================  ==================================================================  ==========================

The estimator `cotopics.TOP` (`models/top.py`) joins the steps. C is the paper's Θ, B its A, and f_i = ‖X_i‖₁/n the
frequency of word i. `cotopics.anchors` and `cotopics.recover` have the names of their kind too.
"""

from cotopics.top.anchors import FindAnchorWords, anchor_groups, group_rare_words
from cotopics.top.programs import DecoupledPrograms
from cotopics.top.split_halves import SplitHalves

__all__ = ["DecoupledPrograms", "FindAnchorWords", "SplitHalves", "anchor_groups", "group_rare_words"]
