"""How large the report of 50 topics of 20 Newsgroups is, and how long it takes to write and to open in chromium.

    python benchmarks/report.py

Opening is from the navigation to the page's own mark that all is drawn, from a file: address. The sentence in
docs/report.md is written anew. Seconds of the processor do not depend on what else the machine does, the clock's do.
"""

from __future__ import annotations

import os
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from common import data_folder, keep
from cotopics import TopicModel, load
from cotopics.corpus import read_corpus, read_documents

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "report"))
from browser import Browser, find_browser  # the one that the tests use

N_TOPICS, TIMES = 50, 5
PAGE = Path(__file__).parents[1] / "docs" / "report.md"
BLOCK = re.compile("(<!-- report-size -->\n).*?(<!-- /report-size -->)", re.DOTALL)
OPENED = "performance.getEntriesByName('ready')[0].startTime / 1000"


def main() -> None:
    binary = find_browser()
    if binary is None:
        sys.exit("no chromium on this machine; set COTOPICS_BROWSER")
    documents = data_folder() / "newsgroups20" / "docs.jsonl.gz"
    corpus = read_corpus(documents)
    texts = [document.text for document in read_documents(documents)]
    with tempfile.TemporaryDirectory() as folder:
        page, file = Path(folder, "report.html"), Path(folder, "model.cotopics")
        TopicModel(N_TOPICS).fit(corpus.counts, feature_names=corpus.vocabulary).save(file)
        model = load(file)
        written = [timed(lambda: model.report(page, corpus, texts)) for _ in range(3)]
        browser = Browser(binary, Path(folder, "profile"))
        browser.shape(1280)
        opened = []
        for _ in range(TIMES):
            browser.open(page.as_uri())
            opened.append(float(browser.ask(OPENED)))
        browser.close()
        size = page.stat().st_size / 1e6
    clock, processor = (statistics.median(run[i] for run in written) for i in (0, 1))
    rows = [
        ["size, MB", round(size, 2), 3],
        [f"opening, s (median of {TIMES})", round(statistics.median(opened), 2), 2],
        [f"opening, s (longest of {TIMES})", round(max(opened), 2), 2],
        ["writing, s (median of 3)", round(clock, 1), 10],
        ["writing, s of the processor (median of 3)", round(processor, 1), None],
    ]
    busy = f"load {os.getloadavg()[1]:.1f} on {len(os.sched_getaffinity(0))} cores"  # mean of the last five minutes
    size_of = f"{corpus.counts.shape[0]:,} documents, {corpus.counts.shape[1]:,} words, {N_TOPICS} topics, with texts"
    about = f"{size_of}; {busy}: above one a core, seconds of the clock are more than on a quiet machine."
    keep("report", ["report of 20 Newsgroups", "measured", "limit"], rows, about)
    mb, opening, _, writing, of_processor = (row[1] for row in rows)
    text = f"{mb} MB, opened in {opening} s, written in {writing} s ({of_processor} s of the processor; {busy}).\n"
    PAGE.write_text(BLOCK.sub(rf"\g<1>{text}\g<2>", PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def timed(work: Any) -> tuple[float, float]:
    """Seconds of the clock and of the processor."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - processor


if __name__ == "__main__":
    main()
