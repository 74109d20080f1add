"""From counts in memory to words and documents' topics; imported and compiled before."""

TITLE = "seconds"
MORE_IS_BETTER = False


def measure(problem, answer):
    return answer["seconds"]
