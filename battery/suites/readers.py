"""Damaged files of documents and counts, through the readers in this process."""

from __future__ import annotations

import numpy as np

from battery.damaged import damaged
from battery.harness import describe
from battery.promises import own_warnings
from battery.samples import write_samples
from battery.suite import Suite, Trial, expect
from cotopics.corpus import open_stream, read_corpus
from cotopics.errors import CotopicsError


def attempt(trial: Trial) -> None:
    path = damaged(trial)
    options = {"on_error": trial.one_of(["raise", "skip"]), "min_documents": 1}
    with own_warnings():
        try:
            if trial.draw.random() < 0.7:
                counts = read_corpus(path, **options).counts
                found = [counts]
            else:
                options.pop("min_documents")
                found = list(open_stream(path, chunk_documents=50, **options))
        except CotopicsError as error:
            is_named = path.name in str(error) or "vocab" in str(error)
            expect(
                is_named or " hold " in str(error), f"{path.name}: the error does not name it: {error}"
            )  # too few words
            return
        except Exception as error:
            expect(False, f"{path.name}: {describe(error)}")
    for counts in found:
        data = np.asarray(counts.data, dtype=float)
        expect(np.isfinite(data).all() and (data >= 0).all(), f"{path.name}: counts that are not")
        within = counts.nnz == 0 or (counts.indices.min() >= 0 and counts.indices.max() < counts.shape[1])
        expect(within, f"{path.name}: words out of range")


SUITE = Suite(
    "Mutated files of documents and counts (txt, jsonl, csv, tsv, parquet, npz, mtx, UCI, lda-c, corpus; plain, gz, "
    "bz2, xz), bombs, false sizes and deep nesting through read_corpus and open_stream: a CorpusError that names the "
    "file, or valid counts.",
    attempt,
    count=8000,
    seconds=60,
    prepare=write_samples,
)
