"""How commands read INPUT: whole, in pieces, on a cluster, or over the words of a model."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from cotopics.cli.display import InputProblem, say
from cotopics.cli.options import (
    FILE_OPTIONS,
    INPUT_OPTIONS,
    PREPARATION_OPTIONS,
    VOCABULARY_OPTIONS,
    holds_counts,
    pick,
    typed_options,
)

PARTITION_OPTIONS = ("text_field", *FILE_OPTIONS)


def read_whole(input: str, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The whole corpus and its provenance, a record for the model's file. Says how large the corpus is."""
    from cotopics.corpus import read_corpus

    prepare = _preparation(input, options)
    corpus = read_corpus(input, prepare=prepare, **pick(options, (*VOCABULARY_OPTIONS, "min_length", *INPUT_OPTIONS)))
    size = f"{corpus.counts.shape[0]} documents, {corpus.counts.shape[1]} words"
    say("; ".join([size, *corpus.notes]))
    return corpus, _provenance(input, corpus.notes, prepare)


def read_for(model: Any, input: str, options: dict[str, Any], *, also: Any = None) -> Any:
    """The whole corpus over the words of a model, prepared like the model's texts; words are matched by name.

    also: another model, whose words come after those of the first.
    """
    from dataclasses import replace

    from cotopics.corpus import read_corpus
    from cotopics.corpus.preparation import saved_preparation
    from cotopics.word_matching import counts_over

    prepare = saved_preparation(model.provenance_)
    corpus = read_corpus(input, prepare=prepare, min_documents=0, **pick(options, INPUT_OPTIONS))  # keeps all words
    n_words, known = model.n_features_in_, model.vocabulary_
    if known is not None and also is not None and also.vocabulary_ is not None:
        known = list(dict.fromkeys([*known, *also.vocabulary_]))
        n_words = len(known)
    if known is not None:
        counts, n_unknown = counts_over(corpus.counts, corpus.vocabulary, known)
        if counts.nnz == 0:
            raise InputProblem(
                f"{input} has none of the model's {n_words} words; give texts of the same language, or counts with the "
                "words of their columns in vocab.txt in the same folder"
            )
        unknown = [f"{n_unknown} other words left out, which the model does not know"] if n_unknown else []
        corpus = replace(
            corpus, counts=counts, vocabulary=[str(word) for word in known], notes=[*corpus.notes, *unknown]
        )
    elif corpus.counts.shape[1] != n_words:
        raise InputProblem(
            f"{input} has {corpus.counts.shape[1]} words and the model {n_words}, without their names, so columns "
            "cannot be matched; fit with feature_names= to match words by name"
        )
    if "label_field" in typed_options() and corpus.labels is None:
        raise InputProblem(f"no document has a field {options['label_field']!r}; name the field of the labels")
    models = "model" if also is None else "models"
    size = f"{corpus.counts.shape[0]} documents, {corpus.counts.shape[1]} words of the {models}"
    say("; ".join([size, *corpus.notes]))
    return corpus


def read_raw_texts(input: str, options: dict[str, Any]) -> Any:
    """The documents' texts as they are read, one after the other; an error if INPUT holds counts."""
    from cotopics.corpus import read_documents

    documents = read_documents(input, text_field=options["text_field"], **pick(options, FILE_OPTIONS))
    return (document.text for document in documents)


def open_pieces(input: str, options: dict[str, Any], *, on_dask: bool = False) -> tuple[Any, list[str], dict[str, Any]]:
    """A stream of documents, or partitions on Dask, over the words to keep; these words; and the provenance."""
    from cotopics.corpus import keep_frequent, open_stream
    from cotopics.corpus.corpus import numbered_words

    prepare, vocabulary = _preparation(input, options), pick(options, VOCABULARY_OPTIONS)
    if on_dask:
        from cotopics.distributed import open_partitions

        pieces: Any = open_partitions(input, prepare=prepare, **vocabulary, **pick(options, PARTITION_OPTIONS))
    else:
        stream = open_stream(input, prepare=prepare, **pick(options, INPUT_OPTIONS))
        if stream.vocabulary is None:  # words get names before any is left out, as in `read_corpus`
            stream.vocabulary = numbered_words(stream.n_words or 0)
        pieces = keep_frequent(stream, **vocabulary)
    return pieces, pieces.vocabulary or [], _provenance(input, pieces.notes, prepare)


def more_pieces(
    input: str, options: dict[str, Any], words: list[str], provenance: Any, *, on_dask: bool = False
) -> Any:
    """A stream of more documents, or partitions on Dask, over known words, prepared like the documents before."""
    from cotopics.corpus.preparation import saved_preparation

    prepare = saved_preparation(provenance)
    if on_dask:
        from cotopics.distributed import open_partitions

        return open_partitions(input, prepare=prepare, vocabulary=words, **pick(options, PARTITION_OPTIONS))
    from cotopics.corpus import open_stream

    return open_stream(input, prepare=prepare, vocabulary=words, **pick(options, INPUT_OPTIONS))


def added_to(provenance: dict[str, Any], input: str, notes: list[str]) -> dict[str, Any]:
    """The provenance of documents after those of INPUT were added."""
    names, before = provenance.get("input"), provenance.get("notes")
    new = _provenance(input, notes)
    return provenance | {
        "input": f"{names}, {new['input']}" if isinstance(names, str) else new["input"],
        "notes": [*(before if isinstance(before, list) else []), *new["notes"]],
    }


def _preparation(input: str, options: dict[str, Any]) -> Any:
    """How texts become words, by the options."""
    from dataclasses import replace

    from cotopics.corpus import Preparation, find_phrases

    chosen = pick(options, PREPARATION_OPTIONS)
    prepare = Preparation(**chosen | {"stop_words": None if chosen["stop_words"] == "none" else chosen["stop_words"]})
    if not options["phrases"]:
        return prepare
    texts = read_raw_texts(input, options)
    return replace(prepare, phrases=find_phrases(prepare(text) if isinstance(text, str) else text for text in texts))


def _provenance(input: str, notes: list[str], prepare: Any = None) -> dict[str, Any]:
    """What a model's file says about its documents: names of files without paths, notes, and the preparation."""
    from cotopics.corpus.files import as_text
    from cotopics.corpus.inputs import find_files

    path = find_files(input)[0][0] if input == "-" else Path(input)
    folder = "" if path.parent == Path() else f"{path.parent}{os.sep}"
    whole = f"{path.absolute().parent}{os.sep}"  # workers of a cluster use it
    name = "standard input" if input == "-" else path.absolute().name
    shown = [note.replace(as_text(whole), "").replace(as_text(folder), "") for note in notes]
    record = {"input": as_text(name), "notes": shown}
    return record if prepare is None or holds_counts(input) else record | {"preparation": prepare.to_json()}
