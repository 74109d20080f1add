"""The command line, called as a user would."""

import pytest
import scipy.sparse as sp

from cotopics.cli.main import main
from runner import CliRunner


@pytest.fixture(scope="session")
def save_counts(tmp_path_factory):
    """Write counts with words w0, w1, … beside them; returns the file."""

    def save(X):
        folder = tmp_path_factory.mktemp("counts")
        sp.save_npz(folder / "counts.npz", X)
        (folder / "vocab.txt").write_text("\n".join(f"w{i}" for i in range(X.shape[1])), encoding="utf-8")
        return folder / "counts.npz"

    return save


@pytest.fixture
def run():
    runner = CliRunner()
    return lambda *args: runner.invoke(main, [str(arg) for arg in args])
