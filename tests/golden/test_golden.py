"""Every estimator says what it said before: the same anchors and words, and numbers to 1e-6 (docs/same-answer.md).

Where an answer is meant to change: `python tests/golden/make.py`, and look at what git says has changed.
"""

import json

import numpy as np
import pytest

from golden.cases import NAMES, found
from golden.make import EXPECTED, bits, differences, record

ROUNDING = 1e-6  # what is promised across processors
LINES = [json.loads(line) for line in EXPECTED.read_text(encoding="utf-8").splitlines()]
BY_NAME = {line["case"]: line for line in LINES}


def test_every_case_has_its_line():
    assert [line["case"] for line in LINES] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_what_was_said_is_said(name):
    one = found(name)
    print(f"{name}: bits {bits(one)}")  # of this machine: shown, not asserted
    said, expected = record(name, one), dict(BY_NAME[name])
    assert said["corpus"] == expected["corpus"], "numpy has drawn another corpus, so nothing can be compared"
    numbers, old = said.pop("numbers"), expected.pop("numbers")
    assert said == expected
    assert {of: some[0] for of, some in numbers.items()} == {of: some[0] for of, some in old.items()}  # shapes
    far = {of: some for of, some in numbers.items() if not np.allclose(some[1:], old[of][1:], rtol=0, atol=ROUNDING)}
    assert far == {}


def test_one_bit_is_a_difference():
    one = {"a / components_": np.array([0.5, 0.25]), "a / facts": np.array('{"words": ["x"]}')}
    assert differences(one, dict(one)) == []
    moved = {**one, "a / components_": np.nextafter(one["a / components_"], 1)}
    assert len(differences(one, moved)) == 1
    assert differences(one, {**one, "a / facts": np.array('{"words": ["y"]}')}) == ["a / facts, words: ['x'] | ['y']"]
    assert differences(one, {**one, "b": np.zeros(1)}) == ["b: only in the other"]
