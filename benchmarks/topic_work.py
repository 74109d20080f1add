"""Working with topics of 20 Newsgroups: what each step of docs/topics.md does to the agreement with labels, and the
tree of topics against the six families of newsgroups, beside BERTopic's ways on the same topics.

    python benchmarks/topic_work.py

BERTopic's ways are its formulas on our topics: c-TF-IDF of the documents whose largest share is a topic, and one less
the cosine as the distance. Ward's linkage is that of its `hierarchical_topics`, average linkage that of its
`reduce_topics`. Both tables in docs/topics.md are written anew.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from common import data_folder, keep
from cotopics import TopicModel
from cotopics.corpus import read_corpus

PAGE = Path(__file__).parents[1] / "docs" / "topics.md"
FAMILIES = {"comp": "computers", "rec": "recreation", "sci": "science", "misc": "for sale", "talk": "politics"}
RELIGION = ("alt.atheism", "soc.religion.christian", "talk.religion.misc")
GENERAL = ("don", "thanks", "stuff", "com", "writes", "uk", "edu", "ax")  # words whose topics the walk-through drops
MIN_WORDS = 2  # of a document that is measured


def main() -> None:
    corpus = read_corpus(data_folder() / "newsgroups20" / "docs.jsonl.gz")
    long = np.asarray(corpus.counts.sum(axis=1)).ravel() >= MIN_WORDS
    X, labels = corpus.counts[long], np.array(corpus.labels)[long]
    models = {k: TopicModel(k).fit(corpus.counts, feature_names=corpus.vocabulary) for k in (20, 30, 50)}
    steps = [["a fit of 20", 20, agreement(models[20], X, labels)], *walk(models[30], X, labels)]
    keep(
        "topic_work",
        ["step", "topics", "NMI"],
        steps,
        f"{X.shape[0]} documents, NMI of their largest topic with labels.",
    )
    write("steps", ["step", "topics", "NMI with the labels"], steps)
    rows = [row for k in (30, 50) for row in trees(models[k], X, labels)]
    columns = ["topics", "tree", "6 groups: NMI", "ARI", "20 groups: NMI", "ARI "]
    keep(
        "topic_work", columns, rows, "6 groups against families of newsgroups, 20 against newsgroups.", argument="tree"
    )
    write("tree", columns, rows)


def walk(model: Any, X: Any, labels: Any) -> list[list[Any]]:
    """The steps of the walk-through, and NMI after each."""
    steps = [["a fit of 30", model]]
    steps.append(["named", model.rename(dict(enumerate(model.topic_names_)))])
    steps.append(["the two topics of space merged", steps[-1][1].merge([space(steps[-1][1])])])
    merged = steps[-1][1]
    dropped = sorted({merged.word_topics(word)[0][0] for word in GENERAL})
    steps.append([f"{len(dropped)} topics of greetings, names and addresses dropped", merged.drop(dropped)])
    steps.append(["reduced to 20 by the tree", steps[-1][1].reduce(20)])
    steps.append(["a fit of 30, reduced to 20 by the tree and nothing else", model.reduce(20)])
    return [[name, each.n_topics_, agreement(each, X, labels)] for name, each in steps]


def space(model: Any) -> list[int]:
    return [topic for topic, _ in model.find_topics("orbit nasa launch", 2)]


def agreement(model: Any, X: Any, labels: Any) -> float:
    return round(float(normalized_mutual_info_score(labels, model.transform(X).argmax(axis=1))), 3)


def trees(model: Any, X: Any, labels: Any) -> list[list[Any]]:
    """Groups of the topics by our tree and by BERTopic's ways: agreement with families and with newsgroups."""
    W = model.transform(X)
    families = np.array(["religion" if name in RELIGION else FAMILIES[name.split(".")[0]] for name in labels])
    tree, distance = model.hierarchy(), class_distance(X, W)
    ways: dict[str, Any] = {"cotopics": tree.cut}
    for name, method in (("BERTopic, Ward", "ward"), ("BERTopic, average", "average")):
        joined = linkage(squareform(distance, checks=False), method, optimal_ordering=True)
        ways[name] = lambda n, joined=joined: groups_of(fcluster(joined, n, "maxclust"))
    rows = []
    for name, cut in ways.items():
        found = []
        for n, truth in ((6, families), (20, labels)):
            cluster = np.stack([W[:, group].sum(axis=1) for group in cut(n)], axis=1).argmax(axis=1)
            scores = (normalized_mutual_info_score(truth, cluster), adjusted_rand_score(truth, cluster))
            found += [round(float(score), 3) for score in scores]
        rows.append([model.n_topics_, name, *found])
    return rows


def groups_of(cluster: Any) -> list[Any]:
    return [np.flatnonzero(cluster == g) for g in np.unique(cluster)]


def class_distance(X: Any, W: Any) -> Any:
    """One less the cosine between topics' c-TF-IDF (Grootendorst 2022): tf · log(1 + mean words a topic / uses)."""
    own = W.argmax(axis=1)
    tokens = np.stack([np.asarray(X[own == k].sum(axis=0), dtype=float).ravel() for k in range(W.shape[1])])
    tf = tokens / np.maximum(tokens.sum(axis=1, keepdims=True), 1)
    C = tf * np.log(1 + tokens.sum(axis=1).mean() / np.maximum(tokens.sum(axis=0), 1e-9))
    C /= np.maximum(np.linalg.norm(C, axis=1, keepdims=True), 1e-300)
    distance = np.clip(1 - C @ C.T, 0, None)
    np.fill_diagonal(distance, 0)
    return (distance + distance.T) / 2


def write(block: str, columns: list[str], rows: list[list[Any]]) -> None:
    """A table between two marks of the page."""
    lines = [columns, ["---"] * len(columns), *rows]
    text = "".join("| " + " | ".join(str(cell).strip() for cell in line) + " |\n" for line in lines)
    mark = re.compile(f"(<!-- {block} -->\n).*?(<!-- /{block} -->)", re.DOTALL)
    PAGE.write_text(mark.sub(rf"\g<1>{text}\g<2>", PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
