"""The page in a real browser, from a file: address."""

import importlib.util
from pathlib import Path

import pytest

from cotopics.report import render

SPEC = importlib.util.spec_from_file_location("report_browser", Path(__file__).with_name("browser.py"))
browser_module = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(browser_module)

BINARY = browser_module.find_browser()
pytestmark = pytest.mark.skipif(
    BINARY is None, reason="no chromium on this machine (Debian: apt-get install chromium; or set COTOPICS_BROWSER)"
)
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


def test_the_policy_holds(browser, visit, plain):
    visit(plain[3])
    browser.ask(
        "{ const s = document.createElement('script'); s.textContent = 'window.ran = true'; document.body.append(s); }"
    )
    assert browser.ask("window.ran === undefined") is True
    blocked = "fetch('data:text/plain,x').then(() => 'fetched', () => 'blocked')"
    assert browser.ask(blocked) == "blocked"
