"""Topics and how they correlate, from word co-occurrence: deterministic, fast, with guarantees.

Names are imported when they are first used, so that `import cotopics` and the command line start at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0.dev0"

_HOMES = {
    "TopicModel": "cotopics.models",
    "AnchorWords": "cotopics.models",
    "AnchorFree": "cotopics.models",
    "TOP": "cotopics.models",
    "load": "cotopics.models",
    "cooccurrence": "cotopics.cooccur",
    "CooccurrenceAccumulator": "cotopics.cooccur",
    "CooccurrenceSketch": "cotopics.cooccur",
    "choose_n_topics": "cotopics.choose",
    "corpus": "cotopics.corpus",
    "datasets": "cotopics.datasets",
    "effects": "cotopics.effects",
    "export": "cotopics.export",
    "metrics": "cotopics.metrics",
    "plot": "cotopics.plot",
    "report": "cotopics.report",
    "stability": "cotopics.stability",
}
__all__ = [*_HOMES, "__version__"]

if TYPE_CHECKING:
    from cotopics import corpus as corpus
    from cotopics import datasets as datasets
    from cotopics import effects as effects
    from cotopics import export as export
    from cotopics import metrics as metrics
    from cotopics import plot as plot
    from cotopics import report as report
    from cotopics import stability as stability
    from cotopics.choose import choose_n_topics as choose_n_topics
    from cotopics.cooccur import CooccurrenceAccumulator as CooccurrenceAccumulator
    from cotopics.cooccur import CooccurrenceSketch as CooccurrenceSketch
    from cotopics.cooccur import cooccurrence as cooccurrence
    from cotopics.models import TOP as TOP
    from cotopics.models import AnchorFree as AnchorFree
    from cotopics.models import AnchorWords as AnchorWords
    from cotopics.models import TopicModel as TopicModel
    from cotopics.models import load as load


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'cotopics' has no attribute {name!r}")
    home = import_module(_HOMES[name])
    value = home if home.__name__.endswith(f".{name}") else getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
