"""Texts to counts: `count_words` against scikit-learn's CountVectorizer with the same options, on the same texts in one
run. The texts of 20 Newsgroups are in memory before the clock starts; the two take turns, and the best turn counts."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np
import Stemmer
from sklearn.feature_extraction.text import CountVectorizer

from common import data_folder, keep
from cotopics.corpus import count_words, read_texts
from cotopics.corpus.text import WORD, Preparation

TURNS = 5


def stemmed(text: str) -> list[str]:
    return [stem for stem in stem_all(find(text.lower())) if len(stem) > 1]


find, stem_all = re.compile(WORD).findall, Stemmer.Stemmer("english").stemWords
OPTIONS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "all words": ({"stop_words": None, "min_documents": 1}, {"token_pattern": WORD}),
    "English stop words, in 5 documents or more": (
        {},
        {"token_pattern": WORD, "stop_words": "english", "min_df": 5},
    ),
    "in 5 documents and half of them at most": (
        {"stop_words": None, "max_documents": 0.5},
        {"token_pattern": WORD, "min_df": 5, "max_df": 0.5},
    ),
    "stemmed": (
        {"prepare": Preparation(stem="english", stop_words=None), "min_documents": 1},
        {"analyzer": stemmed},
    ),
}


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    started = time.perf_counter()
    return work(), time.perf_counter() - started


def main(n_documents: int | None = None) -> None:
    path = data_folder() / "newsgroups20" / "docs.jsonl.gz"
    texts = [text for text, _ in islice(read_texts(path), n_documents)]
    rows = []
    for label, (ours, theirs) in OPTIONS.items():
        seconds: dict[str, list[float]] = {"ours": [], "theirs": []}
        for _ in range(TURNS):
            vectorizer = CountVectorizer(dtype=np.int64, **theirs)
            counts, taken = timed(lambda vectorizer=vectorizer: vectorizer.fit_transform(texts))
            seconds["theirs"].append(taken)
            corpus, taken = timed(lambda ours=ours: count_words(texts, **ours))
            seconds["ours"].append(taken)
        same = corpus.vocabulary == list(vectorizer.get_feature_names_out()) and (corpus.counts != counts).nnz == 0
        best = {name: min(values) for name, values in seconds.items()}
        rows.append([label, *corpus.counts.shape, best["ours"], best["theirs"], best["theirs"] / best["ours"], same])
    columns = ["options", "documents", "words", "ours, s", "CountVectorizer, s", "ratio", "same counts"]
    notes = f"20 Newsgroups, {sum(map(len, texts)):,} characters in memory. The best of {TURNS} turns each, one thread."
    keep("text", columns, rows, notes)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else None)
