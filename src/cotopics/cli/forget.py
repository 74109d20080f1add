"""cotopics forget"""

from __future__ import annotations

from typing import Any

import click

from cotopics.cli.common import common_options
from cotopics.cli.display import InputProblem, clear_errors, progress_bar, say, wrote
from cotopics.cli.reading import check_output, input_options, more_pieces, refuse_useless


@click.command("forget")
@click.argument("statistics", type=click.Path())
@click.argument("input", type=click.Path())
@click.option("-o", "--output", type=click.Path(), help="Write what is left here; by default to STATISTICS itself.")
@input_options
@common_options
def command(statistics: str, input: str, output: str | None, quiet: bool, **options: Any) -> None:
    """Take the documents of INPUT out of STATISTICS, a file that `cotopics fit --stream --statistics` wrote.

    They must be documents that were added before, each once; what they added up to is taken out exactly. The list of
    words stays, with those that only they used. Models that were fitted before do not change: fit anew from what is
    left.

    \b
    Examples:
      cotopics forget news.statistics withdrawn.jsonl
      cotopics fit news.statistics -k 50 -o news.cotopics
    """
    refuse_useless(input, {})
    check_output("-o", output or statistics, "news.statistics", inputs=[input])
    with clear_errors(), progress_bar(quiet=quiet):
        from cotopics.cooccur import load_statistics
        from cotopics.errors import CorpusError

        sums, words, provenance = load_statistics(statistics)
        if words is None:
            raise InputProblem(f"{statistics} does not say what its words are, so none can be taken out by name")
        before = sums.n_documents
        stream = more_pieces(input, options, words, provenance)
        for chunk in stream:
            try:
                sums.remove(chunk)
            except CorpusError:
                raise InputProblem(
                    f"{input} holds documents that are not in {statistics}; name those that were added to it"
                ) from None
        sums.save(output or statistics, words, provenance)
        wrote(output or statistics)
    taken_out = f"{before - sums.n_documents} documents taken out, {sums.n_documents} left in {output or statistics}"
    say("; ".join([taken_out, *stream.notes]), quiet=quiet)
