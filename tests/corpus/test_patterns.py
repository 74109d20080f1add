"""Patterns that come from a file take a time in proportion to the text, or are refused."""

import time

import pytest

from cotopics.corpus import Preparation
from cotopics.corpus.patterns import NotLinear, check_linear
from cotopics.corpus.tokens import WORD
from cotopics.errors import ParameterError

ORDINARY = [
    *(r"(?u)\b\w\w+\b", r"[a-z]+(?:-[a-z]+)*", r"\S+", WORD, r"\w+", r"\w", r"(\w+)", r"[^\s]+", r"\w{3,}"),
    *(r"\b[a-zA-Z]{3,}\b", r"\b[a-z]{2,20}\b", r"[a-z]+(?:'[a-z]+)?", r"\w+(?:[-']\w+)*", r"#?\w+", r"(?i)[a-z]+"),
    *(r"\d{4}-\d{2}-\d{2}", r"[\u4e00-\u9fff]|[a-z]+", r"\b\w+'\w+\b", r"[A-Za-z0-9_#@]+", r"[a-zäöüß]+|\d+"),
    *(r"(?<!\w)[a-z]", r"https?://\S+|\w+", r"\w[\w-]*\w", r"\b\w[\w'-]+\b", r"(?<!\w)[a-z]+(?!\w)"),
    *(r"(?u)\b\w+\b|[^\w\s]", r"(?u)(?<![@])\b\w\w+\b", r"[\u4e00-\u9fff]|\w+"),
]
SLOW = [
    *(r"(?:[a-z ]+)*#", r"(a+)+$", r"(a|aa)+$", r"\w*\w*x", r"[a-z ]+#", r"(.*)*", r".*.*=", r"(\w+\s?)*!"),
    *(r"(?:a?){50}a{50}", r"(a)\1+", r"(?:\w{1,50}){1,50}!", r'"[^"]*"', r"(?=(a+)+b)a", r"(?:a*)*b", r"(?:x+x+)+y"),
    *(r"[a-z ]+\b", r"[a-z ]+(?:(?=#))", r"[a-z ]+(?:\b)", r"(?:[a-z ]{1,90}-){1,90}#", r"(?i:[a-z]+)*#"),
    *(r"[a-z](?!(?:(?=[a-z])|(?!1)){40}#)", "(?:\\wx|\U00010001x){1,90}#"),
    *("(?i)(?:\U00010401[xy]|\U00010429[xz]){1,90}#", r"\S+\S+#", r"(?:\wx|ax)" * 20 + "#"),
]
TEXTS = ["a" * 30_000, "a " * 15_000, "a" * 30_000 + "!", "ab-" * 10_000, "'" * 30_000, "1" * 30_000, " " * 30_000]


@pytest.mark.parametrize("pattern", ORDINARY)
def test_ordinary_patterns_are_accepted_and_fast(pattern):
    prepare = Preparation.from_json({"token_pattern": pattern, "stop_words": None})
    start = time.perf_counter()
    for text in TEXTS:
        prepare.pieces(text)
    assert time.perf_counter() - start < 2


@pytest.mark.parametrize("pattern", SLOW)
def test_slow_patterns_are_refused_from_a_file_alone(pattern):
    with pytest.raises(ParameterError, match=r"comes with the model.*Preparation\(token_pattern"):
        Preparation.from_json({"token_pattern": pattern})


def test_they_can_be_given():
    assert Preparation(token_pattern=r'"[^"]*"', stop_words=None)('a "b c"') == ['"b c"']


def test_the_error_for_an_invalid_pattern_does_not_change():
    with pytest.raises(ParameterError, match="regular expression"):
        Preparation.from_json({"token_pattern": "("})


def test_parts_are_counted():
    with pytest.raises(NotLinear, match="parts"):
        check_linear("a" * 100 + "b+c+")
