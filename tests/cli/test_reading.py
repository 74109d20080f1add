"""A corpus over the words of a model: by name where they have names, by column where they have none."""

from types import SimpleNamespace

import click
import numpy as np
import pytest
import scipy.sparse as sp

from cotopics.cli.display import InputProblem
from cotopics.cli.reading import read_for

OPTIONS = {"text_field": "text", "label_field": "label", "id_field": "id", "date_field": "date"}
OPTIONS |= {"kind": None, "encoding": "utf-8", "on_error": "raise", "delimiter": None, "date_format": None}


def read(model, path, **options):
    """As from a command whose options nobody typed."""
    with click.Context(click.Command("evaluate")):
        return read_for(model, path, OPTIONS | options)


def model_of(words, n_words=None):
    n_words = len(words) if n_words is None else n_words
    return SimpleNamespace(vocabulary_=words, n_features_in_=n_words, provenance_=None)


def write(path, content):
    path.write_text(content, encoding="utf-8")
    return str(path)


def test_columns_are_the_models_words_in_its_order(tmp_path):
    """Stop words and words of one document too, if the model has them; what it lacks is left out and counted."""
    path = write(tmp_path / "a.txt", "cat the cat dog\nowl dog bee")
    corpus = read(model_of(["the", "dog", "ant", "cat"]), path)
    assert corpus.vocabulary == ["the", "dog", "ant", "cat"]
    assert corpus.counts.toarray().tolist() == [[1, 1, 0, 2], [0, 1, 0, 0]]
    assert corpus.notes == ["2 other words left out, which the model does not know"]
    assert corpus.labels is None
    known = read(model_of(["bee", "cat", "dog", "owl", "the"]), path)
    assert known.notes == []
    assert known.counts.sum() == 7


def test_fields_of_the_text_and_the_label(tmp_path):
    path = write(tmp_path / "a.jsonl", '{"body": "cat dog", "kind": "pets"}\n{"body": "owl cat"}')
    corpus = read(model_of(["cat", "owl"]), path, text_field="body", label_field="kind")
    assert corpus.counts.toarray().tolist() == [[1, 0], [1, 1]]
    assert corpus.labels == ["pets", None]
    assert read(model_of(["cat"]), path, text_field="body", label_field="none").labels is None


@pytest.mark.parametrize("pieces", [1, 3])
def test_counts_and_folders_of_counts(tmp_path, pieces):
    X = np.array([[1, 0, 2], [0, 0, 1], [3, 1, 0]])
    for i, rows in enumerate(np.array_split(X, pieces)):
        sp.save_npz(tmp_path / f"{i}.npz", sp.csr_array(rows))
    write(tmp_path / "vocab.txt", "cat\ndog\nowl")
    path = str(tmp_path / "0.npz" if pieces == 1 else tmp_path)
    corpus = read(model_of(["owl", "ant", "cat"]), path)
    assert corpus.counts.toarray().tolist() == [[2, 0, 1], [1, 0, 0], [0, 0, 3]]
    assert corpus.vocabulary == ["owl", "ant", "cat"]


def test_without_names_columns_are_the_words(tmp_path):
    X = np.array([[1, 0, 2], [0, 0, 1]])
    sp.save_npz(tmp_path / "a.npz", sp.csr_array(X))
    path = str(tmp_path / "a.npz")
    assert read(model_of(None, 3), path).counts.toarray().tolist() == X.tolist()
    with pytest.raises(InputProblem, match=r"a\.npz has 3 words and the model 4, without their names"):
        read(model_of(None, 4), path)


def test_a_corpus_of_other_words(tmp_path):
    with pytest.raises(InputProblem, match=r"a\.txt has none of the model's 2 words"):
        read(model_of(["cat", "dog"]), write(tmp_path / "a.txt", "chat chien\nchat"))
