"""Everything imported and compiled once, so that forked processes have it: a command then takes 50 ms."""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from typing import Any

import numpy as np


def warm() -> None:
    import cotopics

    for module in pkgutil.walk_packages(cotopics.__path__, "cotopics."):
        if not module.name.startswith(("cotopics.plot", "cotopics.distributed")):
            importlib.import_module(module.name)
    from cotopics.infer import INFERENCES
    from cotopics.models import MODELS

    X = planted(np.random.default_rng(0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, model in MODELS.items():
            fitted = (model() if name == "TOP" else model(3)).fit(X)
            for method in INFERENCES:
                fitted.transform(X, method)


def planted(
    draw: np.random.Generator, n_documents: int = 60, n_words: int = 40, n_topics: int = 3, longest: int = 40
) -> Any:
    """Counts of documents drawn from sparse topics."""
    B = draw.gamma(0.1, size=(n_topics, n_words)) + 1e-9
    W = draw.dirichlet(np.full(n_topics, 0.3), n_documents)
    B /= B.sum(axis=1, keepdims=True)
    lengths = draw.integers(5, max(longest, 6), n_documents)
    P = W @ B
    return np.array([draw.multinomial(n, p) for n, p in zip(lengths, P / P.sum(axis=1, keepdims=True), strict=True)])
