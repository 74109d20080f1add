"""What figures hold: circles, bars, words and dots, where the numbers say they are."""

import sys
import warnings

import numpy as np
import pytest
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from matplotlib.text import Annotation, Text

from cotopics import AnchorFree, AnchorWords, TopicModel, cooccurrence, datasets, metrics, plot
from cotopics.effects import estimate_effects
from cotopics.errors import ParameterError
from cotopics.layout import convex_hull
from cotopics.plot.canvas import ORANGE, SERIES, shown

HOSTILE = [
    "$\\frac{",
    "$x^2$",
    "<script>alert(1)</script>",
    "&amp;",
    "a_b",
    "_hidden",
    "%d{}",
    "\\textbf",
    "漢字",
    "עברית",
    "🦊",
    "'\"",
]
UNSEEN = ["\x00", "line\nbreak", "\u202eturned", "\ud800", "\ufffe", "w" * 10_000]


@pytest.fixture(scope="module")
def model(corpus):
    return TopicModel(4).fit(corpus[0], feature_names=[f"word{i}" for i in range(60)])


@pytest.fixture(scope="module")
def hostile(corpus):
    """A model whose leading words are hostile."""
    plain = AnchorWords(4).fit(corpus[0])
    names = np.array([f"word{i}" for i in range(60)], dtype=object)
    leading = list(dict.fromkeys(int(word) for words in plain.top_words(3) for word in words))
    names[leading[: len(HOSTILE)]] = HOSTILE[: len(leading)]
    return AnchorWords(4).fit(corpus[0], feature_names=names)


def all_figures(model, counts):
    """Every figure of a model, by name."""
    C = cooccurrence(counts)
    dates = 2000 + np.arange(counts.shape[0]) % 5
    groups = [HOSTILE[i % 2] for i in range(counts.shape[0])]
    return {
        "top_words": lambda: plot.top_words(model),
        "correlation_heatmap": lambda: plot.correlation_heatmap(model),
        "correlation_network": lambda: plot.correlation_network(model),
        "topic_map": lambda: plot.topic_map(model),
        "tree": lambda: plot.tree(model),
        "cooccurrence_space": lambda: plot.cooccurrence_space(C, model),
        "spectrum": lambda: plot.spectrum(C),
        "convergence": lambda: plot.convergence(model),
        "topics_over_time": lambda: plot.topics_over_time(model.transform(counts), dates, model=model),
        "topic_comparison": lambda: plot.topic_comparison(model, model),
        "effects": lambda: plot.effects(estimate_effects(model, counts, {"group": groups}, "group")),
        "prevalence_over": lambda: plot.prevalence_over(model, counts, dates.tolist(), groups=groups),
    }


OTHERS = ("choice_of_topics", "require_format", "require_matplotlib", "write")
NAMES = [name for name in plot.__all__ if name not in OTHERS]


def texts_of(axes):
    """All texts of a figure that say something."""
    figure = np.ravel(np.asarray(axes, dtype=object))[0].figure
    return [text for text in figure.findobj(Text) if text.get_text()]


def circles_of(ax):
    """Circles by topic: centres (n, 2) and radii (n,)."""
    found = {int(patch.get_gid().split("-")[1]): patch for patch in ax.patches if isinstance(patch, Circle)}
    circles = [found[k] for k in range(len(found))]
    return np.array([circle.center for circle in circles]), np.array([circle.radius for circle in circles])


def beside(ax):
    """Labels of the circles, by topic."""
    points, _ = circles_of(ax)
    texts = {tuple(text.xy): text.get_text().replace("\n", " ") for text in ax.texts if isinstance(text, Annotation)}
    return [texts[tuple(point)] for point in points]


@pytest.mark.parametrize("name", NAMES)
def test_files_are_the_same_each_time(tmp_path, model, corpus, name):
    draw = all_figures(model, corpus[0])[name]
    for file in ("a.svg", "b.svg"):
        plot.write(draw(), tmp_path / file)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_hostile_words_are_words(tmp_path, hostile, corpus, name):
    axes = all_figures(hostile, corpus[0])[name]()
    for suffix in (".svg", ".png"):
        plot.write(axes, tmp_path / f"a{suffix}")  # warnings are errors: a font may lack letters
    texts = texts_of(axes)
    with_words = [text for text in texts if any(shown(word) in text.get_text() for word in HOSTILE)]
    assert name in ("spectrum", "convergence") or with_words
    assert not any(text.get_parse_math() for text in with_words)
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "<script" not in svg


def test_hostile_words_verbatim(hostile):
    labels = [tick.get_text() for panel in plot.top_words(hostile, 3) for tick in panel.get_yticklabels()]
    assert labels == [shown(word) for words in hostile.top_words(3) for word in words]
    assert {"$x^2$", "&amp;", "_hidden", "漢字"} <= set(labels)


@pytest.mark.parametrize("word", UNSEEN)
def test_words_that_cannot_be_seen(tmp_path, corpus, word):
    names = [f"{word}{i}" if i % 2 else f"{i}{word}" for i in range(60)]
    model = AnchorWords(4).fit(corpus[0], feature_names=names)
    for draw in (plot.top_words, plot.correlation_heatmap, plot.topic_map):
        axes = draw(model)
        plot.write(axes, tmp_path / "a.svg")
        assert all(len(text.get_text()) < 80 for text in texts_of(axes))


@pytest.mark.parametrize("name", NAMES)
def test_without_matplotlib_the_error_says_what_to_install(monkeypatch, model, corpus, name):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ParameterError, match=r'pip install "cotopics\[plot\]"'):
        all_figures(model, corpus[0])[name]()


def test_figures_draw_on_the_axes_they_are_given(model, corpus):
    C, W = cooccurrence(corpus[0]), model.transform(corpus[0])
    for draw in (
        lambda ax: plot.correlation_heatmap(model, ax=ax),
        lambda ax: plot.correlation_network(model, ax=ax),
        lambda ax: plot.topic_map(model, ax=ax),
        lambda ax: plot.cooccurrence_space(C, model, ax=ax),
        lambda ax: plot.spectrum(C, ax=ax),
        lambda ax: plot.topics_over_time(W, [2000, 2001] * 200, ax=ax),
        lambda ax: plot.topic_comparison(model, model, ax=ax),
    ):
        ax = Figure().subplots()
        assert draw(ax) is ax
    given = Figure().subplots(2, 3)
    for draw in (plot.top_words, plot.convergence):
        axes = draw(model, axes=given)
        assert all(a is b for a, b in zip(axes, given.flat, strict=False))
        with pytest.raises(ParameterError, match="1 axes"):
            draw(model, axes=Figure().subplots())


# leading words


def test_bars_are_probabilities_in_the_order_of_top_words(model):
    axes = plot.top_words(model, 5, relevance=0.3)
    assert axes.shape == (4,)
    for k, (panel, words) in enumerate(zip(axes, model.top_words(5, relevance=0.3), strict=True)):
        assert [tick.get_text() for tick in panel.get_yticklabels()] == words
        ids = [int(word.removeprefix("word")) for word in words]
        assert [bar.get_width() for bar in panel.patches] == model.components_[k, ids].tolist()
        assert panel.get_title(loc="left") == f"topic {k}, {model.topic_prevalence_[k]:.1%}"
        is_orange = [to_hex(bar.get_facecolor()).upper() == ORANGE for bar in panel.patches]
        assert is_orange == [model._made_of_anchors and i == model.anchors_[k] for i in ids]
        low, high = panel.get_ylim()
        assert low > high  # the first word is on top
    assert len({panel.get_xlim() for panel in axes}) == 1


def test_bars_of_arrays():
    B = np.array([[0.5, 0.1], [0.2, 0.9], [0.3, 0.0]])
    axes = plot.top_words(B, 2, feature_names=["a", "b", "c"])
    assert [[tick.get_text() for tick in panel.get_yticklabels()] for panel in axes] == [["a", "c"], ["b", "a"]]
    (panel,) = plot.top_words(B, only=[1])
    assert [tick.get_text() for tick in panel.get_yticklabels()] == ["1", "0", "2"]
    assert panel.get_title(loc="left") == "topic 1"
    for wrong in ({"only": [2]}, {"only": []}, {"n": 0}, {"relevance": 0.5}, {"feature_names": ["a"]}):
        with pytest.raises(ParameterError):
            plot.top_words(B, **wrong)


# correlations


def two_groups():
    """A of six topics, 0, 2, 4 and 1, 3, 5 of which go together."""
    rng = np.random.default_rng(0)
    W = rng.dirichlet(np.full(3, 5.0), size=4000)
    side = rng.random(4000) < 0.5
    full = np.zeros((4000, 6))
    full[side, ::2], full[~side, 1::2] = W[side], W[~side]
    return full.T @ full / 4000


def test_the_heat_map_holds_the_coefficients_in_blocks():
    A = two_groups()
    ax = plot.correlation_heatmap(A)
    order = [int(tick.get_text()) for tick in ax.get_xticklabels()]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == [f"topic {k}" for k in order]
    assert [k % 2 for k in order] in ([0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0])
    image = ax.images[0].get_array()
    assert (np.ma.getmaskarray(image) == np.eye(6, dtype=bool)).all()
    expected = metrics.association(A).correlation[np.ix_(order, order)]
    assert image.compressed() == pytest.approx(expected[~np.eye(6, dtype=bool)])
    low, high = ax.images[0].get_clim()
    assert low == -high == -np.abs(image).max()


def test_circles_of_the_map_have_the_area_of_their_share(model):
    ax = plot.topic_map(model)
    points, radii = circles_of(ax)
    assert len(radii) == 4
    assert radii**2 / (radii**2).sum() == pytest.approx(model.topic_prevalence_)
    assert beside(ax) == [f"{k}: {name}" for k, name in enumerate(model.topic_names_)]
    again, _ = circles_of(plot.topic_map(model))
    assert (points == again).all()


def test_topics_that_go_together_are_near_on_the_map():
    points, radii = circles_of(plot.topic_map(two_groups()))
    D = np.linalg.norm(points[:, None] - points[None], axis=2)
    assert (D + np.eye(6) - radii - radii[:, None]).min() > -1e-4  # they do not overlap
    same = np.arange(6)[:, None] % 2 == np.arange(6) % 2
    assert D[same].max() < D[~same].min()


def test_the_network_joins_what_correlates():
    A = two_groups()
    R = metrics.association(A).correlation
    first, second = np.triu_indices(6, k=1)
    for threshold in (-1, -0.3, 0.0, float(R[0, 2]), 1):
        ax = plot.correlation_network(A, threshold)
        points, radii = circles_of(ax)
        assert radii**2 / (radii**2).sum() == pytest.approx(A.sum(axis=1) / A.sum())
        assert len(ax.get_lines()) == np.count_nonzero(R[first, second] >= threshold)
        for line in ax.get_lines():
            ends = [int(np.flatnonzero((points == end).all(axis=1))[0]) for end in line.get_xydata()]
            assert R[ends[0], ends[1]] >= threshold
            assert line.get_linestyle() == ("-" if R[ends[0], ends[1]] > 0 else "--")
        gaps = np.linalg.norm(points[:, None] - points[None], axis=2) + np.eye(6) - radii - radii[:, None]
        assert gaps.min() > 0
    for wrong in (-1.1, 2, float("nan")):
        with pytest.raises(ParameterError, match="threshold="):
            plot.correlation_network(A, wrong)


def test_without_a_threshold_three_pairs_for_two_topics():
    assert len(plot.correlation_network(two_groups()).get_lines()) == 9


@pytest.mark.parametrize("A", [np.array([[1.0]]), np.full((2, 2), 0.25), np.diag([1.0, 0.0]), np.eye(12) / 12])
def test_odd_correlations_are_drawn_without_a_warning(tmp_path, A):
    for draw in (plot.correlation_heatmap, plot.correlation_network, plot.topic_map):
        plot.write(draw(A), tmp_path / "a.svg")


def test_labels_of_your_own(model):
    names = ["one", "two", "$three$", "four"]
    assert beside(plot.topic_map(model, labels=names)) == names
    with pytest.raises(ParameterError, match="4 topics and 1 labels"):
        plot.correlation_heatmap(model, labels=["one"])


# co-occurrence


def test_words_are_dots_and_the_hull_holds_the_anchors():
    C, _, _ = datasets.make_cooccurrence(80, 5, n_anchored=5, random_state=0)
    ax = plot.cooccurrence_space(C, range(5), feature_names=[f"w{i}" for i in range(80)])
    words, anchors = (scatter for scatter in ax.collections if isinstance(scatter, PathCollection))
    assert len(words.get_offsets()) == 80
    corners = np.asarray(anchors.get_offsets())
    assert np.allclose(corners, words.get_offsets()[:5])
    assert {tuple(text.xy): text.get_text() for text in ax.texts} == {tuple(p): f"w{i}" for i, p in enumerate(corners)}
    (line,) = ax.get_lines()
    hull = line.get_xydata()
    assert (hull[0] == hull[-1]).all()
    assert (hull[:-1] == corners[convex_hull(corners)]).all()


def test_a_group_of_anchors_is_one_point_between_them():
    C, _, _ = datasets.make_cooccurrence(50, 4, n_anchored=4, density=0.9, random_state=1)
    ax = plot.cooccurrence_space(C, [[0, 7, 9], 1, 2, 3])
    words, anchors = (scatter for scatter in ax.collections if isinstance(scatter, PathCollection))
    sums = C.sum(axis=1)[[0, 7, 9]]
    expected = sums @ np.asarray(words.get_offsets())[[0, 7, 9]] / sums.sum()
    assert np.asarray(anchors.get_offsets())[0] == pytest.approx(expected)
    assert sorted(text.get_text() for text in ax.texts) == ["0 +2", "1", "2", "3"]


def test_spaces_that_cannot_be_drawn(model, corpus):
    C = np.zeros((4, 4))
    C[:3, :3] = 1 / 9
    with pytest.raises(ParameterError, match=r"anchors \[3\] are in no pair"):
        plot.cooccurrence_space(C, [0, 3])
    with pytest.raises(ParameterError, match="AnchorFree has no anchors_"):
        plot.cooccurrence_space(cooccurrence(corpus[0]), AnchorFree(4).fit(corpus[0]))
    with pytest.raises(ParameterError, match="2 feature_names"):
        plot.cooccurrence_space(C, [0, 1], feature_names=["a", "b"])
    with pytest.raises(ParameterError, match="word ids from 0 to 3"):
        plot.cooccurrence_space(C, model)


def test_eigenvalues_relative_to_the_first():
    C, _, _ = datasets.make_cooccurrence(60, 5, n_anchored=5, random_state=0)
    ax = plot.spectrum(C, 20, n_topics=5)
    line, mark = ax.get_lines()
    assert line.get_xdata().tolist() == [1, 2, 3, 4, 5]  # the others are rounding
    values = np.sort(np.linalg.eigvalsh(C))[::-1][:5]
    assert line.get_ydata() == pytest.approx(values / values[0])
    assert mark.get_xdata()[0] == 5
    plot.spectrum([4.0, 2.0, 1.0, 0.0], label="second", ax=ax)
    other = ax.get_lines()[-1]
    assert other.get_ydata().tolist() == [1, 0.5, 0.25]
    assert (line.get_color(), other.get_color()) == SERIES[:2]
    for wrong in ([0.0, 0.0], [], [np.nan, 1.0]):
        with pytest.raises(ParameterError, match="no eigenvalue"):
            plot.spectrum(wrong)


# how a fit went


def test_histories_are_drawn_as_they_are(corpus):
    model = AnchorWords(4, refine=12).fit(corpus[0])
    axes = plot.convergence(model)
    drawn = {panel.get_title(loc="left").split("\n")[1]: panel.get_lines()[0] for panel in axes}
    told = model.diagnostics_
    assert drawn["change of the co-occurrence"].get_ydata().tolist() == told["rectification"]["history"]["change"]
    likelihood = drawn["log-likelihood of a token"]
    assert likelihood.get_xdata().tolist() == told["refinement"]["history"]["step"]
    assert likelihood.get_ydata().tolist() == told["refinement"]["history"]["likelihood"]
    assert "the same, of tokens set aside" not in drawn
    assert len(plot.convergence(AnchorFree(4, solver="lp").fit(corpus[0]))) >= 1
    for nothing in ({}, {"rectification": None}, {"recovery": {"history": {"gap": [0.0]}}}):
        with pytest.raises(ParameterError, match="nothing to draw"):
            plot.convergence(nothing)
    with pytest.raises(ParameterError, match="no diagnostics_"):
        plot.convergence(np.eye(2))


# topics over time


def test_lines_are_means_of_shares(model):
    W = np.array([[0.1, 0.9, 0, 0], [0.3, 0.7, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]])
    ax = plot.topics_over_time(W, ["2020-05", "2020-06", "2020-06", "2020-09"], model=model, only=[1, 0])
    one, zero = ax.get_lines()[:2]
    assert one.get_ydata() == pytest.approx([0.9, 0.6, np.nan, np.nan, 0], nan_ok=True)
    assert zero.get_ydata() == pytest.approx([0.1, 0.4, np.nan, np.nan, 0], nan_ok=True)
    assert [tick.get_text() for tick in ax.get_xticklabels()] == [f"2020-0{i}" for i in range(5, 10)]
    assert [text.get_text() for text in ax.texts] == [f"{k}: {model.topic_names_[k]}" for k in (1, 0)]
    heights = [text.get_position()[1] for text in ax.texts]
    assert abs(heights[0] - heights[1]) > 0.04  # both end at zero
    for wrong in ([4], [-1], []):
        with pytest.raises(ParameterError, match="only="):
            plot.topics_over_time(W, [2000] * 4, only=wrong)


def test_the_topics_that_change_most_are_drawn(rng):
    steady = rng.uniform(0.05, 0.06, size=(400, 10))
    years = 2000 + np.arange(400) % 8
    steady[:, 3] += (years - 2000) * 0.05
    ax = plot.topics_over_time(steady, years)
    assert len(ax.texts) == len(SERIES)
    assert ax.texts[0].get_text() == "topic 3"


def test_a_period_of_one_document_does_not_choose_the_topics(rng):
    """Topic 1 is all of one day; topic 0 rises slowly and for good."""
    W, days = np.zeros((400, 9)), np.arange(400)
    W[:, 0] = 0.2 + 0.001 * days
    W[:, 2:] = rng.uniform(0, 0.05, size=(400, 7))
    W[200] = np.eye(9)[1]
    dates = np.datetime64("2020-01-01") + days
    ax = plot.topics_over_time(W, dates, period="day", only=None)
    assert ax.texts[0].get_text() == "topic 0"
    assert "joined" in ax.get_xlabel()
    assert len(ax.get_lines()[0].get_xdata()) == 40
    assert len(plot.topics_over_time(W, dates, period="day", min_documents=1).get_lines()[0].get_xdata()) == 400


def test_dates_as_people_write_them_and_others():
    W = np.eye(2)[[0, 0, 1, 1]]
    with pytest.warns(UserWarning, match="1 of 4 dates are not understood, such as 'soon'"):
        ax = plot.topics_over_time(W, ["31.12.2020", "1.1.2021", "soon", ""], period="year", only=[0])
    assert ax.get_lines()[0].get_ydata().tolist() == [1, 1]


# two models


def test_a_model_beside_itself_is_the_same(model):
    ax = plot.topic_comparison(model, model, n=2)
    assert [bar.get_width() for bar in ax.patches[4:]] == pytest.approx([1, 1, 1, 1])
    left, right = ([tick.get_text() for tick in axes.get_yticklabels()] for axes in ax.figure.axes)
    assert left == right
    assert sorted(left) == [f"{k}: {' '.join(words)}" for k, words in enumerate(model.top_words(2))]


def test_overlaps_by_hand_and_topics_left_over():
    first = np.array([[0.5, 0.0, 0.1], [0.5, 0.2, 0.1], [0.0, 0.8, 0.8]])
    second = np.array([[0.0, 0.75], [0.0, 0.25], [1.0, 0.0]])
    for a, b in ((first, second), (second, first)):
        ax = plot.topic_comparison(a, b)
        sides = [[tick.get_text() for tick in axes.get_yticklabels()] for axes in ax.figure.axes]
        mine, other = sides if a is first else sides[::-1]
        assert other == ["topic 0", "topic 1", "(no counterpart)"]
        assert mine[1] == "topic 0"
        assert [bar.get_width() for bar in ax.patches[3:]] == pytest.approx([0.8, 0.75, 0])


def test_words_are_matched_by_name(corpus):
    X = corpus[0]
    names = np.array([f"w{i}" for i in range(60)])
    turned = np.arange(59, -1, -1)
    model = AnchorWords(4).fit(X, feature_names=names)
    other = AnchorWords(4).fit(X[:, turned], feature_names=names[turned])
    ax = plot.topic_comparison(model, other)
    assert [bar.get_width() for bar in ax.patches[4:]] == pytest.approx(np.ones(4), abs=1e-3)
    with pytest.raises(ParameterError, match="without names"):
        plot.topic_comparison(np.ones((3, 2)) / 3, np.ones((4, 2)) / 4)


def test_a_font_without_the_letters_does_not_warn(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = plot.topic_map(np.eye(3) / 3, labels=["漢字", "🦊", "ไทย"])
        plot.write(ax, tmp_path / "a.png")
        plot.write(ax, tmp_path / "a.pdf")


def test_a_part_of_a_figure_will_do(tmp_path, model):
    left, right = Figure(figsize=(9, 4)).subfigures(1, 2)
    plot.topic_map(model, ax=left.subplots())
    ax = plot.correlation_heatmap(model, ax=right.subplots())
    plot.write(ax, tmp_path / "a.svg")
    content = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert all(title in content for title in ("Near topics go together", "Which topics go together"))
