"""The errors of cotopics. All are ValueErrors, as scikit-learn expects."""


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
