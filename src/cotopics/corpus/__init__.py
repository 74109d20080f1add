"""From files, texts, ratings and baskets to counts."""

from cotopics.corpus.items import counts_from_baskets, counts_from_ratings, read_tags, tag_matrix
from cotopics.corpus.readers import read_corpus, read_texts
from cotopics.corpus.record import Corpus
from cotopics.corpus.store import CorpusWriter, load_corpus, save_corpus
from cotopics.corpus.stream import CountStream, keep_frequent, open_stream
from cotopics.corpus.text import count_words
from cotopics.corpus.vocabulary import keep_words, tfidf_scores

__all__ = [
    "Corpus",
    "CorpusWriter",
    "CountStream",
    "count_words",
    "counts_from_baskets",
    "counts_from_ratings",
    "keep_frequent",
    "keep_words",
    "load_corpus",
    "open_stream",
    "read_corpus",
    "read_tags",
    "read_texts",
    "save_corpus",
    "tag_matrix",
    "tfidf_scores",
]
