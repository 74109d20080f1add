"""From files and texts to counts."""

from cotopics.corpus.readers import read_corpus, read_texts
from cotopics.corpus.record import Corpus
from cotopics.corpus.text import count_words
from cotopics.corpus.vocabulary import keep_words, tfidf_scores

__all__ = ["Corpus", "count_words", "keep_words", "read_corpus", "read_texts", "tfidf_scores"]
