"""Formulas of the measures, in TeX, for the page of measures: function in `cotopics.metrics` → its formula.

K topics, N words, M documents; B (words × topics), A (topics × topics), C (words × words), C̄ with rows that sum to one.
"""

FORMULAS = {
    "anchor_recovery": r"\text{sensitivity} = \frac{|\hat I \cap I|}{|I|} \qquad "
    r"\text{specificity} = \frac{|\hat I^c \cap I^c|}{|I^c|}",
    "approximation_error": r"\| C - B A B^\top \|_F \qquad "
    r"\text{relative: } \frac{\| C - B A B^\top \|_F}{\| C \|_F}",
    "association": r"P = \frac{A}{\sum A}, \quad p = P \mathbf 1 \qquad "
    r"\text{lift}_{kl} = \frac{P_{kl}}{p_k p_l} \qquad "
    r"\text{correlation}_{kl} = \frac{P_{kl} - p_k p_l}{\sqrt{(P_{kk} - p_k^2)(P_{ll} - p_l^2)}}",
    "clustering_accuracy": r"\max_{\pi} \frac 1 M \sum_{d=1}^{M} [\, \pi(\text{cluster}_d) = \text{label}_d \,]",
    "coherence": r"\frac 1 K \sum_{k=1}^{K} \; \sum_{i > j} \log \frac{D_2(i, j) + \varepsilon}{D_1(j)}",
    "dissimilarity": r"\frac 1 K \sum_{k=1}^{K} \Big| L_k \setminus \bigcup_{l \ne k} L_l \Big| \qquad "
    r"L_k: \text{ the leading words of topic } k",
    "dominancy": r"\frac 1 K \sum_{k=1}^{K} \frac{A_{kk}}{\sum_l A_{kl}} \qquad "
    r"\text{relative: } \frac 1 K \sum_{k=1}^{K} \frac{A_{kk}}{\| A \|_F}",
    "exclusivity": r"\frac 1 K \sum_{k=1}^{K} \frac 1 {|L_k|} \sum_{i \in L_k} \frac{B_{ik}}{\sum_l B_{il}}",
    "held_out_likelihood": r"\frac{1}{n} \sum_{\text{held-out tokens } i \text{ of } d} "
    r"\log \big( (1 - \varepsilon) (B w_d)_i + \varepsilon f_i \big) \qquad "
    r"\text{perplexity} = \exp(-\text{likelihood})",
    "log_relative_volume": r"\log \frac{\operatorname{vol}(\bar C_S)}"
    r"{\operatorname{mean} \operatorname{vol}(\text{anchors of random } \bar C)} \qquad "
    r" \operatorname{vol}(V) = \frac{\sqrt{\det(E E^\top)}}{(K - 1)!}, \; E_k = V_{k+1} - V_1",
    "match_topics": r"\arg\min_{\pi} \sum_{k=1}^{K} \big\| \hat B_{\cdot \pi(k)} - B_{\cdot k} \big\|_1",
    "mst_incoherence": r"\frac 1 K \sum_{k=1}^{K} \min_{\text{trees } T} \sum_{(i, j) \in T} \tfrac 1 2 \left( 1 - "
    r"\frac{\log \frac{C_{ij}}{p_i p_j}}{-\log C_{ij}} \right)",
    "nmi": r"\frac{2 \, I(\text{labels}; \text{clusters})}{H(\text{labels}) + H(\text{clusters})}",
    "npmi": r"\frac 1 K \sum_{k=1}^{K} \operatorname{mean}_{i < j} \frac{\log \frac{p_{ij}}{p_i p_j}}{-\log p_{ij}}",
    "recovery_error": r"\frac 1 N \sum_{i=1}^{N} \Big\| \bar C_i - \sum_{k=1}^{K} p(k \mid i) \, \bar C_{S_k} \Big\|_2 "
    r"\qquad \text{relative: divided by } \| \bar C \|_F",
    "scatteredness": r"\frac{1}{\max_x \| x \|_2} \quad "
    r"\text{over } x \text{ with } B x \ge 0, \; \mathbf 1^\top x = 1",
    "similarity_count": r"\sum_{k < l} | L_k \cap L_l |",
    "specificity": r"\frac 1 K \sum_{k=1}^{K} \sum_{i=1}^{N} B_{ik} \log_2 \frac{B_{ik}}{p_i}",
    "topic_diversity": r"\frac{\big| \bigcup_k L_k \big|}{\sum_k | L_k |}",
    "topic_error": r"\text{l1: } \frac 1 K \sum_k \| \Delta_{\cdot k} \|_1 \qquad "
    r"\text{l1inf: } \max_k \| \Delta_{\cdot k} \|_1 \qquad \text{frobenius: } \| \Delta \|_F^2 \qquad "
    r"\Delta = \hat B_{\cdot \pi} - B",
    "topic_separation": r"\nu = \min_{k < l} \big( \min(L_{kk}, L_{ll}) - L_{kl} \big) \qquad "
    r"L_{kl} = \frac{A_{kl}}{p_k p_l}, \; p = A \mathbf 1",
}  # fmt: skip
