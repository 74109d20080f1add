"""Where users import the steps of TOP from."""

import pytest

from cotopics import anchors, recover, top


@pytest.mark.parametrize("name", top.__all__)
def test_names_are_also_with_others_of_their_kind(name):
    kind = recover if name == "DecoupledPrograms" else anchors
    assert getattr(kind, name) is getattr(top, name)
    assert name in kind.__all__
