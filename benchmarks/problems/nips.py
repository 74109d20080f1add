"""Papers of a conference: long, and without labels."""

from problems import Problem, corpus

TITLE = "NIPS"
USUAL = 20  # topics


def load() -> Problem:
    return corpus("nips", labelled=False)
