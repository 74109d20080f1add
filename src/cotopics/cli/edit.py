"""cotopics edit"""

from __future__ import annotations

from typing import Any

import click

from cotopics.cli.display import InputProblem, say, wrote
from cotopics.cli.options import check_output, quiet_option


def _names(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[int, str]:
    names: dict[int, str] = {}
    for value in values:
        topic, sign, name = value.partition("=")
        if not sign or not topic.strip().isdigit():
            raise click.BadParameter(f"{value!r} must be a topic and its name, such as 3=courts")
        names[int(topic)] = name
    return names


def _topics(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> list[list[int]]:
    """Each value as a list of topics."""
    if wrong := [value for value in values if not all(part.strip().isdigit() for part in value.split(","))]:
        raise click.BadParameter(f"{wrong[0]!r} must be numbers of topics with commas between them, such as 1,4")
    return [[int(part) for part in value.split(",")] for value in values]


@click.command("edit")
@click.argument("model", type=click.Path())
@click.option("-o", "--output", type=click.Path(), required=True, help="Write the new model to this file.")
@click.option("--rename", multiple=True, callback=_names, metavar="TOPIC=NAME", help="Name a topic; may be repeated.")
@click.option("--merge", multiple=True, callback=_topics, metavar="TOPICS", help="Make one of these, such as 1,4.")
@click.option("--drop", multiple=True, callback=_topics, metavar="TOPICS", help="Leave these topics out.")
@click.option("--reduce", "n_topics", type=click.IntRange(1), metavar="N", help="Then merge similar ones to N topics.")
@click.option("--edits", type=click.Path(), metavar="FILE", help="The same from a file that a report wrote.")
@quiet_option
def command(
    model: str,
    output: str,
    rename: dict[int, str],
    merge: list[list[int]],
    drop: list[list[int]],
    n_topics: int | None,
    edits: str | None,
) -> None:
    """Write a new model with topics of MODEL named, merged or left out; MODEL itself does not change.

    All numbers are those of MODEL, as `cotopics topics MODEL` shows them. Merged topics are in the place of the first,
    and later ones move up. --edits takes what was changed in a report and downloaded from there.

    \b
    Examples:
      cotopics edit articles.cotopics --rename 3=courts --rename "0=weather and sea" -o named.cotopics
      cotopics edit articles.cotopics --merge 0,2 --drop 1 -o curated.cotopics
      cotopics edit articles.cotopics --reduce 3 -o fewer.cotopics
      cotopics edit articles.cotopics --edits edits.json -o curated.cotopics
    """
    inputs = [name for name in (model, edits) if name is not None]
    check_output("-o", output, "curated.cotopics", inputs=inputs)
    if not (rename or merge or drop or n_topics or edits):
        raise InputProblem("nothing to do: give --rename, --merge, --drop, --reduce or --edits")
    from cotopics.models import load
    from cotopics.models.edits import Edits, read_edits

    fitted: Any = load(model)
    read = Edits() if edits is None else read_edits(edits)
    dropped = [k for topics in drop for k in topics]
    all_edits = Edits({**read.rename, **rename}, [*read.merge, *merge], [*read.drop, *dropped], read.model)
    new = all_edits.apply(fitted)
    new = new if n_topics is None else new.reduce(n_topics)
    new.save(output)
    wrote(output)
    say(f"{fitted.n_topics_} topics became {new.n_topics_}; written to {output}")
