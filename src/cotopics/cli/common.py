"""Options that every long command takes, on the command line or from a TOML file."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import click

THREAD_LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


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
        os.environ.update(dict.fromkeys(THREAD_LIMITS, str(value)))


def _read_config(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """The options of [COMMAND] as defaults of this command."""
    if value is None:
        return
    import tomllib

    try:
        with open(value, "rb") as file:
            found = tomllib.load(file)
    except OSError as error:
        raise click.BadParameter(f"{value}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise click.BadParameter(f"{value} is not TOML: {error}") from None
    table = found.get(str(ctx.info_name), {})
    if not isinstance(table, dict):
        raise click.BadParameter(f"{value}: {ctx.info_name} is no table; write [{ctx.info_name}] and options below it")
    known = {_flag(p): p for p in ctx.command.params if isinstance(p, click.Option)}
    unknown = [name for name in table if name.replace("_", "-") not in known]
    if unknown:
        raise click.BadParameter(f"{value}: [{ctx.info_name}] has {unknown[0]!r}, which is no option of it; see --help")
    values = {name.replace("_", "-"): setting for name, setting in table.items()}
    if "threads" in values:
        _use_threads(ctx, param, click.IntRange(1).convert(values.pop("threads"), known["threads"], ctx))
    ctx.default_map = {str(known[name].name): _as_typed(value, name, setting) for name, setting in values.items()}


def _flag(option: click.Parameter) -> str:
    return max(option.opts, key=len).removeprefix("--")


def _as_typed(file: str, name: str, setting: Any) -> Any:
    """A setting as it would be typed: callbacks expect text."""
    if isinstance(setting, bool):
        return setting
    if isinstance(setting, str | int | float):
        return str(setting)
    raise click.BadParameter(f"{file}: {name} is {type(setting).__name__}; give a text, a number, true or false")
