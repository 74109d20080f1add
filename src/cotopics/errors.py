"""What can go wrong, by name. Each is also a ValueError, as scikit-learn's contract asks."""


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
