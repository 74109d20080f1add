"""What a user is told about a fit."""

from cotopics.diagnostics import unconverged_steps, unsupported_topics


def test_steps_that_stopped_early_are_named():
    diagnostics = {
        "rectification": {"converged": False, "n_iter": 7},
        "topics": {"converged": False, "n_iter": 1, "reason": "two topics have no words"},
        "refinement": {"converged": False, "n_iter": 30},
        "recovery": {"converged": True, "n_iter": 5},
        "seconds": {"recovery": 0.1},
        "choice": None,
    }
    first, second = unconverged_steps(diagnostics, may_stop_early=("refinement",))
    assert first.text.startswith("rectification stopped after 7 steps before it converged")
    assert "max_iter" in str(first)
    assert str(second) == "topics: two topics have no words"


def test_a_rank_below_the_number_of_topics_is_said():
    (found,) = unsupported_topics({"anchors": {"rank": 3}}, 5)
    assert "only 3 of the 5 topics" in found.text
    assert found.remedy.startswith("Ask for 3 topics")
    assert unsupported_topics({"anchors": {"rank": 5}}, 5) == unsupported_topics({}, 5) == []


def test_anchors_that_never_meet_matter_only_without_refinement():
    diagnostics = {"correlation": {"without_anchors": [0, 2]}}
    (some,) = unsupported_topics(diagnostics, 3)
    assert "anchors of topics [0, 2]" in some.text
    assert "empty for them" in some.text
    (both,) = unsupported_topics(diagnostics, 2)
    assert "best fit to all words" in both.text
    assert unsupported_topics({"correlation": {"sum": 1.0}}, 3) == []
