"""Topics and documents for other tools: tables, graphs and views.

A table is a small record of columns; `write_table` writes it to a .csv, .tsv, .jsonl or .parquet file. No other tool is
imported for its own format except pyarrow, and only when a .parquet file is written.
"""

from cotopics.export.gensim_view import GensimView
from cotopics.export.graphml import write_graphml
from cotopics.export.mixtures import mixture_blocks, mixtures_table
from cotopics.export.pyldavis import pyldavis_data, write_pyldavis
from cotopics.export.tables import Table, check_table_name, write_table
from cotopics.export.topics import correlation_table, topic_words_table, topics_table

__all__ = [
    "GensimView",
    "Table",
    "check_table_name",
    "correlation_table",
    "mixture_blocks",
    "mixtures_table",
    "pyldavis_data",
    "topic_words_table",
    "topics_table",
    "write_graphml",
    "write_pyldavis",
    "write_table",
]
