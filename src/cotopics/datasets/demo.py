"""The built-in corpus: the documentation of the installed numpy, scipy and scikit-learn."""

from __future__ import annotations

import inspect
import pkgutil
import warnings
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

from cotopics import progress

PACKAGES = ("numpy", "scipy", "sklearn")
MIN_CHARACTERS = 200  # of a docstring
SKIPPED = (
    "blas", "lapack", "tests", "testing", "conftest", "f2py", "distutils", "core", "typing", "externals", "matlib",
)  # fmt: skip


def load_demo() -> tuple[list[str], list[str]]:
    """Texts and labels of the built-in corpus; nothing is downloaded and nothing is shipped.

    One text per public function or class of numpy, scipy and scikit-learn whose docstring has 200 characters or more;
    its label is the subpackage, such as "scipy.stats". They are sorted by name, without repeated texts. The content
    depends on the installed versions.

    >>> texts, labels = load_demo()
    >>> len(texts) == len(labels), "scipy.stats" in labels
    (True, True)
    """
    documents: dict[str, tuple[str, str]] = {}  # text → (qualified name, label)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecated names warn when they are accessed
        modules = [module for package in PACKAGES for module in _public_modules(package)]
        for done, module in enumerate(modules, 1):
            for name, text in _documented(module):
                found = (f"{module.__name__}.{name}", ".".join(module.__name__.split(".")[:2]))
                documents[text] = min(documents.get(text, found), found, key=_nearest_to_root)
            progress.tell("reading documentation", done, len(modules))
    ordered = sorted(documents.items(), key=lambda item: item[1])
    return [text for text, _ in ordered], [label for _, (_, label) in ordered]


def _nearest_to_root(found: tuple[str, str]) -> tuple[int, str]:
    return found[0].count("."), found[0]


def _public_modules(package: str) -> Iterator[ModuleType]:
    """The package and its public subpackages, two levels deep, sorted by name."""
    root = import_module(package)
    yield root
    for name in sorted(info.name for info in pkgutil.iter_modules(root.__path__) if _is_public(info.name)):
        module = _import(f"{package}.{name}")
        if module is None:
            continue
        yield module
        for info in sorted(pkgutil.iter_modules(getattr(module, "__path__", [])), key=lambda info: info.name):
            inner = _import(f"{module.__name__}.{info.name}") if _is_public(info.name) else None
            if inner is not None:
                yield inner


def _is_public(name: str) -> bool:
    return not name.startswith("_") and name not in SKIPPED


def _import(name: str) -> ModuleType | None:
    try:
        return import_module(name)
    except Exception:  # an optional dependency is missing, or the module only says that it has moved
        return None


def _documented(module: ModuleType) -> Iterator[tuple[str, str]]:
    """(name, docstring) of the public functions and classes of a module, by name."""
    listed = getattr(module, "__all__", None)
    owner = (
        module.__name__ if listed is None else module.__name__.split(".")[0]
    )  # a name that is not listed may be an import
    for name in sorted({str(name) for name in listed or vars(module) if not str(name).startswith("_")}):
        value: Any = getattr(module, name, None)
        home = getattr(value, "__module__", None) or owner  # ufuncs do not name their module
        if isinstance(value, ModuleType) or not callable(value) or not f"{home}.".startswith(f"{owner}."):
            continue
        text = inspect.getdoc(value) or ""
        if len(text) >= MIN_CHARACTERS:
            yield name, text
