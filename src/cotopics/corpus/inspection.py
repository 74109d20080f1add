"""What texts show on the way into a corpus: how many are empty or were there before, and whether they hold HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from cotopics.corpus.documents import Document
from cotopics.corpus.markup import looks_like_markup

PROBE = 1000  # texts that are looked at for markup
MARKED_SHARE = 0.05  # of these that must have some
OPTIONS = ("(--drop-duplicates)", "(--html)")  # that notes name, and that only those take who choose the words


class Inspection:
    """Passes documents on, counts what a user should know of them, and leaves out duplicates if asked to."""

    def __init__(self, *, drop_duplicates: bool, strips_markup: bool) -> None:
        self._drop, self._strips_markup = drop_duplicates, strips_markup
        self.n_empty = self.n_duplicates = self._n_probed = self._n_marked = 0
        self._seen: set[int] = set()

    def __call__(self, documents: Iterable[Document]) -> Iterator[Document]:
        for document in documents:
            if self._is_new(document.text) or not self._drop:
                yield document

    def _is_new(self, text: Any) -> bool:
        """Whether no document before had this text; one without any is empty, and no duplicate."""
        words = text.strip() if isinstance(text, str) else tuple(text)
        if not words:
            self.n_empty += 1
            return True
        if isinstance(words, str) and self._n_probed < PROBE:
            self._n_probed += 1
            self._n_marked += looks_like_markup(words)
        key = hash(words)  # 64 bits: among a million texts, one chance in 10⁷ that two share one
        is_new = key not in self._seen
        self._seen.add(key)
        self.n_duplicates += not is_new
        return is_new

    def notes(self) -> list[str]:
        notes = []
        if self.n_duplicates and self._drop:
            notes.append(f"{_documents(self.n_duplicates)} left out with the text of an earlier one")
        elif self.n_duplicates:
            has = "has" if self.n_duplicates == 1 else "have"
            notes.append(
                f"{_documents(self.n_duplicates)} {has} the text of an earlier one, and drop_duplicates "
                "(--drop-duplicates) leaves such out"
            )
        if self.n_empty:
            notes.append(f"{_documents(self.n_empty)} without text")
        if self._n_marked > MARKED_SHARE * self._n_probed and not self._strips_markup:
            notes.append(
                "the texts look like HTML; Preparation(html=True) (--html) leaves out its tags and reads its entities"
            )
        return notes


def _documents(number: int) -> str:
    return f"{number} document{'' if number == 1 else 's'}"
