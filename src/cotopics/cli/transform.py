"""cotopics transform"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

import click

from cotopics.cli.cluster import cluster, dask_option
from cotopics.cli.display import UNKNOWN, InputProblem, echo_data, progress_bar, say, warnings_as_messages
from cotopics.cli.options import (
    FILE_OPTIONS,
    check_result,
    common_options,
    defuse_option,
    input_options,
    pick,
    refuse_unused,
)
from cotopics.cli.reading import read_for
from cotopics.registry import DEVICES, INFERENCES


@click.command("transform")
@click.argument("model", type=click.Path())
@click.argument("input", type=click.Path())
@click.option(
    "-o", "--output", type=click.Path(), default="-",
    help="Write to this .parquet, .csv, .tsv or .jsonl file (all but parquet also .gz); default: csv to stdout.",
)  # fmt: skip
@click.option(
    "--method", type=click.Choice(list(INFERENCES)), help="How shares are found; by default what the model recommends."
)
@click.option("--names", is_flag=True, help="Name columns by the topics' names, not topic_0, topic_1, ...")
@click.option("--sparse", is_flag=True, help="One row for each document and topic with a share above zero.")
@click.option(
    "--threshold", type=click.FloatRange(0, 1), metavar="SHARE", help="The same, with shares of at least this."
)
@click.option(
    "--metadata-field", "metadata_fields", multiple=True, metavar="FIELD",
    help="Write this field of the documents as a column too. May be repeated.",
)  # fmt: skip
@click.option(
    "--device", type=click.Choice(DEVICES),
    help="Where documents are worked on, as for `fit`; by default what the fit was asked for.",
)  # fmt: skip
@input_options
@dask_option
@defuse_option
@common_options
def command(
    model: str,
    input: str,
    output: str,
    method: str | None,
    names: bool,
    sparse: bool,
    threshold: float | None,
    device: str | None,
    dask: str | None,
    defuse: bool,
    **options: Any,
) -> None:
    """Find the topics of the documents in INPUT with MODEL, a file that `cotopics fit` wrote.

    A row is a document, a column is a topic, and rows sum to one. INPUT is as for `fit`; words are matched with the
    model's by name.

    Columns: document (a number from 0), id, label and date if the documents have them, every --metadata-field,
    topic_0, topic_1, ...; with --sparse or --threshold, topic and share in place of the last.

    \b
    Examples:
      cotopics transform articles.cotopics articles.jsonl.gz -o mixtures.parquet
      cotopics transform articles.cotopics others.jsonl.gz > mixtures.csv
      cotopics transform articles.cotopics posts.csv --date-field day --metadata-field author -o mixtures.csv
      cotopics transform articles.cotopics others.jsonl.gz --threshold 0.1 -o topics-of-documents.csv.gz
      cotopics transform articles.cotopics others.jsonl.gz --method em --sparse -o mixtures.jsonl
      cotopics transform articles.cotopics shards -o mixtures.parquet --dask tcp://10.0.0.1:8786
    """
    refuse_unused(input, _unused(dask is not None))
    check_result(output, "mixtures.csv", inputs=[model, input])
    from cotopics.export import check_table_name, mixture_blocks

    if output != "-":
        check_table_name(output)
    with progress_bar(hidden=output == "-"), warnings_as_messages():
        from cotopics.metrics.inputs import n_without_words
        from cotopics.models import load

        fitted = load(model)
        if device is not None:
            _move(fitted, device)
        named = fitted.topic_names_ if names else None
        least = 0.0 if sparse and threshold is None else threshold
        if dask is not None:
            with cluster(dask, input):
                tables = _on_workers(fitted, input, method, least, options, named)
                write_tables(tables, output, defuse=defuse)
        else:
            corpus = read_for(fitted, input, options)
            _say_without_words(n_without_words(fitted, corpus.counts))
            known = {"ids": corpus.ids, "labels": corpus.labels, "dates": corpus.dates, "metadata": corpus.metadata}
            blocks = mixture_blocks(fitted, corpus.counts, **known, method=method, threshold=least, names=named)
            write_tables(blocks, output, defuse=defuse)
    if output != "-":
        say(f"Written to {output}")


def _move(model: Any, device: str) -> None:
    if "device" not in model.get_params():
        raise InputProblem(f"--device is for models of `fit --method topic-model`, and this is {type(model).__name__}")
    model.set_params(device=device)


def _unused(on_dask: bool) -> dict[str, str]:
    if not on_dask:
        return {}
    names = ("date_field", "date_format", "metadata_fields")
    unused = dict.fromkeys(names, "cannot be used with --dask, which writes ids and labels only")
    return unused | {"device": "is for documents in memory, and --dask keeps them on the workers"}


def write_tables(tables: Iterable[Any], output: str, *, defuse: bool) -> None:
    """Write tables, as one, to a file, or as csv to stdout if the name is -."""
    from cotopics.export.tables import text_of, write_table

    if output != "-":
        write_table(tables, output, defuse=defuse)
    else:
        show_text(text_of(tables, ".csv", defuse=defuse))


def show_text(chunks: Iterable[str]) -> None:
    """Write text to stdout as it comes."""
    for chunk in chunks:
        echo_data(chunk, nl=False)
    sys.stdout.flush()  # an error here can still be reported


def _on_workers(
    model: Any, input: str, method: str | None, threshold: float | None, options: dict[str, Any], names: Any
) -> Iterator[Any]:
    """Tables of mixtures, for files that workers read."""
    from cotopics.corpus import Fields
    from cotopics.distributed import transform_files
    from cotopics.export.mixtures import mixtures_of

    fields = Fields(options["text_field"], options["label_field"], options["id_field"], options["date_field"])
    found = transform_files(model, input, method=method, fields=fields, **pick(options, FILE_OPTIONS))
    if found.n_unknown == found.n_documents:
        raise InputProblem(f"{input} has none of the model's words; give texts of the same language")
    say("; ".join([f"{found.n_documents} documents", *found.notes]))
    _say_without_words(found.n_unknown)
    return mixtures_of(found.blocks, found.n_documents, found.ids, found.labels, threshold=threshold, names=names)


def _say_without_words(number: int) -> None:
    if number:
        say(f"{number} documents {UNKNOWN} and get their prevalence")
