"""How far a reader has to jump to follow a fit: the classes of `models` that `TopicModel.fit` goes through."""

import sys
from pathlib import Path

import cotopics
from conftest import planted_corpus
from cotopics import TopicModel

MODELS = str(Path(cotopics.__file__).parent / "models")
MOST_SWITCHES = 15


def place(code):
    """The class of `models` that a method is of; None for functions, which are read where they are called."""
    if not code.co_filename.startswith(MODELS) or "<" in code.co_name:
        return None
    return code.co_qualname.rpartition(".")[0].split(".<locals>")[0] or None


def test_a_fit_is_read_in_few_places():
    X = planted_corpus()[0]
    TopicModel(4).fit(X)  # what is imported or compiled at first is not part of the walk
    walk = []

    def visit(frame, event, argument):
        here = place(frame.f_code) if event == "call" else None
        if here is not None and (not walk or walk[-1] != here):
            walk.append(here)

    sys.setprofile(visit)
    try:
        TopicModel(4).fit(X)
    finally:
        sys.setprofile(None)
    print(len(walk) - 1, " → ".join(walk))
    assert len(walk) - 1 < MOST_SWITCHES, " → ".join(walk)
