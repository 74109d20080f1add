from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from cotopics import AnchorWords
from cotopics.corpus import counts_from_baskets, counts_from_ratings, keep_words, read_tags, tag_matrix
from cotopics.errors import CorpusError, ParameterError

STARS = [[4, 0, 2.5], [0.5, 5, 0], [0, 0, 0]]
COUNTS = [[8, 0, 5], [1, 10, 0], [0, 0, 0]]
MISSING = [[4, None, 2.5], [0.5, 5, None], [None, None, None]]
FORMS = [list, np.array, pd.DataFrame, sp.csr_array, sp.coo_matrix, sp.csc_array, sp.lil_array]


@pytest.mark.parametrize("form", FORMS)
def test_two_copies_of_an_item_for_each_star(form):
    counts = counts_from_ratings(form(STARS))
    assert counts.toarray().tolist() == COUNTS
    assert counts.dtype.kind == "i"
    assert counts.nnz == 4


@pytest.mark.parametrize(
    "table",
    [
        np.array(MISSING, dtype=float),
        pd.DataFrame(MISSING),
        pd.DataFrame(MISSING).astype("Float64"),  # pandas' own missing values
        pl.DataFrame(MISSING, schema=list("abc"), orient="row", strict=False),
    ],
)
def test_missing_is_not_rated(table):
    assert counts_from_ratings(table).toarray().tolist() == COUNTS


def test_a_pivoted_frame_goes_straight_into_a_model():
    long = pd.DataFrame({"user": [0, 0, 1, 1, 2, 2], "item": list("abbccd"), "stars": [1, 2, 3, 4, 0.5, 5]})
    table = long.pivot(index="user", columns="item", values="stars")
    counts = counts_from_ratings(table)
    assert counts.toarray().tolist() == [[2, 4, 0, 0], [0, 6, 8, 0], [0, 0, 1, 10]]
    assert AnchorWords(2).fit(counts, feature_names=table.columns).vocabulary_.tolist() == list("abcd")


def test_other_scales():
    assert counts_from_ratings([[1, 3]], copies=1).toarray().tolist() == [[1, 3]]
    assert counts_from_ratings(np.array([[3.3, 0.1]], dtype=np.float32), copies=10).toarray().tolist() == [[33, 1]]
    assert counts_from_ratings([[1 / 3]], copies=np.int64(3)).toarray().tolist() == [[1]]


@given(st.lists(st.lists(st.integers(0, 10), min_size=4, max_size=4), min_size=1, max_size=5), st.integers(1, 7))
def test_counts_over_copies_are_the_ratings(halves, copies):
    stars = np.array(halves) / copies
    given = sp.coo_array(stars)
    before = given.copy()
    assert np.allclose(counts_from_ratings(given, copies=copies).toarray() / copies, stars)
    assert (given.data == before.data).all()


def test_the_users_matrix_is_left_alone():
    unsorted = sp.csr_array((np.array([1, 2, 0]), np.array([2, 0, 1]), np.array([0, 3])), shape=(1, 3))
    counts_from_ratings(unsorted)
    assert unsorted.indices.tolist() == [2, 0, 1]
    assert unsorted.data.tolist() == [1, 2, 0]


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        ([[1, 2], [3, -0.5]], "-0.5 of user 1, item 1 is negative"),
        ([[1, 3.7]], "3.7 of user 0, item 1 is not a multiple of 1/2"),
        ([[1e-9, 1]], "not a multiple"),
        ([[np.inf, 1]], "inf of user 0, item 0 is not a number of stars"),
        (sp.csr_array([[1, np.nan]]), "nan of user 0, item 1 is not a number of stars"),
        ([[1e300]], "not a number of stars"),
        ([1, 2, 3], "1 dimensions"),
        ([["five", 1]], "not a table of numbers"),
        (pd.DataFrame({"a": ["five"]}), "not a table of numbers"),
        ([[1, 2], [3]], "not a table of numbers"),
        (sp.csr_array(np.array([[1j]])), "complex"),
    ],
)
def test_wrong_ratings(ratings, message):
    with pytest.raises(CorpusError, match=message):
        counts_from_ratings(ratings)


@pytest.mark.parametrize("copies", [0, -1, 1.5, True, "2"])
def test_wrong_copies(copies):
    with pytest.raises(ParameterError, match="whole number"):
        counts_from_ratings([[1]], copies=copies)


def test_baskets_count_items():
    corpus = counts_from_baskets([["tea", "milk", "tea"], [], ("bread", "milk")])
    assert corpus.vocabulary == ["bread", "milk", "tea"]
    assert corpus.counts.toarray().tolist() == [[0, 1, 2], [0, 0, 0], [1, 1, 0]]
    assert keep_words(corpus, min_documents=1).counts.shape == (3, 3)


def test_items_may_be_numbers_and_baskets_any_iterable():
    corpus = counts_from_baskets(iter([np.array([7, 7, 12]), {12}, pd.Series(["a b"])]))
    assert corpus.vocabulary == ["12", "7", "a b"]
    assert corpus.counts.toarray().tolist() == [[1, 2, 0], [1, 0, 0], [0, 0, 1]]


@given(st.lists(st.lists(st.sampled_from(["a", "b", "c d", "É", "10"]), max_size=6), min_size=1, max_size=6))
def test_baskets_can_be_read_off_the_counts(baskets):
    if not any(baskets):
        with pytest.raises(CorpusError, match="holds an item"):
            counts_from_baskets(baskets)
        return
    corpus = counts_from_baskets(baskets)
    for basket, row in zip(baskets, corpus.counts.toarray(), strict=True):
        assert Counter(basket) == {w: c for w, c in zip(corpus.vocabulary, row, strict=True) if c}
    backwards = counts_from_baskets(baskets[::-1])
    assert backwards.vocabulary == corpus.vocabulary == sorted(corpus.vocabulary)
    assert (backwards.counts.toarray()[::-1] == corpus.counts.toarray()).all()


@pytest.mark.parametrize(
    ("baskets", "message"),
    [
        ("tea milk", "one string"),
        (["tea milk"], "basket 0 is 'tea milk'"),
        ([["tea"], None], "basket 1 is None"),
        ([Counter(tea=2)], "basket 0 is Counter"),
        ([["tea", float("nan")]], "holds nan"),
        ([["tea", ""]], "holds ''"),
        ([["tea", True]], "holds True"),
        ([], "none of the 0 baskets"),
        ([[], []], "none of the 2 baskets"),
    ],
)
def test_wrong_baskets(baskets, message):
    with pytest.raises(CorpusError, match=message):
        counts_from_baskets(baskets)


def test_tags_from_lists_and_strings():
    expected = [[1, 1], [0, 1], [0, 0]]
    for tags in (
        [["Crime", "Drama"], ("Drama",), []],
        ["Drama  Crime Drama", "Drama", " "],
        ["Drama|Crime", "Drama|", ""],
        np.array(["Drama Crime", "Drama", ""]),
        pd.Series(["Drama Crime", ["Drama"], ""], index=[5, 6, 7]),
    ):
        has, names = tag_matrix(tags)
        assert names == ["Crime", "Drama"]
        assert has.toarray().tolist() == expected


def test_a_bar_anywhere_lets_tags_hold_blanks():
    assert tag_matrix(["film noir|war", "film noir"])[1] == ["film noir", "war"]
    assert tag_matrix(["film noir", "war"])[1] == ["film", "noir", "war"]
    assert tag_matrix([["film noir"], "war"])[1] == ["film noir", "war"]


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        ("Drama", "one str"),
        ({"Fargo": "Drama"}, "one dict"),
        (["Drama", None], "item 1 are None"),
        (["Drama", float("nan")], "item 1 are nan"),
        ([["Drama", 3]], "not all of them are strings"),
    ],
)
def test_wrong_tags(tags, message):
    with pytest.raises(ParameterError, match=message):
        tag_matrix(tags)


def test_a_file_of_tags(tmp_path):
    path = tmp_path / "genres.txt"
    path.write_text("Drama Crime\n\nDrama\n", encoding="utf-8")
    assert read_tags(path) == ["Drama Crime", "", "Drama"]
    with pytest.raises(CorpusError, match="no file"):
        read_tags(tmp_path / "nothing.txt")
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(CorpusError, match="not UTF-8"):
        read_tags(path)


def test_movies(data):
    ratings = sp.load_npz(data / "movielens100k" / "ratings.npz")
    counts = counts_from_ratings(ratings)
    assert counts.sum() == 2 * ratings.sum()
    has, names = tag_matrix(read_tags(data / "movielens100k" / "genres.txt"))
    assert has.shape == (1682, 19)
    assert "Film-Noir" in names
