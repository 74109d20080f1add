"""Posts to twenty newsgroups without headers, quotes and footers."""

from problems import Problem, corpus

TITLE = "20 Newsgroups"
USUAL = 20  # topics


def load() -> Problem:
    return corpus("newsgroups20")
