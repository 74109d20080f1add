"""A model explained in one HTML file that opens from disk and needs no network.

`content` makes a plain record of everything that is shown, `render` makes the page from it. All logic is in Python, so
tests can read the record without a browser; the script in `static/` only draws, searches and saves tables.

`model.report(path)` is the only import from a lower layer to a higher one: users look for the report on the model, so
the method imports `write` when it is called.
"""

from cotopics.report.content import content
from cotopics.report.render import render, write

__all__ = ["content", "render", "write"]
