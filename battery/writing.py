"""Commands that write a file, for suites that disturb them, and what they leave beside it."""

from __future__ import annotations

from pathlib import Path

from battery.forked import cotopics
from battery.samples import TEXTS, write_samples
from battery.suite import expect

WRITERS = {  # file that is written → command
    "m.cotopics": ["fit", "{shared}/d.jsonl", "-k", "3", "-o", "{path}"],
    "s.statistics": ["fit", "{shared}/d.jsonl", "-k", "3", "--stream", "--statistics", "{path}"],
    "t.csv": ["transform", "{shared}/words.cotopics", "{shared}/d.jsonl", "-o", "{path}"],
    "t.parquet": ["transform", "{shared}/words.cotopics", "{shared}/d.jsonl", "-o", "{path}"],
    "t.jsonl.gz": ["export", "{shared}/words.cotopics", "--to", "words", "-o", "{path}"],
    "g.graphml": ["export", "{shared}/words.cotopics", "--to", "graphml", "-o", "{path}"],
    "v.json": ["export", "{shared}/words.cotopics", "{shared}/d.jsonl", "--to", "pyldavis", "-o", "{path}"],
    "r.html": ["report", "{shared}/words.cotopics", "{shared}/d.jsonl", "-o", "{path}"],
    "c.json": ["choose", "{shared}/d.jsonl", "--candidates", "2,3", "-o", "{path}"],
}


def prepare(folder: Path) -> None:
    write_samples(folder)
    for name, command in WRITERS.items():
        path = folder / f"whole-{name}"
        ended = cotopics([word.format(shared=folder, path=path) for word in command], folder)
        expect(ended.code == 0, f"{name} could not be made: {ended.stderr}")
    sums = folder / "whole-s.statistics"
    expect(n_documents(sums) == len(TEXTS), "the statistics do not have all documents")


def n_documents(path: Path) -> int:
    from cotopics.cooccur import load_statistics

    return int(load_statistics(path).sums.n_documents)


def parts(path: Path) -> list[Path]:
    """What a writer of `path` that was stopped left, or is writing now."""
    return list(path.parent.glob(f".{path.name}.*.part"))
