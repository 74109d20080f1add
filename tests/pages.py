"""Pages are run: their code, their commands, and what both show. `python tests/pages.py PAGE…` writes what they show.

A page is Markdown, and its blocks are run from top to bottom, in one folder and with one set of Python names:

    ```python        code; a ```text block right after it is what it prints
    ```sh            commands, one a line
    ```console       lines after "$ " are commands, the others what they show
    ```text NAME     a file, of any kind (```csv NAME, ```toml NAME), which is written
    <!-- run … -->   code that the reader does not see: it makes files that the page speaks of
    <!-- data: NAME -->     a file of the folder of real corpora, or one beside the page; the page needs it
    <!-- not run: why -->   the next block is not run

Words must be those on the page; numbers may be off by one in the last digit shown, or by a millionth. A picture that a
page of tutorials shows is one that its code drew.
"""

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import NamedTuple

from cotopics.cli.main import main as command_line
from runner import CliRunner

ROOT = Path(__file__).parents[1]
PART = re.compile(
    r"^```(?P<kind>[^\n]*)\n(?P<body>.*?)^```$"
    r"|^<!-- run\n(?P<hidden>.*?)^-->$"
    r"|^<!-- data: (?P<data>\S+) -->$"
    r"|^<!-- not run: [^\n]+ -->\n+(?P<left_out>```.*?^```$)"
    r"|!\[[^\]]*\]\((?P<picture>[^)]+)\)",
    flags=re.DOTALL | re.MULTILINE,
)
NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.(\d+))?(?:e-?\d+)?")


class Missing(Exception):
    """A corpus that a page needs is not on this machine."""


class Part(NamedTuple):
    """A piece of a page that means something here."""

    kind: str
    body: str
    span: tuple[int, int]  # of the body, in the page


def parts(text):
    found = []
    for match in PART.finditer(text):
        group = match.lastgroup if match["kind"] is None else "body"
        if group != "left_out":
            kind = match["kind"].strip() if group == "body" else {"hidden": "python"}.get(group, group)
            found.append(Part(kind, match[group], match.span(group)))
    return found


def run(page, folder, data=None):
    """Run a page in a folder, which is the current one. Pairs (span, what is shown instead) of all that a page shows,
    and names of pictures → the files that the page's code drew."""
    text, names, shown, drawn = page.read_text(encoding="utf-8"), {"__name__": page.stem}, [], {}
    last = ""
    for part in parts(text):
        language, _, name = part.kind.partition(" ")
        if name and not language.startswith("{"):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(part.body, encoding="utf-8")
        elif language == "data":
            fetch(part.body, page, folder, data)
        elif language == "python":
            last = run_code(part.body, f"{page.name}:{1 + text[: part.span[0]].count(chr(10))}", names)
        elif language == "sh":
            last = "".join(run_command(line) for line in commands(part.body))
        elif language == "console":
            steps = [step.partition("\n")[0] for step in part.body.removeprefix("$ ").split("\n$ ")]
            shown.append((part, "".join(f"$ {command}\n{run_command(command)}" for command in steps)))
        elif language == "text":
            shown.append((part, last))
        elif language == "picture":
            if (folder / Path(part.body).name).exists():
                drawn[part.body] = folder / Path(part.body).name
        elif not language.startswith("{"):
            raise AssertionError(f"{page.name}: a block of {language or 'nothing'!r}; see tests/pages.py")
    return shown, drawn


def fetch(name, page, folder, data):
    """Put a file into the folder, at the same path: one beside the page, or one of the real corpora."""
    for home in (page.parent, data):
        if home is not None and (home / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(home / name, folder / name)
            return
    raise Missing(name)


def run_code(code, place, names):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, place, "exec"), names)
    return said.getvalue()


def commands(body):
    return [line for line in body.replace("\\\n", " ").splitlines() if line.strip() and not line.startswith("#")]


def run_command(line):
    """What a command shows, on standard error too. Commands of cotopics run in this process if no shell is needed."""
    words = shlex.split(line, comments=True)
    if words[0] == "cotopics" and not any(character in line for character in "|>&;*"):
        result = CliRunner().invoke(command_line, words[1:], prog_name="cotopics")
        assert result.exit_code == 0, f"{line}\n{result.output}\n{result.exception!r}"
        return tidy(result.stderr + result.stdout)
    with program_on_path() as environment:
        done = subprocess.run(
            line, shell=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment
        )
    assert done.returncode == 0, f"{line}\n{done.stdout}"
    return tidy(done.stdout)


@contextlib.contextmanager
def program_on_path():
    """An environment in which `cotopics` and `python` are those of this process."""
    folder = Path(".commands")
    folder.mkdir(exist_ok=True)
    program = folder / "cotopics"
    program.write_text(f"#!{sys.executable}\nfrom cotopics.cli.main import main\nmain(prog_name='cotopics')\n")
    program.chmod(0o755)
    (folder / "python").unlink(missing_ok=True)
    (folder / "python").symlink_to(sys.executable)
    path = f"{folder.resolve()}{os.pathsep}{os.environ['PATH']}"
    try:
        yield os.environ | {"PATH": path, "PYTHONPATH": os.pathsep.join(sys.path)}
    finally:
        shutil.rmtree(folder)


def tidy(text):
    """Without empty lines at both ends, and without blanks at the ends of lines."""
    lines = "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")
    return f"{lines}\n" if lines else ""


def check(shown):
    """What was shown is what the page says: the same words; numbers as near as they are written."""
    for part, found in shown:
        said, found = tidy(part.body), tidy(found)
        assert NUMBER.sub("0", found) == NUMBER.sub("0", said), found
        for here, there in zip(NUMBER.finditer(found), NUMBER.finditer(said), strict=True):
            off = 0 if there[1] is None else max(1e-6, 1.01 * 10.0 ** -len(there[1]))
            difference = abs(float(here[0].replace(",", "")) - float(there[0].replace(",", "")))
            assert difference <= off, f"{here[0]} instead of {there[0]} in\n{found}"


def update(page, folder, data):
    """Write into a page what it shows, and beside it the pictures it draws."""
    shown, drawn = run(page, folder, data)
    text = page.read_text(encoding="utf-8")
    for part, found in sorted(shown, key=lambda pair: -pair[0].span[0]):
        begin, end = part.span
        text = text[:begin] + tidy(found) + text[end:]
    page.write_text(text, encoding="utf-8")
    for name, file in drawn.items():
        (page.parent / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(file, page.parent / name)


if __name__ == "__main__":
    import tempfile

    os.environ["MPLBACKEND"] = "agg"
    warnings.simplefilter("error")
    corpora = Path(os.environ.get("COTOPICS_DATA", ROOT.parent / "shared" / "data")).resolve()
    for name in sys.argv[1:]:
        path = Path(name).resolve()
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            update(path, Path(folder), corpora)
        print(f"written: {name}")
