"""What can go wrong, by name. Each is also a ValueError, as scikit-learn's contract asks."""

import sys
import warnings


class CotopicsError(ValueError):
    """Base of every error that cotopics raises on purpose: its message names the cause and the remedy."""


class ParameterError(CotopicsError):
    """An option has a value that it cannot have."""


class CorpusError(CotopicsError):
    """The documents or counts cannot be used as they are."""


class CooccurrenceError(CotopicsError):
    """A co-occurrence matrix cannot be used as it is, or does not support so many topics."""


class ModelFileError(CotopicsError):
    """A file of ours is damaged, unknown or another one, or cannot hold what it is given."""


def warn_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """A warning that points at the user's line: the first that is neither ours nor scikit-learn's."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in ("cotopics", "sklearn"):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
