"""BBC articles of five classes."""

from problems import Problem, corpus

TITLE = "BBC news"
USUAL = 5  # topics


def load() -> Problem:
    return corpus("bbc_news")
