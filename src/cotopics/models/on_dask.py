"""How documents on a cluster come into every estimator; `cotopics.distributed` is imported when some do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cotopics.cooccur import CooccurrenceAccumulator, check_weighting
from cotopics.cooccur.accumulate import MAX_PAIRS
from cotopics.models.fitted import check_size


def fit_partitions(model: Any, X: Any, feature_names: Sequence[str] | None) -> Any:
    """`fit` of documents on Dask: the model, fitted."""
    from cotopics.distributed import as_partitions

    for name in ("feature_names_in_", "provenance_"):  # of documents fitted before
        model.__dict__.pop(name, None)
    check_weighting(model.weighting)
    model._refining(True)
    documents = as_partitions(X, feature_names)
    if model._gathers_documents:
        model.fit(documents.gather(), feature_names=documents.vocabulary)
    else:
        model.n_features_in_ = documents.n_words
        model._set_vocabulary(documents.vocabulary)
        model._prepare(documents)
        if model._looks_at_documents() or not _adds_up(model, documents):
            documents = documents.keep()  # it is looked at more than once
        C = _cooccurrence(model, documents)
        check_size((C.documents.n_used + C.documents.n_left_out, documents.n_words))
        model._fit(C)._refine(documents)
    model.provenance_ = documents.provenance()
    return model


def _adds_up(model: Any, documents: Any) -> bool:
    """Whether statistics come here from the cluster; where they would fill the memory, documents stay there."""
    form = getattr(model, "representation", "auto")
    few_pairs = form != "implicit" and documents.n_words**2 <= MAX_PAIRS
    return model.weighting == "counts" and (form == "sketch" or few_pairs)


def _cooccurrence(model: Any, documents: Any) -> Any:
    """C of all documents; the model keeps the statistics that it can go on from."""
    model._statistics = None
    if not _adds_up(model, documents):
        return documents.cooccurrence(model.weighting, model._weight_type)
    empty = model._new_statistics()
    sums = documents.add_up(CooccurrenceAccumulator() if isinstance(empty, CooccurrenceAccumulator) else empty)
    if not model._looks_at_documents():  # sums keep no documents, which the next fit would look at
        model._statistics = sums
    return sums.finish()
