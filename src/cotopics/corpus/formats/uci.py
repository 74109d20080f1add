"""Counts of the UCI bag-of-words format."""

from __future__ import annotations

from pathlib import Path

from cotopics.corpus.files import DAMAGED, damaged, show
from cotopics.corpus.formats.digits import check_sizes, is_whole
from cotopics.corpus.formats.triplets import TripletFile
from cotopics.corpus.packed import open_packed, unpacked_name


class UciFile(TripletFile):
    """`docword.txt`: three lines D, W and NNZ, then NNZ lines `docID wordID count` with ids from 1, sorted by docID.

    The words are in `vocab.txt` beside it; of `docword.nips.txt.gz` in `vocab.nips.txt`.
    """

    header = promise = 3

    def __init__(self, path: Path, words: list[str] | None = None) -> None:
        self.path = path
        numbers = []
        try:
            with open_packed(path) as file:
                for at, what in enumerate(("documents (D)", "words (W)", "counts (NNZ)"), 1):
                    line = file.readline(100).strip()
                    if not is_whole(line) or (int(line) == 0 and at < 3):
                        raise self._error(
                            at, f"the header gives the number of {what} as {show(line)}, not as a whole number"
                        )
                    numbers.append(int(line))
        except DAMAGED as error:
            raise damaged(path, len(numbers), error) from None
        check_sizes(f"{path}, lines 1 to 3", *numbers)
        self.n_documents, self.n_words, self.n_counts = numbers

    @staticmethod
    def vocabulary_names(path: Path) -> list[str]:
        return [unpacked_name(path).replace("docword", "vocab", 1)]
