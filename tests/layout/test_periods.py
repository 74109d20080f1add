"""Means of shares over the documents of a period."""

import datetime

import numpy as np
import pytest
import scipy.sparse as sp

from cotopics.errors import ParameterError
from cotopics.layout import join_thin_periods, shares_by_period


def test_means_by_hand():
    W = np.array([[0.2, 0.8], [0.4, 0.6], [1.0, 0.0], [0.5, 0.5]])
    course = shares_by_period(W, ["2019-12-31", "2021", "2019-01-01T00:00:00+02:00", ""])
    assert course.names == ["2019", "2020", "2021"]
    assert course.shares[0] == pytest.approx([0.6, 0.4])
    assert np.isnan(course.shares[1]).all()
    assert course.shares[2].tolist() == [0.4, 0.6]
    assert course.documents.tolist() == [2, 0, 1]
    assert course.n_unknown == 1


def test_all_documents_weigh_the_same(rng):
    W = rng.dirichlet(np.ones(5), size=200)
    dates = np.datetime64("2020-01-15") + rng.integers(900, size=200)
    for period in ("year", "month", "day", None):
        course = shares_by_period(W, dates, period)
        assert course.documents.sum() == 200
        total = np.nansum(course.shares * course.documents[:, None], axis=0)
        assert total / 200 == pytest.approx(W.mean(axis=0))
        assert np.nansum(course.shares, axis=1)[course.documents > 0] == pytest.approx(1)


def test_all_ways_to_say_a_day():
    days = ["2024-02-29", "20240229", "2024-02-29T23:59Z", "2024-02-29 10:00:00", datetime.date(2024, 2, 29)]
    days += [datetime.datetime(2024, 2, 29, 5), np.datetime64("2024-02-29T01")]
    course = shares_by_period(np.ones((7, 1)), days)
    assert (course.names, course.documents.tolist()) == (["2024-02-29"], [7])


def test_sparse_shares_too(rng):
    W = rng.dirichlet(np.ones(3), size=30) * (rng.random((30, 3)) < 0.5)
    years = 2000 + rng.integers(4, size=30)
    dense, sparse = shares_by_period(W, years), shares_by_period(sp.csr_array(W), years)
    assert sparse.shares == pytest.approx(dense.shares)


@pytest.mark.parametrize(
    ("dates", "first"),
    [
        (["2020-01-01", "2020-02-05"], "2020-01-01"),  # 36 days
        (["2020-01-01", "2020-06-05"], "2020-01"),
        (["2020-01-01", "2020-02"], "2020-01"),
        (["2020-01-01", "2029-02-01"], "2020"),
        (["2020-01-01", "2020"], "2020"),
        (["1900", "2020"], "1900"),
    ],
)
def test_the_finest_period_that_is_told_and_not_too_fine(dates, first):
    assert shares_by_period(np.ones((2, 1)), dates).names[0] == first


@pytest.mark.parametrize("wrong", ["yesterday", "2020-13", "2020-02-30", "20", "2020-1-1", "<script>", "٢٠٢٠"])
def test_what_is_no_date_is_named(wrong):
    with pytest.raises(ParameterError, match="is not a date"):
        shares_by_period(np.ones((2, 1)), ["2020-01-01", wrong])


def test_what_cannot_be_asked_for():
    W = np.ones((2, 1))
    with pytest.raises(ParameterError, match="has no month"):
        shares_by_period(W, ["2020", "2020-05"], "month")
    with pytest.raises(ParameterError, match="period='week'"):
        shares_by_period(W, ["2020", "2021"], "week")
    with pytest.raises(ParameterError, match="each of 3 dates"):
        shares_by_period(W, ["2020"] * 3)
    with pytest.raises(ParameterError, match="no document has a date"):
        shares_by_period(W, ["", None])
    with pytest.raises(ParameterError, match="use period='year'"):
        shares_by_period(W, ["1000-01-01", "2020-01-01"], "day")


def test_what_is_no_date_is_unknown_where_that_is_allowed():
    W = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.2, 0.8]])
    dates = ["2020", "soon", "2021-13-01", "2021"]
    with pytest.raises(ParameterError, match="'soon' is not a date"):
        shares_by_period(W, dates)
    course = shares_by_period(W, dates, strict=False)
    assert (course.names, course.n_unknown) == (["2020", "2021"], 2)
    assert course.shares.tolist() == [[1.0, 0.0], [0.2, 0.8]]


def test_thin_periods_are_joined_and_no_document_is_lost(rng):
    W = rng.dirichlet(np.ones(4), size=300)
    dates = np.datetime64("2020-01-01") + rng.integers(1400, size=300)
    course = shares_by_period(W, dates, "day")
    for least in (2, 10, 40, 1000):
        joined = join_thin_periods(course, least)
        assert joined.documents.sum() == 300
        assert (joined.documents[joined.documents > 0] >= min(least, 300)).all()
        assert joined.documents @ np.nan_to_num(joined.shares) / 300 == pytest.approx(W.mean(axis=0))
        assert len(joined.names) == len(joined.documents) == len(joined.shares)
    assert join_thin_periods(course, 1).names == course.names


def test_what_is_thin_depends_on_how_many_there_are():
    one_a_day = shares_by_period(np.ones((40, 1)), np.datetime64("2020-01-01") + np.arange(40))
    assert join_thin_periods(one_a_day).documents.tolist() == [5] * 8
    few = shares_by_period(np.ones((4, 1)), [2000, 2001, 2002, 2004])
    assert join_thin_periods(few).names == few.names


def test_what_is_left_joins_the_period_before():
    course = shares_by_period(np.ones((7, 1)), [2000] * 3 + [2002] * 3 + [2005])
    assert join_thin_periods(course, 3).names == ["2000", "2001", "2002 – 2005"]
