"""Texts that hold HTML: the text without its markup, and whether it looks like markup at all."""

from __future__ import annotations

import re
from html import unescape

# What HTML takes for a tag. No part of it can begin in two ways, so a search takes time in proportion to the text.
TAG = re.compile(r"<(?:/?([a-zA-Z][a-zA-Z0-9]*)(?:[\s/][^<>]*)?|[!?][^<>]*)>")
COMMENT = ("<!--", "-->")
HIDDEN = ("script", "style", "template", "head")  # a browser shows nothing of what is inside
# These may stand inside a word; all others end it.
INLINE = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "em", "font", "i", "ins", "kbd", "mark", "q", "s", "small",
    "span", "strong", "sub", "sup", "u", "wbr",
})  # fmt: skip
SIGNS = re.compile(
    r"</?(?:a|b|br|div|em|font|h[1-6]|i|img|li|p|pre|span|strong|table|td|tr|ul)\b[^<>]*>"
    r"|&(?:nbsp|amp|lt|gt|quot|#\d{2,5});"
)


def without_markup(text: str) -> str:
    """The text that a browser would show: without tags, comments and scripts, and with entities as characters.

    >>> without_markup("<p>Fish &amp; <b>ch</b>ips</p><script>x < 1</script><!-- <p> -->5 < 6").split()
    ['Fish', '&', 'chips', '5', '<', '6']
    """
    if "<" in text:
        text = "".join(_shown_parts(text))
    # Twice, because what was exported once too often has &amp;nbsp;
    return unescape(unescape(text)) if "&" in text else text


def looks_like_markup(text: str) -> bool:
    """Whether the text has a common tag or entity of HTML.

    >>> looks_like_markup("a<br>b"), looks_like_markup("a &nbsp; b"), looks_like_markup("if a < b and b > c")
    (True, True, False)
    """
    return SIGNS.search(text) is not None


def _shown_parts(text: str) -> list[str]:
    parts, at = [], 0
    lower = ""  # the text in lower case, made when it is first needed
    unclosed: set[str] = set()  # comments and elements that do not end after here, so that none is searched for twice
    while (start := text.find("<", at)) >= 0:
        parts.append(text[at:start])
        if text.startswith(COMMENT[0], start) and "" not in unclosed:
            end = text.find(COMMENT[1], start + len(COMMENT[0]))
            if end >= 0:
                parts.append(" ")
                at = end + len(COMMENT[1])
                continue
            unclosed.add("")
        found = TAG.match(text, start)
        if found is None:
            parts.append("<")
            at = start + 1
            continue
        at, name = found.end(), (found[1] or "").lower()
        parts.append("" if name in INLINE else " ")
        if name in HIDDEN and text[start + 1] != "/" and name not in unclosed:
            lower = lower or text.lower()
            end = lower.find(f"</{name}", at) if len(lower) == len(text) else -1
            if end >= 0:
                at = end
            else:
                unclosed.add(name)
    parts.append(text[at:])
    return parts
