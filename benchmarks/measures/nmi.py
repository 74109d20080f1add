"""Mutual information of labels and leading topics, relative to their entropies."""

from measures import of_labels

TITLE = "NMI"
MORE_IS_BETTER = True


def measure(problem, answer):
    from cotopics.metrics import nmi

    return of_labels(nmi, problem, answer)
