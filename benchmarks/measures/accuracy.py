"""Documents whose leading topic is matched with their label; with more topics than labels, some never are."""

from measures import of_labels

TITLE = "accuracy"
MORE_IS_BETTER = True


def measure(problem, answer):
    from cotopics.metrics import clustering_accuracy

    return of_labels(clustering_accuracy, problem, answer)
