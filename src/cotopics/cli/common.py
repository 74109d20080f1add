"""Options that several commands take, on the command line or from a TOML file."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import click

THREAD_LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


defuse_option = click.option(
    "--defuse/--no-defuse", default=True, show_default=True,
    help="In csv and tsv, put an apostrophe before texts that a spreadsheet would run.",
)  # fmt: skip


def common_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command --threads, --config and --quiet; only the last is passed to it."""
    options = (
        click.option(
            "--threads", type=click.IntRange(1), expose_value=False, is_eager=True, callback=_use_threads,
            help="Cores to use; by default all.",
        ),
        click.option(
            "--config", type=click.Path(), metavar="FILE", expose_value=False, is_eager=True, callback=_read_config,
            help="Take options from the table of this command in a TOML file; those typed here come first.",
        ),
        click.option("-q", "--quiet", is_flag=True, help="Results and errors only."),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def _use_threads(ctx: click.Context, param: click.Parameter, value: int | None) -> None:
    """Before numpy is imported, which reads the limit once."""
    if value is not None:
        ctx.meta["cotopics.threads"] = value
        os.environ.update(dict.fromkeys(THREAD_LIMITS, str(value)))


def _read_config(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """The options of [COMMAND] as defaults of this command."""
    if value is None:
        return
    import tomllib

    from cotopics.cli.main import COMMANDS
    from cotopics.persistence import open_regular

    try:
        with open_regular(value) as file:
            found = tomllib.load(file)
    except OSError as error:
        raise click.BadParameter(f"{value}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise click.BadParameter(f"{value} is not TOML: {error}") from None
    name = str(ctx.info_name)
    for entry, table in found.items():
        if entry not in COMMANDS or not isinstance(table, dict):
            raise click.BadParameter(
                f"{value}: {entry!r} is no table of a command; write [{name}] and options below it"
            )
    known = {flag.removeprefix("--"): p for p in ctx.command.params if p is not param for flag in p.opts}
    ctx.default_map = {}
    for key, setting in found.get(name, {}).items():
        option = known.get(key.replace("_", "-"))
        if not isinstance(option, click.Option):
            raise click.BadParameter(f"{value}: [{name}] has {key!r}, which is no option of it")
        ctx.default_map[str(option.name)] = _as_typed(f"{value}: {key}", option, setting)


def _as_typed(where: str, option: click.Option, setting: Any) -> Any:
    """A setting as it would be typed: callbacks expect text."""
    if option.is_flag and isinstance(setting, bool):
        return setting
    if not option.is_flag and isinstance(setting, str | int | float) and not isinstance(setting, bool):
        if "\0" in str(setting):
            raise click.BadParameter(f"{where} holds a null character, which nobody can type; leave it out")
        return str(setting)
    wanted = "true or false" if option.is_flag else "a text or a number"
    raise click.BadParameter(f"{where} is {setting!r:.80}; give {wanted}")
