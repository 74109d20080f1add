"""cotopics report"""

from __future__ import annotations

from typing import Any

import click

from cotopics.cli.display import InputProblem, progress_bar, say, warnings_as_messages
from cotopics.cli.options import INPUT_OPTIONS, check_output, common_options, input_options, refuse_unused
from cotopics.cli.reading import read_for, read_raw_texts


@click.command("report")
@click.argument("model", type=click.Path())
@click.argument("input", type=click.Path(), required=False)
@click.option(
    "-o", "--output", type=click.Path(), default="report.html", show_default=True, help="Write the page to this file."
)
@click.option(
    "--choice", type=click.Path(), metavar="FILE", help="Show the evidence that `cotopics choose -o FILE.json` found."
)
@click.option("--compare", type=click.Path(), metavar="OTHER", help="Compare with the topics of this model.")
@click.option(
    "--bootstrap",
    type=click.IntRange(10),
    metavar="N",
    help="Draw documents again N times, to say how sure it is.",
)
@input_options
@common_options
def command(
    model: str,
    input: str | None,
    output: str,
    choice: str | None,
    compare: str | None,
    bootstrap: int | None,
    **options: Any,
) -> None:
    """Explain MODEL, a file that `cotopics fit` wrote, in one HTML page that opens from disk in any browser.

    With the documents in INPUT the page also shows how well the model fits them, their topics, their texts with the
    topics' words marked, and topics over time if documents have dates. --compare shows matched topics of two models
    side by side. --bootstrap 50 takes as long as a few fits; it shows how sure prevalences are, and marks topics that
    do not come back in parts of the documents. The page needs no network, and text from a corpus is shown, never run.

    \b
    Examples:
      cotopics report articles.cotopics articles.jsonl.gz -o report.html
      cotopics report articles.cotopics
      cotopics report articles.cotopics articles.jsonl.gz --choice choice.json
      cotopics report articles.cotopics articles.jsonl.gz --compare other.cotopics
      cotopics report articles.cotopics articles.jsonl.gz --bootstrap 50
    """
    refuse_unused(input or model, {} if input else dict.fromkeys(INPUT_OPTIONS, "says how to read INPUT; name one"))
    read = [name for name in (model, input, choice, compare) if name is not None]
    check_output("-o", output, "report.html", inputs=read)
    if bootstrap is not None and input is None:
        raise InputProblem("--bootstrap draws documents again; name INPUT")
    with progress_bar(), warnings_as_messages():
        from cotopics import report
        from cotopics.choose import Choice
        from cotopics.models import load

        fitted = load(model)
        found = None if choice is None else Choice.load(choice)
        other = None if compare is None else load(compare)
        corpus = None if input is None else read_for(fitted, input, options, also=other)
        texts = None if input is None else _texts(input, options)
        stability = None
        if bootstrap is not None:
            from cotopics.stability import bootstrap as draw_again

            stability = draw_again(fitted, corpus, bootstrap)
        report.write(fitted, output, corpus, texts, found, other, stability)
    say(f"Written to {output}; open it in a browser")


def _texts(input: str, options: dict[str, Any]) -> list[Any] | None:
    """The documents' texts; None if INPUT holds counts."""
    from cotopics.errors import CorpusError

    try:
        texts = read_raw_texts(input, options)
    except CorpusError:
        return None
    return list(texts)
