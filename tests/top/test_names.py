"""Where users can import the steps of TOP from."""

import pytest

from cotopics import anchors, recover, top


@pytest.mark.parametrize("name", top.__all__)
def test_steps_can_be_imported_from_anchors_and_recover(name):
    kind = recover if name == "DecoupledPrograms" else anchors
    assert getattr(kind, name) is getattr(top, name)
    assert name in kind.__all__
