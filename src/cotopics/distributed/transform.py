"""Documents' topics, partition by partition."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import scipy.sparse as sp

from cotopics.corpus.preparation import saved_preparation
from cotopics.distributed.inputs import as_partitions, holds_counts
from cotopics.distributed.partitions import Partitions
from cotopics.distributed.tasks import ClusterPieces, as_array, held
from cotopics.errors import ParameterError
from cotopics.records import Array


def transform(model: Any, X: Any, method: Any = None) -> Any:
    """Topic proportions of documents X on Dask, a dask array (n_documents, n_topics) with a block for each partition.

    It is lazy: `.compute()`, `.to_zarr(...)` and the like set it going. How many texts there are is not known yet."""
    documents = documents_for(model, X)
    if documents.n_words != model.n_features_in_:
        raise ParameterError(f"X has {documents.n_words} words, and the model was fitted with {model.n_features_in_}")
    blocks = ClusterPieces(documents.parts).map(proportions, held(bare(model)), method).values
    return as_array(list(blocks), model.n_topics_, documents.sizes)


def documents_for(model: Any, X: Any) -> Partitions:
    """X as documents over the model's words; texts become words as the model's did.

    Counts in a dataframe are matched by the names of their columns, or column by column where no word has such a name.
    """
    known = model.vocabulary_
    if isinstance(X, Partitions) or holds_counts(X):
        documents = as_partitions(X)
        if known is None or documents.vocabulary is None or documents.vocabulary == list(known):
            return documents
        if documents is X:  # words that the model has may be left out of it, as too rare
            raise ParameterError(
                "these documents were counted over other words than the model's; "
                "count them with vocabulary=model.vocabulary_"
            )
        return documents if set(known).isdisjoint(documents.vocabulary) else documents.over(known)
    if known is None:
        raise ParameterError("the model does not know its words; give counts, a dask array of documents × words")
    return as_partitions(X, known, prepare=saved_preparation(model.provenance_))


def bare(model: Any) -> Any:
    """The model without its documents' statistics, which no worker needs, and working on the worker's processor."""
    slim = copy.copy(model)
    if "device" in slim.__dict__:
        slim.device = "cpu"
    slim.__dict__.pop("_statistics", None)
    return slim


def proportions(counts: sp.csr_array, model: Any, method: Any) -> Array:
    """W (n_documents, n_topics) of a piece."""
    if counts.shape[0] == 0:
        return np.zeros((0, model.n_topics_))
    return np.asarray(model.transform(counts, method=method), dtype=np.float64)
