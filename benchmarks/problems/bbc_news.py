"""BBC articles of five classes."""

from problems import Problem, corpus

TITLE = "BBC news"


def load() -> Problem:
    return corpus("bbc_news")
