"""Draw the pictures of the documentation from real output:  python docs/make_images.py"""

import io
import re
from pathlib import Path

from rich.console import Console

from cotopics.cli.fit import RECIPE, fit_corpus
from cotopics.cli.topics import describe_topics, topics_table
from cotopics.corpus import count_words
from cotopics.datasets import load_demo

IMAGES = Path(__file__).parent / "images"


def main() -> None:
    texts, _ = load_demo()
    corpus = count_words(texts)
    model = fit_corpus(corpus, n_topics=12, **RECIPE)
    console = Console(record=True, width=120, file=io.StringIO(), force_terminal=True)
    console.print(topics_table(describe_topics(model, 8)))
    IMAGES.mkdir(exist_ok=True)
    svg = console.export_svg(title="cotopics demo")
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)  # nothing is fetched: the reader's own fonts do
    (IMAGES / "demo.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
