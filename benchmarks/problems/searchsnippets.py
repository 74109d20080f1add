"""Snippets of web pages, some ten words each, of eight classes."""

from problems import Problem, corpus

TITLE = "search snippets"
USUAL = 8  # topics


def load() -> Problem:
    return corpus("searchsnippets")
