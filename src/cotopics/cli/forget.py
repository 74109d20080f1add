"""cotopics forget"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from cotopics.cli.display import InputProblem, progress_bar, say, warnings_as_messages, wrote
from cotopics.cli.options import check_output, common_options, input_options, refuse_unused
from cotopics.cli.reading import read_for
from cotopics.cli.statistics import again_option, locked, take_out_documents
from cotopics.cli.update import told_of


@click.command("forget")
@click.argument("statistics", type=click.Path(), metavar="MODEL|STATISTICS")
@click.argument("input", type=click.Path())
@click.option("-o", "--output", type=click.Path(), help="Write what remains here; by default to MODEL or STATISTICS.")
@again_option
@input_options
@common_options
def command(statistics: str, input: str, output: str | None, again: bool, **options: Any) -> None:
    """Take the documents of INPUT out of a model, or of statistics that `cotopics fit --stream --statistics` wrote.

    They must be documents that were added before, each once. Their counts are taken out exactly. In MODEL, words that
    only they had are gone, and what topics learned from them is subtracted as far as it can be told (docs/streams.md).
    In STATISTICS the list of words stays the same; models that were fitted before do not change: fit a new one from the
    remaining statistics.

    \b
    Examples:
      cotopics forget news.cotopics withdrawn.jsonl
      cotopics forget news.statistics withdrawn.jsonl
      cotopics fit news.statistics -k 50 -o news.cotopics
    """
    refuse_unused(input, {})
    in_place = output is None or os.path.realpath(output) == os.path.realpath(statistics)
    check_output("STATISTICS" if output is None else "-o", output or statistics, "news.statistics", inputs=[input])
    if holds_model(statistics):
        with progress_bar(), locked(statistics if in_place else None):
            say(_take_out_of_model(statistics, input, output or statistics, options))
        return
    with progress_bar(), locked(statistics if in_place else None):
        (sums, words, provenance), n_taken, notes = take_out_documents(input, statistics, options, again=again)
        sums.save(output or statistics, words, provenance)
        wrote(output or statistics)
    taken_out = f"{n_taken} documents taken out, {sums.n_documents} left in {output or statistics}"
    say("; ".join([taken_out, *notes]))


def _take_out_of_model(file: str, input: str, output: str, options: dict[str, Any]) -> str:
    """Write the model without the documents of INPUT; what happened, in a sentence."""
    from cotopics.models import TopicModel, load

    model = load(file)
    if not isinstance(model, TopicModel):
        raise InputProblem(f"{file} is a model by {type(model).__name__}, and only topic-model can forget; fit it anew")
    corpus = read_for(model, input, options)
    with warnings_as_messages():
        model.forget(corpus.counts, feature_names=None if model.vocabulary_ is None else corpus.vocabulary)
    model.save(output)
    wrote(output)
    left = "" if model.fit_.sums is None else f"; {model.fit_.sums.n_documents} documents left in {output}"
    return told_of(model) + left


def holds_model(file: str) -> bool:
    """Whether the content is that of a model's file."""
    path = Path(file)
    if not path.is_file():
        return False
    with path.open("rb") as opened:
        return b"cotopics-model" in opened.read(100)
