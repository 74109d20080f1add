"""Results as data frames of every library, as one line, and in a notebook."""

import sys
import types

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from conftest import planted_corpus
from cotopics import TopicModel, choose_n_topics, export, metrics, plot
from cotopics.export import Table
from cotopics.plot.canvas import in_notebook


@pytest.fixture(scope="module")
def fitted():
    X = planted_corpus(n_documents=300, n_words=60, length=40)[0]
    words = ["<script>alert(1)</script>", "&amp;", *(f"word{i}" for i in range(58))]
    return TopicModel(4).fit(X, feature_names=words), X


@pytest.fixture(scope="module")
def results(fitted):
    model, X = fitted
    return {
        "Table": export.topics_table(model),
        "Evaluation": metrics.evaluate(model, X),
        "Choice": choose_n_topics(X),
    }


@pytest.mark.parametrize("name", ["Table", "Evaluation", "Choice"])
def test_every_library_takes_it(results, name):
    result = results[name]
    columns = {key: list(values) for key, values in result.as_columns().items()}
    for frame in (pd.DataFrame(result), pl.DataFrame(result), pa.table(result).to_pandas()):
        assert list(frame.columns) == list(columns)
        for key, values in columns.items():
            expected = [None if value is None or value != value else value for value in values]
            found = [None if value is None or value != value else value for value in list(frame[key])]
            assert found == expected


@pytest.mark.parametrize("name", ["Table", "Evaluation", "Choice"])
def test_it_prints_in_one_short_line(results, name):
    shown = repr(results[name])
    assert shown.startswith(f"{name}(")
    assert len(shown) < 300
    assert "\n" not in shown


@pytest.mark.parametrize("name", ["Table", "Evaluation", "Choice"])
def test_a_table_in_a_notebook(results, name):
    page = results[name]._repr_html_()
    assert page.count("<tr>") == 1 + len(next(iter(results[name].as_columns().values())))
    assert "<script>" not in page


def test_text_is_never_markup():
    page = Table(("<b>name</b>",), (["<img src=x onerror=alert(1)>", None],))._repr_html_()
    assert "<img" not in page
    assert "<b>" not in page


def test_long_tables_are_cut():
    table = Table(("n",), (np.arange(1000),))
    assert "970 more rows" in table._repr_html_()
    assert repr(table) == "Table(1,000 rows: n)"


def test_a_model_in_a_notebook(fitted):
    model, _ = fitted
    bundle = model._repr_mimebundle_()
    assert bundle["text/html"] == model._repr_html_()
    page = bundle["text/html"]
    assert page.count("<tr>") == 5
    assert "<script>" not in page
    shares = [float(text.split("%")[0].split()[-1]) for text in page.split("</span>")[1:]]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(100, abs=0.3)


def test_before_a_fit_it_is_scikit_learns_diagram():
    page = TopicModel(3)._repr_html_()
    assert "sk-" in page
    assert "leading words" not in page


def test_figures_appear_in_a_notebook(fitted, monkeypatch):
    import matplotlib.pyplot as plt

    model, _ = fitted
    plot.top_words(model)
    assert plt.get_fignums() == []
    monkeypatch.setattr("cotopics.plot.canvas.in_notebook", lambda: True)
    axes = plot.top_words(model)
    assert [plt.figure(n) for n in plt.get_fignums()] == [axes[0].figure]
    plt.close("all")


@pytest.mark.parametrize(("kernel", "expected"), [(object(), True), (None, False)])
def test_a_kernel_is_a_notebook(monkeypatch, kernel, expected):
    shell = types.SimpleNamespace(kernel=kernel)
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    assert in_notebook() == expected
