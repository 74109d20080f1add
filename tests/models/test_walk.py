"""How far a reader has to jump to follow a fit; `python tests/walk.py` counts more."""

import pytest

from walk import classes_of_models, walk

MOST_SWITCHES = 15


@pytest.mark.parametrize("kind", ["one", "many", "auto"])
def test_a_fit_is_read_in_few_places(kind):
    classes = classes_of_models(walk(topics_per_document=kind))
    assert len(classes) - 1 < MOST_SWITCHES, " → ".join(classes)
    assert classes.count("TopicModel") > 1, "a walk that sees the estimator"
