"""Texts straight into a model: they become counts by a `Preparation`, which the model remembers.

And the words of counts that come without names, where somebody else knows them: a vectorizer, or the Pipeline that the
model is part of.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import FrameType
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from cotopics.corpus import Corpus, Preparation, WordNumbers, count_words
from cotopics.corpus.documents import is_missing, text_of
from cotopics.corpus.files import Unusable
from cotopics.corpus.frames import as_column, as_frame
from cotopics.corpus.preparation import saved_preparation
from cotopics.errors import CorpusError, ParameterError
from cotopics.linalg.sparse_matrices import column_counts

MIN_DOCUMENTS = 5  # that a word must be in, as in `count_words` and on the command line
FEW_DOCUMENTS = 50  # documents for each of these; of small collections words need be in fewer
NUMBERS = ("b", "i", "u", "f")  # kinds of numpy's types
MAX_FRAMES = 12  # between a Pipeline's fit and ours


class Counted(NamedTuple):
    """Counts X (documents × words), the names of the words or None, and the model's provenance or None."""

    X: Any
    names: Sequence[str] | None
    provenance: dict[str, Any] | None


def texts_of(X: Any) -> list[Any] | None:
    """The texts, or lists of words, if X is a list, an array, a series or an Arrow column of them; else None."""
    if isinstance(X, str):
        raise CorpusError("X is one text; give a list with one text per document")
    if sp.issparse(X) or isinstance(X, Corpus):
        return None
    entries = X if isinstance(X, list | tuple) else _entries(X)
    first = None if entries is None else next((entry for entry in entries if not is_missing(entry)), None)
    if isinstance(first, list | tuple):
        first = next((word for entry in entries or () if isinstance(entry, list | tuple) for word in entry), None)
    if entries is None or not isinstance(first, str):
        return None
    return [_text(number, entry) for number, entry in enumerate(entries)]


def counted(model: Any, X: Any, feature_names: Any, *, every_word: bool = False) -> Counted:
    """Whatever a user fits a model on, as counts.

    Of texts, words in fewer than 5 documents are left out (fewer than one document in 50, where there are fewer than
    250) unless `every_word` is wanted. A Corpus brings its words, and how they were made. Anything else passes.
    """
    preparation = getattr(model, "preparation", None)
    if preparation is not None and not callable(preparation):
        raise ParameterError(
            f"preparation={preparation!r:.80} must be a Preparation, a function from a text to its words, or None"
        )
    if isinstance(X, Corpus):
        if feature_names is not None:
            raise ParameterError("a Corpus has its own words; leave out feature_names")
        return Counted(X.counts, X.vocabulary, _provenance(preparation or X.preparation, X.notes))
    texts = texts_of(X)
    if texts is None:
        names = names_from(feature_names)
        return Counted(X, names, None if preparation is None else _provenance(preparation, []))
    if feature_names is not None:
        raise ParameterError("X holds texts, whose words are found in them; leave out feature_names")
    prepare = Preparation() if preparation is None else preparation
    corpus = count_words(texts, prepare=prepare, min_documents=0 if every_word else _least_documents(texts))
    return Counted(corpus.counts, corpus.vocabulary, _provenance(prepare, corpus.notes))


def more_counted(model: Any, X: Any, feature_names: Any) -> tuple[Any, Sequence[str] | None]:
    """What a fitted model is updated with, as counts and the names of their words. Of texts, these are the model's
    words, and new ones that are in as many of these texts as a fit would ask for."""
    texts = None if isinstance(X, Corpus) else texts_of(X)
    if texts is None or feature_names is not None or model.vocabulary_ is None:
        found = counted(model, X, feature_names)
        return found.X, found.names
    prepare = getattr(model, "preparation", None) or saved_preparation(model.provenance_)
    corpus = count_words(texts, prepare=prepare, min_documents=0)
    known = np.isin(corpus.vocabulary, list(model.vocabulary_))
    kept = np.flatnonzero(known | (column_counts(corpus.counts) >= _least_documents(texts)))
    return corpus.counts[:, kept], [corpus.vocabulary[i] for i in kept]


def _least_documents(texts: Sequence[Any]) -> int:
    return min(MIN_DOCUMENTS, max(1, len(texts) // FEW_DOCUMENTS))


def counts_for(model: Any, X: Any) -> Any:
    """Texts or a Corpus as counts over the words of a fitted model, in their order; None if X is neither."""
    texts = None if isinstance(X, Corpus) else texts_of(X)
    if texts is None and not isinstance(X, Corpus):
        return None
    if model.vocabulary_ is None:
        raise ParameterError("the model does not know its words, so texts cannot be matched; fit with feature_names=")
    if texts is None:
        from cotopics.word_matching import counts_over

        return counts_over(sp.csr_array(X.counts), X.vocabulary, model.vocabulary_)[0]
    prepare = getattr(model, "preparation", None) or saved_preparation(model.provenance_)
    return WordNumbers(prepare, vocabulary=[str(word) for word in model.vocabulary_]).count(texts)


def _provenance(preparation: Any, notes: list[str]) -> dict[str, Any] | None:
    if not isinstance(preparation, Preparation):
        return None
    return {"notes": list(notes), "preparation": preparation.to_json()}


def _entries(X: Any) -> list[Any] | None:
    """The entries of an array or a column of another library; None if it is something else."""
    if isinstance(X, np.ndarray):
        return list(X) if X.ndim == 1 and X.dtype.kind in "OUT" else None
    if hasattr(X, "columns") or hasattr(X, "column_names"):
        _refuse_texts_in_frame(X)
        return None
    return as_column(X)


def _refuse_texts_in_frame(X: Any) -> None:
    """An error for a frame that has texts: which column holds them, the user says."""
    if all(getattr(dtype, "kind", "") in NUMBERS for dtype in getattr(X, "dtypes", [""])):  # of pandas, at once
        return
    names = list(X.column_names if hasattr(X, "column_names") else X.columns)
    if len(set(map(str, names))) < len(names):  # of counts; an error will say it
        return
    frame = as_frame(X)
    for name in () if frame is None else frame.text_columns():
        raise CorpusError(
            f"X is a data frame with texts in column {name!r}; give the column, frame[{name!r}], or "
            f"cotopics.corpus.as_corpus(frame, text_field={name!r})"
        )


def _text(number: int, entry: Any) -> Any:
    try:
        return text_of(entry, "X")
    except Unusable as error:
        raise CorpusError(f"document {number}: {error}") from None


# --- names of words --------------------------------------------------------------------------------------------------


def names_from(feature_names: Any) -> Any:
    """The words: as given, or those of a fitted vectorizer, or of the vectorizer of a fitted Pipeline."""
    if not hasattr(feature_names, "get_feature_names_out"):
        return feature_names
    if hasattr(feature_names, "steps"):
        return list(_words_of_pipeline(feature_names) or ()) or None
    return list(feature_names.get_feature_names_out())


def names_from_pipeline(model: Any, n_words: int) -> list[str] | None:
    """The words of the vectorizer before this model in the Pipeline that is fitting it, if there is one.

    scikit-learn hands a sparse matrix on without the names of its columns, so the Pipeline is looked for among the
    callers. Where there is none, or its steps do not name as many words, there are no names.
    """
    frame: FrameType | None = sys._getframe()
    for _ in range(MAX_FRAMES):
        frame = None if frame is None else frame.f_back
        if frame is None:
            return None
        steps = getattr(frame.f_locals.get("self"), "steps", None)
        if isinstance(steps, list) and steps and steps[-1][-1] is model:
            words = _words_of_pipeline(frame.f_locals["self"])
            return words if words is not None and len(words) == n_words else None
    return None


def _words_of_pipeline(pipeline: Any) -> list[str] | None:
    before = [step for _, step in pipeline.steps[:-1]]
    if not any(hasattr(step, "vocabulary_") for step in before):  # no vectorizer, or one that hashes
        return None
    try:
        return [str(word) for word in pipeline[:-1].get_feature_names_out()]
    except (AttributeError, ValueError):  # a step that names nothing
        return None
