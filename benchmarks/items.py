"""001, section 4, on what is not text: 15 clusters of movies and of songs, with and without rectification."""

import re
import sys
import time
import warnings
from collections import Counter

import numpy as np
import scipy.sparse as sp

from common import data_folder, keep
from cotopics import AnchorWords
from cotopics.corpus import Corpus, counts_from_ratings, keep_words, read_corpus, read_tags, tag_matrix
from cotopics.metrics import coherence, dissimilarity

N_TOPICS = 15
LEADING = 20  # items of a topic that are measured
SHOWN = 5  # items of a topic that are shown
AT_LEAST = 5  # songs of a playlist, and lists of a song or movie
METHODS = {
    "none": {"rectifier": None},
    "ap": {"rectifier": "ap"},
    "none, anchors in 20 lists": {"rectifier": None, "min_anchor_documents": 20},
    "ap, anchors in 20 lists": {"rectifier": "ap", "min_anchor_documents": 20},
}
IN_DETAIL = ("none", "ap")
REPEATED = ("Pulp Fiction (1994)", "Silence of the Lambs, The (1991)")  # by 001's baseline, 15 times


def movies():
    """Counts (2 × stars) of the movies in five lists or more, as 001 has it, genres, and the year in each title."""
    folder = data_folder() / "movielens100k"
    counts = counts_from_ratings(sp.load_npz(folder / "ratings.npz"))
    kept = np.flatnonzero(np.bincount(counts.indices, minlength=counts.shape[1]) >= AT_LEAST)
    titles = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    tags = read_tags(folder / "genres.txt")
    titles, tags = [titles[i] for i in kept], [tags[i] for i in kept]
    years = [re.search(r"\((\d{4})\)\s*$", title) for title in titles]
    return Corpus(counts[:, kept], titles), tags, np.array([float(y[1]) if y else np.nan for y in years])


def songs():
    """Playlists of at least five songs, songs in at least five of them; the artist is the tag."""
    corpus, size = read_corpus(data_folder() / "playlists" / "counts.npz", min_documents=AT_LEAST), None
    while size != corpus.counts.shape:
        size = corpus.counts.shape
        long_enough = Corpus(corpus.counts[corpus.counts.sum(axis=1) >= AT_LEAST], corpus.vocabulary)
        corpus = keep_words(long_enough, min_documents=AT_LEAST)
    return corpus, [[song.rsplit(" - ", 1)[-1]] for song in corpus.vocabulary], None


def spread(years, weights):
    """Standard deviation of the years of items with these weights."""
    known = np.isfinite(years) & (weights > 0)
    mean = np.average(years[known], weights=weights[known])
    return float(np.sqrt(np.average((years[known] - mean) ** 2, weights=weights[known])))


def entropy(p):
    """In bits, of shares made to sum to one."""
    p = p[p > 0] / p.sum()
    return float(-(p * np.log2(p)).sum())


def measure(model, X, tags, years):
    """What 001 says in words, as numbers: means over topics."""
    has = tag_matrix(tags)[0]
    leading = np.argsort(-model.components_, axis=1, kind="stable")[:, :LEADING]
    item, times = Counter(leading.ravel().tolist()).most_common(1)[0]
    common = np.mean([has[topic].sum(axis=0).max() / LEADING for topic in leading])
    lifts = [found[0][2] for found in model.top_tags(tags) if found]
    row = [
        dissimilarity(model),
        coherence(model, X),
        len(np.unique(leading[:, :SHOWN])),
        f"{model.vocabulary_[item]}: {times}",
    ]
    titles = [set(topic) for topic in model.top_words(LEADING)]
    row.append("" if years is None else ", ".join(str(sum(title in topic for topic in titles)) for title in REPEATED))
    row.append(float(np.bincount(X.indices, minlength=X.shape[1])[leading].mean()))
    row += [float(np.mean([entropy(p) for p in model.components_ @ has])), float(common), float(np.median(lifts))]
    if years is None:
        return [*row, "", ""]
    by_topic = np.mean([spread(years, p) for p in model.components_])
    return [*row, float(by_topic), float(np.mean([spread(years[topic], np.ones(LEADING)) for topic in leading]))]


def describe(model, method, tags):
    """A row per topic, the most prevalent first: what a user reads."""
    found, prominent, near = model.top_tags(tags), model.top_words(SHOWN), model.characteristic_words(SHOWN)
    for k in np.argsort(-model.topic_prevalence_, kind="stable"):
        standing_out = ", ".join(f"{tag} {share:.0%} ×{lift:.1f}" for tag, share, lift in found[k])
        texts = [model.vocabulary_[model.anchors_[k]], "; ".join(prominent[k]), standing_out, "; ".join(near[k])]
        yield [method, f"{model.topic_prevalence_[k]:.1%}", *(text.replace("|", "/") for text in texts)]


def main() -> None:
    warnings.simplefilter("ignore")  # what does not converge still has its row
    rows = []
    for name, (corpus, tags, years) in {"movielens100k": movies(), "playlists": songs()}.items():
        X, detail = corpus.counts, []
        for method, options in METHODS.items():
            started = time.perf_counter()
            model = AnchorWords(N_TOPICS, **options).fit(X, feature_names=corpus.vocabulary)
            rows.append([name, method, *measure(model, X, tags, years), round(time.perf_counter() - started, 1)])
            print(rows[-1], file=sys.stderr, flush=True)
            if method in IN_DETAIL:
                detail += describe(model, method, tags)
        p = X.sum(axis=0) / X.sum()
        whole = [entropy(p @ tag_matrix(tags)[0]), "", "", "" if years is None else spread(years, p), "", ""]
        rows.append([name, "(all items)", *[""] * 6, *whole])
        notes = (
            f"{X.shape[0]} lists, {X.shape[1]} items, K = {N_TOPICS}; tags: share of the topic, lift over the corpus."
        )
        columns = ["rectifier", "share", "anchor", "leading items", "tags", "next to the anchor"]
        keep("items", columns, detail, notes, argument=name)
    columns = ["corpus", "rectifier", "own of 20", "Coh", "different of 75", "most repeated", "001's two", "lists"]
    columns += ["tag entropy", "share of commonest tag", "lift of first tag", "years", "years of 20", "seconds"]
    keep("items", columns, rows, NOTES)


NOTES = f"""\
AnchorWords, K = {N_TOPICS}. Own of 20: leading items in no other topic's 20 (dissimilarity). Different of 75: distinct
items among all topics' {SHOWN} leading; most repeated: the one among the 20 of most topics; 001's two: topics with
Pulp Fiction and The Silence of the Lambs among the 20. Lists: mean number of lists that the 20 are in. Tag entropy in
bits (genres of movies, artists of songs), share of the 20 leading items with their commonest tag, median lift of the
first tag of `top_tags`. Years: standard deviation within a topic by probability, and among its 20 leading movies."""

if __name__ == "__main__":
    main()
