"""The `cotopics` command. Commands are imported when they run, so that --help and --version are fast."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from cotopics import __version__
from cotopics.cli.display import clear_errors, open_streams, start_run

COMMANDS = {
    "demo": "Try everything on a built-in corpus: topics on screen, a model and a report in ./cotopics-demo.",
    "choose": "How many topics, with the evidence in a table and a figure.",
    "fit": "Find topics in a corpus and save the model.",
    "update": "Add documents to a saved model: its topics keep their numbers.",
    "forget": "Take documents out of a saved model, or of statistics that `fit --stream --statistics` wrote.",
    "topics": "Show the topics of a saved model.",
    "transform": "Find the topics of documents by a saved model.",
    "export": "Write topics, words and correlations for other tools.",
    "edit": "Name, merge and drop topics of a saved model, which gives a new one.",
    "tree": "Show which topics of a saved model come together.",
    "find": "Find topics, and documents, for words or a text.",
    "effects": "How topics differ between groups and over time, with intervals.",
    "report": "Explain a saved model, and its documents, in one HTML page.",
    "evaluate": "Measure a saved model on documents: every measure that applies.",
}


class LazyCommands(click.Group):
    """A group of commands: each is the function `command` of the module with its name."""

    def main(self, *args: Any, **extra: Any) -> Any:
        open_streams()
        return super().main(*args, **extra)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: Any = import_module(f"cotopics.cli.{name}").command
        return command

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        with clear_errors():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        start_run()
        with clear_errors():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=LazyCommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="cotopics")
def main() -> None:
    """Topics and how they correlate, from word co-occurrence.

    \b
    Try it:
      cotopics demo
      cotopics choose articles.jsonl
      cotopics fit articles.jsonl -k 20 -o articles.cotopics
      cotopics topics articles.cotopics --json
      cotopics transform articles.cotopics others.jsonl -o mixtures.csv
      cotopics export articles.cotopics --to graphml -o topics.graphml
      cotopics report articles.cotopics articles.jsonl -o report.html
      cotopics evaluate articles.cotopics others.jsonl
    """
