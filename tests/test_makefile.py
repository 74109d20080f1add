"""`make browser`: it finds a chromium, installs Debian's where it may, and never stands in the way of the tests."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from platforms import needs_scripts

ROOT = Path(__file__).parents[1]
MAKE = shutil.which("make")
pytestmark = [needs_scripts, pytest.mark.skipif(MAKE is None, reason="no make on this machine")]
SKIPPED = "No chromium here, so the tests in a browser are skipped"


@pytest.fixture
def make(tmp_path):
    """Run `make browser` where commands are stand-ins, name → script. Its output, and what apt-get was told."""
    told = tmp_path / "told"

    def run(*arguments, **commands):
        bin = tmp_path / "bin"
        bin.mkdir()
        for name in ("sh", "env"):
            (bin / name).symlink_to(shutil.which(name))
        defaults = {"id": "echo 0", "timeout": 'shift 3; exec "$@"', "true": "exit 0"}
        for name, script in (defaults | commands).items():
            path = bin / name.replace("_", "-")
            path.write_text(f"#!/bin/sh\n{script.replace('TELL', f'echo $* >> {told}')}\n", encoding="utf-8")
            path.chmod(0o755)
        of_tests = ("COTOPICS_BROWSER", "BROWSER", "MAKEFLAGS")  # also by `make test BROWSER=no`
        environment = {name: value for name, value in os.environ.items() if name not in of_tests}
        done = subprocess.run(
            [MAKE, "-s", "-f", str(ROOT / "Makefile"), "browser", *arguments],
            cwd=tmp_path, env=environment | {"PATH": str(bin)}, capture_output=True, text=True, timeout=30,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout, told.read_text(encoding="utf-8").splitlines() if told.exists() else []

    return run


def test_a_browser_that_is_there_is_enough(make):
    assert make(chromium="exit 0", apt_get="TELL") == ("", [])


def test_root_on_debian_installs_it(make):
    out, told = make(apt_get="TELL")
    assert out.startswith("Installing chromium")
    assert SKIPPED not in out
    assert [line.split()[-1] for line in told] == ["update", "chromium", "chromium"]
    assert "--download-only" in told[1]


def test_others_install_it_where_sudo_asks_nothing(make):
    out, told = make(id="echo 1000", sudo='test "$1" = -n && shift && exec "$@"', apt_get="TELL")
    assert len(told) == 3
    assert SKIPPED not in out


@pytest.mark.parametrize(
    "commands",
    [
        {},  # no apt-get
        {"apt_get": "TELL", "id": "echo 1000"},  # nobody, and no sudo
        {"apt_get": "TELL", "id": "echo 1000", "sudo": "exit 1"},  # sudo wants a password
    ],
)
def test_where_it_may_not_it_says_what_to_install(make, commands):
    out, told = make(**commands)
    assert out.startswith(SKIPPED)
    assert "apt-get install chromium" in out
    assert told == []


def test_a_failure_is_no_failure(make):
    out, told = make(apt_get="TELL; exit 100")
    assert SKIPPED in out
    assert len(told) == 2  # what cannot be downloaded is not installed


def test_it_can_be_told_not_to(make):
    out, told = make("BROWSER=no", apt_get="TELL")
    assert out.startswith(SKIPPED)
    assert told == []
