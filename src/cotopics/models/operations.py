"""What a user does with topics makes a new fit: rename, merge, drop, and follow topics into another fit.

All are functions from a `Fit` to a `Fit`. A merged topic keeps the topics it was made of (`Fit.parts`): documents are
inferred with these, and shares are added up. So merging, and then inferring, is the same as inferring, and then adding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from cotopics.errors import ParameterError
from cotopics.models.fit import Fit, Start, add_columns, describe_correlation
from cotopics.records import Array, WordIds

MAX_NAME = 200  # characters of a topic's name
START = tuple(field.name for field in fields(Start))


# --- what a user asks for, checked -----------------------------------------------------------------------------------


def check_topic(topic: Any, n_topics: int) -> int:
    """A topic's number; an error that says which there are."""
    if not isinstance(topic, int | np.integer) or isinstance(topic, bool) or not 0 <= topic < n_topics:
        raise ParameterError(f"topic {topic!r} is not there: the model has topics 0 to {n_topics - 1}")
    return int(topic)


def check_groups(groups: Any, n_topics: int) -> list[list[int]]:
    """Groups of topics, none of which is empty or shares a topic with another."""
    if isinstance(groups, str | int | np.integer) or not isinstance(groups, Iterable):
        raise ParameterError(f"groups={groups!r:.80} must be lists of topics, such as [[1, 4], [7, 9]]")
    checked: list[list[int]] = []
    seen: set[int] = set()
    for group in groups:
        if isinstance(group, str | int | np.integer) or not isinstance(group, Iterable):
            raise ParameterError(f"{group!r:.80} is not a group of topics; give lists, such as [[1, 4], [7, 9]]")
        topics = [check_topic(topic, n_topics) for topic in group]
        if not topics:
            raise ParameterError("a group of topics is empty; leave it out")
        twice = [k for i, k in enumerate(topics) if k in seen or k in topics[:i]]
        if twice:
            raise ParameterError(f"topic {twice[0]} is in the groups more than once; it can become part of one topic")
        seen.update(topics)
        checked.append(topics)
    return checked


def check_name(name: Any) -> str:
    if not isinstance(name, str) or not name.strip():
        raise ParameterError(f"{name!r:.80} is not a name of a topic; give a text")
    if len(name) > MAX_NAME or not name.isprintable():
        raise ParameterError(f"{name!r:.80} is not a name: at most {MAX_NAME} characters in one line")
    return name.strip()


# --- operations ------------------------------------------------------------------------------------------------------


def rename(fit: Fit, names: Mapping[int, str | None]) -> Fit:
    """The fit with these names; None takes a name away. No number changes."""
    new = list(fit.names or [None] * fit.n_topics)
    for topic, name in names.items():
        new[check_topic(topic, fit.n_topics)] = None if name is None else check_name(name)
    return replace(fit, names=tuple(new) if any(new) else None)


def merge(fit: Fit, groups: Sequence[Sequence[int]]) -> Fit:
    """The fit in which the topics of every group are one, in the place of the first; later topics move up.

    Its words are the mixture of theirs, weighted by prevalence; its prevalence, and its share of every document, is the
    sum of theirs; correlations are GAGᵀ, where G adds up the topics of a group. Names given to several are joined.
    """
    groups = check_groups(groups, fit.n_topics)
    new_topic = np.arange(fit.n_topics)
    for group in groups:
        new_topic[group] = min(group)
    kept, new_topic = np.unique(new_topic, return_inverse=True)
    if len(kept) == fit.n_topics:
        return fit
    names = None
    if fit.names is not None:
        given = [dict.fromkeys(fit.names[k] for k in np.flatnonzero(new_topic == new)) for new in range(len(kept))]
        names = tuple(" / ".join(name for name in of if name)[:MAX_NAME] or None for of in given)
    topic_of = new_topic if fit.topic_of is None else new_topic[fit.topic_of]
    diagnostics = _noted(fit.diagnostics, {"merge": [sorted(group) for group in groups if len(group) > 1]})
    return grouped(replace(fit, diagnostics=_renumbered(diagnostics, new_topic)), topic_of, names)


def grouped(fit: Fit, topic_of: WordIds, names: tuple[str | None, ...] | None = None) -> Fit:
    """The fit whose topics are made of the parts (or the topics) of `fit`: topic_of (n_parts,) says which of which."""
    parts = Start(**{name: getattr(fit.inferred, name) for name in START})
    n_topics = int(topic_of.max()) + 1
    share = _shares_of_parts(parts.prevalence, topic_of, n_topics)
    half = add_columns(parts.correlation, topic_of, n_topics)
    A = add_columns(half.T, topic_of, n_topics)
    groups = None
    if parts.anchor_groups is not None:
        own = [np.flatnonzero(topic_of == k) for k in range(n_topics)]
        own = [members[np.argsort(-parts.prevalence[members], kind="stable")] for members in own]
        groups = [np.concatenate([parts.anchor_groups[i] for i in members]) for members in own]
    anchored = parts.anchor_cooccurrence
    correlation = (A + A.T) / 2
    found = describe_correlation(correlation, (fit.diagnostics.get("correlation") or {}).get("without_anchors", ()))
    return replace(
        fit,
        sums=None,  # of the topics before: nothing can be added to these
        components=_mixed(parts.components, share, topic_of, n_topics),
        prevalence=add_columns(parts.prevalence[None, :], topic_of, n_topics)[0],
        correlation=correlation,
        anchor_groups=groups,
        anchor_cooccurrence=None if anchored is None else _mixed(anchored, share, topic_of, n_topics),
        diagnostics={**fit.diagnostics, "correlation": found},
        names=names,
        parts=parts,
        topic_of=topic_of,
    )


def drop(fit: Fit, topics: Sequence[int]) -> Fit:
    """The fit without these topics; later ones move up. Documents are then inferred with the others alone.

    Prevalence is made to sum to one again, and correlations to what they summed to: p(topic, topic) of two tokens that
    are of the topics kept.
    """
    if isinstance(topics, int | np.integer):
        topics = [int(topics)]
    (dropped,) = check_groups([topics], fit.n_topics)
    kept = np.setdiff1d(np.arange(fit.n_topics), dropped)
    if not len(kept):
        raise ParameterError(f"all {fit.n_topics} topics would be dropped; keep at least one")
    new_topic = np.full(fit.n_topics, -1)
    new_topic[kept] = np.arange(len(kept))
    diagnostics = _renumbered(_noted(fit.diagnostics, {"drop": sorted(dropped)}), new_topic)
    names = None if fit.names is None else tuple(fit.names[k] for k in kept)
    topic_of = new_topic if fit.topic_of is None else new_topic[fit.topic_of]
    return with_parts(
        fit, some_topics(fit.inferred, np.flatnonzero(topic_of >= 0)), topic_of[topic_of >= 0], names, diagnostics
    )


def in_order(fit: Fit, order: Sequence[int] | WordIds) -> Fit:
    """The fit whose topic k is topic order[k] of `fit`; all topics are in `order`, each once."""
    new_topic = np.argsort(np.asarray(order))
    names = None if fit.names is None else tuple(fit.names[k] for k in order)
    topic_of = new_topic if fit.topic_of is None else new_topic[fit.topic_of]
    by_topic = np.argsort(topic_of, kind="stable")
    return with_parts(
        fit, some_topics(fit.inferred, by_topic), topic_of[by_topic], names, _renumbered(fit.diagnostics, new_topic)
    )


def follow(old: Fit, new: Fit) -> Fit:
    """The new fit, with the numbers, the names and the merged groups of the old one: topics are matched by their words.

    The words of the old fit are the first of the new one. Topics of the new fit that have no partner come last; of the
    old one, they are gone. What was dropped or split in the old fit is not repeated.
    """
    before = old.inferred
    B = np.zeros((before.n_topics, new.components.shape[1]))
    B[:, : before.components.shape[1]] = before.components
    olds, news = linear_sum_assignment(np.array([np.abs(new.components - row).sum(axis=1) for row in B]))
    others = np.setdiff1d(np.arange(new.n_topics), news)
    topic_of = np.arange(before.n_topics) if old.topic_of is None else old.topic_of
    kept, own = np.unique(topic_of[olds], return_inverse=True)
    topics, groups = np.append(news, others), np.append(own, len(kept) + np.arange(len(others)))
    by_group = np.argsort(groups, kind="stable")
    names = None if old.names is None else (*(old.names[k] for k in kept), *[None] * len(others))
    ordered = replace(in_order(new, topics[by_group]), names=names)
    return ordered if groups.max() + 1 == len(groups) else grouped(ordered, groups[by_group], names)


# --- parts -----------------------------------------------------------------------------------------------------------


def with_parts(fit: Fit, parts: Start, topic_of: WordIds, names: Any, diagnostics: dict[str, Any]) -> Fit:
    """The fit of other parts: topics as they are where no two belong together, else grouped."""
    found = describe_correlation(parts.correlation, (diagnostics.get("correlation") or {}).get("without_anchors", ()))
    plain = {name: getattr(parts, name) for name in START} | {"diagnostics": {**diagnostics, "correlation": found}}
    alone = replace(fit, **plain, names=names, parts=None, topic_of=None, sums=None)
    return alone if len(np.unique(topic_of)) == len(topic_of) else grouped(alone, topic_of, names)


def some_topics(start: Start, topics: WordIds) -> Start:
    """Some of the topics, or all in another order."""
    if len(topics) == start.n_topics:
        prevalence, scale = start.prevalence[topics], 1.0
    else:
        total = start.prevalence[topics].sum()
        prevalence = start.prevalence[topics] / total if total > 0 else np.full(len(topics), 1 / len(topics))
        left = start.correlation[np.ix_(topics, topics)].sum()
        scale = start.correlation.sum() / left if left > 0 < start.correlation.sum() else 1.0
    groups, anchored = start.anchor_groups, start.anchor_cooccurrence
    return replace(
        start,
        components=start.components[topics],
        prevalence=prevalence,
        correlation=start.correlation[np.ix_(topics, topics)] * scale,
        anchor_groups=None if groups is None else [groups[k] for k in topics],
        anchor_cooccurrence=None if anchored is None else anchored[topics],
    )


def _shares_of_parts(prevalence: Array, topic_of: WordIds, n_topics: int) -> Array:
    """How much of its topic each part is (n_parts,); the same for all where a topic has no prevalence."""
    total = np.bincount(topic_of, prevalence, n_topics)[topic_of]
    alike = 1 / np.bincount(topic_of, minlength=n_topics)[topic_of]
    alone = alike == 1  # exactly one, so that topics that were not merged keep every bit
    return np.where(alone, 1.0, np.divide(prevalence, total, out=alike.copy(), where=total > 0))


def _mixed(rows: Array, share: Array, topic_of: WordIds, n_topics: int) -> Array:
    """Mixtures of rows (n_parts, n_words), weighted by the shares of the parts: (n_topics, n_words)."""
    return np.ascontiguousarray(add_columns((rows * share[:, None]).T, topic_of, n_topics).T)


# --- diagnostics -----------------------------------------------------------------------------------------------------


def noted(fit: Fit, edit: dict[str, Any]) -> Fit:
    """The fit, whose diagnostics also say what was done to its topics."""
    return replace(fit, diagnostics=_noted(fit.diagnostics, edit))


def _noted(diagnostics: dict[str, Any], edit: dict[str, Any]) -> dict[str, Any]:
    """Diagnostics that also say what was done to the topics, in the numbers of that moment."""
    return {**diagnostics, "edits": [*diagnostics.get("edits", []), edit]}


def _renumbered(diagnostics: dict[str, Any], new_topic: WordIds) -> dict[str, Any]:
    """Diagnostics that name topics by their new numbers. A merged topic is named if all that it is made of were."""
    changed = dict(diagnostics)
    for step, entry in (("correlation", "without_anchors"), ("refinement", "without_documents")):
        report = changed.get(step)
        if isinstance(report, dict) and report.get(entry):
            others = np.setdiff1d(np.arange(len(new_topic)), report[entry])
            named = np.setdiff1d(new_topic[report[entry]], np.append(new_topic[others], -1))
            changed[step] = {**report, entry: named.tolist()}
    report = changed.get("anchors")
    if isinstance(report, dict) and "rank" in report:
        changed["anchors"] = {**report, "rank": min(report["rank"], int(new_topic.max()) + 1)}
    return changed
