"""A record → one HTML page that includes its style, script and data.

Text from a corpus cannot run. The record is JSON in a block that browsers do not execute, with dangerous characters
escaped; the script writes text only by `textContent` and `setAttribute`; and the page's policy allows its own script
and style, by their hashes, and nothing else, not even the network.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from importlib.resources import files
from typing import Any

from cotopics.choice import Choice
from cotopics.persistence import write_atomically
from cotopics.report.content import content

SCRIPTS = (
    "page",
    "edits",
    "explore",
    "overview",
    "map",
    "topic",
    "space",
    "documents",
    "comparison",
    "start",
)  # in this order
PLACE = re.compile(r"<!--(\w+)-->")
# characters that could end the block or begin markup, that end a line only in JavaScript, or that reverse text
UNSAFE = re.compile("[<>&'\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


def write(
    model: Any,
    path: str | os.PathLike[str],
    corpus: Any = None,
    texts: Any = None,
    choice: Choice | None = None,
    compare: Any = None,
) -> None:
    """Write the report of a fitted model to one HTML file, which opens from disk in any browser.

    An old file stays until the new one is complete.

    >>> import tempfile
    >>> from cotopics import AnchorWords
    >>> X = [[3, 2, 0, 0], [2, 4, 0, 0], [0, 0, 5, 2], [0, 0, 2, 2], [1, 1, 1, 1]]
    >>> model = AnchorWords(2).fit(X, feature_names=["cat", "dog", "sun", "sky"])
    >>> path = tempfile.mkdtemp() + "/report.html"
    >>> write(model, path, X)
    >>> with open(path) as file:
    ...     "<script" in file.read()
    True

    Parameters
    ----------
    model : a fitted model.
    path : the file to write.
    corpus : the documents to show and to measure the model on, a `Corpus` or counts (documents × words). Best are those
        that the model was fitted on.
    texts : the texts of the documents, or lists of words.
    choice : the result of `choose_n_topics`; a model with n_topics="auto" has its own.
    compare : another fitted model to compare with this one; words are matched by name.
    """
    write_atomically(path, render(content(model, corpus, texts, choice, compare)).encode("utf-8"))


def render(record: dict[str, Any]) -> str:
    """The HTML page of a record.

    >>> from cotopics import AnchorWords
    >>> X = [[3, 2, 0, 0], [2, 4, 0, 0], [0, 0, 5, 2], [0, 0, 2, 2], [1, 1, 1, 1]]
    >>> model = AnchorWords(2).fit(X, feature_names=["cat", "dog", "sun", "sky"])
    >>> render(content(model))[:15]
    '<!doctype html>'
    """
    style, script = _static("style.css"), script_source()
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'; "
        "form-action 'none'"
    )
    parts = {"policy": policy, "style": style, "script": script, "data": as_data(record)}
    return PLACE.sub(lambda place: parts[place[1]], _static("page.html"))


def as_data(record: Any) -> str:
    r"""JSON that cannot end the block around it.

    >>> as_data({"word": "</script>&"})
    '{"word":"\\u003c/script\\u003e\\u0026"}'
    """
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def script_source() -> str:
    """The whole script; `page.js` has what all views use."""
    return "\n".join(_static(f"{name}.js") for name in SCRIPTS)


def _static(name: str) -> str:
    return (files("cotopics.report") / "static" / name).read_text(encoding="utf-8")


def _hash(source: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode("utf-8")).digest()).decode("ascii")
