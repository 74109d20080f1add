"""cotopics topics"""

from __future__ import annotations

from typing import Any

import click

from cotopics.cli.display import InputProblem, as_json, echo_data, need_stdout, new_table, plain, show


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
    help="Show each topic's anchor, the word that it started from, and the words that are most often near it; by "
    "default for the methods of the papers, whose topics are made of them.",
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
        with_anchors = shows_anchors(fitted) if characteristic is None else characteristic
        show(topics_table(topics, with_anchors=with_anchors))


def shows_anchors(model: Any) -> bool:
    """Whether a table shows anchors unasked: those of TopicModel are where a fit began, and puzzle most readers."""
    return model.anchor_groups_ is not None and model._made_of_anchors


def describe_topics(
    model: Any, n_words: int, *, tags: list[str] | None = None, characteristic_words: bool = True
) -> list[dict[str, Any]]:
    """One plain record per topic, the most prevalent first. tags: one entry per word; records show typical ones."""
    from cotopics.export.topics import listed, vocabulary

    prominent, names, groups = model.top_words(n_words), vocabulary(model), model.anchor_groups_
    topic_names = model.topic_names_
    characteristic = None if groups is None or not characteristic_words else model.characteristic_words(n_words)
    topics: list[dict[str, Any]] = [
        {
            "topic": int(k),
            "name": topic_names[k],
            "is_named": model.fit_.names is not None and model.fit_.names[k] is not None,
            "prevalence": round(float(model.topic_prevalence_[k]), 6),
            "anchor": None if groups is None else listed([[names[word] for word in groups[k]]])[0],
            "words": [str(word) for word in prominent[k]],
            "characteristic_words": None if characteristic is None else [str(word) for word in characteristic[k]],
        }
        for k in (-model.topic_prevalence_).argsort(kind="stable")
    ]
    if tags is not None:
        typical = model.top_tags(tags)
        for topic in topics:
            topic["tags"] = [
                {"tag": tag, "share": round(share, 6), "lift": round(lift, 4)}
                for tag, share, lift in typical[topic["topic"]]
            ]
    return topics


def as_csv(topics: list[dict[str, Any]]) -> str:
    """Topics as csv, written like the tables of `export`."""
    from cotopics.export.tables import Table, text_of

    separator = _separator(topics)
    columns: dict[str, list[Any]] = {key: [topic[key] for topic in topics] for key in ("topic", "name", "prevalence")}
    columns["anchor"] = [topic["anchor"] or None for topic in topics]
    for key in ("words", "characteristic_words"):
        columns[key] = [separator.join(topic[key] or []) or None for topic in topics]
    if "tags" in topics[0]:
        columns["tags"] = [_tags(topic) or None for topic in topics]
    return "".join(text_of([Table(tuple(columns), tuple(columns.values()))], ".csv")).rstrip("\n")


def topics_table(topics: list[dict[str, Any]], *, with_anchors: bool) -> Any:
    """Topics as a rich table: share, prominent words and tags; with anchors, these and the words next to them too."""
    from rich.text import Text

    separator = _separator(topics)
    table = new_table()
    table.add_column("topic", justify="right", style="dim")
    table.add_column("share", justify="right")
    is_named = any(topic["is_named"] for topic in topics)
    if is_named:
        table.add_column("name", style="bold")
    width = None if separator == " " else 20
    if with_anchors:
        table.add_column("anchor", style="bold cyan", no_wrap=separator == " ", max_width=width)
    table.add_column("prominent words", ratio=1)
    shown = ["words", "characteristic_words"] if with_anchors and topics[0]["characteristic_words"] else ["words"]
    if len(shown) == 2:
        table.add_column("words next to the anchor", ratio=1, style="dim")
    if "tags" in topics[0]:
        table.add_column("tags: share, lift", max_width=28)
    for topic in topics:
        cells = [f"{topic['topic']}", f"{topic['prevalence']:.1%}"]
        cells += [topic["name"]] if is_named else []
        cells += [topic["anchor"] or ""] if with_anchors else []
        cells += [separator.join(topic[key]) for key in shown]
        if "tags" in topic:
            cells.append(_tags(topic))
        table.add_row(*(Text(plain(cell)) for cell in cells))
    return table


def _separator(topics: list[dict[str, Any]]) -> str:
    """What separates words in a table: a blank, or a semicolon if a word has a blank."""
    shown = (topic[key] or [] for topic in topics for key in ("words", "characteristic_words"))
    return "; " if any(" " in word for words in shown for word in words) else " "


def _tags(topic: dict[str, Any]) -> str:
    return "; ".join(f"{found['tag']} {found['share']:.0%} ×{found['lift']:.1f}" for found in topic["tags"])
