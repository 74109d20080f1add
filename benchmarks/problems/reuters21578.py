"""Newswire of 65 classes, two of which hold most of it."""

from problems import Problem, corpus

TITLE = "Reuters-21578"
USUAL = 20  # topics


def load() -> Problem:
    return corpus("reuters21578")
