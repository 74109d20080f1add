"""cotopics choose"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import click

from cotopics.cli.cluster import cluster, dask_option
from cotopics.cli.display import InputProblem, as_json, new_table, progress_bar, say, show
from cotopics.cli.options import (
    WHOLE_OPTIONS,
    check_result,
    common_options,
    reading_options,
    refuse_unused,
    typed_again,
)
from cotopics.cli.reading import open_pieces, pack_pieces, read_whole
from cotopics.errors import ParameterError


def _numbers(ctx: click.Context, param: click.Parameter, value: str | None) -> list[int] | None:
    if value is None:
        return None
    try:
        numbers = [int(number) for number in value.split(",")]
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a list of whole numbers such as 5,10,20") from None
    if min(numbers) < 2:
        raise click.BadParameter(f"{min(numbers)} is too few topics; give numbers of at least 2")
    return numbers


@click.command("choose")
@click.argument("input", type=click.Path())
@click.option("--candidates", callback=_numbers, help="Numbers of topics to compare, such as 5,10,20.")
@click.option(
    "-o", "--output", type=click.Path(),
    help="Draw the evidence in this file (.svg, .png or .pdf), or keep it for a report (.json).",
)  # fmt: skip
@reading_options
@click.option(
    "--stream", is_flag=True, help="For files larger than memory: read INPUT in pieces, and look at a sample of them."
)
@dask_option
@click.option("--json", "wants_json", is_flag=True, help="Everything as one object.")
@click.option("--seed", type=click.IntRange(0), help="How the documents are split into halves; fixed by default.")
@common_options
def command(
    input: str,
    candidates: list[int] | None,
    output: str | None,
    stream: bool,
    dask: str | None,
    wants_json: bool,
    seed: int | None,
    **options: Any,
) -> None:
    """Recommend a number of topics for INPUT and show the evidence. INPUT is as for `cotopics fit`.

    TopicModel is fitted to two halves of the documents, with several numbers of topics. The evidence is a table with a
    row for each number; its columns are explained below it.

    \b
    Examples:
      cotopics choose articles.jsonl.gz
      cotopics choose articles.jsonl.gz -o choice.svg
      cotopics choose articles.jsonl.gz -o choice.json     for  cotopics report MODEL --choice choice.json
      cotopics choose counts.npz --candidates 10,20,40,80 --json
      cotopics choose docword.pubmed.txt.gz --stream
    """
    whole = "needs all documents at once, and --stream and --dask read pieces"
    refuse_unused(input, dict.fromkeys(WHOLE_OPTIONS, whole) if stream or dask is not None else {})
    check_result(output, "choice.svg", inputs=[input])
    picture = None if output is None or output.lower().endswith(".json") else output
    if picture is not None:
        from cotopics import plot

        try:
            plot.require_format(picture)  # before the work, not after it
        except ParameterError as error:
            raise InputProblem(f"{error}, and evidence for a report as .json") from None
        plot.require_matplotlib()
    with progress_bar(), cluster(dask, input), ExitStack() as opened:
        from cotopics.choose import choose_n_topics

        if dask is not None:
            documents: Any = open_pieces(input, options, on_dask=True)[0]
        elif stream:
            documents = opened.enter_context(pack_pieces(input, options, None)[0])
        else:
            documents = read_whole(input, options)[0].counts
        choice = choose_n_topics(documents, candidates, random_state=seed)
    if wants_json:
        click.echo(as_json(choice.as_dict()))
    else:
        _show(choice)
    if picture is not None:
        plot.write(plot.choice_of_topics(choice), picture)
        say(f"Drawn in {picture}")
    elif output is not None:
        choice.save(output)
        say(f"Written to {output}")
    say(f"Next:  cotopics fit {typed_again(input, options)} -k {choice.n_topics} -o model.cotopics")


def _show(choice: Any) -> None:
    from math import isnan

    from rich.text import Text

    from cotopics.choose import COLUMNS

    table = new_table()
    for heading in ("topics", *(column.heading for column in COLUMNS.values())):
        table.add_column(heading, justify="right")
    for row in choice.table:
        numbers = [(row[name], column.digits) for name, column in COLUMNS.items()]
        cells = ["–" if isnan(value) else format(value, digits) for value, digits in numbers]
        table.add_row(str(row["n_topics"]), *cells, style="bold" if choice.n_topics == row["n_topics"] else None)
    top = ", ".join(f"{K} at c1 = {c1:g}" for c1, K in choice.n_topics_top.items())
    legend = [Text(f"{column.heading:<10} {column.meaning}", style="dim") for column in COLUMNS.values()]
    looked = [choice.sample_sentence] if choice.sample_sentence else []
    show(table, *legend, "", f"TOP finds {top} topics.", *looked, f"Recommended: {choice.sentence}")
