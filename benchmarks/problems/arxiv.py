"""250,000 titles and abstracts, with the subject of each."""

from problems import Problem, corpus

TITLE = "arXiv"
USUAL = 50  # topics


def load() -> Problem:
    return corpus("arxiv")
