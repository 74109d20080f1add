"""From files and texts to counts."""

from cotopics.corpus.readers import read_corpus, read_texts
from cotopics.corpus.record import Corpus
from cotopics.corpus.stream import CountStream, keep_frequent, open_stream
from cotopics.corpus.text import count_words
from cotopics.corpus.vocabulary import keep_words, tfidf_scores

__all__ = [
    "Corpus",
    "CountStream",
    "count_words",
    "keep_frequent",
    "keep_words",
    "open_stream",
    "read_corpus",
    "read_texts",
    "tfidf_scores",
]
