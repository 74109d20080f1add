"""What was fitted, on what, how well, and what a reader should beware of, in plain words."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics import __version__, metrics
from cotopics.choose import MEASURES as OF_CHOICE
from cotopics.choose import Choice
from cotopics.errors import ModelFileError
from cotopics.metrics import MEASURES
from cotopics.metrics.evaluate import rows_of_model, written
from cotopics.report.words import readable

METHODS = {
    "TopicModel": "a spectral start from anchor words, then a short likelihood finish",
    "AnchorWords": "anchor words: each topic is found by a word that hardly any other topic uses",
    "AnchorFree": "no anchor words needed: topics are the corners that enclose the words most tightly",
    "TOP": "all anchor words of every topic; the number of topics is found too",
}
LEFT_OUT = "left out here, as the measure that takes longest; `cotopics evaluate` has it"
LONGEST = 160  # characters of a parameter
SMALL = 0.002  # of all tokens: a topic that is too small to trust


def facts(model: Any, n_documents: int | None, notes: list[str]) -> list[list[str]]:
    """Names and values, as they are read; notes say what was left out on the way."""
    name, provenance = type(model).__name__, model.provenance_ or {}
    found = [["Method", f"{name}: {METHODS[name]}" if name in METHODS else name]]
    if isinstance(provenance.get("input"), str):
        found.append(["Fitted on", provenance["input"]])
    documents = model.diagnostics_.get("documents") or {}
    if documents.get("used") is not None:
        found.append(["Documents in the fit", f"{documents['used']:,}"])
    if n_documents is not None:
        found.append(["Documents in this report", f"{n_documents:,}"])
    found.append(["Words", f"{model.n_features_in_:,}"])
    found.append(["Topics", str(model.n_topics_)])
    choice = model.diagnostics_.get("choice")
    if isinstance(choice, dict) and choice.get("reason"):
        found.append(["Why so many topics", str(choice["reason"])])
    found += [["Left out" if i == 0 else "", note] for i, note in enumerate(notes)]
    return [*found, ["Made by", f"cotopics {__version__}"]]


def parameters(model: Any) -> list[list[str]]:
    """The options of the model, as Python writes them."""
    shown = {name: repr(value) for name, value in model.get_params(deep=False).items()}
    return [[name, text if len(text) <= LONGEST else f"{text[:LONGEST]}…"] for name, text in shown.items()]


def seconds(model: Any) -> list[list[Any]]:
    """How long each step of the fit took; a model from a file does not know."""
    return [[name, round(float(value), 3)] for name, value in model.diagnostics_.get("seconds", {}).items()]


def measures(model: Any, counts: Any, labels: Any, *, W: Any = None, weighting: Any = None) -> list[dict[str, Any]]:
    """Every measure that applies, with what is good; of the model alone where there are no documents.

    W (n_documents, n_topics): the model's transform of counts. weighting: of documents (None: the model's own).
    """
    if counts is None:
        rows = rows_of_model(model)
    else:
        slow = [name for name, measure in MEASURES.items() if measure.slow]
        rows = metrics.evaluate(model, counts, labels, weighting=weighting, W=W, without=slow).rows
        rows = [row._replace(note=LEFT_OUT) if row.name in slow else row for row in rows]
    return [
        {
            "name": row.name,
            "value": None if row.value is None or not np.isfinite(row.value) else float(f"{row.value:.5g}"),
            "shown": written(row.value),
            "better": row.better,
            "meaning": row.meaning,
            "good": MEASURES[row.name].good,
            "note": row.note,
        }
        for row in rows
    ]


def choice_of_topics(model: Any, choice: Choice | None) -> dict[str, Any] | None:
    """What was found for each number of topics that was looked at, and which is recommended and why.

    Where no choice is given it is the model's own, of n_topics="auto"; None where there is none either.
    """
    if choice is None:
        try:
            choice = Choice.from_dict(model.diagnostics_.get("choice"))
        except ModelFileError:  # there is none, or it is of a version that kept the reason alone
            return None
    return {
        "n_topics": int(choice.n_topics),
        "sentence": readable(choice.sentence, 400),
        "candidates": [int(k) for k in choice.candidates],
        "measures": [
            {
                "name": name,
                "meaning": meaning,
                "values": [float(f"{value:.4g}") if np.isfinite(value) else None for value in choice.measures[name]],
            }
            for name, meaning in OF_CHOICE.items()
            if name in choice.measures
        ],
    }


def warnings(model: Any, n_without_words: int) -> list[str]:
    """What a reader should beware of; empty where nothing is odd."""
    found = []
    diagnostics = model.diagnostics_
    for name, step in diagnostics.items():
        if (
            isinstance(step, dict)
            and step.get("converged") is False
            and name not in getattr(model, "_may_stop_early", ())
        ):
            found.append(
                f"The step “{name}” stopped after {step.get('n_iter')} rounds before it had settled. The topics may "
                "still be good; more rounds could change them a little."
            )
    rank = (diagnostics.get("anchors") or {}).get("rank", model.n_topics_)
    if rank < model.n_topics_:
        found.append(f"The documents support only {rank} of the {model.n_topics_} topics; the others repeat them.")
    left_out = (diagnostics.get("documents") or {}).get("left_out")
    if left_out:
        found.append(f"{left_out:,} documents of fewer than two words were left out of the fit.")
    unpaired = (diagnostics.get("words") or {}).get("without_pairs")
    if unpaired:
        found.append(f"{unpaired:,} words never occur together with another and are in no topic.")
    small = np.flatnonzero(model.topic_prevalence_ < SMALL)
    if len(small):
        named = ", ".join(str(k) for k in small[:10]) + (", …" if len(small) > 10 else "")
        found.append(f"Topics with less than {SMALL:.1%} of all words rest on little evidence: {named}.")
    if (np.asarray(model.topic_correlation_) < 0).any():
        found.append("Some estimated correlations are below zero, which no true one is; they are drawn as zero.")
    if n_without_words:
        found.append(f"{n_without_words:,} documents have no word that the topics know; they get the average mixture.")
    return found
