"""cotopics effects"""

from __future__ import annotations

import csv
import io
from typing import Any

import click

from cotopics.cli.display import (
    InputProblem,
    as_json,
    echo_data,
    need_stdout,
    new_table,
    plain,
    progress_bar,
    say,
    show,
    warnings_as_messages,
)
from cotopics.cli.options import check_output, common_options, defuse_option, input_options, refuse_unused
from cotopics.cli.reading import read_for

MAX_BYTES = 1 << 30  # of a file of metadata
LEVEL = 0.95


def _contrast(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> list[tuple[str, str, str]]:
    found = []
    for text in value:
        field, equals, groups = text.partition("=")
        pair = groups.split(",")
        if not equals or len(pair) != 2:
            raise click.BadParameter(
                f"{text!r} is not a field and two of its values, such as rating=Liberal,Conservative"
            )
        found.append((field.strip(), pair[0].strip(), pair[1].strip()))
    return found


@click.command("effects")
@click.argument("model", type=click.Path())
@click.argument("input", type=click.Path())
@click.option("--formula", help='What explains shares, such as "rating + bs(day, df=4)".')
@click.option(
    "--over", metavar="FIELD", help="Instead of a formula: the mean share in each period of this field's dates."
)
@click.option("--by", type=click.Choice(["year", "month", "day"]), help="Periods of --over; chosen if left out.")
@click.option("--groups", metavar="FIELD", help="Instead of a formula: mean shares in groups of this field.")
@click.option(
    "--words", type=click.IntRange(1), metavar="N", help="Of --over or --groups: N words that each says more."
)
@click.option(
    "--contrast", "contrasts", multiple=True, callback=_contrast, metavar="FIELD=A,B",
    help="Show A − B of a field instead of the formula's terms. May be repeated.",
)  # fmt: skip
@click.option("--metadata", type=click.Path(), metavar="FILE", help="Fields from this .csv or .tsv, a line a document.")
@click.option("--clusters", metavar="FIELD", help="Documents with the same value may be alike, as those of one author.")
@click.option("--topic", "topics", multiple=True, type=click.IntRange(0), help="Show this topic only. May be repeated.")
@click.option("--missing", type=click.Choice(["drop", "error"]), default="drop", show_default=True, help="Of values.")
@click.option("--level", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=LEVEL, show_default=True)
@click.option(
    "--correction", type=click.Choice(["holm", "bh", "none"]), default="holm", show_default=True,
    help="Of p-values, for as many comparisons as there are topics.",
)  # fmt: skip
@click.option("--simultaneous", is_flag=True, help="Intervals that hold for all topics at once.")
@click.option("--json", "wants_json", is_flag=True, help="A list with one object per estimate.")
@click.option("--csv", "wants_csv", is_flag=True, help="Comma-separated values.")
@click.option("--plot", "picture", type=click.Path(), metavar="FILE", help="Draw it (.svg, .png or .pdf).")
@defuse_option
@input_options
@common_options
def command(
    model: str,
    input: str,
    formula: str | None,
    over: str | None,
    by: str | None,
    groups: str | None,
    words: int | None,
    contrasts: list[tuple[str, str, str]],
    metadata: str | None,
    clusters: str | None,
    topics: tuple[int, ...],
    missing: str,
    level: float,
    correction: str,
    simultaneous: bool,
    wants_json: bool,
    wants_csv: bool,
    picture: str | None,
    defuse: bool,
    **options: Any,
) -> None:
    """Show how the topics of MODEL differ between groups of the documents in INPUT and over time, with intervals.

    The formula names fields of INPUT, joined by + : * and functions such as bs (a smooth curve), C (numbers as groups),
    days and year (texts as dates). For counts, fields come from --metadata. An estimate is how much larger a topic's
    expected share is, of 1; p is adjusted for as many comparisons as there are topics.

    Without a formula, --over and --groups show the mean share of each topic in each period or group, or with --words
    the words that a topic has more often there than elsewhere.

    \b
    Examples:
      cotopics effects articles.cotopics articles.jsonl.gz --formula label
      cotopics effects articles.cotopics articles.jsonl.gz --groups label --json
    """
    refuse_unused(input, {})
    _check_question(formula, over, by, groups, words, contrasts, clusters, picture)
    if formula is None:
        _check_unused(missing, simultaneous, correction, words, level)
    if wants_json and wants_csv:
        raise InputProblem("--json and --csv are two forms of the same table; choose one")
    need_stdout("open it, as in > effects.csv")
    if picture is not None:
        from cotopics import plot

        check_output("--plot", picture, "effects.svg", inputs=[model, input])
        plot.require_format(picture)
        plot.require_matplotlib()
    with progress_bar(hidden=True), warnings_as_messages():
        from cotopics.effects import estimate_effects
        from cotopics.effects.formula import fields_of
        from cotopics.models import load

        fitted = load(model)
        _check_topics(topics, fitted.n_topics_)
        fields = [*(fields_of(formula) if formula else []), *(field for field in (clusters, over, groups) if field)]
        own = (
            () if metadata is not None else tuple(f for f in dict.fromkeys(fields) if f not in ("label", "date", "id"))
        )
        corpus = read_for(fitted, input, options | {"metadata_fields": own})
        if formula is None:
            source = corpus if metadata is None else read_fields(metadata)
            table = _without_formula(fitted, corpus, source, over, by, groups, words, level, metadata)
            if picture is not None:
                plot.write(plot.prevalence_over(table, only=topics or None), picture)
                say(f"Drawn in {picture}")
            rows = [row for row in table if not topics or row["topic"] in topics]
            _print(rows, wants_json, wants_csv, defuse, level)
            return
        effects = estimate_effects(
            fitted,
            corpus,
            corpus if metadata is None else read_fields(metadata),
            formula,
            clusters=clusters,
            missing=missing,
            level=level,
            correction=None if correction == "none" else correction,
            simultaneous=simultaneous,
        )
        tables = [effects.contrast(*chosen) for chosen in contrasts] or [effects.table()]
        if picture is not None:
            plot.write(plot.effects(effects, contrasts=contrasts or None, only=topics or None), picture)
            say(f"Drawn in {picture}")
    rows = [row for table in tables for row in table if not topics or row["topic"] in topics]
    left_out = "; ".join(f"{n} left out: {why}" for why, n in effects.dropped.items())
    say(f"{effects.n_documents} documents used" + (f"; {left_out}" if left_out else ""))
    _print(rows, wants_json, wants_csv, defuse, level)


def _check_question(
    formula: Any, over: Any, by: Any, groups: Any, words: Any, contrasts: Any, clusters: Any, picture: Any
) -> None:
    """One of three questions: a formula, means over time and groups, or words."""
    for option, given in (("--contrast", contrasts), ("--clusters", clusters)):
        if formula is None and given:
            raise InputProblem(f"{option} needs --formula")
    if formula is not None and (over or groups or by or words):
        raise InputProblem("--formula and --over or --groups are two questions; ask one at a time")
    if formula is None and not (over or groups):
        raise InputProblem('say what to compare: --formula "rating + bs(day, df=4)", --over date or --groups label')
    if by is not None and over is None:
        raise InputProblem("--by needs --over, the field that holds dates")
    if words is not None and over and groups:
        raise InputProblem("--words compares periods or groups; give --over or --groups, not both")
    if words is not None and picture is not None:
        raise InputProblem("--words has no picture; leave out --plot")


def _check_unused(missing: str, simultaneous: bool, correction: str, words: int | None, level: float) -> None:
    """Options that would do nothing without a formula."""
    unused = {
        "--missing error": missing != "drop",
        "--simultaneous": simultaneous,
        f"--correction {correction}": correction != "holm",
    }
    for option, given in unused.items():
        if given:
            raise InputProblem(f"{option} needs --formula; leave it out with --over or --groups")
    if words is not None and level != LEVEL:
        raise InputProblem("--words has no intervals; leave out --level")


def _check_topics(topics: tuple[int, ...], n_topics: int) -> None:
    for k in topics:
        if k >= n_topics:
            there = f"topics 0 to {n_topics - 1}" if n_topics > 1 else "topic 0 only"
            raise InputProblem(f"topic {k} is not there: the model has {there}")


def _without_formula(
    model: Any, corpus: Any, source: Any, over: Any, by: Any, groups: Any, words: int | None, level: float, path: Any
) -> Any:
    """The table of means over time and groups, or of words."""
    from cotopics.effects import prevalence_over, words_by
    from cotopics.effects.metadata import columns_of, entries, field_of

    fields, n = columns_of(source), corpus.counts.shape[0]
    dates = None if over is None else _dates(entries(over, field_of(fields, over), n), path)
    which = None if groups is None else entries(groups, field_of(fields, groups), n)
    if words is not None:
        return words_by(model, corpus, which, dates=dates, by=by, n=words)
    return prevalence_over(model, corpus, dates, by, groups=which, level=level)


def _dates(listed: list[Any], path: str | None) -> list[str]:
    """Dates in ISO 8601; one that is none is an error that says where it is. path: of metadata with a header."""
    from cotopics.corpus.dates import iso_dates
    from cotopics.errors import ParameterError
    from cotopics.layout import iso_date

    dates, _ = iso_dates(["" if value is None else str(value) for value in listed])
    for i, text in enumerate(dates):
        try:
            iso_date(text)
        except ParameterError as error:
            where = f"document {i + 1}" if path is None else f"{path}, row {i + 2}"
            raise InputProblem(f"{where}: {error}; correct it or leave the cell empty") from None
    return dates


def read_fields(path: str) -> dict[str, list[str]]:
    """The columns of a .csv or .tsv file with a header."""
    from cotopics.persistence import open_regular

    with open_regular(path) as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise InputProblem(f"{path} is too large for metadata")
    try:
        text = content.decode("utf-8-sig")
        rows = list(
            csv.reader(io.StringIO(text, newline=""), delimiter="\t" if path.endswith(".tsv") else ",", strict=True)
        )
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputProblem(f"{path} is not a table of comma-separated values in UTF-8: {error}") from None
    while rows and not rows[0]:
        rows = rows[1:]
    if not rows:
        raise InputProblem(f"{path} is empty; give a header and a line for each document")
    # a blank line is an empty cell where there is one column, and nothing where there are several
    rows = [row or [""] for row in rows] if len(rows[0]) == 1 else [row for row in rows if row]
    names = [name.strip() for name in rows[0]]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputProblem(f"{path} has {names.count(twice)} columns named {twice!r}; give each a name of its own")
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InputProblem(f"{path}, row {number + 1}: {len(row)} cells, but the header has {len(rows[0])}")
    return {name: [row[i] for row in rows[1:]] for i, name in enumerate(names)}


def _print(rows: list[dict[str, Any]], wants_json: bool, wants_csv: bool, defuse: bool, level: float) -> None:
    if not rows:
        raise InputProblem("there is nothing to show: these topics have no words in the documents")
    if wants_json:
        rows = [{k: None if v != v else v for k, v in row.items()} for row in rows]  # NaN is no JSON
        echo_data(as_json([{k: round(v, 10) if isinstance(v, float) else v for k, v in row.items()} for row in rows]))
        return
    if wants_csv:
        from cotopics.export.tables import Table, text_of

        table = Table(tuple(rows[0]), tuple([row[name] for row in rows] for name in rows[0]))
        echo_data("".join(text_of([table], ".csv", defuse=defuse)), nl=False)
        return
    from rich.text import Text

    table = new_table()
    table.add_column("topic", justify="right", style="dim")
    table.add_column("name", style="bold cyan")
    if "term" not in rows[0]:
        _show_rows(table, rows, level)
        return
    table.add_column("term")
    for heading in ("estimate", f"{level:.0%} interval", "p adjusted"):
        table.add_column(heading, justify="right")
    for row in rows:
        interval = f"{row['low']:+.4f} to {row['high']:+.4f}"
        cells = [
            str(row["topic"]),
            row["name"],
            row["term"],
            f"{row['estimate']:+.4f}",
            interval,
            _p(row["p_adjusted"]),
        ]
        table.add_row(*(Text(plain(cell)) for cell in cells), style="bold" if row["p_adjusted"] < 1 - level else None)
    show(table)


def _show_rows(table: Any, rows: list[dict[str, Any]], level: float) -> None:
    """Means over time and groups, or words."""
    from rich.text import Text

    texts = [name for name in rows[0] if name in ("period", "group", "word")]
    numbers = [name for name in rows[0] if name not in ("topic", "name", "low", "high", *texts)]
    for name in texts:
        table.add_column(name)
    for name in numbers:
        table.add_column("mean share" if name == "estimate" else name, justify="right")
    if "low" in rows[0]:
        table.add_column(f"{level:.0%} interval", justify="right")
    for row in rows:
        cells = [str(row["topic"]), row["name"], *(str(row[name]) for name in texts)]
        cells += [str(row[name]) if name == "documents" else _number(name, row[name]) for name in numbers]
        if "low" in row:
            cells.append("–" if row["low"] != row["low"] else f"{row['low']:.4f} to {row['high']:.4f}")
        table.add_row(*(Text(plain(cell)) for cell in cells))
    show(table)


def _number(name: str, value: float) -> str:
    return f"{value:.1f}" if name == "z" else f"{value:.4f}"


def _p(p: float) -> str:
    return "< .001" if p < 0.001 else f"{p:.3f}"
