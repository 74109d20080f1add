"""cotopics update"""

from __future__ import annotations

from typing import Any

import click

from cotopics.cli.display import InputProblem, progress_bar, say, show, warnings_as_messages, wrote
from cotopics.cli.options import check_output, common_options, input_options, number_or_share, refuse_unused
from cotopics.cli.reading import added_to, read_with_new_words
from cotopics.cli.topics import describe_topics, shows_anchors, topics_table


def _number_or_auto(ctx: click.Context, param: click.Parameter, value: str) -> int | str:
    if value == "auto":
        return value
    if not value.isdecimal():
        raise click.BadParameter(f"{value!r} is neither auto nor a number of topics, 0 or more")
    return int(value)


@click.command("update")
@click.argument("model", type=click.Path())
@click.argument("input", type=click.Path())
@click.option("-o", "--output", type=click.Path(), required=True, help="Save the new model to this file.")
@click.option(
    "--min-documents", default="5", show_default=True, callback=number_or_share,
    help="A word that is new to the model is taken in if it is in so many documents of INPUT: a number or a share.",
)  # fmt: skip
@click.option(
    "--new-topics", default="0", show_default=True, callback=_number_or_auto, metavar="auto|N",
    help="Topics that may come, at most, of documents that speak of what earlier ones did not; auto: as many as are "
    "large enough. With 0 none comes, and a message says if some would.",
)  # fmt: skip
@input_options
@common_options
def command(model: str, input: str, output: str, min_documents: Any, new_topics: Any, **options: Any) -> None:
    """Add the documents of INPUT to those of MODEL, a file that `cotopics fit` wrote, and save the new model.

    The documents of MODEL are not needed. Topics keep their numbers and move as far as the new documents speak for it;
    with --new-topics others may come after them. Texts are prepared like those of MODEL, and words are matched by name.
    INPUT is read into memory: cut a larger one into files. MODEL stays as it is; added twice, documents count twice.

    \b
    Examples:
      cotopics update news.cotopics february.jsonl -o news-2.cotopics
      cotopics update news.cotopics february.jsonl -o news-2.cotopics --new-topics auto
      cotopics report news-2.cotopics february.jsonl --compare news.cotopics
    """
    from cotopics.models import TopicModel, load

    refuse_unused(input, {})
    check_output("-o", output, "new.cotopics", inputs=[input])
    with progress_bar():
        fitted = load(model)
        if not isinstance(fitted, TopicModel):
            raise InputProblem(
                f"{model} is a {type(fitted).__name__}, and update is for topic-model; for anchor-words there is "
                "fit --stream --statistics"
            )
        corpus = read_with_new_words(fitted, input, options, min_documents)
        with warnings_as_messages():
            fitted.partial_fit(corpus.counts, feature_names=corpus.vocabulary, n_new=new_topics)
        if fitted.provenance_ is not None:
            fitted.provenance_ = added_to(fitted.provenance_, input, corpus.notes)
        fitted.save(output)
        wrote(output)
    say(told_of(fitted))
    for line in told_of_new(fitted):
        say(line)
    show(topics_table(describe_topics(fitted, 8), with_anchors=shows_anchors(fitted)))
    say(f"Saved to {output}.  Next:  cotopics report {output} --compare {model}")


def told_of(model: Any) -> str:
    """What the last change did, in a sentence."""
    update = model.diagnostics_["update"]
    if "added" in update:
        done = f"{update['added']} documents added, {update['new_words']} new words"
    else:
        done = f"{update['taken_out']} documents taken out, {update['lost_words']} words gone with them"
    moved = update.get("moved")
    if not moved:
        return f"{done}; topics are as they were"
    most = max(range(len(moved)), key=moved.__getitem__)
    mean = sum(moved) / len(moved)
    return f"{done}; topics changed by {mean:.1%} on average, topic {most} most ({moved[most]:.1%})"


def told_of_new(model: Any) -> list[str]:
    """What the last change says of documents that the topics explained badly, a line each."""
    update = model.diagnostics_["update"]
    lines = [f"topic {each['topic']} is new: {_group(model, each)}" for each in update.get("new_topics", [])]
    badly = update.get("explained_badly", [])
    lines += [f"explained badly by the topics: {_group(model, each)}" for each in badly]
    return [*lines, f"--new-topics auto would make {_n_topics(len(badly))} of them"] if badly else lines


def _n_topics(n: int) -> str:
    return "1 new topic" if n == 1 else f"{n} new topics"


def _group(model: Any, each: dict[str, Any]) -> str:
    words = [str(word if model.vocabulary_ is None else model.vocabulary_[word]) for word in each["words"][:5]]
    return f"{each['documents']} documents ({', '.join(words)})"
