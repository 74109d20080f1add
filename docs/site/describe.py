"""One public name as Markdown: its signature, its docstring, and for a class its methods and what can be read of it."""

import inspect
import json
import re

from docstrings import as_markdown, first_sentence, prose
from formulas import FORMULAS

from cotopics import registry
from cotopics.metrics import MEASURES
from cotopics.registry import EXPORTS, Registry

# Module → its dictionary in the registry, and how an entry is chosen
FAMILIES = {
    "cotopics.rectify": ("RECTIFIERS", 'AnchorWords(20, rectifier="{}")'),
    "cotopics.anchors": ("SELECTORS", 'AnchorWords(20, selector="{}")'),
    "cotopics.recover": ("RECOVERIES", 'AnchorWords(20, recovery="{}")'),
    "cotopics.anchor_free": ("ANCHOR_FREE", 'AnchorFree(20, solver="{}")'),
    "cotopics.infer": ("INFERENCES", 'model.transform(X, method="{}")'),
}
SHARED = ("TopicEstimator", "FittedTopics", "TopicWork", "ShowsTopics")  # what every model can, described once


def describe(full, value):
    """A directive of Sphinx's Python domain, with all that belongs to the name."""
    if inspect.isclass(value):
        return _directive("class", full, signature(value), _class_body(full, value))
    if inspect.isfunction(value):
        formula = FORMULAS.get(value.__name__, "") if full.startswith("cotopics.metrics.") else ""
        body = as_markdown(inspect.getdoc(value) or "")
        return _directive("function", full, signature(value), f"{_typeset(formula)}{body}")
    return _directive("data", full, "", _constant(value))


def choices(module):
    """A table of what can be chosen by name in this room, or of formats."""
    if module == "cotopics.export":
        rows = [f"| `{name}` | {prose(entry.meaning)} | `{entry.file}` |" for name, entry in EXPORTS.items()]
        return ["| `cotopics export --to` | what it writes | such as |\n|---|---|---|\n" + "\n".join(rows)]
    if module not in FAMILIES:
        return []
    name, call = FAMILIES[module]
    rows = []
    for key, step in getattr(registry, name).items():
        meaning = first_sentence(inspect.getdoc(step) or "")
        rows.append(f"| `{call.format(key)}` | {{py:obj}}`{step.__name__} <{module}.{step.__name__}>` | {meaning} |")
    return [f"| chosen by | step | what it does |\n|---|---|---|\n{chr(10).join(rows)}"]


def measures():
    """The table of all that `evaluate` measures."""
    rows = []
    for name, measure in MEASURES.items():
        cells = (prose(measure.meaning), measure.better, ", ".join(measure.needs), prose(measure.good))
        rows.append(" | ".join([f"| `{name}`", *(cell or "–" for cell in cells), ""]))
    head = "| `evaluate(model, X)[…]` | what it is | better | it needs | which values are good |"
    return ["\n".join([head, "|---|---|---|---|---|", *rows])]


def signature(value):
    """As a reader wants it: without `self`, and without types that say nothing."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return "()"
    shown, kinds = [], inspect.Parameter
    for parameter in found.parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is kinds.KEYWORD_ONLY and not any(part.startswith("*") for part in shown):
            shown.append("*")
        stars = {kinds.VAR_POSITIONAL: "*", kinds.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        shown.append(stars + parameter.name + _type(": ", parameter.annotation) + _default(parameter))
    return f"({', '.join(shown)}){_type(' -> ', found.return_annotation)}"


def _type(before, annotation):
    text = getattr(annotation, "__forward_arg__", annotation)  # of a NamedTuple
    text = text if isinstance(text, str) else getattr(text, "__name__", str(text))
    says_nothing = annotation is inspect.Parameter.empty or text in ("Any", "None", "Self")
    return "" if says_nothing else before + text.replace("np.ndarray[Any, np.dtype[np.int64]]", "Array")


def _default(parameter):
    if parameter.default is inspect.Parameter.empty:
        return ""
    text = json.dumps(parameter.default) if isinstance(parameter.default, str) else repr(parameter.default)
    text = "..." if text.startswith("<") or len(text) > 40 else text
    return f"={text}" if _type("", parameter.annotation) == "" else f" = {text}"


def _directive(kind, full, arguments, body):
    fence = "`" * (3 + max(map(len, re.findall(r"^`{3,}", body, flags=re.MULTILINE)), default=0))
    module, _, name = full.rpartition(".") if kind in ("class", "function", "data") else ("", "", full)
    options = f":module: {module}\n" if module else ""
    return f"{fence}{{py:{kind}}} {name}{arguments}\n{options}\n{body}\n{fence}"


def _class_body(full, value):
    parts = [as_markdown(inspect.getdoc(value) or "")]
    homes = [home for home in value.__mro__ if home.__module__.startswith("cotopics.")]
    if value.__name__ not in SHARED:
        shared = [home for home in homes if home.__name__ in SHARED]
        homes = [home for home in homes if home not in shared]
        if shared:
            parts.append("And what every model can: {py:obj}`TopicEstimator <cotopics.models.TopicEstimator>`.")
    described = set()
    for home in homes:
        for name, member in vars(home).items():
            if name not in described and (name == "__call__" or not name.startswith("_")):
                described.add(name)
                parts.append(_member(name, member))
    return "\n\n".join(part for part in parts if part)


def _member(name, member):
    """A method or a property that has a docstring; anything else is described with its class."""
    function = getattr(member, "__func__", member)
    body = as_markdown(inspect.getdoc(member) or "") if getattr(member, "__doc__", None) else ""
    if isinstance(member, property):
        return _directive("attribute", name, "", body) if body else ""
    if not inspect.isfunction(function) or not (body or name == "__call__"):
        return ""
    return _directive("method", name, signature(function), body)


def _typeset(formula):
    return f"```{{math}}\n{formula}\n```\n\n" if formula else ""


def _constant(value):
    if isinstance(value, Registry) or (isinstance(value, dict) and value):
        return "Names: " + ", ".join(f"`{key}`" for key in value)
    text = repr(value)
    return f"`{text}`" if len(text) < 200 else ""
