"""cotopics demo"""

from __future__ import annotations

import time
from pathlib import Path

import click

from cotopics.cli.display import InputProblem, progress_bar, say, show
from cotopics.cli.fit import RECIPE, fit_corpus
from cotopics.cli.options import quiet_option
from cotopics.cli.topics import describe_topics, shows_anchors, topics_table

FOLDER = "cotopics-demo"


@click.command("demo")
@click.option(
    "-k", "--topics", "n_topics", type=click.IntRange(1), default=12, show_default=True, help="Number of topics."
)
@quiet_option
def command(n_topics: int) -> None:
    """Try everything on a built-in corpus: the documentation of the installed numpy, scipy and scikit-learn.

    Shows the topics and writes model.cotopics and report.html, which opens in a browser, to ./cotopics-demo.
    """
    started = time.perf_counter()
    with progress_bar():
        path, page = _files()
        say("Reading the documentation of numpy, scipy and scikit-learn ...")
        from cotopics.corpus import count_words
        from cotopics.datasets import load_demo

        texts, labels = load_demo()
        corpus = count_words(texts, labels=labels)
        say(f"{corpus.counts.shape[0]} documents, {corpus.counts.shape[1]} words. Finding topics ...")
        model = fit_corpus(corpus, n_topics=n_topics, **RECIPE)
        model.save(path)
        say("Writing the report ...")
        model.report(page, corpus, texts)
    show(topics_table(describe_topics(model, 8), with_anchors=shows_anchors(model)))
    say(f"Done in {time.perf_counter() - started:.0f} s; the model is in {path}.")
    say(f"Next:  cotopics topics {path} --json   or   cotopics fit YOUR.jsonl -k 20 -o model.cotopics")
    say(f"Open {page} in a browser to look at the topics and their documents.")


def _files() -> tuple[Path, Path]:
    """The files for the model and its page; an error, before the work, if something else is there."""
    folder = Path(FOLDER)
    path, page = folder / "model.cotopics", folder / "report.html"
    for place, is_right in ((folder, folder.is_dir), (path, path.is_file), (page, page.is_file)):
        if place.exists() and not is_right():
            kind = "folder" if place == folder else "file"
            raise InputProblem(
                f"{place} is not a {kind}, and the demo writes there; remove it, or go to another folder"
            )
    folder.mkdir(exist_ok=True)
    return path, page
