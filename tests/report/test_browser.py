"""The page in a real browser, from a file: address."""

import importlib.util
from pathlib import Path

import pytest

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
VIEWS = ("overview", "map", "heat", "topic", "space", "documents", "words")


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
    for view in VIEWS:
        assert browser.ask(f"document.getElementById('{view}').getBoundingClientRect().height") > 60
    assert browser.ask("document.documentElement.scrollWidth") <= width  # nothing sticks out to the right
    light = browser.ask("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert light != dark
    quiet(browser, path)


@pytest.mark.parametrize("width", [360, 1280])
def test_two_models_side_by_side(browser, visit, compared, width):
    browser.shape(width)
    path = visit(compared[2])
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
    change = (
        "((id, value, kind) => {{ const e = document.getElementById(id); e.value = value; "
        "e.dispatchEvent(new Event(kind)); }})({!r}, {!r}, {!r})"
    )
    browser.ask(change.format("threshold", "0", "input"))
    lifts = [record["lift"][i][j] for i in range(4) for j in range(i)]
    assert browser.ask("document.querySelectorAll('.edge').length") == sum(lift > 0 for lift in lifts)
    browser.ask(change.format("relevance", "0", "input"))
    words = browser.ask("[...document.querySelector('#topic .bars').querySelectorAll('bdi')].map((e) => e.textContent)")
    assert words == model.top_words(20, 0)[record["ranking"][0]]
    browser.ask(change.format("find-document", "doc-11", "input"))
    assert browser.ask("document.querySelectorAll('#documents .document').length") == 11
    browser.ask(change.format("find-word", record["words"][3], "input"))
    assert browser.ask("document.querySelector('#words td').textContent") == record["words"][3]
    browser.ask("document.querySelectorAll('.circle')[2].dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}))")
    assert browser.ask("document.getElementById('chosen-topic').value") == "2"
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
    stops = "document.querySelectorAll('#heat svg [tabindex=\"0\"]')"
    assert browser.ask(f"{stops}.length") == 1  # one stop of Tab for all squares
    browser.ask(f"{stops}[0].focus()")
    chosen = browser.ask("document.getElementById('chosen-topic').value")
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
    assert browser.ask("document.getElementById('chosen-topic').value") == chosen  # arrows did not go to other topics
    press(browser, "Enter")
    assert browser.ask("document.getElementById('chosen-topic').value") == str(record["order"][1])
    quiet(browser, path)


def test_dots_are_reached_by_keys(browser, visit, plain):
    browser.shape(1280)
    record = plain[3]
    path = visit(record)
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
    visit(plain[3])
    browser.ask("document.getElementById('threshold').focus()")
    for k in range(4):
        press(browser, "Tab")
        assert browser.ask(FOCUSED.format("aria-label")).startswith(f"topic {k}: ")
    press(browser, "Enter")
    assert browser.ask("document.getElementById('chosen-topic').value") == "3"


def test_the_policy_holds(browser, visit, plain):
    visit(plain[3])
    browser.ask(
        "{ const s = document.createElement('script'); s.textContent = 'window.ran = true'; document.body.append(s); }"
    )
    assert browser.ask("window.ran === undefined") is True
    blocked = "fetch('data:text/plain,x').then(() => 'fetched', () => 'blocked')"
    assert browser.ask(blocked) == "blocked"
