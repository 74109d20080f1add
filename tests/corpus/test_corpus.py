import gzip
import json

import numpy as np
import pytest
import scipy.sparse as sp

from cotopics.corpus import Corpus, count_words, keep_words, read_corpus, tfidf_scores
from cotopics.errors import CorpusError

TEXTS = ["The black cat sat on a mat.", "Cats and dogs; a black dog!", "Größe 42: naïve café, 東京 東京", "a 1 _"]


def test_words_are_runs_of_letters_in_any_script():
    corpus = count_words(TEXTS, min_documents=1)
    assert corpus.vocabulary == sorted(
        ["black", "cat", "sat", "mat", "cats", "dogs", "dog", "größe", "naïve", "café", "東京"]
    )
    assert corpus.counts[2, corpus.vocabulary.index("東京")] == 2
    assert corpus.counts.shape[0] == 4  # a text without words keeps its place


def test_stop_words():
    assert "the" in count_words(TEXTS, stop_words=None, min_documents=1).vocabulary
    assert "cat" not in count_words(TEXTS, stop_words=["cat", "the"], min_documents=1).vocabulary
    with pytest.raises(ValueError, match="klingon"):
        count_words(TEXTS, stop_words="klingon")


@pytest.mark.parametrize("texts", [["", " "], ["the", "a"]])
def test_no_words_at_all(texts):
    with pytest.raises(CorpusError, match="no word"):
        count_words(texts)


def test_one_string_is_not_a_corpus():
    with pytest.raises(CorpusError, match="one string"):
        count_words("text")


def test_scores_rank_words_of_most_documents_last():
    counts = sp.csr_array([[9, 1, 0], [9, 0, 0], [9, 0, 2], [9, 0, 0]])
    assert np.allclose(tfidf_scores(counts), [0, np.log(4), 2 * np.log(4)])


def test_keeping_words():
    corpus = Corpus(sp.csr_array([[9, 1, 0, 2], [9, 0, 0, 1], [9, 0, 2, 0], [9, 0, 0, 0]]), list("abcd"), [1, 2, 3, 4])
    assert keep_words(corpus, vocabulary_size=2).vocabulary == ["c", "d"]
    frequent = keep_words(corpus, min_documents=2)
    assert frequent.vocabulary == ["a", "d"]
    assert frequent.counts.toarray().tolist() == [[9, 2], [9, 1], [9, 0], [9, 0]]
    assert frequent.labels == [1, 2, 3, 4]
    assert frequent.notes == ["2 of 4 words left out: in fewer than 2 documents"]
    with pytest.raises(CorpusError, match="lower min_documents"):
        keep_words(corpus, min_documents=5)
    with pytest.raises(ValueError, match="vocabulary_size=1"):
        keep_words(corpus, vocabulary_size=1)


@pytest.mark.parametrize(
    ("counts", "said"), [([[3], [1]], "hold one word in all"), ([[0], [0]], "hold no word in all")]
)
@pytest.mark.parametrize("min_documents", [0, 1, 5])
def test_too_few_words_are_an_error_whatever_the_filter(counts, said, min_documents):
    corpus = Corpus(sp.csr_array(counts), ["a"])
    with pytest.raises(CorpusError, match=said) as error:
        keep_words(corpus, min_documents=min_documents)
    assert "min_documents" not in str(error.value)
    wide = Corpus(sp.csr_array(np.pad(counts, ((0, 0), (0, 2)))), list("abc"))
    if min_documents == 0:  # words that do not occur are kept then, as columns of a model may be
        assert keep_words(wide, min_documents=0).vocabulary == list("abc")
    else:
        with pytest.raises(CorpusError, match=said):
            keep_words(wide, min_documents=min_documents)


def write(path, content):
    data = content if isinstance(content, bytes) else content.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_text_and_jsonl(tmp_path, suffix):
    lines = write(tmp_path / f"a.txt{suffix}", "\ufeffcat dog\n\n  dog bird \r\n")
    objects = "\n".join(
        json.dumps({"text": text, "label": label}) for text, label in [("cat dog", "x"), ("dog bird", None)]
    )
    records = write(tmp_path / f"a.jsonl{suffix}", objects)
    for path, labels in ((lines, None), (records, ["x", None])):
        corpus = read_corpus(path, min_documents=1)
        assert corpus.vocabulary == ["bird", "cat", "dog"]
        assert corpus.counts.toarray().tolist() == [[0, 1, 1], [1, 0, 1]]
        assert corpus.labels == labels


def test_counts_with_words_and_labels_next_to_them(tmp_path):
    counts = sp.csr_array([[1, 2, 0], [0, 1, 1]])
    sp.save_npz(tmp_path / "counts.npz", counts)
    assert read_corpus(tmp_path / "counts.npz", min_documents=1).vocabulary == ["word0", "word1", "word2"]
    write(tmp_path / "vocab.txt", "cat\ndog\nbird\n")
    write(tmp_path / "labels.txt", "x\ny\n")
    corpus = read_corpus(tmp_path / "counts.npz", min_documents=1)
    assert (corpus.counts != counts).nnz == 0
    assert corpus.vocabulary == ["cat", "dog", "bird"]
    assert corpus.labels == ["x", "y"]
    write(tmp_path / "vocab.txt", "cat\ndog\n")
    with pytest.raises(CorpusError, match=r"3 words, but vocab\.txt next to it has 2 lines"):
        read_corpus(tmp_path / "counts.npz")


def bad_indices(path):
    np.savez(path, data=np.ones(2), indices=np.array([0, 99]), indptr=np.array([0, 2]), shape=(1, 3), format=b"csr")
    return path.read_bytes()


BAD = {
    "a.txt": ("", "no documents"),
    "b.txt": (b"ok\n\xff\xfe bad\n", "line 2: not UTF-8"),
    "c.txt.gz": (b"not gzip", "damaged"),
    "d.jsonl": ('{"text": "ok"}\n{"text": ', "line 2: not JSON"),
    "e.jsonl": ('{"body": "ok"}', "no field 'text'; its fields are 'body'"),
    "f.jsonl": ('{"text": 3}', "holds int, not a text"),
    "g.jsonl": ("[1]", "it is not an object"),
    "h.jsonl": ("[" * 100_000, "not JSON"),
    "i.npz": (b"PK not really", "not a count matrix"),
    "j.npz": (bad_indices, "not a count matrix"),
    "k.pdf": ("x", "suffix '.pdf'"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_read_is_named(tmp_path, name):
    content, message = BAD[name]
    path = tmp_path / name
    data = content(tmp_path / "made.npz") if callable(content) else content
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    with pytest.raises(CorpusError, match=message):
        read_corpus(path)


def test_archive_cut_off(tmp_path):
    path = write(tmp_path / "a.txt.gz", "cat dog\n" * 10_000)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(CorpusError, match="cut off"):
        read_corpus(path)


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(CorpusError, match="no file"):
        read_corpus(tmp_path / "nothing.txt")
    with pytest.raises(CorpusError, match="is a folder"):
        read_corpus(tmp_path)


def test_a_corpus_fits_together():
    with pytest.raises(CorpusError, match="vocabulary"):
        Corpus(sp.csr_array((2, 3)), ["a"])
    with pytest.raises(CorpusError, match="labels"):
        Corpus(sp.csr_array((2, 3)), ["a", "b", "c"], labels=[1])
