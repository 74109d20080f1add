"""Topics as a graph for Gephi, networkx, igraph and Cytoscape.

Edges are weighted by lift, not by the correlation coefficient. The shares of a document sum to one, so coefficients are
mostly below zero (−1/(K − 1) for independent topics), and graph layouts do not accept negative weights. In the demo
corpus no pair of twelve topics has a coefficient above zero, and 13 pairs have a lift above ½.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
from sklearn.utils.validation import check_is_fitted

from cotopics.errors import ParameterError
from cotopics.export.tables import write_text
from cotopics.export.topics import topics_table
from cotopics.metrics import association

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, production 2
NODE = {"label": "string", "topic": "int", "prevalence": "double", "anchor": "string", "words": "string"}
EDGE = {"weight": "double", "correlation": "double", "joint": "double"}


def write_graphml(model: Any, path: str | os.PathLike[str], threshold: float = 0) -> None:
    """Write the correlations of topics as GraphML (also .graphml.gz).

    A node is a topic: label (its name), topic (its number), prevalence, anchor, words. An edge is a pair of
    topics with a lift above `threshold`: weight (the lift of `correlation_table`), correlation, joint. A lift is 1 if
    topics meet in documents as often as by chance, and never negative. If documents have few topics each, all lifts are
    low, so compare lifts with each other rather than with 1.

    >>> import tempfile
    >>> from cotopics import TopicModel
    >>> path = tempfile.mkdtemp() + "/topics.graphml"
    >>> X = [[3, 2, 0, 0], [2, 4, 0, 0], [0, 0, 5, 2], [0, 0, 2, 2], [1, 1, 1, 1]]
    >>> write_graphml(TopicModel(2).fit(X), path)
    >>> with open(path) as file:
    ...     file.read().count("<node ")
    2
    """
    write_text(path, graphml(model, threshold))


def graphml(model: Any, threshold: float = 0) -> Iterator[str]:
    """The text of `write_graphml`, in pieces."""
    check_is_fitted(model, "components_")
    if not threshold >= 0:
        raise ParameterError(f"threshold={threshold} must be a lift, 0 or more")
    return _document(model, threshold)


def _document(model: Any, threshold: float) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for kind, attributes in (("node", NODE), ("edge", EDGE)):
        for name, type_ in attributes.items():
            yield f'  <key id="{name}" for="{kind}" attr.name="{name}" attr.type="{type_}"/>\n'
    yield '  <graph id="topics" edgedefault="undirected">\n'
    yield from _nodes(model)
    yield from _edges(model, threshold)
    yield "  </graph>\n</graphml>\n"


def _nodes(model: Any) -> Iterator[str]:
    topics = topics_table(model).as_dict()
    labels = topics["name"]
    prevalence = np.asarray(topics["prevalence"]).tolist()
    for k, (label, share) in enumerate(zip(labels, prevalence, strict=True)):
        values = {"label": label, "topic": k, "prevalence": share}
        values |= {name: topics[name][k] for name in ("anchor", "words")}
        yield f'    <node id="{k}">\n{_data(values)}    </node>\n'


def _edges(model: Any, threshold: float) -> Iterator[str]:
    found = association(model)
    measures = dict(zip(EDGE, (found.lift, found.correlation, found.joint), strict=True))
    strong = np.triu(found.lift > threshold, k=1)  # false for NaN
    for i, j in np.argwhere(strong).tolist():
        values = {name: float(measure[i, j]) for name, measure in measures.items() if np.isfinite(measure[i, j])}
        yield f'    <edge source="{i}" target="{j}">\n{_data(values)}    </edge>\n'


def _data(values: dict[str, Any]) -> str:
    known = {name: _xml(str(value)) for name, value in values.items() if value is not None}
    return "".join(f'      <data key="{name}">{value}</data>\n' for name, value in known.items())


def _xml(text: str) -> str:
    """Escaped text for an element, with U+FFFD in place of characters that XML does not allow."""
    return escape(NOT_XML.sub("\ufffd", text), {"\r": "&#13;"})
