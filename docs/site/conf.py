"""How Sphinx builds the site (`make docs`). Sources are this repository's Markdown files, where they are; pages of the
reference are written by `reference_pages.py` before they are read. Nothing is fetched, and no page fetches anything."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

import mathml  # noqa: E402
import reference_pages  # noqa: E402

project = "cotopics"
author = "The cotopics developers"
copyright = "The cotopics developers. BSD-3-Clause"
extensions = ["myst_parser"]

root_doc = "docs/index"
source_suffix = {".md": "markdown"}
include_patterns = [
    "docs/**.md",
    "examples/README.md",
    "benchmarks/results/*.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
]

myst_heading_anchors = 4  # links such as page.md#a-heading, as on GitHub
myst_enable_extensions = ["deflist"]
suppress_warnings = ["myst.header"]  # a page of results may start at the second level
nitpicky = True  # a reference to nothing is an error, but for types in signatures
nitpick_ignore_regex = [("py:(class|exc)", ".*")]
pygments_style = "default"
pygments_dark_style = "github-dark"
highlight_language = "text"  # of blocks that name none
add_module_names = False
toc_object_entries_show_parents = "hide"
math_number_all = False

smartquotes = False  # "auto" is to be typed as it stands

html_theme = "furo"
html_title = "cotopics"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_baseurl = ""
html_math_renderer = "mathml"
html_theme_options = {"sidebar_hide_name": False, "navigation_with_keys": False}

START = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>cotopics</title>
<meta http-equiv="refresh" content="0; url=docs/index.html"></head>
<body><a href="docs/index.html">cotopics: the documentation</a></body></html>
"""


def give_title(app, docname, source):
    """Pages of results have no title: it is the name of their file."""
    if docname.startswith("benchmarks/results/"):
        source[0] = f"# {Path(docname).name.replace('_', ' ')}\n\n{source[0]}"


def write_start(app, exception):
    """site/index.html, which leads to the first page: the others are at the places of their sources."""
    if exception is None and app.builder.format == "html":
        Path(app.outdir, "index.html").write_text(START, encoding="utf-8")


def setup(app):
    app.add_html_math_renderer("mathml", mathml.inline, mathml.block)
    app.connect("builder-inited", lambda app: reference_pages.write(ROOT / "docs" / "reference"))
    app.connect("source-read", give_title)
    app.connect("build-finished", write_start)
