"""cotopics export"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import click

from cotopics.cli.common import common_options, defuse_option
from cotopics.cli.display import InputProblem, clear_errors, progress_bar, say
from cotopics.cli.reading import OF_INPUT, check_output, input_options, read_for, refuse_useless
from cotopics.cli.streams import need_stdout
from cotopics.cli.transform import show_text, warnings_once, write_tables

TABLES = ("topics", "words", "correlations")


@click.command("export")
@click.argument("model", type=click.Path())
@click.argument("input", type=click.Path(), required=False)
@click.option(
    "--to",
    "what",
    type=click.Choice([*TABLES, "graphml", "pyldavis"]),
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
    """Write MODEL, a file that `cotopics fit` wrote, for other tools.

    \b
    --to
      topics         a row a topic: prevalence, anchor, leading words
      words          a row for each word of each topic: rank, probability, relevance
      correlations   a row for each pair of topics: joint probability, lift, correlation
      graphml        topics as nodes and their correlations as edges, for Gephi, networkx, Cytoscape
      pyldavis       what pyLDAvis.prepare takes, as JSON; it needs documents, so name INPUT

    \b
    Examples:
      cotopics export articles.cotopics --to topics -o topics.csv
      cotopics export articles.cotopics --to words -n 100 -o words.parquet
      cotopics export articles.cotopics --to correlations > correlations.csv
      cotopics export articles.cotopics --to graphml --threshold 0.5 -o topics.graphml
      cotopics export articles.cotopics articles.jsonl.gz --to pyldavis -o vis.json
    """
    refuse_useless(input or model, _useless(what))
    if (what == "pyldavis") != (input is not None):
        raise InputProblem(
            "--to pyldavis shows documents too; name their file after the model"
            if input is None
            else f"{input} is of no use for --to {what}, which looks at the model alone"
        )
    if output == "-":
        need_stdout("name a file with -o")
    else:
        check_output("-o", output, _example(what), inputs=[model, input or model])
    with clear_errors():
        from cotopics.export import check_table_name

        if what in TABLES and output != "-":
            check_table_name(output)
        with progress_bar(quiet=quiet or output == "-"), warnings_once(quiet):
            from cotopics.models import load

            fitted = load(model)
            if what in TABLES:
                table = _table(fitted, what, options["n_words"])
                write_tables([table], output, defuse=options["defuse"])
            else:
                _write(_text(fitted, input, options, quiet=quiet), output)
    if output != "-":
        say(f"Written to {output}", quiet=quiet)


def _table(model: Any, what: str, n_words: int | None) -> Any:
    from cotopics import export

    makers: dict[str, Callable[[], Any]] = {
        "topics": lambda: export.topics_table(model, n_words or 10),
        "words": lambda: export.topic_words_table(model, n_words),
        "correlations": lambda: export.correlation_table(model),
    }
    return makers[what]()


def _text(model: Any, input: str | None, options: dict[str, Any], *, quiet: bool) -> Iterable[str]:
    from cotopics.export import pyldavis_data
    from cotopics.export.graphml import graphml
    from cotopics.export.pyldavis import as_json

    if input is None:
        return graphml(model, options["threshold"])
    corpus = read_for(model, input, options, quiet=quiet)
    return as_json(pyldavis_data(model, corpus.counts))


def _write(chunks: Iterable[str], output: str) -> None:
    from cotopics.export.files import write_text

    if output == "-":
        show_text(chunks)
    else:
        write_text(output, chunks)


def _useless(what: str) -> dict[str, str]:
    """Options that do nothing here, and why."""
    useless: dict[str, str] = {}
    if what not in ("topics", "words"):
        useless["n_words"] = "is for --to topics and words"
    if what != "graphml":
        useless["threshold"] = "is for --to graphml"
    if what != "pyldavis":
        useless |= dict.fromkeys(OF_INPUT, "is for --to pyldavis, which reads documents")
    if what not in TABLES:
        useless["defuse"] = "is for tables: topics, words and correlations"
    return useless


def _example(what: str) -> str:
    return {"graphml": "topics.graphml", "pyldavis": "vis.json"}.get(what, f"{what}.csv")
