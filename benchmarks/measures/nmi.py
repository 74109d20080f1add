"""Mutual information of labels and leading topics, relative to their entropies."""

TITLE = "NMI"
MORE_IS_BETTER = True


def measure(problem, answer):
    from cotopics.metrics import nmi

    if problem.labels is None or answer["topics"] is None:
        return None
    return nmi(problem.labels, answer["topics"])
