"""What is true of every parameter of every estimator: a new one is a line of the constructor and its assignment, and a
test here is red until the other places know it.
"""

import inspect

import pytest

from cotopics import load
from cotopics.models import MODELS
from cotopics.models.checks import OPTIONS

PARAMETERS = [(name, option) for name, model in MODELS.items() for option in model._get_param_names()]


@pytest.fixture(scope="module")
def fitted(corpus):
    return {name: model().set_params(**_few_topics(model)).fit(corpus[0]) for name, model in MODELS.items()}


def _few_topics(model):
    return {"n_topics": 4} if "n_topics" in model._get_param_names() else {"c1": 0.2}


@pytest.mark.parametrize(("name", "option"), PARAMETERS)
def test_it_is_described(name, option):
    described = inspect.getdoc(MODELS[name]).partition("Parameters\n---")[2].partition("Attributes\n---")[0]
    names = [line.partition(" : ")[0] for line in described.splitlines() if " : " in line and line[0] != " "]
    assert option in ", ".join(names).split(", "), "each parameter has an entry in the docstring of the class"


@pytest.mark.parametrize(("name", "option"), PARAMETERS)
def test_its_value_in_a_file_is_checked(name, option):
    default = inspect.signature(MODELS[name]).parameters[option].default
    assert option in OPTIONS, "models/checks.py says which values a saved file may hold"
    assert OPTIONS[option](default)
    assert not OPTIONS[option]({"not": "a value"})


@pytest.mark.parametrize(("name", "option"), PARAMETERS)
def test_no_attribute_of_the_class_hides_it(name, option):
    """A value that a class sets is lost by `clone`, and is what a method would read."""
    assert not hasattr(MODELS[name], option)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore:.*no two anchor words")
def test_files_hold_all_of_them(name, fitted, tmp_path):
    fitted[name].save(tmp_path / "m.cotopics")
    assert load(tmp_path / "m.cotopics").get_params() == fitted[name].get_params()
