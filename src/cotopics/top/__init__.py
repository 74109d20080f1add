"""TOP: topics and their number from all anchor words; Bing, Bunea and Wegkamp 2020, Algorithm 3.

In reading order:

=================  ======================================================================  ==========================
file               step                                                                    Bing et al. 2020
=================  ======================================================================  ==========================
`error_bounds.py`  size of the errors of C (η) and of the lift R_il = C_il/(f_i f_l) (δ)   (21), (50), (51)
`anchors.py`       rare words merged; groups of anchor words with equal lifts up to c1 δ   Proposition 2, Algorithm 2
`split_halves.py`  c1="cv": the c1 whose groups describe other documents best              section 6; our criterion
`programs.py`      topics B: anchors by frequency, other words by an inverse of C_LL       (18), (38), (43), (44)
`l1_inverse.py`    that inverse, one linear program per column                             (41), (42)
`kernels.py`       the compiled loops of these steps
=================  ======================================================================  ==========================

C is the paper's Θ, B its A, and f_i = ‖X_i‖₁/n the frequency of word i. L has one anchor word per topic. The estimator
`cotopics.TOP` (`models/top.py`) joins the steps. The names below can also be imported from `cotopics.anchors` and
`cotopics.recover`.
"""

from cotopics.top.anchors import FindAnchorWords, anchor_groups, group_rare_words
from cotopics.top.programs import DecoupledPrograms
from cotopics.top.split_halves import SplitHalves

__all__ = ["DecoupledPrograms", "FindAnchorWords", "SplitHalves", "anchor_groups", "group_rare_words"]
