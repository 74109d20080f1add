"""The oldest version of everything that pyproject.toml names, one a line, for `pip install --constraint`."""

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(?:\[[\w,]+\])?>=(?P<version>[\d.]+)")


def oldest_versions(project):
    """Name → version, from the table [project] with all of its extras; an extra may name others of our own."""
    extras = project["optional-dependencies"].values()
    floors = {}
    for line in [*project["dependencies"], *(line for extra in extras for line in extra)]:
        if line.startswith(f"{project['name']}["):
            continue
        found = REQUIREMENT.fullmatch(line)
        if found is None:
            raise ValueError(f"{line!r} in pyproject.toml says no oldest version: write it as name>=version")
        if floors.setdefault(found["name"], found["version"]) != found["version"]:
            raise ValueError(f"{found['name']} has two oldest versions in pyproject.toml: write it in one place")
    return floors


if __name__ == "__main__":
    for name, version in oldest_versions(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]).items():
        print(f"{name}=={version}")
