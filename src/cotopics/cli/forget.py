"""cotopics forget"""

from __future__ import annotations

import os
from typing import Any

import click

from cotopics.cli.display import progress_bar, say, wrote
from cotopics.cli.options import check_output, common_options, input_options, refuse_unused
from cotopics.cli.statistics import again_option, locked, take_out_documents


@click.command("forget")
@click.argument("statistics", type=click.Path())
@click.argument("input", type=click.Path())
@click.option(
    "-o", "--output", type=click.Path(), help="Write the remaining statistics here; by default to STATISTICS."
)
@again_option
@input_options
@common_options
def command(statistics: str, input: str, output: str | None, again: bool, **options: Any) -> None:
    """Take the documents of INPUT out of STATISTICS, a file that `cotopics fit --stream --statistics` wrote.

    They must be documents that were added before, each once; their counts are taken out exactly. The list of words
    stays the same. Models that were fitted before do not change: fit a new one from the remaining statistics.

    \b
    Examples:
      cotopics forget news.statistics withdrawn.jsonl
      cotopics fit news.statistics -k 50 -o news.cotopics
    """
    refuse_unused(input, {})
    in_place = output is None or os.path.realpath(output) == os.path.realpath(statistics)
    check_output("STATISTICS" if output is None else "-o", output or statistics, "news.statistics", inputs=[input])
    with progress_bar(), locked(statistics if in_place else None):
        (sums, words, provenance), n_taken, notes = take_out_documents(input, statistics, options, again=again)
        sums.save(output or statistics, words, provenance)
        wrote(output or statistics)
    taken_out = f"{n_taken} documents taken out, {sums.n_documents} left in {output or statistics}"
    say("; ".join([taken_out, *notes]))
