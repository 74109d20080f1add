"""A record → one HTML page with its style, script and data inside."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from importlib.resources import files
from typing import Any

from cotopics.choose import Choice
from cotopics.persistence import write_atomically
from cotopics.report.content import content

SCRIPTS = (
    "page",
    "overview",
    "map",
    "topic",
    "space",
    "documents",
    "comparison",
    "start",
)  # in the order in which they run
PLACE = re.compile(r"<!--(\w+)-->")
# What could end the block or begin markup, what ends a line for JavaScript alone, and what turns text around
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

    corpus: the documents to show and to measure the model on, a `Corpus` or counts (documents × words). texts: their
    texts, one for each document. Both are best those that the model was fitted on. choice: what `choose_n_topics`
    found, to be shown too; a model with n_topics="auto" brings its own. compare: another fitted model, whose topics are
    shown beside those of this one; words are matched by name. The old file stays until the new one is whole.
    """
    write_atomically(path, render(content(model, corpus, texts, choice, compare)).encode("utf-8"))


def render(record: dict[str, Any]) -> str:
    """The page of a record. The policy in it allows its own script and style, by their hashes, and nothing else."""
    style, script = _static("style.css"), script_source()
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'; "
        "form-action 'none'"
    )
    parts = {"policy": policy, "style": style, "script": script, "data": as_data(record)}
    return PLACE.sub(lambda place: parts[place[1]], _static("page.html"))


def as_data(record: Any) -> str:
    r"""JSON that cannot end the block that it is in.

    >>> as_data({"word": "</script>&"})
    '{"word":"\\u003c/script\\u003e\\u0026"}'
    """
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def script_source() -> str:
    """The whole script; `page.js` has what the views share."""
    return "\n".join(_static(f"{name}.js") for name in SCRIPTS)


def _static(name: str) -> str:
    return (files("cotopics.report") / "static" / name).read_text(encoding="utf-8")


def _hash(source: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode("utf-8")).digest()).decode("ascii")
