"""Pages of the reference, made of the code: every name of every `__all__`, its signature and its docstring; what can be
chosen by name, from the dictionaries; the command line, from its own help.

A new name, package, step, measure, format or command is on its page without a line here."""

import inspect
import pkgutil
from importlib import import_module
from typing import Any, NamedTuple

import click
from describe import choices, describe, measures
from docstrings import as_markdown

import cotopics
from cotopics.cli.main import COMMANDS
from cotopics.cli.main import main as command_line

# Modules that share a page; any other package of cotopics has a page of its own
TOGETHER = {
    "models": ("models", "hierarchy", "errors"),
    "steps": ("rectify", "anchors", "recover", "anchor_free", "infer", "refine", "top", "records"),
    "elsewhere": ("on_disk", "distributed"),
    "inside": ("layout", "persistence", "linalg"),
}
TITLES = {
    "models": "Models",
    "choose": "How many topics",
    "corpus": "Documents and counts",
    "metrics": "Measures",
    "plot": "Figures",
    "export": "Tables and other tools",
    "report": "The report",
    "effects": "Effects: groups and time",
    "datasets": "Data to try things on",
    "cooccur": "Co-occurrence",
    "steps": "The steps of the methods",
    "elsewhere": "Documents on disk and on a cluster",
    "inside": "Inside: layouts, files, linear algebra",
}  # in this order in the index; a page that is not named here comes last, under its own name


class Entry(NamedTuple):
    """A public name: how it is imported from `module`, and the name under which it is on its page."""

    module: str
    name: str
    value: Any
    full: str


def write(folder):
    """Write all pages; those that are as they were are left alone, and what is no page any more is removed."""
    folder.mkdir(parents=True, exist_ok=True)
    made = pages()
    for path in folder.glob("*.md"):
        if path.stem not in made:
            path.unlink()
    for name, text in made.items():
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def pages():
    """Name of a page → its Markdown."""
    described = entries()
    made = {page: module_page(page, modules, described) for page, modules in modules_of_pages().items()}
    made["command-line"] = command_line_page()
    return {"index": index_page(made, described)} | made


# --- what there is ---------------------------------------------------------------------------------------------------


def modules_of_pages():
    """Page → its modules, in the order of the index."""
    shared = [module for modules in TOGETHER.values() for module in modules]
    found = {page: [f"cotopics.{module}" for module in modules] for page, modules in TOGETHER.items()}
    for info in pkgutil.iter_modules(cotopics.__path__):
        if info.name not in shared and hasattr(import_module(f"cotopics.{info.name}"), "__all__"):
            found[info.name] = [f"cotopics.{info.name}"]
    return {page: found[page] for page in sorted(found, key=[*TITLES, *sorted(found)].index)}


def names_of(module):
    """The public names of a module: its __all__, or without one its own classes and functions."""
    if hasattr(module, "__all__"):
        return list(module.__all__)
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    return [name for name in own if not name.startswith("_") and callable(getattr(module, name))]


def entries():
    """Every public name, once: where it is first, under the shortest name that imports it."""
    found = {}
    for modules in modules_of_pages().values():
        for module in map(import_module, modules):
            for name in names_of(module):
                value = getattr(module, name)
                is_ours = inspect.isclass(value) or inspect.isfunction(value)
                at_the_top = is_ours and name in cotopics.__all__ and getattr(cotopics, name) is value
                full = f"cotopics.{name}" if at_the_top else f"{module.__name__}.{name}"
                found.setdefault(id(value) if is_ours else full, Entry(module.__name__, name, value, full))
    return sorted(found.values(), key=_order)  # sorted() keeps the order of what is equal


def _order(entry):
    """What users import first comes first, constants come last."""
    first = cotopics.__all__.index(entry.name) if entry.full == f"cotopics.{entry.name}" else len(cotopics.__all__)
    return first, not callable(entry.value)


# --- pages -----------------------------------------------------------------------------------------------------------


def title_of(page):
    return TITLES.get(page, page.replace("_", " ").capitalize())


def index_page(made, described):
    rows = []
    for page, modules in modules_of_pages().items():
        names = [f"{{py:obj}}`{entry.name} <{entry.full}>`" for entry in described if entry.module in modules]
        rows.append(f"| [{title_of(page)}]({page}.md) | {', '.join(names)} |")
    commands = ", ".join(f"[{name}](command-line.md#cotopics-{name})" for name in COMMANDS)
    return "\n".join([
        "# Reference", "",
        "Every public name, made from the code; examples are run as tests. Letters and shapes are those of "
        "[notation](../notation.md). Names in `cotopics` itself are what you need first:", "",
        "```python", "from cotopics import TopicModel, choose_n_topics, load", "```", "",
        "| page | names |", "|---|---|", *rows, f"| [The command line](command-line.md) | {commands} |",
        "| [Files](../file-format.md) | the bytes of models, corpora and statistics |", "",
        "```{toctree}", ":hidden:", "", *made, "../file-format", "```", "",
    ])  # fmt: skip


def module_page(page, modules, described):
    parts = [f"# {title_of(page)}"]
    for name in modules:
        if name != f"cotopics.{page}":
            parts.append(f"## {name.removeprefix('cotopics.').replace('_', ' ').capitalize()}")
        parts.append(as_markdown(inspect.getdoc(import_module(name)) or ""))
        parts += choices(name) + (measures() if page == "metrics" else [])
        parts += [describe(entry.full, entry.value) for entry in described if entry.module == name]
    return "\n\n".join(part for part in parts if part) + "\n"


def command_line_page():
    parts = [
        "# The command line",
        "What every command says of itself. How they go together: [a guide](../command-line.md).",
    ]
    for name in (None, *COMMANDS):
        command = command_line if name is None else command_line.get_command(None, name)
        program = "cotopics" if name is None else f"cotopics {name}"
        settings = command_line.context_settings | {"terminal_width": 90, "max_content_width": 90}
        context = click.Context(command, info_name=program, **settings)
        parts.append(f"## {program}\n\n```text\n{command.get_help(context)}\n```")
    return "\n\n".join(parts) + "\n"
