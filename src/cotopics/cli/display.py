"""What commands show: progress and messages on stderr, results on stdout, errors in one line."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from cotopics import progress
from cotopics.errors import CotopicsError

PIPE_WIDTH = 160  # columns of a table that is not shown on a terminal
HELP: Any = getattr(click.exceptions, "NoArgsIsHelpError", ())  # which older versions of click do not raise


class InputProblem(click.ClickException):
    """Wrong use or wrong input: one clear line and exit code 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        with suppress(OSError):  # nobody reads it; the exit code says it too
            click.echo(f"cotopics: {plain(self.message)}".replace("\n", " "), err=True)


class Interrupted(InputProblem):
    """Ctrl-C: one line that says what was written until then."""

    exit_code = 130


_written: list[str] = []  # by this run


def wrote(name: str) -> None:
    """Note that a file is whole on disk, so that an error or an interruption after it can say so."""
    _written.append(name)


def nothing_written() -> None:
    """A run begins."""
    _written.clear()


@contextmanager
def clear_errors() -> Iterator[None]:
    """Turn what a user can mend into one line; leave what is our mistake a traceback."""
    try:
        yield
    except HELP:
        raise
    except click.UsageError as error:
        where = "cotopics" if error.ctx is None else error.ctx.command_path
        raise InputProblem(f"{error.format_message().rstrip('.')}; see {where} --help") from error
    except CotopicsError as error:
        raise InputProblem(str(error)) from error
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted; {_as_they_were()}") from None
    except MemoryError as error:
        raise InputProblem("there is not enough memory for this; keep fewer words, or try --stream") from error
    except ImportError as error:
        if "failed to map segment" not in str(error):
            raise
        raise InputProblem("there is not enough memory to load what this needs; give the process more") from error
    except BrokenPipeError:  # the reader of a pipe has seen enough; click ends quietly
        raise
    except UnicodeEncodeError as error:
        raise InputProblem(
            f"the terminal cannot show {error.object[error.start]!r}; set PYTHONIOENCODING=utf-8"
        ) from error
    except RuntimeError as error:
        if not isinstance(error.__cause__, KeyboardInterrupt):  # Python 3.11 wraps it where a class is being made
            raise
        raise Interrupted(f"interrupted; {_as_they_were()}") from None
    except OSError as error:
        name = "" if error.filename is None else f"{error.filename}: "
        kept = f"; {_as_they_were()}" if _written else ""
        raise InputProblem(f"{name}{error.strerror or error}{kept}") from error


def _as_they_were() -> str:
    """Which files are still what they were before this run."""
    written = f"{' and '.join(_written)} written before, other" if _written else "all"
    return f"{written} files are as they were"


_drawing: Any = None  # the rich console on which a progress bar is being drawn


def say(message: str, *, quiet: bool = False) -> None:
    """A message for the person at the terminal; above the progress bar where there is one."""
    if quiet:
        return
    with suppress(OSError):  # that nobody reads it any more does not stop the work
        if _drawing is not None:
            _drawing.print(plain(message), markup=False, highlight=False, soft_wrap=True)
        else:
            click.echo(plain(message), err=True)


@contextmanager
def warnings_as_messages(quiet: bool) -> Iterator[None]:
    """Say what the block warns of, when it is done."""
    import warnings

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        say(f"warning: {warning.message}", quiet=quiet)


@contextmanager
def progress_bar(*, quiet: bool = False) -> Iterator[None]:
    """Show on a terminal how far long work has come; on a pipe show nothing."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    global _drawing
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True) as bars:
        tasks: dict[str, Any] = {}

        def show(step: str, done: int, total: int | None) -> None:
            if step not in tasks:
                for task in tasks.values():
                    bars.update(task, visible=False)
                tasks[step] = bars.add_task(step, total=total)
            bars.update(tasks[step], completed=done, total=total)

        _drawing = console
        try:
            with progress.listening(show):
                yield
        finally:
            _drawing = None


def describe_topics(
    model: Any, n_words: int, *, tags: list[str] | None = None, characteristic_words: bool = True
) -> list[dict[str, Any]]:
    """One plain record per topic, the most prevalent first; with `tags`, one entry per word, those that stand out."""
    prominent = model.top_words(n_words)
    groups = model.anchor_groups_
    characteristic = None if groups is None or not characteristic_words else model.characteristic_words(n_words)
    name = str if model.vocabulary_ is None else lambda word: str(model.vocabulary_[word])
    topics: list[dict[str, Any]] = [
        {
            "topic": int(k),
            "prevalence": round(float(model.topic_prevalence_[k]), 6),
            "anchor": None if groups is None else _listed([name(word) for word in groups[k]]),
            "words": [str(word) for word in prominent[k]],
            "characteristic_words": None if characteristic is None else [str(word) for word in characteristic[k]],
        }
        for k in (-model.topic_prevalence_).argsort(kind="stable")
    ]
    if tags is not None:
        standing_out = model.top_tags(tags)
        for topic in topics:
            topic["tags"] = [
                {"tag": tag, "share": round(share, 6), "lift": round(lift, 4)}
                for tag, share, lift in standing_out[topic["topic"]]
            ]
    return topics


def as_json(topics: list[dict[str, Any]]) -> str:
    return json.dumps(topics, ensure_ascii=False, indent=2)


def as_csv(topics: list[dict[str, Any]]) -> str:
    """Topics as CSV, as `export` writes tables: what a spreadsheet would take for a formula is defused."""
    from cotopics.export import Table
    from cotopics.export.tables import text_of

    between = _between(topics)
    columns: dict[str, list[Any]] = {
        "topic": [topic["topic"] for topic in topics],
        "prevalence": [topic["prevalence"] for topic in topics],
        "anchor": [topic["anchor"] or None for topic in topics],
    }
    for key in ("words", "characteristic_words"):
        columns[key] = [between.join(topic[key] or []) or None for topic in topics]
    if "tags" in topics[0]:
        columns["tags"] = [_tags(topic) or None for topic in topics]
    return "".join(text_of([Table(tuple(columns), tuple(columns.values()))], ".csv")).rstrip("\n")


def show_table(topics: list[dict[str, Any]]) -> None:
    """Topics as a table on stdout."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else PIPE_WIDTH).print(topics_table(topics))
    sys.stdout.flush()  # here, where an error still finds somebody to report it


def topics_table(topics: list[dict[str, Any]]) -> Any:
    """Topics as a rich table: share, anchor, prominent and characteristic words, tags."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    between = _between(topics)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("topic", justify="right", style="dim")
    table.add_column("share", justify="right")
    table.add_column("anchor", style="bold cyan", no_wrap=between == " ", max_width=None if between == " " else 20)
    table.add_column("prominent words", ratio=1)
    if topics[0]["characteristic_words"] is not None:
        table.add_column("words next to the anchor", ratio=1, style="dim")
    if "tags" in topics[0]:
        table.add_column("tags: share, lift", max_width=28)
    for topic in topics:
        cells = [f"{topic['topic']}", f"{topic['prevalence']:.1%}", topic["anchor"] or "", between.join(topic["words"])]
        if topic["characteristic_words"] is not None:
            cells.append(between.join(topic["characteristic_words"]))
        if "tags" in topic:
            cells.append(_tags(topic))
        table.add_row(*(Text(plain(cell)) for cell in cells))
    return table


def echo_data(text: str, *, nl: bool = True) -> None:
    """Write a table or JSON to stdout: on a terminal without control characters, elsewhere as it is.

    click would take codes for colours out of a text in a pipe, and join what they kept apart.
    """
    click.echo(plain(text) if sys.stdout.isatty() else text, nl=nl, color=True)


def plain(text: str) -> str:
    """Text without control characters: a word from a corpus must not move the cursor."""
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") and c != "\n" else c for c in text)


def _listed(words: list[str]) -> str:
    """Words beside one another; names of items that hold blanks keep apart by semicolons."""
    return ("; " if any(" " in word for word in words) else " ").join(words)


def _between(topics: list[dict[str, Any]]) -> str:
    """What keeps words apart in a table: as `_listed`, and the same for all topics."""
    shown = (topic[key] or [] for topic in topics for key in ("words", "characteristic_words"))
    return "; " if any(" " in word for words in shown for word in words) else " "


def _tags(topic: dict[str, Any]) -> str:
    return "; ".join(f"{found['tag']} {found['share']:.0%} ×{found['lift']:.1f}" for found in topic["tags"])
