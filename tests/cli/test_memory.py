"""Memory that runs out is one line, whoever notices it."""

import pytest

from cotopics.cli.display import InputProblem, clear_errors


@pytest.mark.parametrize("error", [MemoryError(), ImportError("/x/y.so: failed to map segment from shared object")])
def test_too_little_memory_is_told(error):
    with pytest.raises(InputProblem, match="not enough memory"), clear_errors():
        raise error


def test_a_library_that_is_missing_is_another_matter():
    with pytest.raises(ImportError, match="No module"), clear_errors():
        raise ImportError("No module named 'x'")
