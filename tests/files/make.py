"""Writes one file of every kind in the format of today, and what they say: `python tests/files/make.py v2`.

Run it once for every format that is released, before the format changes; tests/test_old_files.py opens them for ever.
"""

import json
import sys
from pathlib import Path

from cotopics import TOP, AnchorFree, AnchorWords, CooccurrenceAccumulator, CooccurrenceSketch, TopicModel
from cotopics.cooccur import Balanced
from cotopics.corpus import Corpus, save_corpus
from cotopics.datasets import make_corpus
from cotopics.rectify import AlternatingProjection
from cotopics.refine import ExpectationMaximisation

WORDS = ["кот", "犬", "étoile", "lune", "</script>", "naïve\u2028", "🐍", "a\x00b", "שלום", "word", "=1+1", "\\\"'"]
PROVENANCE = {"preparation": {"stop_words": "english"}, "notes": ["2 empty lines left out"]}


def models(X):
    refine = ExpectationMaximisation(7, weighting="damped")
    rectifier, anchors = AlternatingProjection(tolerance=1e-3), [["犬", "кот"]]
    return {
        "topic-model": TopicModel(3, refine=refine, anchors=["кот"]).fit(X, feature_names=WORDS),
        "anchor-words": AnchorWords(
            3, rectifier=rectifier, anchors=anchors, weighting=Balanced(power=0.75), random_state=7
        ).fit(X, feature_names=WORDS),
        "anchor-free": AnchorFree(3, solver="lp", weighting="counts").fit(X[:40]),
        "top": TOP(c1=0.5, random_state=0).fit(X, feature_names=WORDS),
    }


def describe(model, X):
    anchors = None if model.anchors_ is None else model.anchors_.tolist()
    return {
        "class": type(model).__name__,
        "n_topics": int(model.n_topics_),
        "anchors": anchors,
        "top_words": model.top_words(4, relevance=1),
        "components": model.components_.tolist(),
        "correlation": model.topic_correlation_.tolist(),
        "transform": model.transform(X, "em").tolist(),  # what a model recommends may change
    }


def main(folder):
    folder.mkdir(exist_ok=True)
    X = make_corpus(150, 12, 3, length=60, anchors_per_topic=2, random_state=3)[0]
    expected = {"counts": X[:4].toarray().astype(int).tolist(), "models": {}, "statistics": {}}
    for name, model in models(X).items():
        model.provenance_ = PROVENANCE
        model.save(folder / f"{name}.cotopics", statistics=name == "anchor-free")
        expected["models"][name] = describe(model, X[:4])
    sums = {"accumulator": CooccurrenceAccumulator(), "sketch": CooccurrenceSketch(6)}
    for name, some in sums.items():
        some.update(X[:20]).update(X[20:40]).save(folder / f"{name}.statistics", WORDS, PROVENANCE)
        expected["statistics"][name] = some.finish().toarray().tolist()
    labels, ids = ["a", None, 3, 2.5], ["x", "", "🐍", "../.."]
    save_corpus(Corpus(X[:4], WORDS, labels, PROVENANCE["notes"], ids, ids, {"ж": labels}), folder / "c.corpus")
    (folder / "expected.json").write_text(json.dumps(expected) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(__file__).parent / sys.argv[1])
