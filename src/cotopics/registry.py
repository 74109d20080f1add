"""Everything that can be chosen by name. These dictionaries are the only lists: the choices of the command line, the
checks of saved files and the tests of all steps read them. So a new step is one file and one line here.

An entry is "module:name" and is imported when it is looked up, so the command line can show all names without numpy.
Each dictionary can also be imported from its room, for example `cotopics.rectify.RECTIFIERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple


class Registry(MutableMapping[str, Any]):
    """Name → object. An entry is the object, or "module:name" inside `package`, which is imported when looked up.

    >>> steps = Registry("cotopics", {"enn": "rectify.enn:EpsilonNonNegative"})
    >>> list(steps), steps["enn"].__name__
    (['enn'], 'EpsilonNonNegative')
    """

    def __init__(self, package: str, entries: dict[str, Any]) -> None:
        self._package, self._entries = package, entries

    def __getitem__(self, name: str) -> Any:
        entry = self._entries[name]
        if isinstance(entry, str):
            self._entries[name] = entry = import_object(f"{self._package}.{entry}")
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


def import_object(path: str) -> Any:
    """The object at "module:name"."""
    module, name = path.split(":")
    return getattr(import_module(module), name)


RECTIFIERS = Registry("cotopics.rectify", {
    "ap": "alternating_projection:AlternatingProjection",
    "dc": "diagonal:DiagonalCompletion",
    "enn": "enn:EpsilonNonNegative",
    "palm": "palm:ProximalMinimisation",
})  # fmt: skip
SELECTORS = Registry("cotopics.anchors", {
    "qr": "span_selectors:PivotedQR",
    "fast": "span_selectors:FastAnchor",
    "spa": "span_selectors:SPA",
    "snpa": "hull_selectors:SNPA",
    "xray": "hull_selectors:XRAY",
})  # fmt: skip
RECOVERIES = Registry("cotopics.recover", {
    "l2": "convex_combinations:SimplexLeastSquares",
    "kl": "convex_combinations:KullbackLeibler",
    "score": "topic_score:TopicScore",
})  # fmt: skip
ANCHOR_FREE = Registry("cotopics.anchor_free", {
    "auto": "auto:Automatic",
    "lp": "lp:LinearPrograms",
    "pds": "pds:PenaltyDualSplitting",
    "printed": "printed:PrintedSplitting",
})  # fmt: skip
INFERENCES = Registry("cotopics.infer", {
    "nnls": "nnls:NNLS",
    "simplex": "simplex:SimplexLS",
    "project": "project:Project",
    "em": "em:EM",
    "prior": "prior:PriorAware",
    "one-topic": "one_topic:OneTopic",
})  # fmt: skip
WEIGHTINGS = ("counts", "tfidf", "balanced")  # of documents, in C
TOPICS_PER_DOCUMENT = ("auto", "one", "many")
DEVICES = ("cpu", "cuda", "auto")  # that TopicModel can work on

# Readers of documents and of counts, by the suffix or the kind of their files
DOCUMENTS = Registry("cotopics.corpus.formats", {
    ".txt": "text:read_lines",
    ".jsonl": "jsonl:read_jsonl",
    ".csv": "delimited:read_csv",
    ".tsv": "delimited:read_tsv",
    ".parquet": "parquet:read_parquet",
    "folder": "text:read_folder",
})  # fmt: skip
COUNTS = Registry("cotopics.corpus.formats", {
    ".npz": "npz:NpzFile",
    "docword": "triplets:UciFile",
    ".ldac": "ldac:LdacFile",
    ".mtx": "matrix_market:MatrixMarketFile",
})  # fmt: skip
ALIASES = {".ndjson": ".jsonl", ".lda-c": ".ldac", ".dat": ".ldac"}  # other suffixes of the same formats


class Export(NamedTuple):
    """A format in which a model is exported for other tools.

    Parameters
    ----------
    meaning : a line of the command's help
    file : an example of a file name
    make : function or its "module:name"
        Called with a fitted model, with counts X if `needs_documents`, and with options. Returns a `Table` if
        `is_table`, else an iterable of text.
    options : options of the command line that it accepts → arguments of `make`
    is_table : whether `make` returns a `Table`
    needs_documents : whether `make` needs counts
    """

    meaning: str
    file: str
    make: str | Callable[..., Any]
    options: Mapping[str, str] = MappingProxyType({})
    is_table: bool = False
    needs_documents: bool = False

    def __call__(self, model: Any, *documents: Any, **options: Any) -> Any:
        make = import_object(self.make) if isinstance(self.make, str) else self.make
        return make(model, *documents, **options)


EXPORTS = {
    "topics": Export(
        "one row per topic: prevalence, anchor, leading words", "topics.csv", "cotopics.export.topics:topics_table",
        options={"n_words": "n"}, is_table=True,
    ),
    "words": Export(
        "one row per word of each topic: rank, probability, relevance", "words.csv",
        "cotopics.export.topics:topic_words_table", options={"n_words": "n"}, is_table=True,
    ),
    "correlations": Export(
        "one row per pair of topics: joint probability, lift, correlation", "correlations.csv",
        "cotopics.export.topics:correlation_table", is_table=True,
    ),
    "graphml": Export(
        "topics as nodes and their correlations as edges, for Gephi, networkx, Cytoscape", "topics.graphml",
        "cotopics.export.graphml:graphml", options={"threshold": "threshold"},
    ),
    "pyldavis": Export(
        "the input of pyLDAvis.prepare as JSON; it needs documents, so name INPUT", "vis.json",
        "cotopics.export.pyldavis:pyldavis_text", needs_documents=True,
    ),
}  # fmt: skip
