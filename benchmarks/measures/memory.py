"""Peak memory of the process, and of its largest child, in MB: interpreter, packages and counts included."""

TITLE = "peak MB"
MORE_IS_BETTER = False


def measure(problem, answer):
    return answer["MB"]
