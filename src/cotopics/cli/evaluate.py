"""cotopics evaluate"""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from cotopics.cli.common import common_options
from cotopics.cli.display import PIPE_WIDTH, clear_errors, plain, progress_bar
from cotopics.cli.reading import input_options, read_for, refuse_useless
from cotopics.cli.streams import need_stdout


@click.command("evaluate")
@click.argument("model", type=click.Path())
@click.argument("input", type=click.Path())
@input_options
@click.option("--json", "as_json", is_flag=True, help="Everything as one object.")
@common_options
def command(model: str, input: str, as_json: bool, quiet: bool, **options: Any) -> None:
    """Measure MODEL, a file that `cotopics fit` wrote, on the documents of INPUT: files are those that `fit` takes.

    Words are matched with the model's by name, and others left out. Documents that the model has not seen tell most.
    Where they have labels (a field or column, or labels.txt beside counts), the documents' leading topics
    are compared with them.

    \b
    Examples:
      cotopics evaluate articles.cotopics others.jsonl.gz
      cotopics evaluate articles.cotopics others.jsonl.gz --label-field section
      cotopics evaluate articles.cotopics others.jsonl.gz --json > measures.json
    """
    refuse_useless(input, {})
    need_stdout("open it, as in > measures.txt")
    with clear_errors():
        with progress_bar(quiet=quiet):
            from cotopics.metrics import evaluate
            from cotopics.models import load

            fitted = load(model)
            corpus = read_for(fitted, input, options, quiet=quiet)
            evaluation = evaluate(fitted, corpus.counts, corpus.labels)
        if as_json:
            click.echo(json.dumps(evaluation.as_dict(), ensure_ascii=False, indent=2))
        else:
            _show(evaluation)


def _show(evaluation: Any) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from cotopics.metrics.evaluate import formatted

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("measure", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("better")
    table.add_column("meaning", style="dim")
    for row in evaluation.rows:
        meaning = row.note or row.meaning
        table.add_row(row.name, formatted(row.value), row.better, Text(plain(meaning)))
    console = Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False)
    console.print(table)
    console.print(f"C is the co-occurrence with weighting={evaluation.weighting}, as in the fit.", markup=False)
    sys.stdout.flush()
