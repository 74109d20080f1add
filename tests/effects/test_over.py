"""Without formulas: means over time and in groups are those of the textbook, and words of groups are those planted."""

import numpy as np
import pytest
from scipy import stats

from cotopics import AnchorWords, TopicModel, plot
from cotopics.effects import estimate_effects, prevalence_over, words_by
from cotopics.effects.words import log_odds
from cotopics.errors import ParameterError

MODEL = AnchorWords(2).fit_cooccurrence(
    np.kron(np.eye(2), np.ones((2, 2))) / 8, feature_names=["cat", "dog", "sun", "sky"]
)
RNG = np.random.default_rng(0)
X = RNG.integers(0, 5, (60, 4)) + 1
DATES = [f"2008-{month:02d}-{day:02d}" for month in (1, 2, 4) for day in range(1, 21)]
GROUPS = ["a", "b"] * 30


def test_means_and_intervals_are_those_of_a_t_test():
    share = X[:, :2].sum(axis=1) / X.sum(axis=1)
    found = prevalence_over(MODEL, X, DATES, "month", topics="known").where(topic=0)
    assert found.columns["period"] == ["2008-01", "2008-02", "2008-04"]  # March has no documents
    for row, own in zip(found, share.reshape(3, 20), strict=True):
        low, high = stats.t.interval(0.95, 19, own.mean(), stats.sem(own))
        assert np.allclose([row["estimate"], row["low"], row["high"]], [own.mean(), low, high])
        assert row["documents"] == 20


def test_groups_agree_with_a_regression_on_them():
    effects = estimate_effects(MODEL, X, {"group": GROUPS}, "group", topics="known").expected("group")
    means = prevalence_over(MODEL, X, groups=GROUPS, topics="known")
    assert np.allclose(effects.columns["estimate"], means.columns["estimate"])
    assert np.allclose(effects.columns["low"], means.columns["low"], atol=5e-3)


def test_groups_over_time_are_cells_of_both():
    found = prevalence_over(MODEL, X, DATES, "month", groups=GROUPS)
    assert len(found) == 2 * 3 * 2
    assert set(found.columns["group"]) == {"a", "b"}
    assert sum(found.where(topic=0).columns["documents"]) == 60


def test_scale_of_estimated_topics_widens_intervals_away_from_the_mean_only():
    sure, unsure = (prevalence_over(MODEL, X, groups=["a"] * 30 + ["b"] * 30, topics=t) for t in ("known", "estimated"))
    assert (np.ptp([unsure.columns["low"], unsure.columns["high"]], axis=0) > 0).all()
    assert len(sure) == len(unsure)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "give dates, groups or both"),
        ({"dates": ["soon"] * 60}, "'soon' is not a date"),
        ({"dates": [""] * 60}, "no document has a date"),
        ({"dates": DATES[:5]}, "60 documents and 5 values"),
        ({"groups": [None] * 60}, "no value in any document"),
        ({"groups": GROUPS, "by": "month"}, "needs dates"),
        ({"dates": DATES, "by": "week"}, "period='week' is unknown"),
        ({"groups": GROUPS, "topics": "sure"}, "topics='sure' is unknown"),
    ],
)
def test_wrong_dates_and_groups_are_one_clear_line(options, message):
    with pytest.raises(ParameterError, match=message) as error:
        prevalence_over(MODEL, X, **options)
    assert "\n" not in str(error.value)


def test_words_of_a_topic_that_a_group_uses_are_found():
    rng = np.random.default_rng(1)
    B = np.zeros((2, 40))
    B[0, :20], B[1, 20:] = 1 / 20, 1 / 20
    group = np.arange(400) % 2
    W = rng.dirichlet([0.3, 0.3], 400)
    own = np.stack([np.where(np.arange(40) % 20 == g, 6.0, 1.0) for g in (0, 1)])  # a word of each topic, used more
    P = W @ B * own[group]
    counts = np.stack([rng.multinomial(60, p / p.sum()) for p in P])
    model = TopicModel(2, topics_per_document="many").fit(counts)
    found = words_by(model, counts, group.tolist(), n=1)
    assert {(row["group"], row["word"] % 20) for row in found} == {("0", 0), ("1", 1)}
    assert all(row["share"] > row["elsewhere"] and row["z"] > 5 for row in found)
    assert set(found.columns["word"]) == {0, 1, 20, 21}
    with pytest.raises(ParameterError, match="one group"):
        words_by(model, counts, ["x"] * 400)


def test_log_odds_change_sign_with_the_groups():
    tokens = np.random.default_rng(0).integers(0, 50, (2, 30)).astype(float)
    z, share, elsewhere = log_odds(tokens)
    assert np.allclose(z[0], -z[1])
    assert np.allclose(share, elsewhere[::-1])


def test_the_figure_has_a_panel_for_each_topic_and_a_line_for_each_group():
    axes = plot.prevalence_over(MODEL, X, DATES, "month", groups=GROUPS)
    assert [len(panel.lines) for panel in axes] == [2, 2]
    table = prevalence_over(MODEL, X, groups=GROUPS)
    assert len(plot.prevalence_over(table, only=[1])) == 1


def test_words_that_a_topic_lacks_are_left_out():
    counts = np.column_stack([X, np.zeros(60, dtype=int)])
    C = np.zeros((5, 5))
    C[:4, :4] = np.kron(np.eye(2), np.ones((2, 2))) / 8
    model = AnchorWords(2).fit_cooccurrence(C, feature_names=["cat", "dog", "sun", "sky", "fog"])
    found = words_by(model, counts, GROUPS, n=5)
    assert np.isfinite(found.columns["z"]).all()
    assert "fog" not in found.columns["word"]
    for n in (2.5, 0):
        with pytest.raises(ParameterError, match="whole number of words"):
            words_by(model, counts, GROUPS, n=n)


def test_a_part_of_the_table_is_drawn():
    table = prevalence_over(MODEL, X, DATES, "month", groups=GROUPS)
    (panel,) = plot.prevalence_over(table.where(topic=1))
    assert panel.get_title(loc="left").startswith("1: ")
    with pytest.raises(ParameterError, match="it has 1"):
        plot.prevalence_over(table.where(topic=1), only=[0])
    with pytest.raises(ParameterError, match="no rows"):
        plot.prevalence_over(table.where(topic=9))
