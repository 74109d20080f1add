"""How commands read INPUT: the options that say which words are kept, and whatever kind of file it is."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from cotopics.cli.display import InputProblem

OPTIONS = (
    click.option(
        "--vocabulary-size", type=click.IntRange(2), help="Keep this many words, those with the best tf-idf score."
    ),
    click.option(
        "--min-documents", type=click.IntRange(1), default=5, show_default=True, help="Leave out words in fewer."
    ),
    click.option("--stop-words", type=click.Choice(["english", "none"]), default="english", show_default=True),
    click.option("--text-field", default="text", show_default=True, help="Field of a .jsonl line that holds the text."),
)


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that reading takes."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def read_whole(input: str, options: dict[str, Any]) -> Any:
    """The whole corpus. What comes in pieces is read in pieces and put together."""
    from cotopics.corpus import Corpus, read_corpus

    path = Path(input)
    if not (path.is_dir() or path.suffix == ".parquet" or path.name.startswith("docword")):
        words, kept = _reading(options)
        labels = {name: options[name] for name in ("label_field",) if name in options}
        return read_corpus(input, **words, **kept, **labels)
    import scipy.sparse as sp

    stream, names = open_pieces(input, options)
    return Corpus(sp.vstack(list(stream), format="csr"), names)


def read_for(model: Any, input: str, **fields: Any) -> Any:
    """The whole corpus over the words of a model, matched by name; `fields` are those of the text and the label."""
    from cotopics.corpus import Corpus
    from cotopics.models.growth import align

    everything = {"stop_words": "none", "min_documents": 0, "vocabulary_size": None}  # the model says which words
    corpus = read_whole(input, everything | fields)
    n_words, known = model.n_features_in_, model.vocabulary_
    if known is None:
        if corpus.counts.shape[1] != n_words:
            raise InputProblem(
                f"{input} has {corpus.counts.shape[1]} words and the model {n_words}, without their names, which are "
                "taken column by column; fit with feature_names=, and words are matched by name"
            )
        return corpus
    counts, words = align(corpus.counts, corpus.vocabulary, known, may_grow=True)
    counts, n_unknown = counts[:, :n_words], len(words) - n_words
    if counts.nnz == 0:
        raise InputProblem(
            f"{input} has none of the model's {n_words} words; give texts of the same language, or counts with the "
            "words of their columns in vocab.txt beside them"
        )
    notes = [f"{n_unknown} other words left out, which the model does not know"] if n_unknown else []
    return Corpus(counts, words[:n_words], corpus.labels, notes)


def open_pieces(input: str, options: dict[str, Any]) -> tuple[Any, list[str]]:
    """A stream of the words to keep, and their names."""
    from cotopics.corpus import keep_frequent, open_stream

    words, kept = _reading(options)
    stream = open_stream(input, **words)
    if stream.vocabulary is None:  # named before any is left out, as in `read_corpus`
        stream.vocabulary = [f"word{i}" for i in range(stream.n_words or 0)]
    stream = keep_frequent(stream, **kept)
    return stream, stream.vocabulary or []


def refuse_useless(input: str, useless: dict[str, str]) -> None:
    """An option that the user typed and that would be ignored is a mistake worth a line; `useless` says why."""
    if _holds_counts(Path(input)):
        useless = useless | dict.fromkeys(("stop_words", "text_field"), "is for texts, and these are counts")
    typed = typed_options()
    for name, reason in useless.items():
        if name in typed:
            raise InputProblem(f"{typed[name]} {reason}")


def typed_options() -> dict[str, str]:
    """The options that the user typed, in the order of the help: name → flag."""
    context = click.get_current_context()
    return {
        parameter.name: max(parameter.opts, key=len)
        for parameter in context.command.params
        if parameter.name and context.get_parameter_source(parameter.name) == click.core.ParameterSource.COMMANDLINE
    }


def reading_again(input: str, options: dict[str, Any]) -> str:
    """INPUT and those of its reading options that the user typed, as they are typed for another command."""
    typed = typed_options()
    words = [input] + [word for name in typed if name in options for word in (typed[name], str(options[name]))]
    return shlex.join(words)


def check_output(option: str, name: str, example: str) -> None:
    """Say now, not after the work, that the result cannot be written there."""
    import os

    path = Path(name)
    if not name.strip() or path.is_dir():
        raise InputProblem(f"{option} {name!r} is no file name; name a file such as {example}")
    if not path.absolute().parent.is_dir():
        raise InputProblem(f"the folder of {name} does not exist")
    if not os.access(path.absolute().parent, os.W_OK):
        raise InputProblem(f"the folder of {name} cannot be written to")


def _reading(options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """How texts become words, and which words are kept."""
    stop_words = None if options["stop_words"] == "none" else options["stop_words"]
    kept = {name: options[name] for name in ("min_documents", "vocabulary_size")}
    return {"text_field": options["text_field"], "stop_words": stop_words}, kept


def _holds_counts(path: Path) -> bool:
    if path.is_dir():
        return any(path.glob("*.npz"))
    return path.suffix == ".npz" or path.name.startswith("docword")
