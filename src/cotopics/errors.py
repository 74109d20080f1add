"""The errors of cotopics. All are ValueErrors, as scikit-learn expects."""

import sys
import warnings


class CotopicsError(ValueError):
    """Base of every error that cotopics raises on purpose. The message says the cause and what to do."""


class ParameterError(CotopicsError):
    """An option has an invalid value."""


class CorpusError(CotopicsError):
    """The documents or counts cannot be used."""


class CooccurrenceError(CotopicsError):
    """A co-occurrence matrix cannot be used, or not for that number of topics."""


class ModelFileError(CotopicsError):
    """A file of cotopics is damaged, of an unknown version or of another kind, or cannot hold a given value."""


class DeviceError(CotopicsError):
    """Work does not fit on the GPU."""


def warn_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """A warning that points at the user's line: the first that is neither ours nor scikit-learn's."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in ("cotopics", "sklearn"):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
