"""cotopics export"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from cotopics.cli.display import InputProblem, progress_bar, say, warnings_as_messages
from cotopics.cli.options import (
    INPUT_OPTIONS,
    check_result,
    common_options,
    defuse_option,
    input_options,
    refuse_unused,
)
from cotopics.cli.reading import read_for
from cotopics.cli.transform import show_text, write_tables
from cotopics.registry import EXPORTS, Export

HELP = """Write MODEL, a file that `cotopics fit` wrote, for other tools.

\b
--to
{formats}

\b
Examples:
  cotopics export articles.cotopics --to topics -o topics.csv
  cotopics export articles.cotopics --to words -n 100 -o words.parquet
  cotopics export articles.cotopics --to correlations > correlations.csv
  cotopics export articles.cotopics --to graphml --threshold 0.5 -o topics.graphml
  cotopics export articles.cotopics articles.jsonl.gz --to pyldavis -o vis.json
""".format(formats="\n".join(f"  {name:<14} {form.meaning}" for name, form in EXPORTS.items()))


@click.command("export", help=HELP)
@click.argument("model", type=click.Path())
@click.argument("input", type=click.Path(), required=False)
@click.option("--to", "what", type=click.Choice(list(EXPORTS)), required=True, help="What to write; see above.")
@click.option(
    "-o", "--output", type=click.Path(), default="-",
    help="Write to this file: tables as .csv, .tsv, .jsonl or .parquet, all but parquet also .gz; default: stdout.",
)  # fmt: skip
@click.option(
    "-n", "--words", "n_words", type=click.IntRange(1), help="Words per topic: by default 10 for topics, all for words."
)
@click.option(
    "--threshold", type=click.FloatRange(0), default=0, show_default=True,
    help="For graphml: keep only edges with a lift above this; 1 is chance.",
)  # fmt: skip
@input_options
@defuse_option
@common_options
def command(model: str, input: str | None, what: str, output: str, **options: Any) -> None:
    form = EXPORTS[what]
    refuse_unused(input or model, _unused(form))
    if form.needs_documents != (input is not None):
        raise InputProblem(
            f"--to {what} needs documents; name their file after the model"
            if input is None
            else f"--to {what} uses the model alone; leave out {input}"
        )
    check_result(output, form.file, inputs=[model, input or model])
    from cotopics.export.tables import check_table_name, write_text

    if form.is_table and output != "-":
        check_table_name(output)
    with progress_bar(hidden=output == "-"), warnings_as_messages():
        from cotopics.models import load

        fitted = load(model)
        documents = [] if input is None else [read_for(fitted, input, options).counts]
        given = {argument: options[name] for name, argument in form.options.items() if options[name] is not None}
        made = form(fitted, *documents, **given)
        if form.is_table:
            write_tables([made], output, defuse=options["defuse"])
        elif output == "-":
            show_text(made)
        else:
            write_text(output, made)
    if output != "-":
        say(f"Written to {output}")


def _unused(form: Export) -> dict[str, str]:
    """Options that have no effect on this format, and why."""
    others = sorted({option for other in EXPORTS.values() for option in other.options} - set(form.options))
    unused = {
        option: f"is for --to {_listed(name for name, other in EXPORTS.items() if option in other.options)}"
        for option in others
    }
    if not form.needs_documents:
        reading = _listed(name for name, other in EXPORTS.items() if other.needs_documents)
        unused |= dict.fromkeys(INPUT_OPTIONS, f"is for --to {reading}, where documents are read")
    if not form.is_table:
        unused["defuse"] = f"is for tables: {_listed(name for name, other in EXPORTS.items() if other.is_table)}"
    return unused


def _listed(names: Iterable[str]) -> str:
    """Names as in "topics, words and correlations"."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
