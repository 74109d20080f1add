"""The page: one file, nothing fetched, and no text of a corpus that is markup."""

import base64
import hashlib
import json
import re

import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from cotopics import report
from cotopics.report.render import SCRIPTS, as_data, render, script_source

DATA, SCRIPT, STYLE = ("script", "application/json"), ("script", ""), ("style", "")


@pytest.fixture(scope="module")
def pages(plain, hostile, parse):
    return {
        name: (render(record), parse(render(record))) for name, record in (("plain", plain[3]), ("hostile", hostile))
    }


@pytest.mark.parametrize("which", ["plain", "hostile"])
def test_the_data_come_back(pages, plain, hostile, which):
    record = {"plain": plain[3], "hostile": hostile}[which]
    assert json.loads(pages[which][1].inside[DATA]) == record


def test_hostile_text_adds_no_element(pages):
    elements = {name: page.elements for name, (_, page) in pages.items()}
    assert elements["hostile"] == elements["plain"]
    assert pages["hostile"][1].inside[SCRIPT] == pages["plain"][1].inside[SCRIPT]


def test_hostile_text_is_in_the_data_alone_and_escaped(pages):
    html = pages["hostile"][0]
    data = pages["hostile"][1].inside[DATA]
    assert html.count(data) == 1
    assert not re.search("[<>&'\u2028\u2029\u202e\u2066\x00-\x1f\x7f-\x9f]", data)
    html.encode("utf-8")
    rest = html.replace(data, "")
    assert "alert" not in rest
    assert rest == pages["plain"][0].replace(pages["plain"][1].inside[DATA], "")


def test_long_tokens_are_cut(hostile):
    assert max(map(len, hostile["words"])) <= 60
    assert all(len(topic["name"]) < 200 for topic in hostile["topics"])


def test_nothing_unprintable_is_shown(hostile):
    def texts(value):
        if isinstance(value, dict | list):
            for entry in value.values() if isinstance(value, dict) else value:
                yield from texts(entry)
        elif isinstance(value, str):
            yield value

    for text in texts(hostile):
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]", text)


def test_the_policy_allows_this_script_and_style_alone(pages):
    _, page = pages["plain"]
    [policy] = [a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules.pop("default-src") == "'none'"
    for name, key in (("script-src", SCRIPT), ("style-src", STYLE)):
        digest = base64.b64encode(hashlib.sha256(page.inside[key].encode("utf-8")).digest()).decode()
        assert rules.pop(name) == f"'sha256-{digest}'"
    assert set(rules.values()) == {"'none'"}


def test_nothing_is_fetched(pages):
    html, page = pages["plain"]
    assert not re.search(r"https?:|url\(|@import|//[a-z]+\.", html)
    for tag, attributes in page.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form")
        assert "src" not in attributes
        assert attributes.get("href", "#").startswith("#")
        assert not [name for name in attributes if name.startswith("on") or name == "style"]


@pytest.mark.parametrize(
    "way", ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "fetch(", "XMLHttp",
            "WebSocket", "import(", "srcdoc", "DOMParser", "createContextualFragment", "localStorage", "</", "<!--"]
)  # fmt: skip
def test_the_script_has_no_way_from_text_to_code(way):
    assert way not in script_source()


def test_contents_lead_to_sections(pages):
    _, page = pages["plain"]
    ids = {a["id"] for _, a in page.elements if "id" in a}
    links = [a["href"].removeprefix("#") for tag, a in page.elements if tag == "a"]
    assert set(links) <= ids
    assert {a["id"] for tag, a in page.elements if tag == "section"} <= set(links)


def test_numbers_that_json_lacks_are_refused():
    with pytest.raises(ValueError, match="JSON"):
        as_data({"x": float("nan")})


def test_write_replaces_a_file_whole(plain, tmp_path):
    model, corpus, texts, record = plain
    path = tmp_path / "report.html"
    path.write_text("old")
    report.write(model, path, corpus, texts)
    assert path.read_text(encoding="utf-8") == render(record)
    assert list(tmp_path.iterdir()) == [path]
    report.write(model, path)
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_model_writes_its_own_report(compared, plain, tmp_path):
    model, other, record = compared
    _, corpus, texts, _ = plain
    model.report(tmp_path / "report.html", corpus, texts, compare=other)
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == render(record)
    with pytest.raises(NotFittedError):
        clone(model).report(tmp_path / "none.html")
    assert not (tmp_path / "none.html").exists()


def test_every_script_is_in_the_page():
    from importlib.resources import files

    found = {file.name for file in (files("cotopics.report") / "static").iterdir()}
    assert found == {"page.html", "style.css", *(f"{name}.js" for name in SCRIPTS)}
