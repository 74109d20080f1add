"""A small planted corpus, as counts, as texts and as documents with all that may be known of them."""

import json

import numpy as np

from conftest import planted_corpus
from cotopics.corpus import Document

X, _, W = planted_corpus(n_documents=120, length=50)
X = X[:, X.sum(axis=0) > 0]
WORDS = [f"q{a}{b}" for a in "abcdefgh" for b in "mnopqrst"][: X.shape[1]]  # no stop words, in alphabetical order
LABELS = [f"group {k}" for k in W.argmax(axis=1)]
TEXTS = [" ".join(np.repeat(WORDS, row)) for row in X.toarray()]
DOCUMENTS = [
    Document(text, f"d{m}", label, f"2020-01-{1 + m % 28:02}", {})
    for m, (text, label) in enumerate(zip(TEXTS, LABELS, strict=True))
]


def write_jsonl(path, texts, field="text"):
    path.write_text("\n".join(json.dumps({field: text}) for text in texts) + "\n", encoding="utf-8")
    return path
