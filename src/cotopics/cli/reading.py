"""How commands read INPUT: whole, in pieces, on a cluster, or over the words of a model."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cotopics.cli.display import InputProblem, say
from cotopics.cli.options import (
    FILE_OPTIONS,
    INPUT_OPTIONS,
    PREPARATION_OPTIONS,
    STREAM_OPTIONS,
    VOCABULARY_OPTIONS,
    WHOLE_OPTIONS,
    holds_counts,
    pick,
    typed_options,
)

PARTITION_OPTIONS = ("text_field", *FILE_OPTIONS)


def read_whole(input: str, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The whole corpus and its provenance, a record for the model's file. Says how large the corpus is."""
    from cotopics.corpus import read_corpus

    prepare = _preparation(input, options)
    corpus = read_corpus(input, prepare=prepare, **pick(options, (*VOCABULARY_OPTIONS, *WHOLE_OPTIONS, *INPUT_OPTIONS)))
    _check_fields(corpus, options)
    size = f"{corpus.counts.shape[0]} documents, {corpus.counts.shape[1]} words"
    say("; ".join([size, *corpus.notes]))
    return corpus, _provenance(input, corpus.notes, prepare)


def read_for(model: Any, input: str, options: dict[str, Any], *, also: Any = None) -> Any:
    """The whole corpus over the words of a model, prepared like the model's texts; words are matched by name.

    also: another model, whose words come after those of the first.
    """
    from dataclasses import replace

    from cotopics.corpus import read_corpus
    from cotopics.corpus.inspection import OPTIONS
    from cotopics.corpus.preparation import saved_preparation
    from cotopics.word_matching import counts_over

    prepare = saved_preparation(model.provenance_)
    metadata = options.get("metadata_fields", ())
    read = pick(options, INPUT_OPTIONS) | {"metadata_fields": metadata, "min_documents": 0}  # keeps all words
    corpus = read_corpus(input, prepare=prepare, **read)
    notes = [note for note in corpus.notes if not any(option in note for option in OPTIONS)]
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
        corpus = replace(corpus, counts=counts, vocabulary=[str(word) for word in known], notes=[*notes, *unknown])
    elif corpus.counts.shape[1] != n_words:
        raise InputProblem(
            f"{input} has {corpus.counts.shape[1]} words and the model {n_words}, without their names, so columns "
            "cannot be matched; fit with feature_names= to match words by name"
        )
    _check_fields(corpus, options)
    models = "model" if also is None else "models"
    size = f"{corpus.counts.shape[0]} documents, {corpus.counts.shape[1]} words of the {models}"
    say("; ".join([size, *corpus.notes]))
    if corpus.preparation is not None and "preparation" not in (model.provenance_ or {}):
        say("the model does not say how its texts became words; words in lower case are matched with its own")
    return corpus


def read_with_new_words(model: Any, input: str, options: dict[str, Any], min_documents: int | float) -> Any:
    """The whole corpus over the model's words and new ones that are in enough documents, prepared like its texts."""
    from dataclasses import replace

    import numpy as np

    from cotopics.corpus import read_corpus
    from cotopics.corpus.preparation import saved_preparation
    from cotopics.linalg.sparse_matrices import column_counts

    if model.vocabulary_ is None:
        raise InputProblem("the model's words have no names, so those of INPUT cannot be matched with them")
    prepare = saved_preparation(model.provenance_)
    corpus = read_corpus(input, prepare=prepare, min_documents=0, **pick(options, INPUT_OPTIONS))
    least = min_documents if isinstance(min_documents, int) else min_documents * corpus.counts.shape[0]
    known = set(model.vocabulary_)
    is_known = np.array([word in known for word in corpus.vocabulary])
    if not is_known.any():
        raise InputProblem(f"{input} has none of the model's {len(known)} words; give texts of the same language")
    kept = np.flatnonzero(is_known | (column_counts(corpus.counts) >= least))
    n_rare = len(is_known) - len(kept)
    notes = [f"{n_rare} new words left out: in too few documents"] if n_rare else []
    say("; ".join([f"{corpus.counts.shape[0]} documents, {len(kept)} words", *corpus.notes, *notes]))
    words = [corpus.vocabulary[i] for i in kept]
    return replace(corpus, counts=corpus.counts[:, kept], vocabulary=words, notes=[*corpus.notes, *notes])


def _check_fields(corpus: Any, options: dict[str, Any]) -> None:
    """An error if no document has a field that the user named."""
    for option, found in (("label_field", corpus.labels), ("date_field", corpus.dates), ("id_field", corpus.ids)):
        if option in typed_options() and found is None:
            flag = f"--{option.replace('_', '-')}"
            raise InputProblem(f"no document has a field {options[option]!r}; name one that is there with {flag}")


def read_raw_texts(input: str, options: dict[str, Any]) -> Any:
    """The documents' texts as they are read, one after the other; an error if INPUT holds counts."""
    from cotopics.corpus import read_documents

    documents = read_documents(input, text_field=options["text_field"], **pick(options, FILE_OPTIONS))
    return (document.text for document in documents)


def open_pieces(input: str, options: dict[str, Any], *, on_dask: bool = False) -> tuple[Any, list[str], dict[str, Any]]:
    """A stream of documents, or partitions on Dask, over the words to keep; these words; and the provenance."""
    from cotopics.corpus import keep_frequent

    prepare, vocabulary = _preparation(input, options), pick(options, VOCABULARY_OPTIONS)
    if on_dask:
        from cotopics.distributed import open_partitions

        pieces: Any = open_partitions(input, prepare=prepare, **vocabulary, **pick(options, PARTITION_OPTIONS))
    else:
        pieces = keep_frequent(_open_all_words(input, prepare, options), **vocabulary)
    return pieces, pieces.vocabulary or [], _provenance(input, pieces.notes, prepare)


def pack_pieces(input: str, options: dict[str, Any], scratch: str | None) -> tuple[Any, dict[str, Any]]:
    """The documents packed into a scratch file, over the words to keep, and the provenance. Says how many there are.

    Files are read once: words that are not kept are left out of the counts, not of the texts."""
    from cotopics.on_disk import pack

    prepare = _preparation(input, options)
    packed = pack(_open_all_words(input, prepare, options), scratch)
    kept = packed.keep_frequent(**pick(options, VOCABULARY_OPTIONS))
    if kept is not packed:
        packed.close()
    say("; ".join([f"{kept.n_documents} documents, {kept.n_words} words", *kept.notes]))
    return kept, _provenance(input, list(kept.notes), prepare)


def _open_all_words(input: str, prepare: Any, options: dict[str, Any]) -> Any:
    """A stream over all words; they get names before any is left out, as in `read_corpus`."""
    from cotopics.corpus import open_stream
    from cotopics.corpus.corpus import numbered_words

    stream = open_stream(input, prepare=prepare, **pick(options, STREAM_OPTIONS))
    if stream.vocabulary is None:
        stream.vocabulary = numbered_words(stream.n_words or 0)
    return stream


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

    return open_stream(input, prepare=prepare, vocabulary=words, **pick(options, STREAM_OPTIONS))


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
    prepare = Preparation(**chosen | stop_words_of(chosen["stop_words"]))
    if not options["phrases"]:
        return prepare
    texts = read_raw_texts(input, options)
    return replace(prepare, phrases=find_phrases(prepare(text) if isinstance(text, str) else text for text in texts))


def stop_words_of(values: Sequence[str]) -> dict[str, Any]:
    """The options of a Preparation that --stop-words asks for: languages, and words listed or in files."""
    from cotopics.corpus.files import read_column
    from cotopics.corpus.languages import NAMES, mixed_code

    languages: list[str] = []
    words: list[str] = []
    for value in values:
        path = Path(value)
        if value.startswith("+"):
            words += [word.strip() for word in value[1:].split(",") if word.strip()]
        elif path.suffix == ".txt" or path.is_file():
            lines = read_column(path)
            if lines is None:
                raise InputProblem(f"--stop-words {value}: there is no such file; words themselves are listed as +a,b")
            words += [word for line in lines for word in line.partition("#")[0].split()]
        else:
            languages.append(value)
    chosen = ", ".join(languages) or "english"
    if code := mixed_code(chosen):
        raise InputProblem(
            f"--stop-words {chosen!r}: {code!r} is the code of {NAMES[code].title()}; for its list write "
            f"{NAMES[code]}, for the word +{code}"
        )
    if "none" in languages and len(languages) > 1:
        raise InputProblem("--stop-words none means no language; leave out the others, or leave out none")
    return {"stop_words": None if chosen == "none" else chosen, "extra_stop_words": words}


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
