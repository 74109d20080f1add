"""Take the pictures of the report's page from the demo corpus:  python docs/make_report_images.py [CHROMIUM]"""

import sys
import tempfile
from pathlib import Path

from cotopics import TopicModel, report
from cotopics.corpus import count_words
from cotopics.datasets import load_demo

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "report"))
from browser import Browser, find_browser  # noqa: E402 - the one that the tests use

VIEWS = ("overview", "map", "heat", "topic", "space", "documents", "words")
TALLEST = 900  # pixels of a picture


def main() -> None:
    texts, labels = load_demo()
    corpus = count_words(texts, labels=labels)
    model = TopicModel(12).fit(corpus.counts, feature_names=corpus.vocabulary)
    binary = sys.argv[1] if len(sys.argv) > 1 else find_browser()
    if binary is None:
        sys.exit("no chromium on this machine; name one: python docs/make_report_images.py CHROMIUM")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "report.html")
        report.write(model, page, corpus, texts)
        browser = Browser(binary, Path(folder, "profile"))
        browser.shape(1000)
        browser.open(page.as_uri())
        for view in VIEWS:
            browser.picture(ROOT / "docs" / "images" / f"report-{view}.png", f"#{view}", TALLEST)
        browser.shape(1000, dark=True)
        browser.picture(ROOT / "docs" / "images" / "report-map-dark.png", "#map", TALLEST)
        browser.close()


if __name__ == "__main__":
    main()
