"""What is chosen by name. These dictionaries are the only lists: the command line's choices, the checks of saved files
and the tests that hold for every step are read from them, so a new step is one file and one line here.

An entry says where a thing is, "module:name", and is imported when it is looked up: the command line shows the names at
once, without numpy. Each room gives its dictionary under its own name too, as `cotopics.rectify.RECTIFIERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple


class Named(MutableMapping[str, Any]):
    """Name → thing; an entry is the thing itself, or "module:name", a place within `room` that is imported when asked.

    >>> steps = Named("cotopics", {"l2": "recover.simplex_ls:SimplexLeastSquares"})
    >>> list(steps), steps["l2"].__name__
    (['l2'], 'SimplexLeastSquares')
    """

    def __init__(self, room: str, entries: dict[str, Any]) -> None:
        self._room, self._entries = room, entries

    def __getitem__(self, name: str) -> Any:
        entry = self._entries[name]
        if isinstance(entry, str):
            self._entries[name] = entry = thing_at(f"{self._room}.{entry}")
        return entry

    def __contains__(self, name: object) -> bool:
        return name in self._entries  # without an import

    def __setitem__(self, name: str, entry: Any) -> None:
        self._entries[name] = entry

    def __delitem__(self, name: str) -> None:
        del self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def thing_at(place: str) -> Any:
    """What is at "module:name"."""
    module, name = place.split(":")
    return getattr(import_module(module), name)


RECTIFIERS = Named("cotopics.rectify", {
    "ap": "alternating_projection:AlternatingProjection",
    "dc": "diagonal:DiagonalCompletion",
    "enn": "enn:EpsilonNonNegative",
    "palm": "palm:ProximalMinimisation",
})  # fmt: skip
SELECTORS = Named("cotopics.anchors", {
    "qr": "pivoted_qr:PivotedQR",
    "fast": "fast_anchor:FastAnchor",
    "spa": "spa:SPA",
    "snpa": "snpa:SNPA",
    "xray": "xray:XRAY",
})  # fmt: skip
RECOVERIES = Named("cotopics.recover", {"l2": "simplex_ls:SimplexLeastSquares", "kl": "kl:KullbackLeibler"})
ANCHOR_FREE = Named("cotopics.anchor_free", {
    "auto": "auto:Automatic",
    "lp": "lp:LinearPrograms",
    "pds": "pds:PenaltyDualSplitting",
})  # fmt: skip
INFERENCES = Named("cotopics.infer", {
    "nnls": "nnls:NNLS",
    "simplex": "simplex:SimplexLS",
    "project": "project:Project",
    "em": "em:EM",
    "prior": "prior:PriorAware",
})  # fmt: skip
WEIGHTINGS = ("counts", "tfidf", "balanced")  # of documents, in C

# Readers, by the suffix of their files or what they are: of documents, and of counts.
DOCUMENTS = Named("cotopics.corpus.formats", {
    ".txt": "text:read_lines",
    ".jsonl": "jsonl:read_jsonl",
    ".csv": "delimited:read_csv",
    ".tsv": "delimited:read_tsv",
    ".parquet": "parquet:read_parquet",
    "folder": "text:read_folder",
})  # fmt: skip
COUNTS = Named("cotopics.corpus.formats", {
    ".npz": "npz:NpzFile",
    "docword": "triplets:UciFile",
    ".ldac": "ldac:LdacFile",
    ".mtx": "matrix_market:MatrixMarketFile",
})  # fmt: skip
ALIASES = {".ndjson": ".jsonl", ".lda-c": ".ldac", ".dat": ".ldac"}  # suffix → that of the same format


class Export(NamedTuple):
    """A format in which a model leaves for other tools.

    meaning: a line of the command's help. file: an example of a name. make: "module:name" of a function, or the
    function, of a fitted model, of counts X where `needs_documents`, and of options; it gives a `Table` where
    `is_table`, else pieces of text. options: those of the command line that it takes → arguments of the function.
    """

    meaning: str
    file: str
    make: str | Callable[..., Any]
    options: Mapping[str, str] = MappingProxyType({})
    is_table: bool = False
    needs_documents: bool = False

    def __call__(self, model: Any, *documents: Any, **options: Any) -> Any:
        make = thing_at(self.make) if isinstance(self.make, str) else self.make
        return make(model, *documents, **options)


EXPORTS = {
    "topics": Export(
        "a row a topic: prevalence, anchor, leading words", "topics.csv", "cotopics.export.topics:topics_table",
        options={"n_words": "n"}, is_table=True,
    ),
    "words": Export(
        "a row for each word of each topic: rank, probability, relevance", "words.csv",
        "cotopics.export.topics:topic_words_table", options={"n_words": "n"}, is_table=True,
    ),
    "correlations": Export(
        "a row for each pair of topics: joint probability, lift, correlation", "correlations.csv",
        "cotopics.export.topics:correlation_table", is_table=True,
    ),
    "graphml": Export(
        "topics as nodes and their correlations as edges, for Gephi, networkx, Cytoscape", "topics.graphml",
        "cotopics.export.graphml:graphml", options={"threshold": "threshold"},
    ),
    "pyldavis": Export(
        "what pyLDAvis.prepare takes, as JSON; it needs documents, so name INPUT", "vis.json",
        "cotopics.export.pyldavis:pyldavis_text", needs_documents=True,
    ),
}  # fmt: skip
