"""What the library promises of every result: checked after each input."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from battery.harness import describe
from battery.suite import expect
from cotopics.errors import CotopicsError
from cotopics.infer import INFERENCES

OWN_WARNINGS = (UserWarning, ConvergenceWarning)  # numpy's and scipy's are of other classes
ROUNDING = 1e-6  # of sums to one
UNCLEAR = re.compile(  # messages of numpy and scipy about their own insides
    r"broadcast|zero-size array|concatenate|not aligned|matmul|cannot reshape|out of bounds|infs or NaNs"
    r"|truth value|unsupported operand|not subscriptable|has no len|object is not|'NoneType'|ufunc|shape mismatch"
    r"|positional argument|unexpected keyword"
)


def is_clear(error: BaseException) -> bool:
    """One of the project's errors, or a plain ValueError or TypeError that says something to a user."""
    typed = isinstance(error, CotopicsError | NotFittedError)
    plain = type(error) in (ValueError, TypeError) and not UNCLEAR.search(str(error))
    return (typed or plain) and bool(str(error).strip())


@contextmanager
def own_warnings() -> Iterator[list[Any]]:
    """Whatever warns inside must be a warning of the project."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield caught
    for warning in caught:
        expect(
            warning.category in OWN_WARNINGS,
            f"a {warning.category.__name__} reached the user: {warning.message} at {warning.filename.split('/')[-1]}"
            f":{warning.lineno}",
        )


def result_or_clear_error(call: Callable[[], Any], also: tuple[type[BaseException], ...] = ()) -> Any:
    """What `call` returns; None where it refuses its input as it should, or by one of the errors in `also`."""
    with own_warnings():
        try:
            return call()
        except Exception as error:
            expect(is_clear(error) or isinstance(error, also), describe(error))
            return None


def snapshot(X: Any) -> Any:
    """Something that is equal as long as X is unchanged."""
    if sp.issparse(X):
        names = [name for name in ("data", "indices", "indptr", "row", "col", "coords") if hasattr(X, name)]
        return [(name, np.asarray(getattr(X, name)).tobytes()) for name in names]
    if isinstance(X, np.ndarray) and X.dtype != object:
        return (X.dtype.str, X.shape, X.tobytes())
    return repr(X)


def check_stochastic(rows: Any, shape: tuple[int, ...], what: str) -> None:
    rows = np.asarray(rows.toarray() if sp.issparse(rows) else rows)
    expect(rows.shape == shape, f"{what} has shape {rows.shape}, not {shape}")
    expect(np.isfinite(rows).all(), f"{what}: {np.count_nonzero(~np.isfinite(rows))} entries are not finite")
    expect((rows >= 0).all(), f"{what} has an entry below zero: {rows.min()}")
    worst = np.abs(rows.sum(axis=-1) - 1).max(initial=0)
    expect(worst <= ROUNDING, f"{what}: a row sums to one only up to {worst:.2g}")


def check_model(model: Any) -> None:
    """What a fit found can be used."""
    k, n = model.n_topics_, model.n_features_in_
    check_stochastic(model.components_, (k, n), "components_")
    check_stochastic(model.topic_prevalence_, (k,), "topic_prevalence_")
    A = np.asarray(model.topic_correlation_)
    expect(A.shape == (k, k), f"topic_correlation_ has shape {A.shape}")
    expect(np.isfinite(A).all(), "topic_correlation_ is not finite")
    expect(np.abs(A - A.T).max() <= 1e-8 * max(np.abs(A).max(), 1e-300), "topic_correlation_ is not symmetric")
    expect(np.abs(A).max() < 1e100, f"topic_correlation_ has an entry of {np.abs(A).max():.2g}")
    expect(all(len(words) > 0 for words in model.top_words(3)), "a topic has no words")


def check_mixtures(model: Any, X: Any, methods: Any = tuple(INFERENCES)) -> None:
    """Every method gives every document a mixture, and leaves X as it is."""
    before = snapshot(X)
    for method in methods:
        with own_warnings():
            try:
                W = model.transform(X, method)
            except Exception as error:
                expect(False, f"transform by {method}: {describe(error)}")
        check_stochastic(W, (X.shape[0], model.n_topics_), f"transform by {method}")
    expect(snapshot(X) == before, "transform changed its input")
