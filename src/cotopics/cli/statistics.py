"""What `fit --stream --statistics FILE` and `forget` do to a file of statistics."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from cotopics.cli.display import InputProblem, say, warnings_as_messages
from cotopics.cli.reading import added_to, more_pieces, open_pieces

CHANGES = "changes"  # entry of the provenance: fingerprint of documents → ADDED or TAKEN_OUT, the last change
ADDED, TAKEN_OUT = "added", "taken out"

Kept = tuple[Any, Any, Any]  # sums, the words of their columns, their provenance

again_option = click.option(
    "--again", is_flag=True,
    help="Change the statistics even if the last run with these documents has already done it.",
)  # fmt: skip


@contextmanager
def locked(file: str | None) -> Iterator[None]:
    """Within the block, no other command changes this file; None: there is no file to lock."""
    if file is None:
        yield
        return
    from cotopics.persistence import changing

    def waiting() -> None:
        say(f"waiting for another cotopics that is changing {file} ...")

    def unguarded(reason: str) -> None:
        say(
            f"warning: {file} cannot be locked ({reason}); run nothing else that changes it until this ends",
            always=True,
        )

    with changing(file, waiting, unguarded):
        yield


def say_choice(choice: dict[str, Any]) -> None:
    """The number, why, and how many documents say so if not all do."""
    from cotopics.choice import Choice

    found = Choice.from_dict(choice)
    say(f"{found.sentence} {found.sample_sentence}".strip())


def add_documents(input: str, file: str | None, options: dict[str, Any], *, again: bool, on_dask: bool) -> Kept:
    """The statistics of a corpus, of which only one piece is in memory at a time, added to those in `file`."""
    from cotopics.cooccur import CooccurrenceSketch, load_statistics
    from cotopics.cooccur.counts import fingerprint
    from cotopics.models.anchor_words import sketch_columns

    if file is not None and Path(file).exists():
        sums, words, provenance = load_statistics(file)
        if words is None or provenance is None:
            raise InputProblem(
                f"{file} was not written by this command: it does not say what its words are. Name another"
            )
        before = f"{sums.n_documents} documents in {file}, "
        stream = more_pieces(input, options, words, provenance, on_dask=on_dask)
    else:
        stream, words, provenance = open_pieces(input, options, on_dask=on_dask)
        sums, before = CooccurrenceSketch(sketch_columns(options["n_topics"])), ""
    n_before = sums.n_documents
    done: Any = 0
    if on_dask:
        sums.merge(stream.add_up(CooccurrenceSketch(sums.n_columns, landmarks=sums.landmarks)))
        done = stream.sum(fingerprint)
    else:
        for chunk in stream:
            sums.update(chunk)
            done = done + fingerprint(chunk)
    size = f"{before}{sums.n_documents - n_before} documents, {len(words)} words"
    say("; ".join([size, *stream.notes]))
    if not again and _last_change(provenance, done) == ADDED:
        raise InputProblem(
            f"{file} already holds the documents of {input} and is not changed: an earlier run added the same number "
            f"of documents with the same words. `cotopics fit {file} -o model.cotopics` fits what it holds; --again "
            "adds them once more"
        )
    if before:
        provenance = added_to(provenance, input, stream.notes)
    return sums, words, _with_change(provenance, done, ADDED)


def take_out_documents(input: str, file: str, options: dict[str, Any], *, again: bool) -> tuple[Kept, int, list[str]]:
    """The remaining statistics of `file`, how many documents were taken out, and notes on them."""
    from cotopics.cooccur import load_statistics
    from cotopics.cooccur.counts import fingerprint
    from cotopics.errors import CorpusError

    sums, words, provenance = load_statistics(file)
    if words is None:
        raise InputProblem(f"{file} does not say what its words are, so none can be taken out by name")
    before = sums.n_documents
    stream = more_pieces(input, options, words, provenance)
    done: Any = 0
    all_there = True
    for chunk in stream:  # to the end, because the fingerprint says whether this was done before
        done = done + fingerprint(chunk)
        if all_there:
            try:
                sums.remove(chunk)
            except CorpusError:
                all_there = False
    if not again and _last_change(provenance, done) == TAKEN_OUT:
        raise InputProblem(
            f"the documents of {input} are already taken out of {file}, which is not changed; --again takes out more "
            "documents that are equal to these"
        )
    if not all_there:
        raise InputProblem(f"{input} holds documents that are not in {file}; name those that were added to it")
    if provenance is not None:
        provenance = _with_change(provenance, done, TAKEN_OUT) if sums.n_documents else provenance | {CHANGES: {}}
    return (sums, words, provenance), before - sums.n_documents, stream.notes


def fit_sums(kept: Kept, *, n_topics: int, min_anchor_documents: float, **others: Any) -> Any:
    """The model of these statistics. Its provenance names the documents, but not the changes of the file."""
    from cotopics.models import AnchorWords

    sums, words, provenance = kept
    model = AnchorWords(n_topics, rectifier="enn", representation="sketch", min_anchor_documents=min_anchor_documents)
    with warnings_as_messages():
        model.fit_cooccurrence(sums, feature_names=words)
    if provenance is not None:
        model.provenance_ = {name: entry for name, entry in provenance.items() if name != CHANGES}
    return model


def _last_change(provenance: dict[str, Any] | None, done: Any) -> Any:
    """The last change with documents of this fingerprint, or None."""
    return _changes(provenance).get(_text(done))


def _with_change(provenance: dict[str, Any], done: Any, what: str) -> dict[str, Any]:
    return provenance | {CHANGES: _changes(provenance) | {_text(done): what}}


def _changes(provenance: dict[str, Any] | None) -> dict[str, Any]:
    changes = (provenance or {}).get(CHANGES)
    return changes if isinstance(changes, dict) else {}


def _text(done: Any) -> str:
    return "".join(f"{int(number):016x}" for number in done)
