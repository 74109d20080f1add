"""From files, texts, ratings and baskets to counts."""

from cotopics.corpus.corpus import Corpus
from cotopics.corpus.corpus_file import CorpusWriter, load_corpus, save_corpus
from cotopics.corpus.documents import Document, Documents, Fields, read_documents
from cotopics.corpus.items import counts_from_baskets, counts_from_ratings, read_tags, tag_matrix
from cotopics.corpus.phrases import Phrases, find_phrases
from cotopics.corpus.readers import as_corpus, open_stream, read_corpus, read_texts
from cotopics.corpus.stream import CountStream, keep_frequent
from cotopics.corpus.text import Preparation, WordNumbers, count_words
from cotopics.corpus.vocabulary import keep_words, suggest_stop_words, tfidf_scores, word_spread

__all__ = [
    "Corpus", "CorpusWriter", "CountStream", "Document", "Documents", "Fields", "Phrases", "Preparation", "WordNumbers",
    "as_corpus", "count_words", "counts_from_baskets", "counts_from_ratings", "find_phrases", "keep_frequent",
    "keep_words", "load_corpus", "open_stream", "read_corpus", "read_documents", "read_tags", "read_texts",
    "save_corpus", "suggest_stop_words", "tag_matrix", "tfidf_scores", "word_spread",
]  # fmt: skip
