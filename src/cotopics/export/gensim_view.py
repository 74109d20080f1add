"""A model with the methods of gensim's LdaModel; gensim itself is not imported."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted

from cotopics.errors import ParameterError
from cotopics.export.topics import vocabulary
from cotopics.metrics.inputs import proportions
from cotopics.records import Array

logger = logging.getLogger(__name__)

Bow = Sequence[tuple[int, float]]  # (word id, count) for each word of a document
Shares = list[tuple[int, float]]  # (topic, share)


class WordDictionary(dict[int, str]):
    """Word id → word, with the methods of gensim's Dictionary that are used with a model."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(enumerate(words))
        self.token2id = {word: i for i, word in self.items()}

    @property
    def id2token(self) -> dict[int, str]:
        return self

    def doc2bow(self, tokens: Iterable[str]) -> list[tuple[int, int]]:
        """(word id, count) of the known tokens."""
        ids, counts = np.unique([self.token2id[t] for t in tokens if t in self.token2id], return_counts=True)
        return [(int(i), int(n)) for i, n in zip(ids, counts, strict=True)]


class GensimView:
    """Methods and attributes of gensim's LdaModel for a fitted model, so that gensim's CoherenceModel accepts it.

    Words are ranked by probability, as in gensim. Unlike gensim's, documents have all their shares unless
    `minimum_probability` is set, and the same call gives the same answer.

    >>> from cotopics import AnchorWords
    >>> C = np.kron(np.diag([2, 1]), np.ones((2, 2))) / 12
    >>> view = GensimView(AnchorWords(2).fit_cooccurrence(C, feature_names=["cat", "dog", "sun", "sky"]))
    >>> view.show_topics(num_words=2)
    [(0, '0.500*"cat" + 0.500*"dog"'), (1, '0.500*"sun" + 0.500*"sky"')]
    """

    def __init__(self, model: Any, minimum_probability: float = 0.0) -> None:
        check_is_fitted(model, "components_")
        self.model = model
        self.minimum_probability = minimum_probability
        self.id2word = WordDictionary(vocabulary(model))

    @property
    def num_topics(self) -> int:
        return int(self.model.n_topics_)

    @property
    def num_terms(self) -> int:
        return len(self.id2word)

    def get_topics(self) -> Array:
        """p(word | topic), (n_topics, n_words)."""
        return np.asarray(self.model.components_)

    def get_topic_terms(self, topicid: int, topn: int = 10) -> list[tuple[int, float]]:
        """(word id, probability) of the most probable words."""
        p = self.get_topics()[topicid]
        order = np.argsort(-p.astype(np.float32), kind="stable")  # equal words keep their order
        return [(int(i), float(p[i])) for i in order[:topn]]

    def show_topic(self, topicid: int, topn: int = 10) -> list[tuple[str, float]]:
        """(word, probability) of the most probable words."""
        return [(self.id2word[i], p) for i, p in self.get_topic_terms(topicid, topn)]

    def print_topic(self, topicno: int, topn: int = 10) -> str:
        """The most probable words in one line, as gensim writes it."""
        return " + ".join(f'{p:.3f}*"{word}"' for word, p in self.show_topic(topicno, topn))

    def show_topics(
        self, num_topics: int = 10, num_words: int = 10, log: bool = False, formatted: bool = True
    ) -> list[tuple[int, Any]]:
        """(topic, its words) of the `num_topics` most prevalent topics; -1 is all topics."""
        chosen = range(self.num_topics)
        if 0 <= num_topics < self.num_topics:
            chosen = np.argsort(-self.model.topic_prevalence_, kind="stable")[:num_topics].tolist()
        show = self.print_topic if formatted else self.show_topic
        shown: list[tuple[int, Any]] = [(k, show(k, num_words)) for k in chosen]
        for k, words in shown if log else ():
            logger.info("topic #%i (%.3f): %s", k, self.model.topic_prevalence_[k], words)
        return shown

    def print_topics(self, num_topics: int = 20, num_words: int = 10) -> list[tuple[int, Any]]:
        """The same, also written to the log, as in gensim."""
        return self.show_topics(num_topics, num_words, log=True)

    def get_document_topics(self, bow: Any, minimum_probability: float | None = None) -> Shares | list[Shares]:
        """(topic, share) of a document of (word id, count) pairs; for several documents, a list for each.

        A document without a word that the topics know gets their prevalence.
        """
        least = self.minimum_probability if minimum_probability is None else minimum_probability
        bow = list(bow)
        one = not bow or _is_pair(bow[0])
        W = proportions(self.model, self._counts([bow] if one else bow))
        found = [[(k, share) for k, share in enumerate(w) if share >= least] for w in W.tolist()]
        return found[0] if one else found

    def __getitem__(self, bow: Any) -> Shares | list[Shares]:
        return self.get_document_topics(bow)

    def _counts(self, bows: Iterable[Bow]) -> sp.csr_array:
        """Documents as counts (n_documents, n_words)."""
        bows = [list(bow) for bow in bows]
        document = np.repeat(np.arange(len(bows)), [len(bow) for bow in bows])
        word = np.array([i for bow in bows for i, _ in bow], dtype=np.int64)
        if len(word) and not (word.min() >= 0 and word.max() < self.num_terms):
            raise ParameterError(
                f"word ids must be from 0 to {self.num_terms - 1}; these are {word.min()} to {word.max()}. Make the "
                "documents with this view's id2word.doc2bow"
            )
        count = np.array([n for bow in bows for _, n in bow], dtype=np.float64)
        return sp.csr_array((count, (document, word)), shape=(len(bows), self.num_terms))


def _is_pair(entry: Any) -> bool:
    """Whether this is (word id, count), not a document of such pairs."""
    return len(entry) == 2 and isinstance(entry[0], Integral)
