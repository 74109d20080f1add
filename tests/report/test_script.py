"""The script, run under node on a page without a browser."""

import csv
import io

import numpy as np
import pytest

from cotopics.export.tables import defused
from cotopics.report import content


def test_every_view_is_drawn(drive, plain):
    record = plain[3]
    found = drive(
        record,
        """
        const {body, byId, classed, document} = tools;
        return {
          ready: body.getAttribute("data-ready"), title: document.title,
          circles: classed("map", "circle").length, cells: classed("heat", "cell").length,
          dots: classed("space", "dot").length, corners: classed("space", "corner").length,
          shown: classed("documents", "document").length,
          marks: byId("leading").all((n) => n.tagName === "MARK").length,
          warnings: classed("overview", "warning").length, lines: classed("topic", "line").length,
          words: byId("words").all((n) => n.tagName === "TR").length,
        };
        """,
    )
    assert found.pop("marks") > 0
    assert found == {
        "ready": "true",
        "title": "Topics",
        "circles": 4,
        "cells": 16,
        "dots": len(record["space"]["dots"]),
        "corners": 4,
        "shown": 20,
        "warnings": len(record["overview"]["warnings"]),
        "lines": 1,
        "words": 26,
    }


def test_the_model_alone_is_drawn(drive, plain):
    found = drive(
        content(plain[0]), "return [tools.body.getAttribute('data-ready'), tools.byId('documents').textContent];"
    )
    assert found[0] == "true"
    assert "from the model alone" in found[1]


def test_a_choice_is_drawn_and_gaps_break_lines(drive, plain):
    measure = {"name": "stability", "meaning": "overlap", "values": [0.5, None, 0.25]}
    choice = {"n_topics": 4, "sentence": "So.", "coarser": [3], "candidates": [2, 3, 4], "measures": [measure]}
    found = drive(
        {**plain[3], "choice": choice},
        """
        const [path] = tools.classed("choice", "line");
        tools.byId("choice").all((n) => n.getAttribute("class") === "download")[0].click();
        return {path: path.getAttribute("d"), dots: tools.classed("choice", "corner").length, saved: tools.saved};
        """,
    )
    assert found["path"].count("M") == 2  # nothing joins what is on both sides of a gap
    assert found["dots"] == 3  # two values, and the mark of a coarser number
    assert found["saved"] == ["n_topics,stability\n2,0.5\n3,\n4,0.25\n"]


def test_a_held_out_curve_has_a_band(drive, plain):
    measures = [
        {"name": "held_out", "meaning": "log p", "values": [-8.2, -8.0, -8.1]},
        {"name": "held_out_error", "meaning": "error", "values": [0.01, None, 0.02]},
    ]
    choice = {"n_topics": 3, "sentence": "So.", "coarser": [], "candidates": [2, 3, 4], "measures": measures}
    found = drive(
        {**plain[3], "choice": choice},
        """return ["band", "line"].map((name) => tools.classed("choice", name).map((n) => n.getAttribute("d")));""",
    )
    (band,), (curve,) = found  # errors have no chart of their own
    assert band.endswith("Z")
    assert band.count("L") == 5
    assert curve.count("L") == 2


def test_words_move_from_view_to_view_of_the_geometry(drive, plain):
    record = plain[3]
    found = drive(
        record,
        """
        const dots = tools.classed("space", "dot");
        const places = () => dots.map((n) => [Number(n.getAttribute("cx")), -Number(n.getAttribute("cy"))]);
        const hull = () => tools.classed("space", "hull")[0].getAttribute("points").split(" ").length;
        return [0, 1, 2, 3].map((i) => { tools.set("which-space", i, "change"); return [hull(), places()]; });
        """,
    )
    space = record["space"]
    rectified = space["rectified"]
    expected = [
        (space["hull"], space["modelled"]),
        (space["hull"], space["observed"]),
        (rectified["before"]["hull"], rectified["before"]["places"]),
        (rectified["after"]["hull"], rectified["after"]["places"]),
    ]
    for (n_corners, places), (hull, points) in zip(found, expected, strict=True):
        assert n_corners == len(hull)
        drawn, given = np.array(places), np.array(points, dtype=float)
        scale = np.ptp(drawn[:, 0]) / np.ptp(given[:, 0])  # the same picture, shifted and enlarged
        assert np.allclose(drawn - drawn.mean(axis=0), scale * (given - given.mean(axis=0)), atol=0.2)


def test_colours_of_topics_are_told_apart(drive, plain):
    found = drive(plain[3], "return tools.call('Array.from({ length: 60 }, (_, k) => topicColour(k))');")
    assert len(set(found)) == 60
    assert found[:8] == list(dict.fromkeys(found[:8]))
    assert all(found[k].startswith("#") == (k < 8) for k in range(60))


def test_labels_of_corners_do_not_cover_one_another(drive, plain):
    """Of four labels in a row the second covers the first and the third; corners of the hull come first."""
    spots, lengths = [[100, 50], [130, 50], [165, 50], [165, 90]], [5, 5, 5, 5]
    for hull, shown in (([0], [True, False, True, True]), ([1], [False, True, False, True])):
        asked = f"Array.from(apart({spots}, {lengths}, {hull}, 700))"
        assert drive(plain[3], f"return tools.call({asked!r});") == shown


def test_two_models_are_drawn(drive, compared):
    _, _, record = compared
    found = drive(
        record,
        """
        const section = tools.byId("comparison");
        const pairs = tools.classed("comparison", "pair").slice(1);
        const marks = pairs.map((pair) => pair.all((n) => n.tagName === "MARK").length);
        section.all((n) => n.getAttribute("class") === "download").forEach((button) => button.click());
        pairs[1].all((n) => n.tagName === "BUTTON")[0].click();
        return {
          hidden: [section, tools.byId("to-comparison")].map((n) => n.getAttribute("hidden")),
          marks, saved: tools.saved, chosen: tools.body.getAttribute("data-topic"),
          widths: tools.classed("comparison", "track").map((n) => n.children[0].style.width),
        };
        """,
    )
    pairs = record["comparison"]["pairs"]
    assert found["hidden"] == ["", None]  # it is on a tab of its own
    assert found["marks"] == [sum(m for s in pair["sides"] if s for _, m in s["words"]) for pair in pairs]
    assert found["widths"] == [f"{100 * pair['overlap']:.1f}%" for pair in pairs[:3]]
    assert found["chosen"] == str(pairs[1]["sides"][0]["topic"])
    topics, measures = ([*csv.DictReader(io.StringIO(text))] for text in found["saved"])
    assert [row["overlap"] for row in topics] == [*(str(pair["overlap"]) for pair in pairs[:3]), ""]
    assert topics[0]["other_words"].split() == [word for word, _ in pairs[0]["sides"][1]["words"]]
    assert [row["measure"] for row in measures] == [row["name"] for row in record["comparison"]["measures"]]


def test_without_another_model_the_view_stays_hidden(drive, plain):
    assert drive(plain[3], "return tools.byId('comparison').children.length;") == 0


def test_hostile_text_is_text(drive, hostile):
    found = drive(
        hostile,
        """
        const tags = new Set(tools.body.all(() => true).map((n) => n.tagName));
        return {title: tools.byId("title").textContent, tags: [...tags].sort()};
        """,
    )
    assert found["title"] == "Topics of </script><script>alert(1)</script>"
    assert not {"SCRIPT", "IMG", "IFRAME"} & set(found["tags"])


def test_the_threshold_decides_on_lines(drive, plain):
    record = plain[3]
    lifts = sorted(record["lift"][i][j] for i in range(4) for j in range(i))
    counts = drive(
        record,
        f"""
        return {[0, *lifts, 1000]}.map((t) => {{
          tools.set("threshold", t, "input");
          return tools.classed("map", "edge").length;
        }});
        """,
    )
    expected = [sum(lift >= t and lift > 0 for lift in lifts) for t in [0, *lifts, 1000]]
    assert counts == expected


def test_relevance_and_topics(drive, plain):
    model, _, _, record = plain
    questions = """
        const shown = () => tools.classed("topic", "bars")[0].all((n) => n.tagName === "BDI").map((n) => n.textContent);
        const answers = {};
        for (let at = 0; at < 11; at++) { tools.set("relevance", at, "input"); answers[at] = shown(); }
        const before = tools.body.getAttribute("data-topic");
        tools.press("ArrowRight");
        answers.order = [before, tools.body.getAttribute("data-topic")];
        tools.press("ArrowLeft");
        answers.back = tools.body.getAttribute("data-topic");
        tools.call("choose(2, true)");
        answers.chosen = tools.classed("map", "chosen")[0].getAttribute("aria-label");
        answers.words = shown();
        return answers;
    """
    found = drive(record, questions)
    first = record["ranking"][0]
    for at, relevance in enumerate(record["relevances"]):
        assert found[str(at)] == model.top_words(15, relevance)[first]
    assert found["order"] == [str(k) for k in record["ranking"][:2]]
    assert found["back"] == str(first)
    assert found["chosen"] == f"topic 2: {record['topics'][2]['name']}"
    assert found["words"] == model.top_words(15, 1.0)[2]


def test_documents_are_searched_and_filtered(drive, plain):
    record = plain[3]
    questions = """
        const status = tools.byId("documents").all((n) => n.getAttribute("role") === "status")[0];
        const count = () => status.textContent.split(" ")[0];
        const answers = [count()];
        tools.set("find-document", "DOC-11", "input"); answers.push(count());
        tools.set("find-document", "", "input");
        tools.set("document-label", "label 1", "change"); answers.push(count());
        tools.set("document-topic", 2, "change"); answers.push(count());
        const first = tools.call("searchDocuments(page.record.documents, '', 2, 'label 1')");
        return [answers, [...first]];
    """
    counts, order = drive(record, questions)
    has = [d for d in record["documents"] if 2 in d["shares"][::2] and d["label"] == "label 1"]
    assert counts == ["120", "11", "40", str(len(has))]
    share = [dict(zip(d["shares"][::2], d["shares"][1::2], strict=True)).get(2, 0) for d in record["documents"]]
    assert [share[i] for i in order] == sorted((share[d["number"]] for d in has), reverse=True)


def test_words_are_searched(drive, plain):
    words = plain[3]["words"]
    query = words[7][0]
    found = drive(plain[3], f"return [...tools.call(\"searchWords(page.record.words, '{query.upper()}', 99)\")];")
    assert {words[i] for i in found} == {word for word in words if query in word}
    starting = [words[i].startswith(query) for i in found]
    assert starting == sorted(starting, reverse=True)
    exact = drive(plain[3], f"return [...tools.call(\"searchWords(page.record.words, '{words[7]}', 99)\")];")
    assert exact == [7]


@pytest.mark.parametrize(
    "text", ["=1+1", "cat", ' "@cmd', "'=1+1", "\tx", "a,b", 'say "no"', "-5", "＝x", "two\nlines", "", "cat; =1+1;@x"]
)
def test_cells_are_those_of_our_other_csv_files(drive, plain, text):
    import json

    line = drive(plain[3], f"return tools.call({json.dumps('csv([[' + json.dumps(text) + ', 5]])')});")
    assert next(csv.reader(io.StringIO(line, newline=""))) == [defused(text), "5"]


def test_every_table_downloads(drive, plain):
    record = plain[3]
    saved = drive(
        record,
        """
        tools.body.all((n) => n.getAttribute("class") === "download").forEach((button) => button.click());
        return tools.saved;
        """,
    )
    heads = [text.split("\n")[0] for text in saved]
    assert {"topic,name,share,anchor,words", "measure,value,what is good,meaning", "topic,other,lift"} <= set(heads)
    for head in (
        "word,probability,lift",
        "word,probability",
        "period,documents,share,error",
        "label,documents,share",
        "word,x_as_the_model_explains_them,y_as_the_model_explains_them,x_as_the_documents_show_them,"
        "y_as_the_documents_show_them,x_before_rectification,y_before_rectification,x_after_rectification,"
        "y_after_rectification",
    ):
        assert head in heads
    [correlations] = [text for text in saved if text.startswith("topic,other,lift")]
    assert len(correlations.splitlines()) == 1 + 10
    [mixtures] = [text for text in saved if text.startswith("document,")]
    assert len(mixtures.splitlines()) == 121
