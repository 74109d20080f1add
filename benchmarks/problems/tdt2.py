"""News of thirty events."""

from problems import Problem, corpus

TITLE = "TDT2"


def load() -> Problem:
    return corpus("tdt2")
