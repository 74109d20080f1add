"""Hostile texts as words, labels, ids, dates, titles and documents: in the report, in tables, on the terminal."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import re
import unicodedata
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any

import numpy as np

from battery.commands import check_ended, cotopics
from battery.mutate import TOKENS
from battery.payloads import ALL, FORMULAS
from battery.promises import own_warnings
from battery.suite import Suite, Trial, expect
from battery.warm import planted
from cotopics import AnchorWords
from cotopics.corpus import Corpus, save_corpus
from cotopics.errors import CotopicsError

N_WORDS, N_DOCUMENTS = 24, 40
RUNS = re.compile(r"^[\s\"'`\x00-\x20\u00a0\u200b\ufeff]*[=+\-@＝＋－＠﹦]")
NUMBER = re.compile(r"^-?[\d.]+(e[+-]?\d+)?$")
BETWEEN = "; "  # joins words that hold blanks, and is a separator of cells in some places


def _browser_module() -> Any:
    path = Path(__file__).parents[1] / "tests" / "report" / "browser.py"
    spec = importlib.util.spec_from_file_location("report_browser", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def no_browser() -> str | None:
    return None if _browser_module().find_browser() else "no chromium here (or set COTOPICS_BROWSER)"


def hostile(trial: Trial) -> list[str]:
    """Payloads, the one of this trial's number among them, some of them changed."""
    chosen = [ALL[trial.number % len(ALL)], *(ALL[i] for i in trial.draw.integers(len(ALL), size=N_WORDS * 2))]
    for i in range(1, len(chosen)):
        if trial.draw.random() < 0.3:
            at = int(trial.draw.integers(len(chosen[i]) + 1))
            token = TOKENS[int(trial.draw.integers(len(TOKENS)))].decode("utf-8", "replace")
            chosen[i] = chosen[i][:at] + token + chosen[i][at:]
    return chosen


def a_corpus(trial: Trial) -> tuple[Any, list[str]]:
    """Documents whose every text is hostile."""
    bad = hostile(trial)
    words = list(dict.fromkeys(bad))[:N_WORDS]
    words += [f"w{i}" for i in range(N_WORDS - len(words))]
    counts = planted(trial.draw, N_DOCUMENTS, N_WORDS)
    about = [bad[i % len(bad)] for i in range(N_DOCUMENTS)]
    texts = [" ".join([*np.repeat(words, row), about[i]]) for i, row in enumerate(counts)]
    return Corpus(counts, words, about, [bad[0]], ids=about[::-1], dates=about), texts


_open: list[Any] = []  # the browser of this process


def attempt_page(trial: Trial) -> None:
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


def attempt_cells(trial: Trial) -> None:
    """Tables, graphs and the terminal, by the commands."""
    corpus, _ = a_corpus(trial)
    model, documents = trial.folder / "m.cotopics", trial.folder / "d.corpus"
    try:
        with own_warnings():
            AnchorWords(3).fit(corpus.counts, feature_names=corpus.vocabulary).save(model)
            save_corpus(corpus, documents)
    except CotopicsError:  # half of a character: no file can hold it
        return
    for words, check in (
        (["topics", model, "--csv"], _check_csv),
        (["topics", model, "--json"], json.loads),
        (["topics", model], _check_terminal),
        (["export", model, "--to", "topics"], _check_csv),
        (["export", model, "--to", "words", "-o", trial.folder / "w.tsv"], None),
        (["export", model, "--to", "correlations"], _check_csv),
        (["export", model, "--to", "graphml"], xml.fromstring),
        (["transform", model, documents], _check_csv),
        (["transform", model, documents, "-o", trial.folder / "t.jsonl"], None),
    ):
        ended = cotopics(words, trial.folder)
        check_ended(ended, notes=True)
        expect(ended.code == 0, f"{' '.join(map(str, words[2:4]))}: {ended.last}")
        if check is not None:
            try:
                check(ended.stdout)
            except (ValueError, xml.ParseError) as error:
                expect(False, f"{words[0]} {' '.join(map(str, words[2:4]))}: {error}")
    _check_csv((trial.folder / "w.tsv").read_bytes().decode("utf-8"), "\t")
    for line in (trial.folder / "t.jsonl").read_text("utf-8").splitlines():
        json.loads(line)
    expect(not (trial.folder / "pwned").exists(), "a text was run by a shell")


def _check_csv(text: str, delimiter: str = ",") -> None:
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    expect(len({len(row) for row in rows}) == 1, "rows of a table have different lengths")
    for row in rows[1:]:
        for cell in row:
            if NUMBER.match(cell):
                continue
            for text in cell.split(BETWEEN):
                runs = RUNS.match(text) and not text.startswith("'")
                expect(not runs, f"a spreadsheet would run {text[:40]!r} in a cell")


def _check_terminal(text: str) -> None:
    for character in text:
        bad = unicodedata.category(character) in ("Cc", "Cf") and character != "\n"
        expect(not bad, f"{character!r} reached the terminal")


PAGES = Suite(
    f"{len(ALL)} hostile texts (OWASP's and others, and changes of them) as words, labels, ids, dates, titles, notes "
    "and documents of a report in chromium: no script runs, no element appears, nothing is asked of the network.",
    attempt_page,
    count=250,
    seconds=90,
    missing=no_browser,
)
CELLS = Suite(
    f"The same texts ({len(FORMULAS)} of them formulas) through topics, export and transform as csv, tsv, jsonl, json, "
    "GraphML and on the terminal: no cell that a spreadsheet runs, no control character on the terminal, valid files.",
    attempt_cells,
    count=250,
    seconds=120,
)
