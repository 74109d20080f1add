"""Hostile texts everywhere in a report, in chromium."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from battery.payloads import ALL, a_corpus, hostile
from battery.promises import own_warnings
from battery.suite import Suite, Trial, expect
from cotopics import AnchorWords


def _browser_module() -> Any:
    path = Path(__file__).parents[2] / "tests" / "report" / "browser.py"
    spec = importlib.util.spec_from_file_location("report_browser", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def no_browser() -> str | None:
    return None if _browser_module().find_browser() else "no chromium here (or set COTOPICS_BROWSER)"


_open: list[Any] = []  # the browser of this process


def attempt(trial: Trial) -> None:
    from cotopics.report import write

    corpus, texts = a_corpus(trial)
    path = trial.folder / "report.html"
    with own_warnings():
        model = AnchorWords(3).fit(corpus.counts, feature_names=corpus.vocabulary)
        model.provenance_ = {"input": hostile(trial)[0], "notes": hostile(trial)[:3]}
        write(model, path, corpus, texts, None, AnchorWords(2).fit(corpus.counts, feature_names=corpus.vocabulary))
    if not _open:
        module = _browser_module()
        profile = trial.folder.parent / f"profile-{trial.number}"
        _open.append(module.Browser(module.find_browser(), profile))
    browser = _open[0]
    browser.open(path.as_uri())
    expect(browser.ask("document.body.dataset.ready") == "true", "the page did not get ready")
    expect(browser.ask("window.PWN === undefined"), "a script in a text ran")
    expect(browser.ask("document.querySelectorAll('script').length") == 2, "a text became a script")
    others = "img, iframe, object, embed, form, link, base, video, audio, math, [onload], [onerror], [onfocus]"
    expect(browser.ask(f"document.querySelectorAll('{others}').length") == 0, "a text became an element")
    browser.ask("document.querySelectorAll('.circle').forEach((c) => c.dispatchEvent(new Event('click')))")
    expect(browser.ask("window.PWN === undefined"), "a script in a text ran after a click")
    said = browser.named("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
    expect(not said, f"the page reported an error: {str(said)[:150]}")
    asked = {event["request"]["url"] for event in browser.named("Network.requestWillBeSent")}
    expect(asked <= {path.as_uri()}, f"the page asked the network for {asked}")


SUITE = Suite(
    f"{len(ALL)} hostile texts (OWASP's and others, and changes of them) as words, labels, ids, dates, titles, notes "
    "and documents of a report in chromium: no script runs, no element appears, nothing is asked of the network.",
    attempt,
    count=250,
    seconds=90,
    missing=no_browser,
)
