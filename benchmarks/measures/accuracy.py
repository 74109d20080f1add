"""Documents whose leading topic is matched with their label; with more topics than labels, some never are."""

TITLE = "accuracy"
MORE_IS_BETTER = True


def measure(problem, answer):
    from cotopics.metrics import clustering_accuracy

    if problem.labels is None or answer["topics"] is None:
        return None
    return clustering_accuracy(problem.labels, answer["topics"])
