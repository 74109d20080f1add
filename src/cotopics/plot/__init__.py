"""Figures, by matplotlib: one function each, from what the rest of cotopics found to axes.

`pip install "cotopics[plot]"` brings matplotlib; nothing here is imported before a figure is asked for. Words are
drawn as they are, never as formulas; in .svg files they are text, in the reader's fonts, whatever their script.
"""

from cotopics.plot.canvas import require_format, require_matplotlib, write
from cotopics.plot.choice import choice_of_topics
from cotopics.plot.comparison import topic_comparison
from cotopics.plot.convergence import convergence
from cotopics.plot.heatmap import correlation_heatmap
from cotopics.plot.network import correlation_network
from cotopics.plot.over_time import topics_over_time
from cotopics.plot.space import cooccurrence_space
from cotopics.plot.spectrum import spectrum
from cotopics.plot.top_words import top_words
from cotopics.plot.topic_map import topic_map

__all__ = [
    "choice_of_topics",
    "convergence",
    "cooccurrence_space",
    "correlation_heatmap",
    "correlation_network",
    "require_format",
    "require_matplotlib",
    "spectrum",
    "top_words",
    "topic_comparison",
    "topic_map",
    "topics_over_time",
    "write",
]
