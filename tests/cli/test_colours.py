"""Codes for colours in a corpus are text: in a pipe they stay, and part what they stand between."""

import csv
import io

import numpy as np

from cotopics import TopicModel
from cotopics.cli.main import main
from runner import CliRunner


def test_words_with_codes_are_written_as_they_are_and_are_no_formula(tmp_path):
    words = ["\x1b[31m=1+1", "cat;\x1b[0m =2+2", "dog", "moon"]
    X = np.array([[3, 2, 0, 0], [2, 4, 0, 0], [0, 0, 5, 2], [0, 0, 2, 2], [1, 1, 1, 1]])
    TopicModel(2).fit(X, feature_names=words).save(tmp_path / "m")
    shown = CliRunner().invoke(main, ["topics", str(tmp_path / "m"), "--csv"])
    assert shown.exit_code == 0
    cells = [cell for row in list(csv.reader(io.StringIO(shown.stdout)))[1:] for cell in row]
    assert any("\x1b[31m=1+1" in cell for cell in cells)
    assert not any(part.strip().startswith("=") for cell in cells for part in cell.split(";"))
