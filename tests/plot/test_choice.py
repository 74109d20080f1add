"""The figure of a choice: four panels that hold the evidence, and files that are the same each time."""

import subprocess
import sys
import warnings

import numpy as np
import pytest
from matplotlib.figure import Figure

from cotopics import plot
from cotopics.choose import MEASURES, Choice
from cotopics.errors import ParameterError

MAGIC = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}


def a_choice(candidates=(3, 5, 8), n_topics=5, *, values=None, spectrum=None, replication=None):
    candidates = np.array(candidates)
    measures = {
        name: np.linspace(0.1, 0.9, len(candidates)) * (1 + i) if values is None else np.full(len(candidates), values)
        for i, name in enumerate(MEASURES)
    }
    spectrum = 0.8 ** np.arange(12) if spectrum is None else np.asarray(spectrum, dtype=float)
    replication = np.linspace(1, 0, len(spectrum)) if replication is None else np.asarray(replication, dtype=float)
    reason = "eigenvalue 5 stands out from the next as none behind it does: the rest is like noise."
    return Choice(n_topics, reason, candidates, measures, spectrum, replication, {1.1: 5})


def lines(panel):
    """What is drawn for each name in the legend: (x, y)."""
    handles, labels = panel.get_legend_handles_labels()
    return {label: (line.get_xdata(), line.get_ydata()) for line, label in zip(handles, labels, strict=True)}


def test_four_panels_that_hold_the_evidence():
    choice = a_choice()
    axes = plot.choice_of_topics(choice)
    assert axes.shape == (2, 2)
    for panel in axes.flat:
        assert panel.get_xlabel() == "number of topics"
        marks = [line for line in panel.get_lines() if line.get_linestyle() == "--"]
        assert [line.get_xdata()[0] for line in marks] == [5]
    points = axes[0, 0].collections[-1]
    assert np.allclose(points.get_offsets(), np.column_stack([np.arange(1, 13), choice.spectrum]))
    assert np.allclose(points.get_array(), choice.replication)
    stability = lines(axes[0, 1])
    assert np.allclose(stability["mean over topics"], [choice.candidates, choice.measures["stability"]])
    assert np.allclose(stability["weakest topic"], [choice.candidates, choice.measures["weakest"]])
    scaled = lines(axes[1, 0]) | lines(axes[1, 1])
    names = ["RelativeRecovery", "RelativeApproximation", "Specificity", "Dissimilarity", "Coherence"]
    assert [label.split(",")[0] for label in scaled] == names
    for label, (x, y) in scaled.items():
        assert x.tolist() == [3, 5, 8]
        assert np.allclose(y, [0, 0.5, 1]), label  # measures here are evenly spaced
    assert "Specificity, 0.7 to 6.3" in scaled  # 0.1 and 0.9 times seven
    title = axes[0, 0].figure.get_suptitle().replace("\n", " ")
    assert title == f"Recommended: 5 topics. {choice.sentence}"


def test_it_draws_on_the_axes_it_is_given():
    figure = Figure()
    given = figure.subplots(2, 2)
    axes = plot.choice_of_topics(a_choice(), axes=given)
    assert all(a is b for a, b in zip(axes.flat, given.flat, strict=True))
    assert all(panel.figure is figure for panel in axes.flat)
    assert all(panel.get_lines() for panel in given.flat)
    flat = plot.choice_of_topics(a_choice(), axes=list(Figure().subplots(1, 4)))
    assert flat.shape == (2, 2)


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_files_are_the_same_each_time(tmp_path, suffix):
    for name in ("first", "second"):
        plot.write(plot.choice_of_topics(a_choice()), tmp_path / f"{name}{suffix}")
    first, second = ((tmp_path / f"{name}{suffix}").read_bytes() for name in ("first", "second"))
    assert first.startswith(MAGIC[suffix])
    assert first == second
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"first{suffix}", f"second{suffix}"]


def test_text_in_a_vector_file_is_text(tmp_path):
    plot.write(plot.choice_of_topics(a_choice()), tmp_path / "a.svg")
    content = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "number of topics" in content
    assert "Recommended: 5 topics" in content


def test_one_panel_stands_for_its_figure(tmp_path):
    axes = plot.choice_of_topics(a_choice())
    plot.write(axes[0, 1], str(tmp_path / "A.PNG"))
    assert (tmp_path / "A.PNG").read_bytes().startswith(MAGIC[".png"])


@pytest.mark.parametrize("name", ["figure.jpg", "figure", "figure.svg.gz", ".svg"])
def test_other_kinds_of_file_are_refused_and_nothing_is_written(tmp_path, name):
    with pytest.raises(ParameterError, match=r"\.svg, \.png or \.pdf"):
        plot.write(plot.choice_of_topics(a_choice()), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_missing_is_named(tmp_path):
    with pytest.raises(OSError, match="missing"):
        plot.write(plot.choice_of_topics(a_choice()), tmp_path / "missing" / "a.svg")


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch, tmp_path):
    axes = plot.choice_of_topics(a_choice())
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for call in (
        plot.require_matplotlib,
        lambda: plot.choice_of_topics(a_choice()),
        lambda: plot.write(axes, tmp_path / "a.svg"),
    ):
        with pytest.raises(ParameterError, match=r'pip install "cotopics\[plot\]"'):
            call()


def test_neither_pyplot_nor_a_window(tmp_path):
    """And matplotlib itself comes with the first figure, not with `cotopics.plot`."""
    script = (
        "import warnings; warnings.simplefilter('error')\n"  # -W error would turn on more of pyparsing's
        "import sys, numpy as np; from cotopics import plot; from cotopics.choose import MEASURES, Choice\n"
        "print('matplotlib' in sys.modules)\n"
        "measures = {name: np.ones(2) for name in MEASURES}\n"
        "choice = Choice(2, 'so.', np.array([2, 3]), measures, np.ones(4), np.ones(4), {1.1: 2})\n"
        "plot.write(plot.choice_of_topics(choice), sys.argv[1])\n"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "a.svg")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() == ["False", "False"]


def test_settings_are_left_as_they_were(tmp_path):
    import matplotlib

    before = dict(matplotlib.rcParams)
    plot.write(plot.choice_of_topics(a_choice()), tmp_path / "a.svg")
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize(
    "options",
    [
        {"candidates": [5]},
        {"values": 0.5},
        {"values": 0.0},
        {"values": -3.0},
        {"replication": np.linspace(1, -0.4, 12)},
        {"replication": np.full(12, 1.7)},
        {"spectrum": [1, 0.5, 0, 0]},
        {"spectrum": [1, 1, 1]},
        {"spectrum": [0.03, 0.001], "candidates": [2], "n_topics": 2},
    ],
)
def test_odd_choices_are_drawn_without_a_warning(tmp_path, options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        axes = plot.choice_of_topics(a_choice(**options))
        plot.write(axes, tmp_path / "a.svg")
    for panel in axes[1]:
        for _, y in lines(panel).values():
            assert ((y >= 0) & (y <= 1)).all()
    shades = axes[0, 0].collections[-1].get_array()
    assert ((shades >= 0) & (shades <= 1)).all()
    low, high = axes[0, 0].get_ylim()
    heights = axes[0, 0].collections[-1].get_offsets()[:, 1]
    assert 0 < low < heights.min()
    assert heights.max() < high
