"""Which versions `make test-oldest` installs."""

import re
import tomllib

import pytest

from oldest import PROJECT, oldest_versions


def project(dependencies, **extras):
    return {"name": "ours", "dependencies": dependencies, "optional-dependencies": extras}


def test_everything_that_is_named_has_an_oldest_version():
    found = oldest_versions(project(["numpy>=2.0", "a-b.c>=1"], x=["dask[array,dataframe]>=2026.8"], y=["ours[x]"]))
    assert found == {"numpy": "2.0", "a-b.c": "1", "dask": "2026.8"}


@pytest.mark.parametrize("line", ["numpy", "numpy<3", "numpy>=2,<3", "numpy==2.0", "ourselves"])
def test_what_has_none_is_refused(line):
    with pytest.raises(ValueError, match="write it as name>=version"):
        oldest_versions(project([line]))


def test_two_oldest_versions_of_one_thing_are_refused():
    with pytest.raises(ValueError, match="numpy has two oldest versions"):
        oldest_versions(project(["numpy>=2.0"], x=["numpy>=2.1"]))


def test_our_own_can_be_read():
    ours = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    assert {"numpy", "scipy", "pyarrow", "pytest"} <= oldest_versions(ours).keys()


def test_the_workflow_runs_the_pythons_that_are_said_to_work():
    text = (PROJECT.parent / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    run = re.findall(r'"(3\.\d+)"', re.search(r"python: \[(.*)\]", text)[1])
    ours = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    said = re.findall(r"Python :: (3\.\d+)", "\n".join(ours["classifiers"]))
    assert run == said
    assert ours["requires-python"] == f">={said[0]}"
