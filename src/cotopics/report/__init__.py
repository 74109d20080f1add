"""A model explained in one HTML file that opens from disk, fetches nothing and runs nothing that is in a corpus.

`content` says what is shown, as a plain record; `layout` where things are drawn; `render` makes the page of both.
"""

from cotopics.report.content import content
from cotopics.report.render import render, write

__all__ = ["content", "render", "write"]
