"""cotopics topics"""

from __future__ import annotations

import click

from cotopics.cli.display import (
    InputProblem,
    as_csv,
    as_json,
    describe_topics,
    echo_data,
    need_stdout,
    show,
    topics_table,
)


@click.command("topics")
@click.argument("model", type=click.Path())
@click.option(
    "-n", "--words", "n_words", type=click.IntRange(1), default=10, show_default=True, help="Words per topic."
)
@click.option(
    "--tags", "tags_file", type=click.Path(), metavar="FILE",
    help="Show typical tags of each topic. FILE has one line per word of the model, tags separated by blanks or |.",
)  # fmt: skip
@click.option(
    "--characteristic/--no-characteristic", default=None,
    help="Show the words that co-occur most with the anchor; by default where the model has anchors.",
)  # fmt: skip
@click.option("--json", "as_what", flag_value="json", help="A list with one object per topic.")
@click.option("--csv", "as_what", flag_value="csv", help="One line per topic.")
def command(model: str, n_words: int, tags_file: str | None, characteristic: bool | None, as_what: str | None) -> None:
    """Show the topics of MODEL, a file that `cotopics fit` wrote: the most prevalent first.

    \b
    Examples:
      cotopics topics articles.cotopics
      cotopics topics articles.cotopics -n 20 --json > topics.json
      cotopics topics articles.cotopics --no-characteristic
      cotopics topics movies.cotopics --tags genres.txt
    """
    need_stdout("open it, as in > topics.txt")
    from cotopics.corpus import read_tags
    from cotopics.models import load

    fitted = load(model)
    if characteristic and fitted.anchor_groups_ is None:
        raise InputProblem(
            f"--characteristic needs anchor words, and {type(fitted).__name__} has none; leave it out, or fit with "
            "--method anchor-words"
        )
    tags = None if tags_file is None else read_tags(tags_file)
    if tags is not None and len(tags) != fitted.n_features_in_:
        raise InputProblem(
            f"{tags_file} has {len(tags)} lines and the model {fitted.n_features_in_} words; give one line per "
            "word of the model, blank for no tags. `cotopics fit --min-documents 1` leaves no word out"
        )
    topics = describe_topics(fitted, n_words, tags=tags, characteristic_words=characteristic is not False)
    if as_what is not None:
        echo_data((as_json if as_what == "json" else as_csv)(topics))
    else:
        show(topics_table(topics))
