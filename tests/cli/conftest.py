"""The command line, called as a user would."""

import pytest
from click.testing import CliRunner

from cotopics.cli.main import main


@pytest.fixture
def run():
    runner = CliRunner()
    return lambda *args: runner.invoke(main, [str(arg) for arg in args])
