"""From files, texts, ratings and baskets to counts."""

from cotopics.corpus.documents import Document, Documents, Fields, read_documents
from cotopics.corpus.items import counts_from_baskets, counts_from_ratings, read_tags, tag_matrix
from cotopics.corpus.readers import as_corpus, open_stream, read_corpus, read_texts
from cotopics.corpus.record import Corpus
from cotopics.corpus.stream import CountStream, keep_frequent
from cotopics.corpus.text import count_words
from cotopics.corpus.vocabulary import keep_words, tfidf_scores

__all__ = [
    "Corpus",
    "CountStream",
    "Document",
    "Documents",
    "Fields",
    "as_corpus",
    "count_words",
    "counts_from_baskets",
    "counts_from_ratings",
    "keep_frequent",
    "keep_words",
    "open_stream",
    "read_corpus",
    "read_documents",
    "read_tags",
    "read_texts",
    "tag_matrix",
    "tfidf_scores",
]
