"""What commands show: progress and messages on stderr, results on stdout, errors in one line."""

from __future__ import annotations

import json
import os
import sys
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from cotopics import progress
from cotopics.errors import CotopicsError

PIPE_WIDTH = 160  # columns of a table that does not go to a terminal
HELP: Any = getattr(click.exceptions, "NoArgsIsHelpError", ())  # older versions of click do not have it
UNKNOWN = "have no word that the topics know"  # in a warning of `transform`; commands say it themselves


class InputProblem(click.ClickException):
    """Wrong use or wrong input: one clear line and exit code 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        with suppress(OSError):  # if stderr is closed, the exit code still says it
            click.echo(f"cotopics: {plain(self.message)}".replace("\n", " "), err=True)


class Interrupted(InputProblem):
    """Ctrl-C: one line that says which files were written before."""

    exit_code = 130


_written: list[str] = []  # files of this run
_quiet = False  # whether this run has --quiet
_closed_stdout: Any = None  # the replacement of a closed stdout
_drawing: Any = None  # the rich console that shows a progress bar


def start_run(*, quiet: bool = False) -> None:
    """Forget the files of an earlier run, and say messages unless this run is quiet."""
    global _quiet
    _written.clear()
    _quiet = quiet


def wrote(name: str) -> None:
    """Remember that a file is complete on disk, so that a later error or interruption can say so."""
    _written.append(name)


@contextmanager
def clear_errors() -> Iterator[None]:
    """Turn errors that a user can correct into one line; errors of ours keep their traceback."""
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
        raise Interrupted(f"interrupted; {_unchanged_files()}") from None
    except MemoryError as error:
        raise InputProblem("there is not enough memory for this; keep fewer words, or try --stream") from error
    except ImportError as error:
        if "failed to map segment" not in str(error):
            raise
        raise InputProblem("there is not enough memory to load what this needs; give the process more") from error
    except BrokenPipeError:  # the reader of a pipe has stopped reading; click ends quietly
        raise
    except UnicodeEncodeError as error:
        raise InputProblem(
            f"the terminal cannot show {error.object[error.start]!r}; set PYTHONIOENCODING=utf-8"
        ) from error
    except RuntimeError as error:
        if not isinstance(error.__cause__, KeyboardInterrupt):  # Python 3.11 wraps it while a class is created
            raise
        raise Interrupted(f"interrupted; {_unchanged_files()}") from None
    except OSError as error:
        name = "" if error.filename is None else f"{error.filename}: "
        kept = f"; {_unchanged_files()}" if _written else ""
        raise InputProblem(f"{name}{error.strerror or error}{kept}") from error


def _unchanged_files() -> str:
    """Which files this run has not changed."""
    written = f"{' and '.join(_written)} written before, other" if _written else "all"
    return f"{written} files are as they were"


def open_streams() -> None:
    """Replace standard streams that were closed by the caller, as in `cotopics fit ... 2>&-`, by the null device.

    Their numbers must be taken, or the next opened file would get one, and with it what libraries print.
    """
    global _closed_stdout
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    number = os.open(os.devnull, os.O_RDWR)
    while number <= 2:
        number = os.open(os.devnull, os.O_RDWR)
    os.close(number)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until the process ends
    if sys.stdout is None:
        sys.stdout = _closed_stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def need_stdout(remedy: str) -> None:
    """An error, before the work, if the result goes to stdout and stdout is closed."""
    if _closed_stdout is not None and sys.stdout is _closed_stdout:
        raise InputProblem(f"standard output is closed, and the result goes there; {remedy}")


def say(message: str, *, always: bool = False) -> None:
    """A message for the person at the terminal, above the progress bar if there is one; nothing with --quiet."""
    if _quiet and not always:
        return
    with suppress(OSError):  # a closed stderr does not stop the work
        if _drawing is not None:
            _drawing.print(plain(message), markup=False, highlight=False, soft_wrap=True)
        else:
            click.echo(plain(message), err=True)


@contextmanager
def warnings_as_messages() -> Iterator[None]:
    """Say the warnings of the block when they come, each once."""
    said: set[str] = set()

    def tell(message: Any, *details: Any, **more: Any) -> None:
        text = str(message)
        if text not in said and UNKNOWN not in text:
            said.add(text)
            say(f"warning: {text}")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = tell
        yield


@contextmanager
def progress_bar(*, hidden: bool = False) -> Iterator[None]:
    """Show the progress of long work on a terminal, and nothing elsewhere."""
    if _quiet or hidden or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    global _drawing
    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), "left:")
    console = Console(stderr=True)
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as bars:
        tasks: dict[str, Any] = {}

        def update(step: str, done: int, total: int | None) -> None:
            if step not in tasks:
                for task in tasks.values():
                    bars.update(task, visible=False)
                tasks[step] = bars.add_task(step, total=total)
            bars.update(tasks[step], completed=done, total=total)

        _drawing = console
        try:
            with progress.listening(update):
                yield
        finally:
            _drawing = None


def as_json(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, indent=2)


def new_table() -> Any:
    """An empty rich table."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    return Table(box=SIMPLE_HEAD, pad_edge=False)


def show(*parts: Any) -> None:
    """Print rich tables and lines to stdout."""
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False)
    for part in parts:
        console.print(part, markup=False)
    sys.stdout.flush()  # an error here can still be reported


def echo_data(text: str, *, nl: bool = True) -> None:
    """Write a table or JSON to stdout: without control characters on a terminal, unchanged elsewhere.

    color=True keeps click from removing colour codes from a text in a pipe.
    """
    click.echo(plain(text) if sys.stdout.isatty() else text, nl=nl, color=True)


def plain(text: str) -> str:
    """Text without control characters: a word from a corpus must not move the cursor."""
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") and c != "\n" else c for c in text)
