"""Take the pictures of the report's page from the demo corpus:  python docs/make_report_images.py [CHROMIUM]"""

import sys
import tempfile
from pathlib import Path

from cotopics import AnchorFree, TopicModel
from cotopics.corpus import count_words
from cotopics.datasets import load_demo

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "report"))
from browser import Browser, find_browser  # noqa: E402 - the one that the tests use

VIEWS = ("heat", "space", "documents", "words", "comparison", "overview")
TALLEST = 900  # pixels of a picture
IMAGES = ROOT / "docs" / "images"
TYPED = "{ const e = document.getElementById('find'); e.value = 'matrix'; e.dispatchEvent(new Event('input')); }"
CHANGE = "{{ const e = document.getElementById('which-space'); e.value = {}; e.dispatchEvent(new Event('change')); }}"


def main() -> None:
    texts, labels = load_demo()
    corpus = count_words(texts, labels=labels)
    model = TopicModel(12).fit(corpus.counts, feature_names=corpus.vocabulary)
    other = AnchorFree(10).fit(corpus.counts, feature_names=corpus.vocabulary)
    binary = sys.argv[1] if len(sys.argv) > 1 else find_browser()
    if binary is None:
        sys.exit("no chromium on this machine; name one: python docs/make_report_images.py CHROMIUM")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "report.html")
        model.report(page, corpus, texts, compare=other)
        browser = Browser(binary, Path(folder, "profile"))
        browser.shape(1440)
        browser.open(page.as_uri())
        browser.picture(IMAGES / "report-explore.png")
        browser.ask(TYPED)
        browser.picture(IMAGES / "report-search.png")
        browser.ask("document.body.click()")
        browser.shape(1440, dark=True)
        browser.picture(IMAGES / "report-explore-dark.png")
        browser.shape(390)
        browser.picture(IMAGES / "report-phone.png", "body", TALLEST)
        browser.shape(1000)
        for view in VIEWS:
            browser.ask(f"document.getElementById('to-{view}').click()")
            browser.picture(IMAGES / f"report-{view}.png", f"#{view}", TALLEST)
        browser.ask("document.getElementById('to-space').click()")
        for at, name in ((2, "before"), (3, "after")):
            browser.ask(CHANGE.format(at))
            browser.picture(IMAGES / f"report-space-{name}.png", "#space", TALLEST)
        browser.close()


if __name__ == "__main__":
    main()
