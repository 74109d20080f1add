"""The site is whole: it builds without a warning (a missing page, picture, heading or name is one), needs no network,
and every public name, command and measure is on a page."""

import inspect
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason='the site is built with Sphinx: pip install "cotopics[docs]"')
for needed in ("furo", "latex2mathml", "myst_parser"):
    pytest.importorskip(needed)

ROOT = Path(__file__).parents[2]
FETCHES = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "link": "href",
}
OF_THE_WEB = re.compile(r"^(?:https?:)?//")
FETCHED_BY_STYLES = re.compile(r"(?:url\(|@import)\s*[\"']?\s*((?:https?:)?//[^\"')]+)")


def test_the_site(tmp_path, reference):
    """One test, because the site is built once, and tests run in several processes."""
    site = built(tmp_path)
    fetches_nothing(site)
    links_lead_somewhere(site)
    has_a_search_and_starts_at_its_root(site)
    every_public_name_is_on_a_page(site, reference)
    formulas_are_typeset(site)


def built(folder):
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-c", str(ROOT / "docs" / "site")]
    done = subprocess.run(
        [*command, "-d", str(folder / "read"), "-b", "html", str(ROOT), str(folder / "html")],
        cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return folder / "html"


class Page(HTMLParser):
    """What a page fetches, what it links to, and what can be linked to."""

    def __init__(self, path):
        super().__init__()
        self.fetched, self.links, self.ids, self.styles = [], [], set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        found = {name: value or "" for name, value in attributes}
        self.ids.add(found.get("id", ""))
        self.styles.append(found.get("style", ""))
        if tag in FETCHES and FETCHES[tag] in found:
            self.fetched.append(found[FETCHES[tag]])
            self.fetched += [part.split()[0] for part in found.get("srcset", "").split(",") if part.strip()]
        if tag == "a":
            self.links.append(found.get("href", ""))


def fetches_nothing(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 80
    fetched = {(path.name, address) for path in pages for address in Page(path).fetched if OF_THE_WEB.match(address)}
    assert fetched == set()
    styles = {path.name: FETCHED_BY_STYLES.findall(path.read_text(encoding="utf-8")) for path in site.rglob("*.css")}
    assert {name: found for name, found in styles.items() if found} == {}


def links_lead_somewhere(site):
    """Also those that Sphinx does not look at, such as those of tables of contents and of downloads."""
    pages = {path.resolve(): Page(path) for path in site.rglob("*.html")}
    broken = []
    for path, page in pages.items():
        for address in page.links:
            file, _, part = address.partition("#")
            if re.match(r"[a-z]+:|//", file):
                continue
            target = (path.parent / file).resolve() if file else path
            if not target.exists() or (part and target in pages and part not in pages[target].ids):
                broken.append((path.relative_to(site.resolve()).as_posix(), address))
    assert broken == []


def has_a_search_and_starts_at_its_root(site):
    assert "docs/index.html" in (site / "index.html").read_text(encoding="utf-8")
    assert (site / "searchindex.js").stat().st_size > 100_000
    start = (site / "docs" / "index.html").read_text(encoding="utf-8")
    assert 'role="search"' in start
    assert 'name="viewport"' in start


def every_public_name_is_on_a_page(site, reference):
    ids = set().union(*(Page(path).ids for path in (site / "docs" / "reference").glob("*.html")))
    entries = reference.entries()
    assert len(entries) > 200
    assert [entry.full for entry in entries if entry.full not in ids] == []
    described = {id(entry.value) for entry in entries}
    import cotopics

    modules = {name for names in reference.modules_of_pages().values() for name in names}
    for name in set(cotopics.__all__) - {"__version__"}:
        value = getattr(cotopics, name)
        assert value.__name__ in modules if inspect.ismodule(value) else id(value) in described, name


def formulas_are_typeset(site):
    page = (site / "docs" / "reference" / "metrics.html").read_text(encoding="utf-8")
    assert page.count("<math") > 15
    assert "\\frac" not in re.sub(r"<annotation.*?</annotation>", "", page)


@pytest.fixture(scope="session")
def reference():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "docs" / "site")
        import reference_pages  # tests have a module named reference

        yield reference_pages


def test_what_is_chosen_by_name_is_in_a_table(reference):
    from cotopics import registry
    from cotopics.cli.main import COMMANDS
    from cotopics.metrics import MEASURES

    pages = reference.pages()
    for family in ("RECTIFIERS", "SELECTORS", "RECOVERIES", "ANCHOR_FREE", "INFERENCES"):
        assert [name for name in getattr(registry, family) if f'"{name}")`' not in pages["steps"]] == []
    assert [name for name in registry.EXPORTS if f"| `{name}` |" not in pages["export"]] == []
    assert [name for name in MEASURES if f"| `{name}` |" not in pages["metrics"]] == []
    assert [name for name in COMMANDS if f"## cotopics {name}\n" not in pages["command-line"]] == []


def test_what_users_import_has_an_example(reference):
    """Doctests, which are run with the other tests. Effects are shown on their own page and in tutorial 5."""
    modules = {f"cotopics.{name}" for name in ("choose", "corpus", "datasets", "export", "metrics", "models", "plot")}
    from_a_page = {"choose_for", "effects", "prevalence_over"}
    described = [entry for entry in reference.entries() if entry.module in modules and entry.name not in from_a_page]
    described = [entry for entry in described if inspect.isfunction(entry.value) or inspect.isclass(entry.value)]
    assert len(described) > 80
    assert [entry.full for entry in described if ">>>" not in inspect.getdoc(entry.value)] == []


def test_every_measure_has_a_formula(reference):
    """Functions of `cotopics.metrics` that return what a formula says."""
    from formulas import FORMULAS

    from cotopics import metrics

    functions = {name for name in metrics.__all__ if inspect.isfunction(getattr(metrics, name))} - {"evaluate"}
    assert functions == set(FORMULAS)


@pytest.mark.parametrize(
    ("docstring", "markdown"),
    [
        ("p(w | z) of components_, `a_b`", "p(w \\| z) of components\\_, `a_b`"),
        ("a_b, `c_d\ne_f`:\n- `g`\n  h_i", "a\\_b, `c_d\ne_f`:\n- `g`\n  h\\_i"),
        ("One.\n\n>>> 1 + 1\n2", "One.\n\n```pycon\n>>> 1 + 1\n2\n```"),
        ("One.\n\nParameters\n----------\nn : int\n    How many.", "One.\n\n**Parameters**\n\n`n` (int)\n: How many."),
        ("Parameters\n----------\nn : 2\n\n>>> 2\n2", "**Parameters**\n\n`n`\n: 2\n\n```pycon\n>>> 2\n2\n```"),
    ],
)  # fmt: skip
def test_docstrings_become_markdown(reference, docstring, markdown):
    from docstrings import as_markdown

    assert as_markdown(docstring) == markdown
