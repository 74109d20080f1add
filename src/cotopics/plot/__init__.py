"""Figures, by matplotlib: one function each, from what the rest of cotopics found to axes.

`pip install "cotopics[plot]"` brings matplotlib; nothing here is imported before a figure is asked for.
"""

from cotopics.plot.canvas import require_format, require_matplotlib, write
from cotopics.plot.choice import choice_of_topics

__all__ = ["choice_of_topics", "require_format", "require_matplotlib", "write"]
