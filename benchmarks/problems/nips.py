"""Papers of a conference: long, and without labels."""

from problems import Problem, corpus

TITLE = "NIPS"


def load() -> Problem:
    return corpus("nips", labelled=False)
