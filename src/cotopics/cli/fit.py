"""cotopics fit"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from cotopics.cli.display import InputProblem, clear_errors, describe_topics, progress_bar, say, show_table

RECIPE = {"method": "anchor-words", "weighting": "balanced", "rectifier": "auto", "min_anchor_documents": 0.005}
MOST_WORDS_FOR_AP = 5000  # beyond this many, rectifying the full matrix takes minutes


def _number_or_share(ctx: click.Context, param: click.Parameter, value: str) -> float:
    try:
        return int(value) if value.isdigit() else float(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is neither a number of documents nor a share such as 0.005") from None


@click.command("fit")
@click.argument("input", type=click.Path())
@click.option(
    "-k", "--topics", "n_topics", type=click.IntRange(1), default=10, show_default=True, help="Number of topics."
)
@click.option("-o", "--output", type=click.Path(), help="Save the model here (suffix .cotopics by custom).")
@click.option(
    "--method", type=click.Choice(["anchor-words", "anchor-free"]), default=RECIPE["method"], show_default=True
)
@click.option(
    "--vocabulary-size", type=click.IntRange(2), help="Keep this many words, those with the best tf-idf score."
)
@click.option("--min-documents", type=click.IntRange(1), default=5, show_default=True, help="Leave out words in fewer.")
@click.option("--stop-words", type=click.Choice(["english", "none"]), default="english", show_default=True)
@click.option("--text-field", default="text", show_default=True, help="Field of a .jsonl line that holds the text.")
@click.option(
    "--weighting", type=click.Choice(["balanced", "tfidf", "counts"]), default=RECIPE["weighting"], show_default=True,
    help="How documents enter the co-occurrence; 'counts' is the papers'.",
)  # fmt: skip
@click.option(
    "--rectifier", type=click.Choice(["auto", "ap", "enn", "palm", "dc", "none"]), default=RECIPE["rectifier"],
    show_default=True,
    help="For anchor words: alternating projection on the full matrix (ap) or on a thin factor (enn), a non-negative "
    "factor (palm), diagonal completion (dc) or none; auto is ap up to 5,000 words and enn beyond.",
)  # fmt: skip
@click.option(
    "--min-anchor-documents", default=str(RECIPE["min_anchor_documents"]), show_default=True, callback=_number_or_share,
    help="For anchor words: documents, or share of them, that a word must be in to be an anchor.",
)  # fmt: skip
@click.option(
    "--stream", is_flag=True,
    help="For files larger than memory: read INPUT in pieces, twice, and keep a sketch of fixed size. Implies "
    "--weighting counts and --rectifier enn.",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Results and errors only.")
def command(input: str, output: str | None, quiet: bool, stream: bool, **options: Any) -> None:
    """Find topics in INPUT and save the model.

    INPUT is a .txt file (one document a line), a .jsonl file (one object a line), a .parquet file, counts in an .npz
    file with the words in vocab.txt beside it, or a UCI bag of words (docword*.txt with vocab*.txt beside it); a folder
    of .npz or .parquet files is read as one. Text files may be compressed (.gz).

    \b
    Examples:
      cotopics fit articles.jsonl.gz -k 20 -o articles.cotopics
      cotopics fit notes.txt -k 8 --stop-words none
      cotopics fit articles.jsonl.gz -k 20 --method anchor-free -o articles.cotopics
      cotopics fit counts.npz -k 50 --vocabulary-size 5000 --weighting counts --min-anchor-documents 0
      cotopics fit docword.pubmed.txt.gz -k 50 --stream -o pubmed.cotopics
    """
    _refuse_what_does_nothing(input, options["method"], stream)
    if output is not None:
        _check_output(Path(output), output)
    with clear_errors():
        with progress_bar(quiet=quiet):
            if stream:
                model = _fit_stream(input, quiet=quiet, **options)
            else:
                corpus = _read(input, **options)
                size = f"{corpus.counts.shape[0]} documents, {corpus.counts.shape[1]} words"
                say("; ".join([size, *corpus.notes]), quiet=quiet)
                model = fit_corpus(corpus, quiet=quiet, **options)
            if output is not None:
                model.save(output)
        show_table(describe_topics(model, 8))
    if output is not None:
        say(f"Saved to {output}.  Next:  cotopics topics {output} --json", quiet=quiet)
    else:
        say("Not saved: name a file with -o to keep the model.", quiet=quiet)


def _read(input: str, **options: Any) -> Any:
    """The whole corpus. What comes in pieces is read in pieces and put together."""
    from cotopics.corpus import Corpus, read_corpus

    path = Path(input)
    if not (path.is_dir() or path.suffix == ".parquet" or path.name.startswith("docword")):
        words, kept = _reading(options)
        return read_corpus(input, **words, **kept)
    import scipy.sparse as sp

    stream, names = _open(input, options)
    return Corpus(sp.vstack(list(stream), format="csr"), names)


def _fit_stream(input: str, *, quiet: bool, n_topics: int, min_anchor_documents: float, **options: Any) -> Any:
    """The model of a corpus of which no more than a piece is ever in memory."""
    from cotopics.models import AnchorWords

    stream, names = _open(input, options)
    model = AnchorWords(n_topics, rectifier="enn", representation="sketch", min_anchor_documents=min_anchor_documents)
    for chunk in stream:
        model.partial_fit(chunk, feature_names=names)
    with _warnings_as_messages(quiet):
        found = model.diagnostics_["documents"]  # sets the fit going
    say(f"{found['used'] + found['left_out']} documents, {len(names)} words", quiet=quiet)
    return model


def _open(input: str, options: dict[str, Any]) -> tuple[Any, list[str]]:
    """A stream of the words to keep, and their names."""
    from cotopics.corpus import keep_frequent, open_stream

    words, kept = _reading(options)
    stream = open_stream(input, **words)
    if stream.vocabulary is None:  # named before any is left out, as in `read_corpus`
        stream.vocabulary = [f"word{i}" for i in range(stream.n_words or 0)]
    stream = keep_frequent(stream, **kept)
    return stream, stream.vocabulary or []


def _reading(options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """How texts become words, and which words are kept."""
    stop_words = None if options["stop_words"] == "none" else options["stop_words"]
    kept = {name: options[name] for name in ("min_documents", "vocabulary_size")}
    return {"text_field": options["text_field"], "stop_words": stop_words}, kept


def _refuse_what_does_nothing(input: str, method: str, stream: bool) -> None:
    """An option that the user typed and that would be ignored is a mistake worth a line."""
    useless: dict[str, str] = {}
    if stream:
        useless |= dict.fromkeys(("rectifier", "weighting", "method"), "goes without --stream, which decides it")
    if method == "anchor-free":
        useless |= dict.fromkeys(("rectifier", "min_anchor_documents"), "is for --method anchor-words")
    if _holds_counts(Path(input)):
        useless |= dict.fromkeys(("stop_words", "text_field"), "is for texts, and these are counts")
    context = click.get_current_context()
    for name, reason in useless.items():
        if context.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE:
            raise InputProblem(f"--{name.replace('_', '-')} {reason}")


def _holds_counts(path: Path) -> bool:
    if path.is_dir():
        return any(path.glob("*.npz"))
    return path.suffix == ".npz" or path.name.startswith("docword")


def _check_output(path: Path, name: str) -> None:
    """Say now, not after the fit, that the model cannot be saved there."""
    if not name.strip() or path.is_dir():
        raise InputProblem(f"-o {name!r} is no file name; name a file such as model.cotopics")
    if not path.absolute().parent.is_dir():
        raise InputProblem(f"the folder of {name} does not exist")
    if not os.access(path.absolute().parent, os.W_OK):
        raise InputProblem(f"the folder of {name} cannot be written to")


def fit_corpus(corpus: Any, *, quiet: bool, **options: Any) -> Any:
    """Fit the model that the options describe; warnings become messages."""
    model = _model(n_words=len(corpus.vocabulary), **options)
    with _warnings_as_messages(quiet):
        model.fit(corpus.counts, feature_names=corpus.vocabulary)
    return model


@contextmanager
def _warnings_as_messages(quiet: bool) -> Iterator[None]:
    import warnings

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        say(f"warning: {warning.message}", quiet=quiet)


def _model(
    *,
    n_words: int,
    n_topics: int,
    method: str,
    weighting: str,
    rectifier: str,
    min_anchor_documents: float,
    **others: Any,
) -> Any:
    from cotopics.models import AnchorFree, AnchorWords

    if method == "anchor-free":
        return AnchorFree(n_topics, weighting=weighting)
    if rectifier == "auto":
        rectifier = "ap" if n_words <= MOST_WORDS_FOR_AP else "enn"
    return AnchorWords(
        n_topics,
        weighting=weighting,
        rectifier=None if rectifier == "none" else rectifier,
        min_anchor_documents=min_anchor_documents,
    )
