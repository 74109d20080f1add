"""Topics of which every document has one: titles, tweets, answers, queries.

The Dirichlet-multinomial mixture (Nigam et al. 2000), fitted by expectation-maximisation with the documents' own words
taken out of the topics that they are compared with; its sampled kin is that of Yin and Wang 2014. In topics of few
documents, a document would otherwise find mostly itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.special import gammaln

from cotopics import progress
from cotopics.documents import Documents, InMemory, Pieces
from cotopics.errors import ParameterError
from cotopics.linalg.columns import block_rows, columns_to_one, dense_column_sums
from cotopics.linalg.threads import map_row_blocks, one_blas_thread, share_phases
from cotopics.records import Array, WordIds
from cotopics.refine.em import UNSEEN, Refined, in_double, moments
from cotopics.refine.tokens import Tokens, threads_of_numbers

ANNEALED = 10  # steps in which the likelihood of words counts less: the start decides less
FIRST_POWER = 0.5  # of the likelihood in the first of them
SETTLED = 1e-3  # a mean change of p(topic | document), in all, below which nothing moves any more
MAX_SMOOTHING = 0.3  # tokens of every word in every topic, or
SMOOTHING_SHARE = 0.15  # of the tokens that a topic has on average, where that is less: or small topics would vanish
SIZE_SHARE = 0.03  # of the documents that a topic has on average, added to every topic
MERGE_SMOOTHING = 0.3  # tokens of every word where topics are compared
Sums = tuple[Array, Array, float, float, Array]  # what `document_step` returns
STEPS_OF_TOKEN = 16  # that tokens are rounded to there: rounding halves up or down would decide what is merged
LARGEST_TABLE = 1 << 16  # steps, unless a word has more tokens,
LONGEST_TABLE = 1 << 24  # and then no more than these: tokens are rounded to several


class PreparedCounts(NamedTuple):
    """Documents prepared for steps from any number of starts: their tokens, how many, and how many documents."""

    tokens: Pieces
    n_tokens: float
    n_documents: int


class Topics(NamedTuple):
    """Tokens (n_words, n_topics) of every word in each topic, their totals, and documents in each (n_topics,).

    table (n_words, n_topics): log p(word | topic), which steps read in single precision here. smoothing: what every
    token has more; 0 where tokens are p(word | topic) themselves, as at the start.
    """

    tokens: Array
    totals: Array
    sizes: Array
    table: Any
    smoothing: float = 0.0

    @property
    def B(self) -> Array:
        """p(word | topic), (n_words, n_topics)."""
        return np.asarray((self.tokens + self.smoothing) / (self.totals + len(self.tokens) * self.smoothing))


@dataclass(frozen=True)
class OneTopicPerDocument:
    """Steps towards topics of which every document has one.

    Parameters
    ----------
    steps : int
        At most; fewer where nothing moves any more.
    smoothing : float or None
        Tokens that every word gets in every topic. None: 0.3, or less where topics have few tokens.
    annealed : int
        In the first so many steps the likelihood of a document's words is raised to a power that grows from one half
        to one, so that the result depends less on where the steps started.
    """

    steps: int = 30
    smoothing: float | None = None
    annealed: int = ANNEALED

    def __post_init__(self) -> None:
        for name, least in (("steps", 1), ("annealed", 0)):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
                raise ParameterError(f"{name}={value!r} must be an integer of at least {least}")
        if self.smoothing is not None and not 0 < self.smoothing < np.inf:
            raise ParameterError(f"smoothing={self.smoothing} must be a number of tokens above 0, or None")

    def __call__(
        self,
        X: sp.csr_array | Documents | PreparedCounts,
        B: Array,
        prevalence: Array,
        kept: tuple[Array, Array] | None = None,
    ) -> Refined:
        """Refine topics B (n_words, n_topics) on checked counts X (n_documents, n_words), or on prepared ones.

        W of the result is p(topic | document), A is WᵀW/n, and history["likelihood"] the mean over tokens of
        log p(document | other documents) before the steps. kept: tokens (n_words, n_topics) and numbers (n_topics,) of
        other documents, which are part of the topics and stay as they are; topics without any begin at B."""
        with one_blas_thread():
            topics, P, n_iter, converged, history = self._steps(prepare_counts(X), B, prevalence, kept)
            W = P.map(in_double)
            squares, total, n = W.sum(moments)
            A = squares / n
            return Refined(topics.B, W.rows(len(A)), total / n, A, n_iter, converged, history, topics.tokens)

    def topics(self, X: Documents | PreparedCounts, B: Array, prevalence: Array) -> tuple[Array, Array, Array]:
        """B, prevalence and tokens alone: documents' topics are not kept."""
        with one_blas_thread():
            topics, *_ = self._steps(prepare_counts(X), B, prevalence)
        return topics.B, topics.sizes / topics.sizes.sum(), topics.tokens

    def _steps(
        self, documents: PreparedCounts, B: Array, prevalence: Array, kept: tuple[Array, Array] | None = None
    ) -> tuple[Topics, Any, int, bool, Any]:
        """Topics and p(topic | document) after the steps, how many there were, whether they settled, and history."""
        n_words, n_topics = B.shape
        n_documents = documents.n_documents + (0.0 if kept is None else kept[1].sum())
        pieces, n_tokens = documents.tokens, documents.n_tokens
        smoothing, size = self.smoothing_of(n_tokens, n_words, n_topics), SIZE_SHARE * n_documents / n_topics
        B = columns_to_one(np.ascontiguousarray(B) + UNSEEN / n_words)  # rows are what is read
        topics: Any = Topics(B, np.ones(n_topics), n_documents * prevalence / prevalence.sum(), np.log(B))
        if kept is not None:
            tokens, sizes = _or_given(kept, topics, n_tokens)
            topics = topics_from((tokens, sizes, 0.0, 0.0, dense_column_sums(tokens)), smoothing)
        P = pieces.map(nothing_known, n_topics)
        history: dict[str, list[float]] = {"step": [], "likelihood": []}
        converged, step, n_own = False, 0, documents.n_documents
        prior = n_own * np.log(n_documents + n_topics * size)
        for step in range(self.steps + 1):  # in the first, topics are those given, and no document is part of them
            power = min(1.0, FIRST_POWER + (1 - FIRST_POWER) * step / self.annealed) if self.annealed else 1.0
            P, sums = pieces.update(P, document_step, topics, smoothing, size, power)
            topics = pieces.once(topics_from, sums, smoothing, kept)
            P, topics, told = pieces.now(P, topics, pieces.once(likelihood_and_change, sums))
            likelihood, change = pieces.fetch(told)
            if step > 0:
                history["step"].append(step)
                history["likelihood"].append((likelihood - prior) / n_tokens)
                progress.tell("one topic a document", step, self.steps)
            if step > self.annealed and change < SETTLED * n_own:
                converged = True
                break
        return pieces.fetch(topics), P, step, converged, history

    def smoothing_of(self, n_tokens: float, n_words: int, n_topics: int) -> float:
        if self.smoothing is not None:
            return self.smoothing
        return min(MAX_SMOOTHING, SMOOTHING_SHARE * max(n_tokens, 1.0) / (n_words * n_topics))


def prepare_counts(X: sp.csr_array | Documents | PreparedCounts) -> PreparedCounts:
    """Documents made ready for steps: worth keeping where several starts are tried."""
    if isinstance(X, PreparedCounts):
        return X
    documents: Documents = InMemory(X) if sp.issparse(X) else X
    tokens = documents.pieces.map(Tokens).keep()  # counts as they are, whole numbers too
    return PreparedCounts(tokens, tokens.sum(Tokens.totals)[1], documents.n_documents)


def _or_given(kept: tuple[Array, Array], given: Topics, n_tokens: float) -> tuple[Array, Array]:
    """Tokens and numbers of documents that are kept; of topics without any, those that the given ones would have."""
    is_new, shares = kept[0].sum(axis=0) == 0, given.sizes / given.sizes.sum()
    return np.where(is_new, given.tokens * shares * n_tokens, kept[0]), np.where(is_new, given.sizes, kept[1])


def nothing_known(tokens: Tokens, n_topics: int) -> Any:
    return np.zeros((tokens.X.shape[0], n_topics), np.float32)


def document_step(tokens: Tokens, P: Any, topics: Topics, smoothing: float, size: float, power: float) -> Sums:
    """P (n_documents, n_topics) becomes the new p(topic | document).

    Returns tokens of every word in every topic (n_words, n_topics), documents in every topic (n_topics,),
    Σ log p(document | others) and the change of P before, and the tokens of every topic (n_topics,)."""
    from cotopics.refine.kernels import one_topic_pieces

    X, blocks, K = tokens.X, tokens.blocks, P.shape[1]
    found, sizes = np.zeros(topics.tokens.shape), blocks.phases()
    counted, n_pieces = np.empty((blocks.longest_block, K), P.dtype), len(blocks.edges) - 1
    (likelihoods, changes), sums = np.empty((2, n_pieces)), np.empty((2, n_pieces, K))
    weights = np.empty(0, P.dtype) if tokens.weights is None else tokens.weights.astype(P.dtype)
    documents = (*blocks.by_document, X.indptr, X.indices, X.data)
    with_size = topics.sizes + size
    of_topics = topics.tokens, topics.totals, topics.sizes, np.log(with_size), 1 / with_size
    given = (*of_topics, topics.table.astype(np.float32, copy=False), smoothing, size, power, P)
    kept = (weights, counted, likelihoods, changes, sums, *blocks.by_word, found)

    def work(counters: Any) -> bool:
        by_document = np.empty(K), np.empty(K), *np.empty((2, blocks.longest_document))
        own = *by_document, np.empty(blocks.longest_word, X.dtype)
        return bool(one_topic_pieces(counters, sizes, *documents, *given, *kept, *own))

    share_phases(work, len(sizes), threads_of_numbers(X, K))
    documents_in, totals = sums.sum(axis=1)
    return found, documents_in, float(sum(likelihoods.tolist())), float(sum(changes.tolist())), totals


def topics_from(sums: Sums, smoothing: float, kept: tuple[Array, Array] | None = None) -> Topics:
    tokens, sizes, _, _, totals = sums
    if kept is not None:
        tokens, sizes, totals = tokens + kept[0], sizes + kept[1], totals + dense_column_sums(kept[0])
    among, table = np.log(totals + len(tokens) * smoothing), np.empty(tokens.shape, np.float32)

    def block(first: int, last: int) -> None:
        table[first:last] = np.log(tokens[first:last] + smoothing) - among

    map_row_blocks(block, len(table), block=block_rows(table))
    return Topics(tokens, totals, sizes, table, smoothing)


def likelihood_and_change(sums: Sums) -> tuple[float, float]:
    return sums[2], sums[3]


def merge_topics(tokens: Array, n_topics: int, smoothing: float = MERGE_SMOOTHING) -> WordIds:
    """Which of n_topics each of the topics with these tokens (n_words, n) becomes part of, (n,).

    Two topics at a time become one, those whose words are likeliest to be drawn from one distribution: merging them
    lowers the marginal likelihood of the Dirichlet-multinomial least, or raises it most. Topics without tokens first.
    """
    most = max(float(tokens.sum(axis=1).max(initial=0)), 1.0)  # gammaln of each step of a token is made once
    steps = min(max(LARGEST_TABLE // most, 1.0), STEPS_OF_TOKEN, LONGEST_TABLE / most)
    counts = np.ascontiguousarray(np.rint(steps * tokens), dtype=np.int64)
    table_size = int(counts.sum(axis=1).max(initial=0)) + 1
    lgammas = gammaln(np.arange(table_size) / steps + smoothing) - gammaln(smoothing)
    totals, part_of = counts.sum(axis=0) / steps, np.arange(counts.shape[1])
    there = np.ones(len(totals), dtype=bool)
    losses = np.stack([_losses(counts, totals, lgammas, smoothing, i) for i in range(len(totals))])
    for _ in range(len(totals) - n_topics):
        i, j = divmod(int(np.argmin(losses)), len(totals))
        counts[:, i], totals[i] = counts[:, i] + counts[:, j], totals[i] + totals[j]
        counts[:, j] = 0  # or tokens would count twice in sums with i, for which lgammas has no place
        part_of[part_of == j], there[j] = i, False
        losses[j], losses[:, j] = np.inf, np.inf
        losses[i] = np.where(there, _losses(counts, totals, lgammas, smoothing, i), np.inf)
        losses[:, i] = losses[i]
    return np.unique(part_of, return_inverse=True)[1]


def _losses(counts: Any, totals: Array, lgammas: Array, smoothing: float, i: int) -> Array:
    """What merging topic i with each other one costs, in logarithms (n,); −∞ where one of them has no tokens."""
    from cotopics.refine.kernels import merge_losses

    losses, prior = np.zeros(len(totals)), len(counts) * smoothing
    merge_losses(counts, lgammas, i, losses)
    losses += gammaln(totals + totals[i] + prior) + gammaln(prior)
    losses -= gammaln(totals + prior) + gammaln(totals[i] + prior)
    losses[(totals == 0) | (totals[i] == 0)] = -np.inf
    losses[i] = np.inf
    return losses
