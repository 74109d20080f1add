"""The figure of a choice: two panels that hold the evidence, and files that are the same each time."""

import subprocess
import sys
import warnings
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure

from cotopics import plot
from cotopics.choose import MEASURES, Choice
from cotopics.errors import ParameterError

BACK = "correlation between halves that most topics reach"
MAGIC = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}


def a_choice(candidates=(3, 5, 8), n_topics=5, *, values=None, spectrum=None, replication=None, coarser=()):
    candidates = np.array(candidates)
    measures = {
        name: np.linspace(0.1, 0.9, len(candidates)) * (1 + i) if values is None else np.full(len(candidates), values)
        for i, name in enumerate(MEASURES)
    }
    spectrum = 0.8 ** np.arange(12) if spectrum is None else np.asarray(spectrum, dtype=float)
    replication = np.linspace(1, 0, len(spectrum)) if replication is None else np.asarray(replication, dtype=float)
    reason = "eigenvalue 5 stands out from the next as none behind it does: the rest is like noise."
    return Choice(n_topics, reason, candidates, measures, spectrum, replication, {1.1: 5}, None, coarser)


def lines(panel):
    """What is drawn for each name in the legend: (x, y)."""
    handles, labels = panel.get_legend_handles_labels()
    return {label: (line.get_xdata(), line.get_ydata()) for line, label in zip(handles, labels, strict=True)}


def test_two_panels_that_hold_the_evidence():
    choice = a_choice(coarser=(3,))
    axes = plot.choice_of_topics(choice)
    assert axes.shape == (2,)
    assert axes[1].get_xlabel() == "number of topics"
    for panel in axes:
        marks = [line for line in panel.get_lines() if line.get_linestyle() == "--"]
        assert [line.get_xdata()[0] for line in marks] == [5]
    curve = next(line for line in axes[0].get_lines() if line.get_gid() == "held-out")
    assert np.allclose(curve.get_data(), [choice.candidates, choice.measures["held_out"]])
    band = axes[0].collections[0].get_paths()[0].vertices
    held_out, error = choice.measures["held_out"], choice.measures["held_out_error"]
    assert np.isclose(band[:, 1].max(), (held_out + error).max())
    assert np.isclose(band[:, 1].min(), (held_out - error).min())
    below = lines(axes[1])
    assert np.allclose(below[BACK], [choice.candidates, choice.measures["most_back"]])
    gain = choice.measures["reliable_gain"]
    scaled = "gain over two topics × that, relative to the largest"
    assert np.allclose(below[scaled], [choice.candidates, gain / gain.max()])
    assert below["coarser numbers, all topics of which come back"][0].tolist() == [3]
    assert axes[0].figure.get_suptitle().replace("\n", " ") == choice.sentence


def test_a_choice_of_an_early_version_is_drawn():
    old = a_choice()
    measures = {name: old.measures[name] for name in ("gap", "stability", "weakest", "coherence")}
    axes = plot.choice_of_topics(replace(old, measures=measures))
    curve = next(line for line in axes[0].get_lines() if line.get_gid() == "held-out")
    assert np.allclose(curve.get_ydata(), measures["coherence"])
    assert list(lines(axes[1])) == [BACK]


def test_it_draws_on_the_axes_it_is_given():
    figure = Figure()
    given = figure.subplots(2)
    axes = plot.choice_of_topics(a_choice(), axes=given)
    assert all(a is b for a, b in zip(axes, given, strict=True))
    assert all(panel.get_lines() for panel in given)


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
    assert "5 topics: eigenvalue 5" in content


def test_one_panel_stands_for_its_figure(tmp_path):
    axes = plot.choice_of_topics(a_choice())
    plot.write(axes[1], str(tmp_path / "A.PNG"))
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
    for _, y in lines(axes[1]).values():
        assert np.isfinite(y).all()
