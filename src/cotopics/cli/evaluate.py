"""cotopics evaluate"""

from __future__ import annotations

from typing import Any

import click

from cotopics.cli.display import as_json, need_stdout, new_table, plain, progress_bar, show
from cotopics.cli.options import common_options, input_options, refuse_unused
from cotopics.cli.reading import read_for


@click.command("evaluate")
@click.argument("model", type=click.Path())
@click.argument("input", type=click.Path())
@input_options
@click.option(
    "--reference", type=click.Path(), metavar="FILE",
    help="Other documents, longer ones best, in which the words of topics are looked up too: reference_npmi.",
)  # fmt: skip
@click.option("--json", "wants_json", is_flag=True, help="Everything as one object.")
@common_options
def command(model: str, input: str, reference: str | None, wants_json: bool, **options: Any) -> None:
    """Measure MODEL, a file that `cotopics fit` wrote, on the documents of INPUT, which is as for `fit`.

    Words are matched with the model's by name, and others are left out. Use documents that the model has not seen. If
    they have labels (a field or column, or labels.txt in the folder of counts), these are compared with the documents'
    leading topics.

    \b
    Examples:
      cotopics evaluate articles.cotopics others.jsonl.gz
      cotopics evaluate articles.cotopics others.jsonl.gz --label-field section
      cotopics evaluate titles.cotopics titles.csv --reference articles.jsonl.gz
      cotopics evaluate articles.cotopics others.jsonl.gz --json > measures.json
    """
    refuse_unused(input, {})
    need_stdout("open it, as in > measures.txt")
    with progress_bar():
        from cotopics.metrics import evaluate
        from cotopics.models import load

        fitted = load(model)
        corpus = read_for(fitted, input, options)
        other = None if reference is None else read_for(fitted, reference, options).counts
        evaluation = evaluate(fitted, corpus.counts, corpus.labels, reference=other)
    if wants_json:
        click.echo(as_json(evaluation.as_dict()))
    else:
        _show(evaluation)


def _show(evaluation: Any) -> None:
    from rich.text import Text

    from cotopics.metrics.evaluate import formatted

    table = new_table()
    table.add_column("measure", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("better")
    table.add_column("meaning", style="dim")
    for row in evaluation.rows:
        table.add_row(row.name, formatted(row.value), row.better, Text(plain(row.note or row.meaning)))
    show(table, f"C is the co-occurrence with weighting={evaluation.weighting}, as in the fit.")
