"""How commands read INPUT: where its fields are, how texts become words, which words are kept."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from cotopics.cli.display import InputProblem, say
from cotopics.registry import ALIASES, COUNTS, DOCUMENTS


def number_or_share(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """A number of documents, such as 5, or a share of them, such as 0.005."""
    if value is None:
        return None
    try:
        number = int(value) if value.isdecimal() else float(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is neither a number of documents nor a share such as 0.005") from None
    if not (number >= 0 and (isinstance(number, int) or number <= 1)):
        raise click.BadParameter(f"{value} is no share of documents: give 0.0 to 1.0, or a whole number of them")
    return number


KINDS = [kind.removeprefix(".") for kind in (*DOCUMENTS, *COUNTS)]
FIELDS = (
    click.option("--text-field", default="text", show_default=True, help="Field or column that holds the text."),
    click.option("--label-field", "--labels-field", default="label", show_default=True, help="That of the label."),
    click.option("--id-field", default="id", show_default=True, help="That of the document's id."),
    click.option("--date-field", default="date", show_default=True, help="That of its date."),
)
FILES = (
    click.option("--kind", help=f"What INPUT is where its suffix does not say it: {', '.join(KINDS)}."),
    click.option("--encoding", default="utf-8", show_default=True, help="Encoding of text files."),
    click.option(
        "--on-error", type=click.Choice(["raise", "skip"]), default="raise", show_default=True,
        help="What to do with a document that cannot be read: stop, or leave it out and count it.",
    ),
)  # fmt: skip
WORDS = (
    click.option(
        "--stop-words", default="english", show_default=True,
        help="Languages whose stop words are left out, such as german or 'de, fr'; none for none.",
    ),
    click.option("--stem", metavar="LANGUAGE", help="Cut words down to their stems."),
    click.option("--lemmatise", metavar="LANGUAGES", help="Bring words to the form that a dictionary has."),
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
)  # fmt: skip

TYPED = (click.core.ParameterSource.COMMANDLINE, click.core.ParameterSource.DEFAULT_MAP)
PREPARING = ("stop_words", "stem", "lemmatise", "segment")
OF_FIELDS = ("text_field", "label_field", "id_field", "date_field", "encoding", "on_error")
OF_TEXTS = (*OF_FIELDS, *PREPARING, "phrases")
OF_INPUT = (*OF_FIELDS, "kind")
OF_WORDS = ("min_documents", "max_documents", "vocabulary_size")
OF_READING = (*OF_INPUT, *PREPARING, "phrases", *OF_WORDS, "min_length")


def input_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say where things are in INPUT."""
    return _with_options(command, (*FIELDS, *FILES))


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command these, and the options that say how texts become words and which are kept."""
    return _with_options(command, (*VOCABULARY, *WORDS, *FIELDS, *FILES))


def _with_options(command: Callable[..., Any], options: Any) -> Callable[..., Any]:
    for option in reversed(options):
        command = option(command)
    return command


def read_whole(input: str, options: dict[str, Any], *, quiet: bool = False) -> tuple[Any, dict[str, Any]]:
    """The whole corpus, and where it comes from: a record for the model's file. Says how large it is."""
    from cotopics.corpus import read_corpus

    prepare = _prepare(input, options)
    kept = {name: options[name] for name in (*OF_WORDS, "min_length")}
    corpus = read_corpus(input, prepare=prepare, **kept, **_places(options))
    size = f"{corpus.counts.shape[0]} documents, {corpus.counts.shape[1]} words"
    say("; ".join([size, *corpus.notes]), quiet=quiet)
    return corpus, _provenance(input, corpus.notes) | _prepared(input, prepare)


def read_for(model: Any, input: str, options: dict[str, Any], *, also: Any = None, quiet: bool = False) -> Any:
    """The whole corpus over the words of a model, prepared as the model's texts were; words are matched by name.

    also: another model, whose words come behind those of the first.
    """
    from dataclasses import replace

    from cotopics.corpus import read_corpus
    from cotopics.word_matching import counts_over

    prepare = prepared_as(model.provenance_)
    corpus = read_corpus(input, prepare=prepare, min_documents=0, **_places(options))  # the model says which words
    n_words, known = model.n_features_in_, model.vocabulary_
    if known is not None and also is not None and also.vocabulary_ is not None:
        known = list(dict.fromkeys([*known, *also.vocabulary_]))
        n_words = len(known)
    if known is not None:
        counts, n_unknown = counts_over(corpus.counts, corpus.vocabulary, known)
        if counts.nnz == 0:
            raise InputProblem(
                f"{input} has none of the model's {n_words} words; give texts of the same language, or counts with the "
                "words of their columns in vocab.txt beside them"
            )
        unknown = [f"{n_unknown} other words left out, which the model does not know"] if n_unknown else []
        corpus = replace(
            corpus, counts=counts, vocabulary=[str(word) for word in known], notes=[*corpus.notes, *unknown]
        )
    elif corpus.counts.shape[1] != n_words:
        raise InputProblem(
            f"{input} has {corpus.counts.shape[1]} words and the model {n_words}, without their names, which are "
            "taken column by column; fit with feature_names=, and words are matched by name"
        )
    check_labels(corpus, options)
    size = (
        f"{corpus.counts.shape[0]} documents, {corpus.counts.shape[1]} words of the model{'' if also is None else 's'}"
    )
    say("; ".join([size, *corpus.notes]), quiet=quiet)
    return corpus


def open_pieces(input: str, options: dict[str, Any], *, on_dask: bool = False) -> tuple[Any, list[str], dict[str, Any]]:
    """A stream of the words to keep, or partitions, the names of the words, and where it comes from."""
    from cotopics.corpus import keep_frequent, open_stream
    from cotopics.corpus.corpus import numbered_words

    prepare = _prepare(input, options)
    if on_dask:
        from cotopics.distributed import open_partitions

        kept = {name: options[name] for name in OF_WORDS}
        documents = open_partitions(input, prepare=prepare, **kept, **_partition_places(options))
        return documents, documents.vocabulary or [], _provenance(input, documents.notes) | _prepared(input, prepare)
    stream = open_stream(input, prepare=prepare, **_places(options))
    if stream.vocabulary is None:  # named before any is left out, as in `read_corpus`
        stream.vocabulary = numbered_words(stream.n_words or 0)
    stream = keep_frequent(stream, **{name: options[name] for name in OF_WORDS})
    provenance = _provenance(input, stream.notes) | _prepared(input, prepare)
    return stream, stream.vocabulary or [], provenance


def more_pieces(
    input: str, options: dict[str, Any], words: list[str], provenance: Any, *, on_dask: bool = False
) -> Any:
    """A stream of further documents over words that are known already, or partitions, prepared as those before."""
    from cotopics.corpus import open_stream

    if on_dask:
        from cotopics.distributed import open_partitions

        prepare = prepared_as(provenance)
        return open_partitions(input, prepare=prepare, vocabulary=words, **_partition_places(options))
    return open_stream(input, prepare=prepared_as(provenance), vocabulary=words, **_places(options))


def prepared_as(provenance: dict[str, Any] | None) -> Any:
    """How texts of this provenance became words; every word is taken where that is not known."""
    from cotopics.corpus import Preparation

    saved = (provenance or {}).get("preparation")
    return Preparation(stop_words=None) if saved is None else Preparation.from_json(saved)


def _prepare(input: str, options: dict[str, Any]) -> Any:
    """What makes words of texts."""
    from dataclasses import replace

    from cotopics.corpus import Fields, Preparation, find_phrases, read_documents

    chosen = {name: options[name] for name in PREPARING}
    prepare = Preparation(**chosen | {"stop_words": None if chosen["stop_words"] == "none" else chosen["stop_words"]})
    if not options["phrases"]:
        return prepare
    files = {name: options[name] for name in ("kind", "encoding", "on_error")}
    documents = read_documents(input, fields=Fields(options["text_field"]), **files)
    texts = (document.text for document in documents)
    phrases = find_phrases(prepare(text) if isinstance(text, str) else text for text in texts)
    return replace(prepare, phrases=phrases)


def _prepared(input: str, prepare: Any) -> dict[str, Any]:
    """How texts became words, for a model's file; counts were words already."""
    return {} if _holds_counts(input) else {"preparation": prepare.to_json()}


def _places(options: dict[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in OF_INPUT}


def _partition_places(options: dict[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in ("text_field", "encoding", "on_error", "kind")}


def added_to(provenance: dict[str, Any], input: str, notes: list[str]) -> dict[str, Any]:
    """The provenance of documents to which those of INPUT were added."""
    names, before = provenance.get("input"), provenance.get("notes")
    new = _provenance(input, notes)
    return provenance | {
        "input": f"{names}, {new['input']}" if isinstance(names, str) else new["input"],
        "notes": [*(before if isinstance(before, list) else []), *new["notes"]],
    }


def _provenance(input: str, notes: list[str]) -> dict[str, Any]:
    """What a model's file says about its documents: names of files, and no paths."""
    from cotopics.corpus.files import as_text
    from cotopics.corpus.inputs import find_files

    path = find_files(input)[0][0] if input == "-" else Path(input)
    folder = "" if path.parent == Path() else f"{path.parent}{os.sep}"
    whole = f"{path.absolute().parent}{os.sep}"  # as workers of a cluster name it
    name = "standard input" if input == "-" else path.absolute().name
    shown = [note.replace(as_text(whole), "").replace(as_text(folder), "") for note in notes]
    return {"input": as_text(name), "notes": shown}


def check_labels(corpus: Any, options: dict[str, Any]) -> None:
    """A field that the user named should be there."""
    if "label_field" in typed_options() and corpus.labels is None:
        raise InputProblem(f"no document has a field {options['label_field']!r}; name the field of the labels")


def refuse_useless(input: str, useless: dict[str, str]) -> None:
    """An option that the user typed and that would be ignored is a mistake worth a line; `useless` says why."""
    if _holds_counts(input):
        useless = useless | dict.fromkeys(OF_TEXTS, "is for texts, and these are counts")
    typed = typed_options()
    for name, reason in useless.items():
        if name in typed:
            raise InputProblem(f"{typed[name]} {reason}")


def typed_options() -> dict[str, str]:
    """The options that the user typed, here or in a --config file, in the order of the help: name → flag."""
    context = click.get_current_context()
    return {
        parameter.name: parameter.opts[0] if parameter.opts[0].startswith("--") else max(parameter.opts, key=len)
        for parameter in context.command.params
        if parameter.name and context.get_parameter_source(parameter.name) in TYPED
    }


def reading_again(input: str, options: dict[str, Any]) -> str:
    """INPUT and those of its reading options that the user typed, as they are typed for another command."""
    typed = typed_options()
    words = [input]
    for name in typed:
        if name in options:
            words += [typed[name]] if options[name] is True else [typed[name], str(options[name])]
    return shlex.join(words)


def check_output(option: str, name: str, example: str, *, inputs: Sequence[str] = ()) -> None:
    """Say now, not after the work, that the result cannot be written there, or would replace what is read."""
    path = Path(os.path.realpath(name))  # a link stays, and what it points to is replaced
    if not name.strip() or path.is_dir() or path.is_symlink():  # a link in a circle is still one
        raise InputProblem(f"{option} {name!r} is no file name; name a file such as {example}")
    if os.path.exists(name) and not os.path.isfile(name):
        raise InputProblem(f"{option} {name} is a pipe or a device; name a file such as {example}")
    if not path.parent.is_dir():
        raise InputProblem(f"the folder of {name} does not exist")
    if not os.access(path.parent, os.W_OK):
        raise InputProblem(f"the folder of {name} cannot be written to")
    if any(os.path.realpath(name) == os.path.realpath(input) for input in inputs):
        raise InputProblem(f"{option} {name} would replace a file that is read; name another one such as {example}")


def _holds_counts(input: str) -> bool:
    """Whether --kind or the name says so; what neither says, reading will."""
    kind = click.get_current_context().params.get("kind")
    path = Path(input if kind is None else f"documents.{kind.removeprefix('.')}")
    if path.is_dir():
        return any(path.glob("*.npz"))
    name = path.name
    for packing in (".gz", ".bz2", ".xz", ".zst"):
        name = name.removesuffix(packing)
    kind = Path(name.lower()).suffix
    return name.startswith("docword") or ALIASES.get(kind, kind) in (*COUNTS, ".docword", ".corpus")
