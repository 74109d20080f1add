"""A small model with documents, one whose every text is hostile, and the page of each."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from conftest import planted_corpus
from cotopics import AnchorWords
from cotopics.corpus import Corpus
from cotopics.report import content, render

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>'",
    "<!-- <script>",
    "&lt;b&gt;&amp;",
    "\x00\x1b[31m\x7f\x9b",
    "\u202eright-to-left\u2066",
    "a\u2028b\u2029c",
    "\ud800lone",
    "=cmd|' /C calc'!A0",
    "https://example.org/x.js",
    "javascript:alert(1)",
    "<!--script--><!--data-->",
    "x" * 10_000,
    "ligature ﬀ 🜁 ظلام",
]


def a_corpus(n_documents=120, words=None):
    counts, _, _ = planted_corpus(n_documents=n_documents)
    words = [f"{a}{b}" for a in "abcdefgh" for b in "mnopqrst"][:60] if words is None else words
    texts = [" ".join(words[i] for i, n in enumerate(row) for _ in range(n)) for row in counts.toarray()]
    ids = [f"doc-{i}" for i in range(n_documents)]
    dates = [f"20{10 + i % 10}-0{1 + i % 9}-15" for i in range(n_documents)]
    return Corpus(counts, words, [f"label {i % 3}" for i in range(n_documents)], ids=ids, dates=dates), texts


@pytest.fixture(scope="session")
def plain():
    """(model, corpus, texts, record)"""
    corpus, texts = a_corpus()
    model = AnchorWords(4).fit(corpus.counts, feature_names=corpus.vocabulary)
    return model, corpus, texts, content(model, corpus, texts)


@pytest.fixture(scope="session")
def compared(plain):
    """(model, other, record): another model with fewer topics, and over other words, beside the first."""
    model, corpus, texts, _ = plain
    kept = [i for i in range(60) if i % 10]  # every tenth word is not in the other
    order = kept[::-1]
    other = AnchorWords(3).fit(corpus.counts[:, order], feature_names=[corpus.vocabulary[i] for i in order])
    return model, other, content(model, corpus, texts, compare=other)


@pytest.fixture(scope="session")
def hostile():
    """The record of a model whose words, ids, labels, dates, texts and provenance are all hostile."""
    words = [f"{bad}{i // len(HOSTILE)}" for i, bad in zip(range(60), HOSTILE * 4, strict=True)]
    corpus, texts = a_corpus(words=words)
    bad = [HOSTILE[i % len(HOSTILE)] for i in range(len(texts))]
    corpus = Corpus(corpus.counts, words, bad, [HOSTILE[0]], ids=bad, dates=bad)
    model = AnchorWords(4).fit(corpus.counts, feature_names=words)
    model.provenance_ = {"input": HOSTILE[0], "notes": [HOSTILE[1]]}
    other = AnchorWords(3).fit(corpus.counts, feature_names=words)
    other.provenance_ = {"input": HOSTILE[1], "preparation": None}
    return content(model, corpus, [text + bad[i] for i, text in enumerate(texts)], compare=other)


class Page(HTMLParser):
    """Elements with their attributes, and what is in them, as a browser sees them."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.elements, self.inside, self._open = [], {}, None
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self._open = (tag, dict(attributes).get("type", "")) if tag in ("script", "style", "title") else None

    def handle_endtag(self, tag):
        self._open = None

    def handle_data(self, data):
        if self._open:
            self.inside[self._open] = self.inside.get(self._open, "") + data


@pytest.fixture(scope="session")
def parse():
    return Page


@pytest.fixture
def drive(tmp_path):
    """Run the page of a record under node, then JavaScript that asks it things; what that returns."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node runs the report's script in tests; it is not on this machine")

    def run(record, questions):
        html = render(record)
        (tmp_path / "page.html").write_bytes(html.encode("utf-8"))
        ids = re.findall(r'id="([a-z-]+)"', html[: html.index('type="application/json"')])
        command = [
            node,
            str(Path(__file__).with_name("fake_page.js")),
            str(tmp_path / "page.html"),
            *dict.fromkeys(ids),
        ]
        done = subprocess.run(command, input=questions, capture_output=True, text=True, encoding="utf-8", timeout=60)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run
