"""What `pip install` gets: the package and nothing else, and it runs. `make wheel` does the same in an empty
environment, with everything that is installed along."""

import os
import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "cotopics"
MOST_BYTES = 1_000_000
UNREACHABLE = ("No matching distribution", "Could not find a version", "ConnectionError", "Connection refused")


def run(*command, **options):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def pip(*arguments):
    return run(sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments)


def test_the_wheel(tmp_path):
    """One test, because the wheel is built once, and tests run in several processes."""
    wheel = built(tmp_path / "wheel")
    holds_the_package_alone(wheel)
    says_what_the_project_says(wheel)
    runs_where_it_is_installed(wheel, tmp_path)


def built(folder):
    done = pip("wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT))
    if done.returncode and any(sign in done.stdout for sign in UNREACHABLE):
        pytest.skip("pip cannot reach the packages that a wheel is built with")
    assert done.returncode == 0, done.stdout
    (wheel,) = folder.glob("cotopics-*-py3-none-any.whl")
    return wheel


def holds_the_package_alone(wheel):
    with zipfile.ZipFile(wheel) as file:
        names = {name for name in file.namelist() if ".dist-info/" not in name}
    files = (path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    assert names == {f"cotopics/{path.relative_to(PACKAGE).as_posix()}" for path in files}
    assert "cotopics/py.typed" in names
    assert not [name for name in names if "test" in name or "bench" in name]
    assert wheel.stat().st_size < MOST_BYTES


def says_what_the_project_says(wheel):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    with zipfile.ZipFile(wheel) as file:
        inside = {Path(name).name: name for name in file.namelist() if ".dist-info/" in name}
        found = Parser().parsestr(file.read(inside["METADATA"]).decode("utf-8"))
        assert "cotopics = cotopics.cli.main:main" in file.read(inside["entry_points.txt"]).decode("utf-8")
    assert "LICENSE" in inside
    assert found["Requires-Python"] == project["requires-python"]
    needed = {line.replace(" ", "") for line in found.get_all("Requires-Dist") if ";" not in line}
    assert needed == set(project["dependencies"])
    assert set(found.get_all("Provides-Extra")) == set(project["optional-dependencies"])


def runs_where_it_is_installed(wheel, tmp_path):
    """The demo, from the installed files and not from this checkout; packages are those of the tests."""
    home, work = tmp_path / "installed", tmp_path / "work"
    done = pip("install", "--no-deps", "--no-index", "--no-compile", "--target", str(home), str(wheel))
    assert done.returncode == 0, done.stdout
    work.mkdir()
    elsewhere = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    options = {"cwd": work, "env": elsewhere | {"PYTHONPATH": str(home)}}
    where = run(sys.executable, "-c", "import cotopics; print(cotopics.__file__)", **options)
    assert Path(where.stdout.strip()).resolve().is_relative_to(home.resolve()), where.stdout
    code = "from cotopics.cli.main import main; main(prog_name='cotopics')"
    done = run(sys.executable, "-c", code, "demo", **options)
    assert done.returncode == 0, done.stdout
    names = {path.name for path in (work / "cotopics-demo").iterdir()}
    assert {path.rpartition(".")[2] for path in names} >= {"html", "cotopics"}, names


def test_the_citation_names_the_version():
    import cotopics

    assert f"\nversion: {cotopics.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
