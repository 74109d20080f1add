"""Figures drawn by matplotlib: one function per figure; each takes results of cotopics and returns axes.

`pip install "cotopics[plot]"` installs matplotlib; it is imported when the first figure is drawn. Words are drawn as
they are, never as formulas. In .svg files they are text, in the reader's fonts, in any script.
"""

from cotopics.plot.canvas import require_format, require_matplotlib, write
from cotopics.plot.choice import choice_of_topics
from cotopics.plot.correlations import correlation_heatmap, correlation_network, topic_map
from cotopics.plot.effects import effects
from cotopics.plot.fits import convergence, cooccurrence_space, spectrum
from cotopics.plot.hierarchy import tree
from cotopics.plot.over import prevalence_over
from cotopics.plot.topics import top_words, topic_comparison, topics_over_time

__all__ = [
    "choice_of_topics",
    "convergence",
    "cooccurrence_space",
    "correlation_heatmap",
    "correlation_network",
    "effects",
    "prevalence_over",
    "require_format",
    "require_matplotlib",
    "spectrum",
    "top_words",
    "topic_comparison",
    "topic_map",
    "topics_over_time",
    "tree",
    "write",
]
