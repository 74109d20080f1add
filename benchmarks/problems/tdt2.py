"""News of thirty events."""

from problems import Problem, corpus

TITLE = "TDT2"
USUAL = 30  # topics


def load() -> Problem:
    return corpus("tdt2")
