"""Which topics come together: a tree of topics by their words and their correlations.

Two topics at a time become one. Merging topics i and j loses what their words tell them apart by: (π_i + π_j) times the
Jensen-Shannon divergence of their words, weighted by prevalence, in nats a word. This loss is divided by their lift,
p(i, j) / (p(i) p(j)), how many times more often than by chance they share a document. So topics of similar words come
together, and of these first the ones that documents have together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import entr

from cotopics.errors import ParameterError
from cotopics.records import Array

MIN_LIFT = 0.1  # added to every lift: topics that never meet can still be alike in their words


@dataclass(frozen=True)
class Tree:
    """Which topics come together at which level.

    merges (n_topics − 1, 2), in order: topics are numbered from 0, and what merge i makes is number n_topics + i.
    heights (n_topics − 1,), never decreasing: what the merge costs. names: of the topics, or None.

    >>> tree = Tree(((0, 2), (3, 1)), (0.1, 0.4), ("rain", "sun", "hail"))
    >>> tree.cut(2)
    [[0, 2], [1]]
    >>> print(tree.text())
    ┬─┬─0 rain
    │ └─2 hail
    └─1 sun
    """

    merges: tuple[tuple[int, int], ...]
    heights: tuple[float, ...]
    names: tuple[str, ...] | None = None

    @property
    def n_topics(self) -> int:
        return len(self.merges) + 1

    def cut(self, n: int) -> list[list[int]]:
        """The topics in n groups, each sorted, the group of the first topic first; what `merge` takes.

        >>> Tree(((0, 2), (1, 3)), (0.1, 0.4)).cut(2)
        [[0, 2], [1]]
        """
        if not isinstance(n, int | np.integer) or isinstance(n, bool) or not 1 <= n <= self.n_topics:
            raise ParameterError(f"n={n!r} must be a number of groups from 1 to {self.n_topics}, the number of topics")
        groups = {k: [k] for k in range(self.n_topics)}
        for number, (one, other) in enumerate(self.merges[: self.n_topics - n]):
            groups[self.n_topics + number] = sorted(groups.pop(one) + groups.pop(other))
        return sorted(groups.values())

    def order(self) -> list[int]:
        """The topics in an order in which no branches cross."""
        inside = {k: [k] for k in range(self.n_topics)}
        for number, (one, other) in enumerate(self.merges):
            inside[self.n_topics + number] = inside.pop(one) + inside.pop(other)
        return next(iter(inside.values()))

    def linkage(self) -> Array:
        """The tree as scipy.cluster.hierarchy has it, (n_topics − 1, 4)."""
        sizes = [1] * self.n_topics
        for one, other in self.merges:
            sizes.append(sizes[one] + sizes[other])
        rows = zip(self.merges, self.heights, sizes[self.n_topics :], strict=True)
        return np.array([(*pair, height, size) for pair, height, size in rows]).reshape(-1, 4)

    def text(self) -> str:
        """The tree as lines of text, the first merges innermost."""
        lines: list[str] = []
        _write(self, 2 * self.n_topics - 2, "", "", lines)
        return "\n".join(lines)

    def label(self, topic: int) -> str:
        return f"{topic}" if self.names is None else f"{topic} {self.names[topic]}"


def topic_tree(components: Array, prevalence: Array, correlation: Array, names: Sequence[str] | None = None) -> Tree:
    """The tree of topics: components (n_topics, n_words), prevalence (n_topics,), correlation (n_topics, n_topics).

    >>> B = np.array([[0.5, 0.4, 0.0], [0.5, 0.6, 0.0], [0.0, 0.0, 1.0]])
    >>> topic_tree(B.T, np.full(3, 1 / 3), np.eye(3) / 3).cut(2)  # topics 0 and 1 have the same words
    [[0, 1], [2]]
    """
    n_topics = len(prevalence)
    B, pi, A = np.array(components, dtype=float), np.maximum(prevalence, 0.0), np.array(correlation, dtype=float)
    number, alive = np.arange(n_topics), np.ones(n_topics, dtype=bool)
    entropies = entr(B).sum(axis=1)
    losses = np.array([_losses(B, pi, entropies, i) for i in range(n_topics)])
    merges, heights = [], [0.0]
    for merge in range(n_topics - 1):
        costs = np.where(np.outer(alive, alive), losses / (MIN_LIFT + _lift(A)), np.inf)
        np.fill_diagonal(costs, np.inf)
        i, j = divmod(int(np.argmin(costs)), n_topics)  # i < j: the matrix is symmetric and the first is taken
        merges.append((int(number[i]), int(number[j])))
        heights.append(max(heights[-1], float(costs[i, j])))
        total = pi[i] + pi[j]
        share = pi[i] / total if total > 0 else 0.5
        B[i], pi[i] = share * B[i] + (1 - share) * B[j], total
        A[i] += A[j]
        A[:, i] += A[:, j]
        alive[j], A[j], A[:, j], number[i] = False, 0, 0, n_topics + merge
        entropies[i] = entr(B[i]).sum()
        losses[i] = losses[:, i] = _losses(B, pi, entropies, i, alive)
    return Tree(tuple(merges), tuple(heights[1:]), None if names is None else tuple(names))


def topic_flow(coarse: Any, fine: Any, X: Any = None) -> Array:
    """What the topics of a coarse model become in a finer one: p(coarse topic, fine topic), sums to one.

    coarse, fine: fitted models of the same words. X (documents × words): both models infer the documents, and an entry
    is the mean over documents of the product of their two shares, as for a word whose topic is drawn from each. Without
    documents, the words of every fine topic are shared out among the coarse ones by p(coarse topic | word).

    >>> from cotopics import AnchorWords
    >>> C = np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12
    >>> model = AnchorWords(2).fit_cooccurrence(C, feature_names=["cat", "dog", "sun", "sky"])
    >>> topic_flow(model, model).round(2).tolist()
    [[0.67, 0.0], [0.0, 0.33]]
    """
    if X is not None:
        W, V = (np.asarray(model.transform(X)) for model in (coarse, fine))
        return np.asarray(W.T @ V / len(W))
    if coarse.n_features_in_ != fine.n_features_in_:
        raise ParameterError("the models have different words; give documents X, or fit both on the same words")
    joint = coarse.components_ * coarse.topic_prevalence_[:, None]
    total = joint.sum(axis=0)
    membership = np.where(total > 0, joint / np.where(total > 0, total, 1), coarse.topic_prevalence_[:, None])
    return np.asarray(membership @ (fine.components_ * fine.topic_prevalence_[:, None]).T)


def _losses(B: Array, pi: Array, entropies: Array, i: int, alive: Any = None) -> Array:
    """What merging topic i with each other one loses, (n_topics,); ∞ for topics that are no longer there."""
    losses = np.full(len(pi), np.inf)
    others = np.arange(len(pi)) if alive is None else np.flatnonzero(alive)
    for j in others:
        total = pi[i] + pi[j]
        share = pi[i] / total if total > 0 else 0.5
        mixed = entr(share * B[i] + (1 - share) * B[j]).sum()
        losses[j] = max(total * (mixed - share * entropies[i] - (1 - share) * entropies[j]), 0.0)
    return losses


def _lift(A: Array) -> Array:
    """p(i, j) / (p(i) p(j)), 0 or more; 1 where A says nothing of a topic."""
    with np.errstate(divide="ignore", invalid="ignore"):
        joint = A / A.sum()
        p = joint.sum(axis=1)
        lift = joint / np.outer(p, p)
    return np.where(np.isfinite(lift) & (np.outer(p, p) > 0), np.maximum(lift, 0.0), 1.0)


def _write(tree: Tree, node: int, before: str, after: str, lines: list[str]) -> None:
    """The lines of a node: `before` begins its first line, `after` those that follow."""
    if node < tree.n_topics:
        lines.append(before + tree.label(node))
        return
    one, other = tree.merges[node - tree.n_topics]
    _write(tree, one, before + "┬─", after + "│ ", lines)
    _write(tree, other, after + "└─", after + "  ", lines)
