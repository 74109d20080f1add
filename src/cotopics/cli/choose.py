"""cotopics choose"""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from cotopics.cli.common import common_options
from cotopics.cli.display import PIPE_WIDTH, InputProblem, clear_errors, progress_bar, say
from cotopics.cli.reading import check_output, read_whole, reading_again, reading_options, refuse_useless
from cotopics.cli.streams import need_stdout
from cotopics.errors import ParameterError


def _numbers(ctx: click.Context, param: click.Parameter, value: str | None) -> list[int] | None:
    if value is None:
        return None
    try:
        numbers = [int(number) for number in value.split(",")]
    except ValueError:
        raise click.BadParameter(f"{value!r} is no list of whole numbers such as 5,10,20") from None
    if min(numbers) < 2:
        raise click.BadParameter(f"{min(numbers)} is too few topics to tell apart; give numbers of at least 2")
    return numbers


@click.command("choose")
@click.argument("input", type=click.Path())
@click.option("--candidates", callback=_numbers, help="Numbers of topics to compare, such as 5,10,20.")
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    help="Draw the evidence here (.svg, .png or .pdf), or keep it for a report (.json).",
)
@reading_options
@click.option("--json", "as_json", is_flag=True, help="Everything as one object.")
@click.option("--seed", type=click.IntRange(0), help="How the documents are halved; the same by default.")
@common_options
def command(
    input: str,
    candidates: list[int] | None,
    output: str | None,
    as_json: bool,
    seed: int | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Say how many topics INPUT holds, and show the evidence: files are those that `cotopics fit` takes.

    The evidence is a table with a row for each number of topics; under it stands what its columns are.

    \b
    Examples:
      cotopics choose articles.jsonl.gz
      cotopics choose articles.jsonl.gz -o choice.svg
      cotopics choose articles.jsonl.gz -o choice.json     for  cotopics report MODEL --choice choice.json
      cotopics choose counts.npz --candidates 10,20,40,80 --json
    """
    refuse_useless(input, {})
    if output is None:
        need_stdout("name a file with -o")
    else:
        check_output("-o", output, "choice.svg", inputs=[input])
    with clear_errors():
        picture = None if output is None or output.lower().endswith(".json") else output
        if picture is not None:
            from cotopics import plot

            try:
                plot.require_format(picture)  # before the work, not after it
            except ParameterError as error:
                raise InputProblem(f"{error}, and evidence for a report as .json") from None
            plot.require_matplotlib()
        with progress_bar(quiet=quiet):
            from cotopics.choose import choose_n_topics

            corpus, _ = read_whole(input, options, quiet=quiet)
            choice = choose_n_topics(corpus.counts, candidates, random_state=seed)
        if as_json:
            click.echo(json.dumps(choice.as_dict(), indent=2))
        else:
            _show(choice)
        if picture is not None:
            plot.write(plot.choice_of_topics(choice), picture)
            say(f"Drawn in {picture}", quiet=quiet)
        elif output is not None:
            choice.save(output)
            say(f"Written to {output}", quiet=quiet)
    again = reading_again(input, options)
    say(f"Next:  cotopics fit {again} -k {choice.n_topics} -o model.cotopics", quiet=quiet)


def _show(choice: Any) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from cotopics.choose import COLUMNS

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("topics", *(column.heading for column in COLUMNS.values())):
        table.add_column(heading, justify="right")
    for i, K in enumerate(choice.candidates):
        cells = [format(choice.measures[name][i], column.digits) for name, column in COLUMNS.items()]
        table.add_row(str(K), *cells, style="bold" if choice.n_topics == K else None)
    top = ", ".join(f"{K} at c1 = {c1:g}" for c1, K in choice.n_topics_top.items())
    console = Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False)
    console.print(table)
    for column in COLUMNS.values():
        console.print(f"{column.heading:<10} {column.meaning}", style="dim", markup=False)
    console.print()
    console.print(f"TOP finds {top} topics.", markup=False)
    console.print(f"Recommended: {choice.n_topics}. {choice.sentence}", markup=False)
    sys.stdout.flush()
