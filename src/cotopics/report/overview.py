"""What was fitted, on what, how well, and what a reader should be careful about."""

from __future__ import annotations

from typing import Any

import numpy as np

from cotopics import __version__, metrics
from cotopics.choice import MEASURES as OF_CHOICE
from cotopics.choice import Choice
from cotopics.diagnostics import unconverged_steps, unsupported_topics
from cotopics.errors import ModelFileError
from cotopics.metrics import MEASURES
from cotopics.metrics.evaluate import formatted, rows_of_model
from cotopics.report.lexicon import readable

METHODS = {
    "TopicModel": "starts from anchor words, then improves the likelihood of the documents",
    "AnchorWords": "anchor words: each topic is found by a word that hardly any other topic uses",
    "AnchorFree": "needs no anchor words: topics are the corners that enclose the words most tightly",
    "TOP": "finds all anchor words of every topic, and the number of topics",
}
KINDS = {"one": "one", "many": "a mixture of several"}
LEFT_OUT = "left out here because it takes long; `cotopics evaluate` has it"
MAX_PARAMETER_LENGTH = 160  # characters
MIN_PREVALENCE = 0.002  # of a topic with enough evidence


def facts(model: Any, n_documents: int | None, notes: list[str]) -> list[list[str]]:
    """Names and values; notes say what was left out of the documents."""
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
    if documents.get("topics_per_document") in KINDS:
        found.append(["Topics in a document", f"{KINDS[documents['topics_per_document']]}: {documents.get('reason')}"])
    choice = model.diagnostics_.get("choice")
    if isinstance(choice, dict) and choice.get("reason"):
        found.append(["Why this number of topics", str(choice["reason"])])
    found += [["Left out" if i == 0 else "", note] for i, note in enumerate(notes)]
    return [*found, ["Made by", f"cotopics {__version__}"]]


def parameters(model: Any) -> list[list[str]]:
    """The options of the model, as Python writes them."""
    most = MAX_PARAMETER_LENGTH
    shown = {name: repr(value) for name, value in model.get_params(deep=False).items()}
    return [[name, text if len(text) <= most else f"{text[:most]}…"] for name, text in shown.items()]


def seconds(model: Any) -> list[list[Any]]:
    """How long each step of the fit took; not known for a model from a file."""
    return [[name, round(float(value), 3)] for name, value in model.diagnostics_.get("seconds", {}).items()]


def measures(model: Any, counts: Any, labels: Any, *, W: Any = None, weighting: Any = None) -> list[dict[str, Any]]:
    """Every measure that applies; without documents, those of the model alone.

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
            "shown": formatted(row.value),
            "better": row.better,
            "meaning": row.meaning,
            "good": MEASURES[row.name].good,
            "note": row.note,
        }
        for row in rows
    ]


def choice_of_topics(model: Any, choice: Choice | None) -> dict[str, Any] | None:
    """What was found for each candidate number of topics, and which is recommended and why.

    Without a choice it is the model's own, if it was fitted with n_topics="auto", else None.
    """
    if choice is None:
        try:
            choice = Choice.from_dict(model.diagnostics_.get("choice"))
        except ModelFileError:  # there is none, or an old version kept only its reason
            return None
    return {
        "n_topics": int(choice.n_topics),
        "sentence": readable(f"{choice.sentence} {choice.sample_sentence}".strip(), 400),
        "coarser": [int(k) for k in choice.coarser],
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
    """What a reader should be careful about, in sentences."""
    diagnostics = model.diagnostics_
    found = [
        *unconverged_steps(diagnostics, getattr(model, "_may_stop_early", ())),
        *unsupported_topics(diagnostics, model.n_topics_),
    ]
    sentences = [f"{finding.text[0].upper()}{finding.text[1:]}." for finding in found]
    left_out = (diagnostics.get("documents") or {}).get("left_out")
    if left_out:
        sentences.append(f"{left_out:,} documents of fewer than two words were left out of the fit.")
    copies = (diagnostics.get("documents") or {}).get("copies")
    if copies:
        sentences.append(f"{copies:,} documents have the same words as another; each of them was counted.")
    unpaired = (diagnostics.get("words") or {}).get("without_pairs")
    if unpaired:
        sentences.append(f"{unpaired:,} words never occur together with another word and are in no topic.")
    small = np.flatnonzero(model.topic_prevalence_ < MIN_PREVALENCE)
    if len(small):
        named = ", ".join(str(k) for k in small[:10]) + (", …" if len(small) > 10 else "")
        sentences.append(
            f"Topics with less than {MIN_PREVALENCE:.1%} of a document on average have little evidence: {named}."
        )
    if (np.asarray(model.topic_correlation_) < 0).any():
        sentences.append("Some estimated correlations are below zero, but true ones cannot be; they are drawn as zero.")
    if n_without_words:
        sentences.append(
            f"{n_without_words:,} documents have no word that the topics know; they get the average mixture."
        )
    return sentences
