"""A list of edits: names, merged and dropped topics, all in the numbers of one model. Reports write such files."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cotopics.errors import ModelFileError, ParameterError
from cotopics.models.operations import check_groups
from cotopics.persistence import open_regular

KIND = "cotopics-edits"
MAX_BYTES = 10_000_000  # of a file


@dataclass(frozen=True)
class Edits:
    """rename: topic → name, or None to take a name away. merge: groups of topics. drop: topics.

    All numbers are those of the model before any edit. model: its `fingerprint`, or None where any model will do.
    """

    rename: Mapping[int, str | None] = field(default_factory=dict)
    merge: Sequence[Sequence[int]] = ()
    drop: Sequence[int] = ()
    model: str | None = None

    def apply(self, model: Any) -> Any:
        """A new model with these edits; an error names what cannot be done, and the model stays as it was."""
        if self.model is not None and self.model != fingerprint(model):
            raise ParameterError("these edits were made for another model; give the model that the report is of")
        n_topics = model.n_topics_
        groups = [group for group in check_groups(self.merge, n_topics) if len(group) > 1]
        dropped = check_groups([self.drop], n_topics)[0] if len(self.drop) else []
        both = sorted(set(dropped) & {k for group in groups for k in group})
        if both:
            raise ParameterError(f"topic {both[0]} is merged and dropped; it can be one of the two")
        model = model.rename(self.rename) if self.rename else model
        if dropped:
            model = model.drop(dropped)
            groups = [[k - sum(gone < k for gone in dropped) for k in group] for group in groups]
        return model.merge(groups) if groups else model


def fingerprint(model: Any) -> str:
    """Sixteen digits that tell the topics of one model from those of others."""
    return hashlib.sha256(np.ascontiguousarray(model.components_).tobytes()).hexdigest()[:16]


def read_edits(path: str | os.PathLike[str]) -> Edits:
    """The edits in a file that a report wrote, checked; an error says what is wrong with it."""
    with open_regular(os.fspath(path)) as file:
        content = file.read(MAX_BYTES + 1)
    try:
        if len(content) > MAX_BYTES:
            raise ValueError(f"it has more than {MAX_BYTES} bytes")
        return edits_of(json.loads(content))
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"{os.fspath(path)} holds no edits: {error}") from None


def edits_of(record: Any) -> Edits:
    """The edits of a record that JSON has: {"cotopics": "cotopics-edits", "rename": {"3": "courts"}, ...}."""
    if not isinstance(record, dict) or record.get("cotopics") != KIND:
        raise ModelFileError(f'its entry "cotopics" is not "{KIND}"')
    rename, merge, drop = record.get("rename", {}), record.get("merge", []), record.get("drop", [])
    groups: list[Any] = merge if isinstance(merge, list) else [None]
    if not isinstance(rename, dict) or not all(key.isascii() and key.isdigit() for key in rename):
        raise ModelFileError("rename must be an object whose keys are numbers of topics")
    if not all(isinstance(group, list) and all(type(k) is int for k in group) for group in groups):
        raise ModelFileError("merge must be a list of lists of topics")
    if not isinstance(drop, list) or not all(type(k) is int for k in drop):
        raise ModelFileError("drop must be a list of topics")
    model = record.get("model")
    if not isinstance(model, str | None):
        raise ModelFileError("model must be the fingerprint of a model")
    return Edits({int(key): name for key, name in rename.items()}, groups, drop, model)
