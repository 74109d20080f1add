"""Where words are drawn: within the topics' hull, and before and after rectification."""

import numpy as np
import pytest

from cotopics import TOP, AnchorFree, AnchorWords, TopicModel, cooccurrence, datasets
from cotopics.layout import convex_hull
from cotopics.metrics.inputs import normalised_anchor_rows
from cotopics.models.recommended import STARTS
from cotopics.records import Anchors
from cotopics.rectify import AlternatingProjection
from cotopics.report import content, space


def within(point, polygon):
    """Whether a point is in a convex polygon whose corners go around to the left."""
    edges = np.roll(polygon, -1, axis=0) - polygon
    to = point - polygon
    return (edges[:, 0] * to[:, 1] - edges[:, 1] * to[:, 0] >= -1e-9).all()


def test_words_lie_in_the_hull_of_the_topics(rng):
    B = rng.dirichlet(np.full(40, 0.2), size=7).T
    W = rng.dirichlet(np.full(7, 0.3), size=100)
    A = W.T @ W / 100
    found = space.word_space(B, A)
    polygon = found.corners[convex_hull(found.corners)]
    assert all(within(point, polygon) for point in found.words)
    C = B @ A @ B.T  # the model's own co-occurrence puts words where the model has them
    assert np.allclose(found.place(C @ found.directions, C.sum(axis=1)), found.words)


def test_a_word_of_one_topic_is_at_its_corner(rng):
    B = rng.dirichlet(np.ones(30), size=4).T
    B[:4] = np.diag(B[:4].diagonal())
    B /= B.sum(axis=0)
    W = rng.dirichlet(np.full(4, 0.3), size=50)
    found = space.word_space(B, W.T @ W)
    assert np.allclose(found.words[:4], found.corners)


def test_corners_keep_their_largest_distances(rng):
    B = rng.dirichlet(np.ones(30), size=3).T  # three topics are in a plane: nothing is lost
    A = np.eye(3) / 3
    corners = space.word_space(B, A).corners
    rows = (A @ B.T) * 3
    assert np.allclose(np.linalg.norm(corners[:, None] - corners, axis=2), np.linalg.norm(rows[:, None] - rows, axis=2))


@pytest.mark.parametrize("n_topics", [1, 2])
def test_few_topics_have_a_space_too(rng, n_topics):
    B = rng.dirichlet(np.ones(10), size=n_topics).T
    found = space.word_space(B, np.eye(n_topics))
    assert np.isfinite(found.words).all()
    assert len(convex_hull(found.corners)) >= 1


@pytest.fixture(scope="module")
def X():
    return datasets.make_corpus(300, 60, 4, length=60, anchors_per_topic=2, random_state=1)[0]


def test_before_and_after_are_the_rows_of_the_two_matrices(X):
    """By hand: the rows of C̄ and of the rectified C̄, in the plane in which the rectified anchors lie furthest apart."""
    model = AnchorWords(4).fit(X)
    found = content(model, X)["space"]
    C = cooccurrence(X, representation="dense")
    rectified = AlternatingProjection()(C, 4).C
    anchors = Anchors(tuple(model.anchor_groups_), rank=4, n_iter=0)
    corners = normalised_anchor_rows(rectified, anchors)
    _, _, directions = np.linalg.svd(corners - corners.mean(axis=0))
    for name, matrix in (("before", C), ("after", rectified)):
        rows = matrix.toarray() / matrix.row_sums()[:, None]
        expected = (rows - corners.mean(axis=0)) @ directions[:2].T
        tips = (normalised_anchor_rows(matrix, anchors) - corners.mean(axis=0)) @ directions[:2].T
        drawn = np.array(found["rectified"][name]["corners"])
        size = np.ptp(tips, axis=0) / np.ptp(drawn, axis=0)  # of the unit that pictures are in, the same for both axes
        assert size[0] == pytest.approx(size[1], rel=1e-2)
        signs = np.sign((tips * drawn).sum(axis=0))
        assert np.allclose(drawn * size * signs, tips, atol=2e-4 * size.max())
        words = [int(word) for word in drawn_words(model, X)]
        places = np.array(found["rectified"][name]["places"])
        inside = (np.abs(places) < np.abs(places).max(axis=0) - 1e-6).all(axis=1)  # others are drawn at the edge
        assert np.allclose((places * size * signs)[inside], expected[words][inside], atol=2e-4 * size.max())
    after = found["rectified"]["after"]
    assert sorted(after["hull"]) == sorted(convex_hull(np.array(after["corners"])).tolist())


def drawn_words(model, X):
    record = content(model, X)
    return [record["words"][place] for place in record["space"]["dots"]]


def test_words_outside_the_hull_are_counted(X):
    found = content(AnchorWords(4).fit(X), X)["space"]["rectified"]
    for side in found.values():
        polygon = np.array(side["corners"])[side["hull"]]
        assert side["outside"] == sum(not within(np.array(place), polygon) for place in side["places"])


def test_outside_of_a_square():
    square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    points = np.array([[1.0, 1.0], [2.0, 1.0], [2.1, 1.0], [-1.0, -1.0], [np.nan, np.nan]])
    assert space._outside(points, square).tolist() == [False, False, True, True, False]


@pytest.mark.parametrize(
    "model", [AnchorFree(4), TOP(), AnchorWords(4, rectifier=None)], ids=lambda m: type(m).__name__
)
def test_methods_that_do_not_rectify_show_none(model, X):
    assert content(model.fit(X), X)["space"]["rectified"] is None


@pytest.mark.parametrize("rectifier", ["enn", "palm", "dc"])
def test_every_rectifier(rectifier, X):
    found = content(AnchorWords(4, rectifier=rectifier).fit(X), X)["space"]["rectified"]
    assert [len(found[side]["corners"]) for side in ("before", "after")] == [4, 4]


def test_the_start_of_the_recommended_model(X, tmp_path):
    model = TopicModel(4).fit(X)
    found = content(model, X)["space"]["rectified"]
    weighting = model.diagnostics_["start"]["weighting"]
    assert model._start_weighting() == STARTS[weighting]
    used, C, _ = model._before_and_after(X, most_full=0)  # it never forms the full matrix
    position = np.full(60, -1)
    position[used] = np.arange(len(used))
    rows = normalised_anchor_rows(C, Anchors(tuple(position[g] for g in model.anchor_groups_), rank=4, n_iter=0))
    between = np.linalg.norm(rows[:, None] - rows, axis=2)
    drawn = np.array(found["before"]["corners"])
    assert (np.linalg.norm(drawn[:, None] - drawn, axis=2) > 0).sum() == (between > 0).sum()


def test_what_cannot_be_repeated_is_left_out(X, monkeypatch):
    model = AnchorWords(4).fit(X)
    assert content(model)["space"]["rectified"] is None  # no documents
    monkeypatch.setattr(space, "MAX_RECTIFIED_WORDS", 59)
    assert content(model, X)["space"]["rectified"] is None
    monkeypatch.undo()
    others = X.toarray()
    others[:, model.anchors_[0]] = 0
    assert content(model, others)["space"]["rectified"] is None  # an anchor that is in no document


def test_correlations_of_any_sign_have_a_place(rng):
    B = rng.dirichlet(np.ones(8), 3).T
    for A in (np.diag([0.5, 0.3, 0.0]) - 1e-4, np.zeros((3, 3)), -np.eye(3)):
        found = space.word_space(B, A)
        assert np.isfinite(found.corners).all()
        assert np.abs(found.corners).max() <= 1
