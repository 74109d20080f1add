"""The page in a real browser, from a file: address."""

import importlib.util
import time
from pathlib import Path

import pytest

from cotopics.models.edits import read_edits
from cotopics.report import render
from platforms import needs_inherited_files

SPEC = importlib.util.spec_from_file_location("report_browser", Path(__file__).with_name("browser.py"))
browser_module = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(browser_module)

BINARY = browser_module.find_browser()
pytestmark = [
    needs_inherited_files,
    pytest.mark.skipif(
        BINARY is None, reason="no chromium on this machine (Debian: apt-get install chromium; or set COTOPICS_BROWSER)"
    ),
]
TABS = ("explore", "heat", "documents", "words", "space", "overview")
TYPED = (
    "((id, value, kind) => {{ const e = document.getElementById(id); e.value = value; "
    "e.dispatchEvent(new Event(kind)); }})({!r}, {!r}, {!r})"
)
PARTS = ("list", "map", "topic", "leading")  # of the first screen


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    browser = browser_module.Browser(BINARY, tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture
def visit(browser, tmp_path):
    def visit(record):
        path = tmp_path / "report.html"
        path.write_bytes(render(record).encode("utf-8"))
        browser.open(path.as_uri())
        assert browser.ask("document.body.dataset.ready") == "true"
        return path

    return visit


def quiet(browser, path):
    """No error, no word on the console, and no request but for the page itself."""
    assert browser.named("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded") == []
    requests = {event["request"]["url"] for event in browser.named("Network.requestWillBeSent")}
    assert requests <= {path.as_uri()}


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1280])
def test_every_view_opens(browser, visit, plain, width, dark):
    browser.shape(width, dark=dark)
    path = visit(plain[3])
    for part in PARTS:
        assert browser.ask(f"document.getElementById('{part}').getBoundingClientRect().height") > 60
    for tab in TABS:
        browser.ask(f"document.getElementById('to-{tab}').click()")
        shown = [name for name in TABS if browser.ask(f"document.getElementById('{name}').offsetHeight") > 60]
        assert shown == [tab]
        assert browser.ask("document.documentElement.scrollWidth") <= width  # nothing sticks out to the right
    light = browser.ask("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert light != dark
    quiet(browser, path)


@pytest.mark.parametrize("width", [360, 1280])
def test_two_models_side_by_side(browser, visit, compared, width):
    browser.shape(width)
    path = visit(compared[2])
    browser.ask("document.getElementById('to-comparison').click()")
    shown = "document.getElementById('comparison').getBoundingClientRect().height"
    assert browser.ask(shown) > 200
    assert browser.ask("document.querySelectorAll('#comparison .pair').length") == 1 + 4
    assert browser.ask("document.documentElement.scrollWidth") <= width
    assert browser.ask("getComputedStyle(document.getElementById('to-comparison')).display") != "none"
    quiet(browser, path)


def test_without_another_model_there_is_no_such_view(browser, visit, plain):
    visit(plain[3])
    for name in ("comparison", "to-comparison"):
        assert browser.ask(f"getComputedStyle(document.getElementById('{name}')).display") == "none"


def test_hostile_text_renders_inert(browser, visit, hostile):
    browser.shape(360)
    path = visit(hostile)
    assert browser.ask("document.title").startswith("Topics of </script>")
    assert browser.ask("document.querySelectorAll('script').length") == 2
    assert browser.ask("document.querySelectorAll('img, iframe, [onload], [onerror]').length") == 0
    assert browser.ask("document.documentElement.scrollWidth") <= 360
    quiet(browser, path)


def test_sliders_and_search(browser, visit, plain):
    browser.shape(1280)
    model, _, _, record = plain
    path = visit(record)
    browser.ask(TYPED.format("threshold", "0", "input"))
    lifts = [record["lift"][i][j] for i in range(4) for j in range(i)]
    assert browser.ask("document.querySelectorAll('.edge').length") == sum(lift > 0 for lift in lifts)
    browser.ask(TYPED.format("relevance", "0", "input"))
    words = browser.ask("[...document.querySelector('#topic .bars').querySelectorAll('bdi')].map((e) => e.textContent)")
    assert words == model.top_words(15, 0)[record["ranking"][0]]
    browser.ask(TYPED.format("find-document", "doc-11", "input"))
    assert browser.ask("document.querySelectorAll('#documents .document').length") == 11
    browser.ask(TYPED.format("find-word", record["words"][3], "input"))
    assert browser.ask("document.querySelector('#words td').textContent") == record["words"][3]
    browser.ask("document.querySelectorAll('.circle')[2].dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}))")
    assert browser.ask("document.body.dataset.topic") == str(record["ranking"][2])
    quiet(browser, path)


def press(browser, key):
    code = {"Enter": 13, "Tab": 9, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}[key]
    for kind in ("rawKeyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)


FOCUSED = "document.activeElement.getAttribute({!r})"


def test_squares_are_reached_by_keys(browser, visit, plain):
    browser.shape(1280)
    record = plain[3]
    path = visit(record)
    browser.ask("document.getElementById('to-heat').click()")
    stops = "document.querySelectorAll('#heat svg [tabindex=\"0\"]')"
    assert browser.ask(f"{stops}.length") == 1  # one stop of Tab for all squares
    browser.ask(f"{stops}[0].focus()")
    chosen = browser.ask("document.body.dataset.topic")
    for key, row, column in (("ArrowRight", 0, 1), ("ArrowDown", 1, 1), ("ArrowDown", 2, 1), ("ArrowLeft", 2, 0),
                             ("ArrowLeft", 2, 0), ("ArrowUp", 1, 0)):  # fmt: skip
        press(browser, key)
        assert browser.ask(FOCUSED.format("data-at")) == str(4 * row + column)
        i, j = record["order"][row], record["order"][column]
        label = browser.ask(FOCUSED.format("aria-label"))
        assert label == browser.ask("document.querySelector('#heat .say').textContent")
        assert label.startswith(f"{i}: {record['topics'][i]['name']}")
        assert ("with itself" in label) == (i == j)
        assert f"{j}: {record['topics'][j]['name']}" in label
    assert browser.ask(f"{stops}.length") == 1
    assert browser.ask("document.body.dataset.topic") == chosen  # arrows did not go to other topics
    press(browser, "Enter")
    assert browser.ask("document.body.dataset.topic") == str(record["order"][1])
    quiet(browser, path)


def test_dots_are_reached_by_keys(browser, visit, plain):
    browser.shape(1280)
    record = plain[3]
    path = visit(record)
    browser.ask("document.getElementById('to-space').click()")
    stops = "document.querySelectorAll('#space .dot[tabindex=\"0\"]')"
    assert browser.ask(f"{stops}.length") == 1
    browser.ask(f"{stops}[0].focus()")
    for key, axis, sign in (
        ("ArrowRight", "cx", 1),
        ("ArrowLeft", "cx", -1),
        ("ArrowDown", "cy", 1),
        ("ArrowUp", "cy", -1),
    ):
        before = float(browser.ask(FOCUSED.format(axis)))
        was = browser.ask(FOCUSED.format("data-at"))
        press(browser, key)
        moved = float(browser.ask(FOCUSED.format(axis))) - before
        assert sign * moved > 0 or browser.ask(FOCUSED.format("data-at")) == was  # there is none further out
        word = record["words"][record["space"]["dots"][int(browser.ask(FOCUSED.format("data-at")))]]
        assert browser.ask(FOCUSED.format("aria-label")).startswith(f"{word}: ")
        assert browser.ask("document.querySelector('#space .say').textContent").startswith(f"{word}: ")
    quiet(browser, path)


def test_circles_are_reached_by_tab(browser, visit, plain):
    browser.shape(1280)
    record = plain[3]
    visit(record)
    browser.ask("document.querySelector('#list button.download').focus()")
    for k in record["ranking"]:
        press(browser, "Tab")
        assert browser.ask(FOCUSED.format("aria-label")).startswith(f"topic {k}: ")
    press(browser, "Enter")
    assert browser.ask("document.body.dataset.topic") == str(record["ranking"][3])


# --- working with topics in the page ---------------------------------------------------------------------------------

LIST = "[...document.querySelectorAll('#list .row bdi')].map((e) => e.textContent)"


def test_one_choice_is_shown_everywhere(browser, visit, plain):
    browser.shape(1280)
    model, _, texts, record = plain
    path = visit(record)
    k = record["ranking"][2]
    browser.ask("document.querySelectorAll('#list .row')[2].click()")
    assert browser.ask("document.querySelector('#list .row[aria-current]').textContent").startswith(f"{k} ")
    assert browser.ask("document.querySelector('#map .chosen').getAttribute('aria-label')").startswith(f"topic {k}: ")
    assert browser.ask("document.getElementById('topic-name').value") == record["topics"][k]["name"]
    assert browser.ask("document.querySelector('#topic .bars bdi').textContent") == model.top_words(1)[k][0]
    first = record["documents"][record["topics"][k]["documents"][0]["document"]]["number"]
    assert browser.ask("document.querySelector('#leading .excerpt').textContent") == texts[first]
    assert browser.ask("document.querySelectorAll('#leading mark').length") > 0
    assert browser.ask("location.hash") == f"#topic-{k}"
    quiet(browser, path)


def test_a_word_shows_its_topics_on_the_map(browser, visit, plain):
    browser.shape(1280)
    record = plain[3]
    path = visit(record)
    browser.ask("document.querySelector('#topic .word').focus()")
    word = record["words"].index(browser.ask("document.activeElement.textContent"))
    _, *shares = record["memberships"][word]
    shade = browser.ask("[...document.querySelectorAll('#map .circle')].map((e) => e.getAttribute('fill-opacity'))")
    share = dict(zip(shares[::2], shares[1::2], strict=True))
    assert [float(x) for x in shade] == [
        round(0.15 + 0.85 * share[k] / 1000, 2) if k in share else 0.08 for k in record["ranking"]
    ]
    browser.ask("document.activeElement.blur()")
    assert browser.ask("document.querySelector('#map .circle').getAttribute('fill-opacity')") is None
    quiet(browser, path)


def test_topics_words_and_documents_are_searched(browser, visit, plain):
    browser.shape(1280)
    record = plain[3]
    path = visit(record)
    word = record["words"][3]
    browser.ask(TYPED.format("find", word, "input"))
    heads = browser.ask("[...document.querySelectorAll('#found h3')].map((e) => e.textContent)")
    assert heads == ["Topics", "Words", "Documents"]
    browser.ask("document.querySelectorAll('#found ul')[1].querySelector('button').click()")
    topic = record["memberships"][3][1]
    assert browser.ask("document.body.dataset.topic") == str(topic)
    assert browser.ask("document.getElementById('found').hidden") is True
    browser.ask(TYPED.format("find", "doc-17", "input"))
    browser.ask("document.querySelector('#found ul button').click()")
    assert "doc-17" in browser.ask("document.querySelector('#leading .searched').textContent")
    browser.ask(TYPED.format("find", "zzzz", "input"))
    assert "Nothing here" in browser.ask("document.getElementById('found').textContent")
    quiet(browser, path)


def test_renaming_and_merging_are_kept_in_the_address_and_downloaded(browser, visit, plain, tmp_path):
    browser.shape(1280)
    model, corpus, _, record = plain
    visit(record)
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    _, second, _, fourth = record["ranking"]
    for k in (second, fourth):
        browser.ask(f"document.getElementById('merge-{k}').click()")
    browser.ask("document.querySelector('button.merge').click()")
    leader = min(second, fourth)
    assert browser.ask("document.querySelectorAll('#list .row').length") == 3
    assert browser.ask("document.body.dataset.topic") == str(leader)
    browser.ask(TYPED.format("topic-name", "<b>both</b>", "change"))
    assert "<b>both</b>" in browser.ask(LIST)
    address = browser.ask("location.href")
    browser.open("about:blank")
    browser.open(address)  # as a bookmark would
    assert "<b>both</b>" in browser.ask(LIST)
    assert browser.ask("document.querySelectorAll('#map .circle').length") == 3
    browser.ask("document.querySelector('button.save').click()")
    file = tmp_path / "edits.json"
    until = time.monotonic() + 10
    while not file.exists() and time.monotonic() < until:
        time.sleep(0.05)
    edited = read_edits(file).apply(model)
    assert edited.n_topics_ == 3
    assert "<b>both</b>" in edited.topic_names_
    shown = browser.ask("page.record.topics.map((t) => t.prevalence)")
    kept = [k for k in range(4) if k != max(second, fourth)]
    assert [shown[k] for k in kept] == pytest.approx(list(edited.topic_prevalence_), rel=1e-3)
    W = edited.transform(corpus.counts)
    for number in (0, 40, 80):
        shares = browser.ask(f"page.record.documents[{number}].shares")
        found = dict(zip(shares[::2], shares[1::2], strict=True))
        for new, k in enumerate(kept):
            assert found.get(k, 0) == pytest.approx(1000 * W[number, new], abs=32)  # shares below 3 % are left out
    browser.ask("document.querySelector('#edits button:not(.save)').click()")
    assert browser.ask("document.querySelectorAll('#list .row').length") == 4
    assert browser.ask("location.hash") == f"#topic-{leader}"
    assert browser.named("Runtime.exceptionThrown", "Log.entryAdded") == []


def test_addresses_that_do_not_fit_are_left_out(browser, visit, plain):
    path = visit(plain[3])
    for bad in (
        "name-9=x",
        "merge-0.9",
        "merge-1",
        "name-0=%E0%A4%A",
        "topic-77",
        "view-nothing",
        "name-1=%0a%0b",
        "&&=",
    ):
        browser.open("about:blank")
        browser.open(path.as_uri() + "#" + bad)
        assert browser.ask("document.body.dataset.ready") == "true"
        assert browser.ask("document.querySelectorAll('#list .row').length") == 4
        assert browser.ask("page.edits.merge.length + Object.keys(page.edits.names).length") == 0


def test_the_policy_holds(browser, visit, plain):
    visit(plain[3])
    browser.ask(
        "{ const s = document.createElement('script'); s.textContent = 'window.ran = true'; document.body.append(s); }"
    )
    assert browser.ask("window.ran === undefined") is True
    blocked = "fetch('data:text/plain,x').then(() => 'fetched', () => 'blocked')"
    assert browser.ask(blocked) == "blocked"
