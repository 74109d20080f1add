"""Options that several commands take, from the command line or from a TOML file, and checks of what was typed.

Checks come before the work: an option that would be ignored, or a file that cannot be written, is an error at once.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from cotopics.cli.display import InputProblem, need_stdout, start_run
from cotopics.registry import ALIASES, COUNTS, DOCUMENTS

THREAD_LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
TYPED = (click.core.ParameterSource.COMMANDLINE, click.core.ParameterSource.DEFAULT_MAP)
DELIMITERS = {"tab": "\t", "\\t": "\t", "semicolon": ";", "comma": ","}  # names that a shell leaves alone
PACKINGS = (".gz", ".bz2", ".xz", ".zst")


def number_or_share(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """A number of documents, such as 5, or a share of them, such as 0.005."""
    if value is None:
        return None
    try:
        number = int(value) if value.isdecimal() else float(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is neither a number of documents nor a share such as 0.005") from None
    if not (number >= 0 and (isinstance(number, int) or number <= 1)):
        raise click.BadParameter(f"{value} is not a share of documents: give 0.0 to 1.0, or a whole number of them")
    return number


KINDS = [kind.removeprefix(".") for kind in (*DOCUMENTS, *COUNTS)]
FIELDS = (
    click.option("--text-field", default="text", show_default=True, help="Field or column that holds the text."),
    click.option("--label-field", "--labels-field", default="label", show_default=True, help="The same for the label."),
    click.option("--id-field", default="id", show_default=True, help="The same for the document's id."),
    click.option("--date-field", default="date", show_default=True, help="The same for its date."),
    click.option(
        "--date-format", metavar="FORMAT",
        help="How dates are written, such as %d.%m.%Y; by default ISO 8601, or else the format that fits most of them.",
    ),
)  # fmt: skip
FILES = (
    click.option("--kind", help=f"What INPUT is, if its suffix does not say it: {', '.join(KINDS)}."),
    click.option("--encoding", default="utf-8", show_default=True, help="Encoding of text files."),
    click.option(
        "--delimiter", callback=lambda ctx, param, value: DELIMITERS.get(value, value),
        help="What separates the cells of a .csv or .tsv file, such as ';' or tab; by default what its header shows.",
    ),
    click.option(
        "--on-error", type=click.Choice(["raise", "skip"]), default="raise", show_default=True,
        help="What to do with a document that cannot be read: stop, or leave it out and count it.",
    ),
)  # fmt: skip
WORDS = (
    click.option(
        "--stop-words", multiple=True, metavar="LANGUAGES|FILE|+WORDS",
        help="Words to leave out: of languages, such as german or 'de, fr' (default: english), or none of any; of a "
        "text file, or listed, such as +code,https, which are added to those of the language. May be repeated.",
    ),
    click.option("--html", is_flag=True, help="Texts hold HTML: leave out its tags and read its entities."),
    click.option("--stem", metavar="LANGUAGE", help="Reduce words to their stems."),
    click.option("--lemmatise", metavar="LANGUAGES", help="Reduce words to their form in a dictionary."),
    click.option("--segment", metavar="LANGUAGE", help="For texts without blanks: zh, ja, th, ..."),
    click.option("--phrases", is_flag=True, help="Join pairs such as new_york; reads INPUT twice."),
)  # fmt: skip
VOCABULARY = (
    click.option(
        "--vocabulary-size", type=click.IntRange(2), help="Keep this many words, those with the best tf-idf score."
    ),
    click.option(
        "--min-documents", default="5", show_default=True, callback=number_or_share,
        help="Leave out words in fewer documents; a number or a share.",
    ),
    click.option("--max-documents", callback=number_or_share, help="Leave out words in more; a number or a share."),
    click.option("--min-length", type=click.IntRange(0), default=0, help="Leave out documents of fewer words."),
    click.option("--drop-duplicates", is_flag=True, help="Leave out documents with the text of an earlier one."),
)  # fmt: skip

# The same by the names of their values.
FILE_OPTIONS = ("kind", "encoding", "on_error", "delimiter")
STREAM_OPTIONS = ("text_field", "label_field", "id_field", "date_field", *FILE_OPTIONS)
INPUT_OPTIONS = (*STREAM_OPTIONS, "date_format")
PREPARATION_OPTIONS = ("stop_words", "html", "stem", "lemmatise", "segment")
VOCABULARY_OPTIONS = ("min_documents", "max_documents", "vocabulary_size")
WHOLE_OPTIONS = ("min_length", "drop_duplicates")  # which need all documents at once
READING_OPTIONS = (*INPUT_OPTIONS, *PREPARATION_OPTIONS, "phrases", *VOCABULARY_OPTIONS, *WHOLE_OPTIONS)
TEXT_OPTIONS = (
    *(name for name in INPUT_OPTIONS if name not in ("kind", "date_format")), *PREPARATION_OPTIONS, "phrases",
    "drop_duplicates",
)  # fmt: skip

quiet_option = click.option(
    "-q", "--quiet", is_flag=True, expose_value=False, help="Results and errors only.",
    callback=lambda ctx, param, value: start_run(quiet=value),
)  # fmt: skip
defuse_option = click.option(
    "--defuse/--no-defuse", default=True, show_default=True,
    help="In csv and tsv, put an apostrophe before texts that a spreadsheet would run.",
)  # fmt: skip


def common_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command --threads, --config and --quiet, which act before it runs and are not passed to it."""
    options = (
        click.option(
            "--threads", type=click.IntRange(1), expose_value=False, is_eager=True, callback=_use_threads,
            help="Cores to use; by default all.",
        ),
        click.option(
            "--config", type=click.Path(), metavar="FILE", expose_value=False, is_eager=True, callback=_read_config,
            help="Take options from the table of this command in a TOML file; options typed here replace them.",
        ),
    )  # fmt: skip
    return _with_options(command, (*options, quiet_option))


def input_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say what INPUT is and where its fields are."""
    return _with_options(command, (*FIELDS, *FILES))


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the same, and the options that say how texts become words and which words are kept."""
    return _with_options(command, (*VOCABULARY, *WORDS, *FIELDS, *FILES))


def _with_options(command: Callable[..., Any], options: Sequence[Any]) -> Callable[..., Any]:
    for option in reversed(options):
        command = option(command)
    return command


def pick(options: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The options with these names."""
    return {name: options[name] for name in names}


def _use_threads(ctx: click.Context, param: click.Parameter, value: int | None) -> None:
    """Set the limit before numpy is imported, because it is read only then."""
    if value is not None:
        ctx.meta["cotopics.threads"] = value
        os.environ.update(dict.fromkeys(THREAD_LIMITS, str(value)))


def _read_config(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """Make the options in [COMMAND] the defaults of this command."""
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
                f"{value}: {entry!r} is not a table of a command; write [{name}] and options below it"
            )
    known = {flag.removeprefix("--"): p for p in ctx.command.params if p is not param for flag in p.opts}
    ctx.default_map = {}
    for key, setting in found.get(name, {}).items():
        option = known.get(key.replace("_", "-"))
        if not isinstance(option, click.Option):
            raise click.BadParameter(f"{value}: [{name}] has {key!r}, which is not an option of this command")
        ctx.default_map[str(option.name)] = _as_typed(f"{value}: {key}", option, setting)


def _as_typed(where: str, option: click.Option, setting: Any) -> Any:
    """A setting as text, as it would be typed: callbacks expect text. An option that may be repeated takes a list."""
    if option.multiple and isinstance(setting, list) and setting:
        return [_as_one(where, option, entry) for entry in setting]
    one = _as_one(where, option, setting)
    return [one] if option.multiple else one


def _as_one(where: str, option: click.Option, setting: Any) -> Any:
    if option.is_flag and isinstance(setting, bool):
        return setting
    if not option.is_flag and isinstance(setting, str | int | float) and not isinstance(setting, bool):
        if "\0" in str(setting):
            raise click.BadParameter(f"{where} holds a null character; leave it out")
        return str(setting)
    wanted = "true or false" if option.is_flag else "a text or a number"
    raise click.BadParameter(f"{where} is {setting!r:.80}; give {wanted}")


def typed_options() -> dict[str, str]:
    """The options that the user typed, here or in a --config file, in the order of the help: name → flag."""
    context = click.get_current_context()
    return {
        parameter.name: parameter.opts[0] if parameter.opts[0].startswith("--") else max(parameter.opts, key=len)
        for parameter in context.command.params
        if parameter.name and context.get_parameter_source(parameter.name) in TYPED
    }


def typed_again(input: str, options: dict[str, Any]) -> str:
    """INPUT and its options that the user typed, to be typed for another command."""
    typed = typed_options()
    words = [input]
    for name in typed:
        for value in _repeated(options.get(name)):
            words += [typed[name]] if value is True else [typed[name], str(value)]
    return shlex.join(words)


def _repeated(value: Any) -> Sequence[Any]:
    """Every value of an option; one that may be repeated has several."""
    return value if isinstance(value, tuple) else [] if value is None else [value]


def refuse_unused(input: str, unused: dict[str, str]) -> None:
    """An error if the user typed an option that would be ignored; unused: name → why."""
    if holds_counts(input):
        unused = unused | dict.fromkeys(TEXT_OPTIONS, "is for texts, and these are counts")
    typed = typed_options()
    for name, reason in unused.items():
        if name in typed:
            raise InputProblem(f"{typed[name]} {reason}")


def holds_counts(input: str) -> bool:
    """Whether --kind or the name says that INPUT holds counts."""
    kind = click.get_current_context().params.get("kind")
    path = Path(input if kind is None else f"documents.{kind.removeprefix('.')}")
    if path.is_dir():
        return any(path.glob("*.npz"))
    name = path.name
    for packing in PACKINGS:
        name = name.removesuffix(packing)
    kind = Path(name.lower()).suffix
    return name.startswith("docword") or ALIASES.get(kind, kind) in (*COUNTS, ".docword", ".corpus")


def check_result(output: str | None, example: str, *, inputs: Sequence[str]) -> None:
    """The same for a result that goes to -o, or to stdout if that is None or -."""
    if output is None or output == "-":
        need_stdout("name a file with -o")
    else:
        check_output("-o", output, example, inputs=inputs)


def check_output(option: str, name: str, example: str, *, inputs: Sequence[str] = ()) -> None:
    """An error if the result cannot be written there, or would replace a file that is read."""
    path = Path(os.path.realpath(name))  # a link stays, and its target is replaced
    if not name.strip() or path.is_dir() or path.is_symlink():  # a circular link is still a link
        raise InputProblem(f"{option} {name!r} is not a file name; name a file such as {example}")
    if os.path.exists(name) and not os.path.isfile(name):
        raise InputProblem(f"{option} {name} is a pipe or a device; name a file such as {example}")
    if not path.parent.is_dir():
        raise InputProblem(f"the folder of {name} does not exist")
    if not os.access(path.parent, os.W_OK):
        raise InputProblem(f"the folder of {name} cannot be written to")
    if any(os.path.realpath(name) == os.path.realpath(input) for input in inputs):
        raise InputProblem(f"{option} {name} would replace a file that is read; name another one such as {example}")
