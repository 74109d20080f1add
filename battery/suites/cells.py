"""Hostile texts in tables, graphs and on the terminal, by the commands."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
import xml.etree.ElementTree as xml

from battery.forked import check_ended, cotopics
from battery.payloads import FORMULAS, a_corpus
from battery.promises import own_warnings
from battery.suite import Suite, Trial, expect
from cotopics import AnchorWords
from cotopics.corpus import save_corpus
from cotopics.errors import CotopicsError

RUNS = re.compile(r"^[\s\"'`\x00-\x20\u00a0\u200b\ufeff]*[=+\-@＝＋－＠﹦]")
NUMBER = re.compile(r"^-?[\d.]+(e[+-]?\d+)?$")
BETWEEN = "; "  # joins words that hold blanks, and is a separator of cells in some places


def attempt(trial: Trial) -> None:
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


SUITE = Suite(
    f"The same texts ({len(FORMULAS)} of them formulas) through topics, export and transform as csv, tsv, jsonl, json, "
    "GraphML and on the terminal: no cell that a spreadsheet runs, no control character on the terminal, valid files.",
    attempt,
    count=250,
    seconds=120,
)
