"""The command line, called from within a test: what it says on standard output and on standard error is kept apart."""

import inspect
from functools import partial

from click import testing

BEFORE_8_2 = "mix_stderr" in inspect.signature(testing.CliRunner).parameters
CliRunner = partial(testing.CliRunner, mix_stderr=False) if BEFORE_8_2 else testing.CliRunner
