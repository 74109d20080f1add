"""Different words among those shown, as a share of all shown."""

TITLE = "diversity"
MORE_IS_BETTER = True


def measure(problem, answer):
    shown = [word for words in answer["words"] for word in words]
    return len(set(shown)) / len(shown)
