"""What leaves the house: tables, graphs and views for other tools.

A table is a small record of columns; `write_table` makes a .csv, .tsv, .jsonl or .parquet file of one. No other tool is
imported for its own format but pyarrow, and that one only when a .parquet file is written.
"""

from cotopics.export.files import check_table_name, write_table
from cotopics.export.gensim_view import GensimView
from cotopics.export.graphml import write_graphml
from cotopics.export.mixtures import mixture_blocks, mixtures_table
from cotopics.export.pyldavis import pyldavis_data, write_pyldavis
from cotopics.export.table import Table
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
