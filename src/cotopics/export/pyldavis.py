"""The data that pyLDAvis needs to draw a model; pyLDAvis itself is not imported.

pyLDAvis numbers topics from 1, because its page uses 0 for "no topic": our topic k is its topic k + 1.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from cotopics.errors import CorpusError
from cotopics.export.mixtures import counts_for, shares
from cotopics.export.tables import encodable, write_text
from cotopics.export.topics import vocabulary
from cotopics.records import Array

MIN_PROBABILITY = 1e-300  # instead of zero, whose logarithm breaks the page's JSON


def pyldavis_data(model: Any, X: Any, method: Any = None) -> dict[str, Any]:
    """The arguments of `pyLDAvis.prepare(**pyldavis_data(model, X))`, for the documents of counts X.

    topic_term_dists (n_topics, n_words) and doc_topic_dists (n_documents, n_topics) with rows that sum to one,
    doc_lengths, vocab, term_frequency, and sort_topics=False, so that topics keep their order. Documents without a word
    that the topics know, and words that are in no topic, are left out. For method see `transform`.

    pyLDAvis does not escape words in its page, so do not open a page of a corpus that you do not trust.

    >>> from cotopics import AnchorWords
    >>> C = np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12
    >>> model = AnchorWords(2).fit_cooccurrence(C, feature_names=["cat", "dog", "sun", "sky"])
    >>> data = pyldavis_data(model, np.diag([2, 2, 2, 2]))
    >>> data["vocab"], [round(share) for share in data["doc_topic_dists"][3]]
    (['cat', 'dog', 'sun', 'sky'], [0, 1])
    """
    counts = counts_for(model, X)
    known = model.components_.sum(axis=0) > 0
    lengths = counts[:, known].sum(axis=1)
    used = lengths > 0
    if not used.any():
        raise CorpusError("no document has a word that the topics know; give documents with words of the model")
    counts = counts[used]
    return {
        "topic_term_dists": _distributions(np.maximum(model.components_[:, known], MIN_PROBABILITY)),
        "doc_topic_dists": _distributions(shares(model, counts, method)),
        "doc_lengths": _whole(lengths[used]),
        "vocab": [word for word, is_known in zip(vocabulary(model), known, strict=True) if is_known],
        "term_frequency": _whole(counts.sum(axis=0)[known]),
        "sort_topics": False,
    }


def write_pyldavis(model: Any, X: Any, path: str | os.PathLike[str], method: Any = None) -> None:
    """Write `pyldavis_data` to a JSON file (also .json.gz), for pyLDAvis.prepare(**json.load(open(path))).

    >>> import tempfile
    >>> from cotopics import AnchorWords
    >>> C = np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12
    >>> model = AnchorWords(2).fit_cooccurrence(C, feature_names=["cat", "dog", "sun", "sky"])
    >>> path = tempfile.mkdtemp() + "/vis.json"
    >>> write_pyldavis(model, np.diag([2, 2, 2, 2]), path)
    >>> with open(path) as file:
    ...     sorted(json.load(file))[:2]
    ['doc_lengths', 'doc_topic_dists']
    """
    write_text(path, pyldavis_text(model, X, method))


def pyldavis_text(model: Any, X: Any, method: Any = None) -> Iterator[str]:
    """The text of `write_pyldavis`, in pieces."""
    return _as_json(pyldavis_data(model, X, method))


def _as_json(data: dict[str, Any]) -> Iterator[str]:
    """A dictionary with arrays as JSON, in pieces, one row of a matrix at a time."""
    for i, (name, value) in enumerate(data.items()):
        yield f"{',' if i else '{'}\n{json.dumps(name)}: "
        if isinstance(value, np.ndarray) and value.ndim == 2:
            for m, row in enumerate(value):
                yield f"{',' if m else '['}\n{json.dumps(row.tolist())}"
            yield "]"
        else:
            plain = value.tolist() if isinstance(value, np.ndarray) else value
            plain = [encodable(word) for word in plain] if name == "vocab" else plain
            yield json.dumps(plain)
    yield "}\n"


def _distributions(rows: Array) -> Array:
    return np.asarray(rows / rows.sum(axis=1, keepdims=True), dtype=np.float64)


def _whole(numbers: Array) -> Any:
    """Counts as integers, if they are whole numbers."""
    return numbers.astype(np.int64) if (numbers == np.floor(numbers)).all() and numbers.max() < 2**53 else numbers
