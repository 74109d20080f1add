"""cotopics topics"""

from __future__ import annotations

import click

from cotopics.cli.display import as_csv, as_json, clear_errors, describe_topics, show_table


@click.command("topics")
@click.argument("model", type=click.Path())
@click.option(
    "-n", "--words", "n_words", type=click.IntRange(1), default=10, show_default=True, help="Words per topic."
)
@click.option("--json", "as_what", flag_value="json", help="A list with one object per topic.")
@click.option("--csv", "as_what", flag_value="csv", help="One line per topic.")
def command(model: str, n_words: int, as_what: str | None) -> None:
    """Show the topics of MODEL, a file that `cotopics fit` wrote: the most prevalent first.

    \b
    Examples:
      cotopics topics articles.cotopics
      cotopics topics articles.cotopics -n 20 --json > topics.json
    """
    with clear_errors():
        from cotopics.models import load

        topics = describe_topics(load(model), n_words)
        if as_what == "json":
            click.echo(as_json(topics))
        elif as_what == "csv":
            click.echo(as_csv(topics))
        else:
            show_table(topics)
