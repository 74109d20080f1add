"""cotopics evaluate"""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from cotopics.cli.display import PIPE_WIDTH, InputProblem, clear_errors, plain, progress_bar, say
from cotopics.cli.reading import read_for, refuse_useless, typed_options


@click.command("evaluate")
@click.argument("model", type=click.Path())
@click.argument("input", type=click.Path())
@click.option("--text-field", default="text", show_default=True, help="Field of a .jsonl line that holds the text.")
@click.option("--labels-field", default="label", show_default=True, help="Field of a .jsonl line that holds the label.")
@click.option("--json", "as_json", is_flag=True, help="Everything as one object.")
@click.option("-q", "--quiet", is_flag=True, help="Results and errors only.")
def command(model: str, input: str, text_field: str, labels_field: str, as_json: bool, quiet: bool) -> None:
    """Measure MODEL, a file that `cotopics fit` wrote, on the documents of INPUT: files are those that `fit` takes.

    Words are matched with the model's by name, and others left out. Documents that the model has not seen tell most.
    Where they have labels (a field of .jsonl lines, or labels.txt beside an .npz file), the documents' leading topics
    are compared with them.

    \b
    Examples:
      cotopics evaluate articles.cotopics others.jsonl.gz
      cotopics evaluate articles.cotopics others.jsonl.gz --labels-field section
      cotopics evaluate articles.cotopics others.jsonl.gz --json > measures.json
    """
    is_jsonl = input.removesuffix(".gz").endswith(".jsonl")
    refuse_useless(input, {} if is_jsonl else {"labels_field": "is for .jsonl files"})
    with clear_errors():
        with progress_bar(quiet=quiet):
            from cotopics.metrics import evaluate
            from cotopics.models import load

            fitted = load(model)
            corpus = read_for(fitted, input, text_field=text_field, label_field=labels_field)
            _check_labels(corpus, labels_field)
            size = f"{corpus.counts.shape[0]} documents, {corpus.counts.shape[1]} words of the model"
            say("; ".join([size, *corpus.notes]), quiet=quiet)
            evaluation = evaluate(fitted, corpus.counts, corpus.labels)
        if as_json:
            click.echo(json.dumps(evaluation.as_dict(), ensure_ascii=False, indent=2))
        else:
            _show(evaluation)


def _check_labels(corpus: Any, labels_field: str) -> None:
    """A field that the user named should be there."""
    if "labels_field" in typed_options() and corpus.labels is None:
        raise InputProblem(f"no document has a field {labels_field!r}; name the field of the labels")


def _show(evaluation: Any) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from cotopics.metrics.evaluate import written

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("measure", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("better")
    table.add_column("meaning", style="dim")
    for row in evaluation.rows:
        meaning = row.note or row.meaning
        table.add_row(row.name, written(row.value), row.better, Text(plain(meaning)))
    console = Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False)
    console.print(table)
    console.print(f"C is the co-occurrence with weighting={evaluation.weighting}, as in the fit.", markup=False)
    sys.stdout.flush()
