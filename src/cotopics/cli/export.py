"""cotopics export"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from typing import Any

import click

from cotopics.cli.common import common_options, defuse_option
from cotopics.cli.display import InputProblem, clear_errors, progress_bar, say
from cotopics.cli.reading import OF_INPUT, check_output, input_options, read_for, refuse_useless
from cotopics.cli.streams import need_stdout
from cotopics.cli.transform import show_text, warnings_once, write_tables
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
@click.option(
    "--to",
    "what",
    type=click.Choice(list(EXPORTS)),
    required=True,
    help="What is written; see above.",
)
@click.option(
    "-o", "--output", type=click.Path(), default="-",
    help="Write to this file: tables as .csv, .tsv, .jsonl or .parquet; all but parquet also .gz. Else to stdout.",
)  # fmt: skip
@click.option(
    "-n", "--words", "n_words", type=click.IntRange(1), help="Words per topic: by default 10 for topics, all for words."
)
@click.option(
    "--threshold", type=click.FloatRange(0), default=0, show_default=True,
    help="For graphml: leave out edges whose lift is no more than this; 1 is chance.",
)  # fmt: skip
@input_options
@defuse_option
@common_options
def command(model: str, input: str | None, what: str, output: str, quiet: bool, **options: Any) -> None:
    form = EXPORTS[what]
    refuse_useless(input or model, _useless(form))
    if form.needs_documents != (input is not None):
        raise InputProblem(
            f"--to {what} shows documents too; name their file after the model"
            if input is None
            else f"{input} is of no use for --to {what}, which looks at the model alone"
        )
    if output == "-":
        need_stdout("name a file with -o")
    else:
        check_output("-o", output, form.file, inputs=[model, input or model])
    with clear_errors():
        from cotopics.export import check_table_name

        if form.is_table and output != "-":
            check_table_name(output)
        with progress_bar(quiet=quiet or output == "-"), warnings_once(quiet):
            from cotopics.models import load

            fitted = load(model)
            documents = [] if input is None else [read_for(fitted, input, options, quiet=quiet).counts]
            given = {argument: options[name] for name, argument in form.options.items() if options[name] is not None}
            made = form(fitted, *documents, **given)
            if form.is_table:
                write_tables([made], output, defuse=options["defuse"])
            else:
                _write(made, output)
    if output != "-":
        say(f"Written to {output}", quiet=quiet)


def _write(chunks: Iterable[str], output: str) -> None:
    from cotopics.export.tables import write_text

    if output == "-":
        show_text(chunks)
    else:
        write_text(output, chunks)


def _useless(form: Export) -> dict[str, str]:
    """Options that do nothing here, and why."""
    taken = sorted({option for other in EXPORTS.values() for option in other.options} - set(form.options))
    useless = {
        option: f"is for --to {_those(option in other.options for other in EXPORTS.values())}" for option in taken
    }
    if not form.needs_documents:
        reading = _those(other.needs_documents for other in EXPORTS.values())
        useless |= dict.fromkeys(OF_INPUT, f"is for --to {reading}, where documents are read")
    if not form.is_table:
        useless["defuse"] = f"is for tables: {_those(other.is_table for other in EXPORTS.values())}"
    return useless


def _those(chosen: Iterable[bool]) -> str:
    """The formats that are chosen, as a sentence names them."""
    *first, last = compress(EXPORTS, chosen)
    return f"{', '.join(first)} and {last}" if first else last
