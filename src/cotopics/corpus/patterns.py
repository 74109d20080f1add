"""Whether a regular expression takes time in proportion to the text, for every text. Patterns from files must.

Python's `re` tries every way in which a pattern may match, and goes back if one fails. There is only one way if at
every character at most one place of the pattern can be next (the pattern is deterministic), and `re` never goes back
far if nothing has to follow an endless repeat. A pattern with a single repeat, of characters that are not blanks, is
accepted too: going back over one word costs little. If we cannot tell, the pattern is refused. Users can still use any
pattern by giving it themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from re import _compiler, _parser  # type: ignore[attr-defined]
from typing import Any

MAX_PLACES = 60  # single characters or classes of a pattern, with copies
MAX_COPIES = 12  # of a part with a fixed number of repeats
MAX_SHORT_REPEAT = 100  # times: going back over a repeat of at most this many is cheap
MAX_WAYS = 16  # through a pattern with one repeat
SINGLE = ("LITERAL", "NOT_LITERAL", "ANY", "IN")  # operations that match one character
SAMPLE = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x10000), *range(0x10000, 0x40000, 16)]))
BLANKS = frozenset(re.findall(r"\s", SAMPLE))
LOOPS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")


class NotLinear(ValueError):
    """Why a pattern may take long."""


@dataclass(frozen=True)
class _Part:
    """The places where a part of the pattern can begin and end, and whether it can be empty."""

    empty: bool
    first: tuple[int, ...] = ()
    last: tuple[int, ...] = ()


@dataclass
class _Pattern:
    """The places of a pattern: the characters of each, and which places can follow it. Glushkov 1961."""

    flags: int
    characters: list[frozenset[str]] = field(default_factory=list)
    follow: list[dict[int, bool]] = field(default_factory=list)  # place → whether through an endless repeat
    fails_at_end: bool = False  # after a place, something that takes no character can fail
    depth: int = 0  # repeats around the current part

    def place(self, item: Any) -> _Part:
        if len(self.follow) >= MAX_PLACES:
            raise NotLinear(f"it has more than {MAX_PLACES} parts")
        self.characters.append(_characters(item, self.flags))
        self.follow.append({})
        return _Part(False, *[(len(self.follow) - 1,)] * 2)

    def join(self, lasts: Iterable[int], firsts: tuple[int, ...], *, endless: bool = False) -> None:
        for place in lasts:
            for after in firsts:
                if after in self.follow[place]:
                    raise NotLinear("it has a repeat within a repeat that matches a text in several ways")
                self.follow[place][after] = endless
            self.one_way(self.follow[place])

    def one_way(self, places: Iterable[int]) -> None:
        """Refuse places of which two can be next at the same character."""
        known: set[str] = set()
        for place in places:
            if not known.isdisjoint(self.characters[place]):
                raise NotLinear("two of its parts can match the same character at the same place")
            known |= self.characters[place]

    def sequence(self, items: Iterable[tuple[Any, Any]]) -> _Part:
        whole = _Part(True)
        for operation, argument in items:
            part = self.part(operation, argument)
            if part is None:  # takes no character
                self.fails_at_end |= bool(self.follow)
                continue
            self.join(whole.last, part.first)
            first = (*whole.first, *part.first) if whole.empty else whole.first
            last = (*whole.last, *part.last) if part.empty else part.last
            whole = _Part(whole.empty and part.empty, first, last)
        self.one_way(whole.first)
        return whole

    def part(self, operation: Any, argument: Any) -> _Part | None:
        name = str(operation)
        if name in SINGLE:
            return self.place((operation, argument))
        if name in LOOPS:
            return self.repeat(*argument)
        if name == "AT" or (name in ("ASSERT", "ASSERT_NOT") and _is_short(argument[1])):
            return None
        if name == "SUBPATTERN" and not argument[1] and not argument[2]:
            return self.sequence(argument[3])
        if name == "ATOMIC_GROUP":
            return self.sequence(argument)
        if name == "BRANCH":
            parts = [self.sequence(branch) for branch in argument[1]]
            first, last = (tuple(p for part in parts for p in getattr(part, end)) for end in ("first", "last"))
            self.one_way(first)
            return _Part(any(part.empty for part in parts), first, last)
        raise NotLinear("it holds a part whose time is unknown, such as a reference to a group")

    def repeat(self, least: int, most: Any, inside: Any) -> _Part:
        if least == most and least <= MAX_COPIES:
            return self.sequence([item for _ in range(int(least)) for item in inside])
        self.depth += most != 1
        part = self.sequence(inside)
        self.depth -= most != 1
        if most != 1:
            if part.empty:
                raise NotLinear("it repeats a part that can be empty")
            self.join(part.last, part.first, endless=self.depth > 0 or int(most) > MAX_SHORT_REPEAT)
        return _Part(part.empty or least == 0, part.first, part.last)


def check_linear(pattern: str) -> None:
    """A NotLinear that says why, unless `re` finds all matches of the pattern in time that is linear in the text."""
    parsed = _parser.parse(pattern)
    if parsed.getwidth()[0] > 0 and _has_one_repeat(parsed):
        return
    found = _Pattern(parsed.state.flags)
    whole = found.sequence(parsed)
    if whole.empty:
        raise NotLinear("it can match an empty text")
    ends = () if found.fails_at_end else whole.last
    loose = _in_circles(found, set(range(len(found.follow))) - set(ends))
    if loose and not (_begins_at_word(parsed) and all(found.characters[place] <= _word() for place in loose)):
        raise NotLinear("something must follow an endless repeat, and can fail at each of its ends")


def _in_circles(found: _Pattern, places: set[int]) -> set[int]:
    """Those of these places that lead back to themselves through an endless repeat, over these places only."""

    def reached(start: int) -> set[int]:
        seen: set[int] = set()
        waiting = [start]
        while waiting:
            for after in found.follow[waiting.pop()]:
                if after in places and after not in seen:
                    seen.add(after)
                    waiting.append(after)
        return seen

    edges = [(a, b) for a in places for b, endless in found.follow[a].items() if endless and b in places]
    closed = [(a, b) for a, b in edges if a == b or a in reached(b)]
    return {place for a, b in closed for place in ({a} if a == b else {a, b} | reached(b))}


def _begins_at_word(parsed: Any) -> bool:
    return len(parsed) > 0 and str(parsed[0][0]) == "AT" and str(parsed[0][1]) == "AT_BOUNDARY"


def _is_short(parsed: Any) -> bool:
    """Whether it is a sequence of few single characters."""
    return len(parsed) <= MAX_COPIES and all(str(operation) in (*SINGLE, "AT") for operation, _ in parsed)


def _has_one_repeat(parsed: Any) -> bool:
    try:
        repeats, ways = _repeats_and_ways(parsed, parsed.state.flags)
    except NotLinear:
        return False
    return repeats <= 1 and ways <= MAX_WAYS


def _repeats_and_ways(items: Any, flags: int) -> tuple[int, int]:
    """The largest number of repeats on a way through a pattern, each of one character, not a blank; and the ways."""
    repeats, ways = 0, 1
    for operation, argument in items:
        name, more, times = str(operation), 0, 1
        if name in LOOPS and argument[1] == 1:
            more, times = _repeats_and_ways(argument[2], flags)
            times += 1
        elif name in LOOPS and len(argument[2]) == 1 and str(argument[2][0][0]) in SINGLE:
            if not BLANKS.isdisjoint(_characters(argument[2][0], flags)):
                raise NotLinear("it repeats blanks, so `re` could go back over the whole text")
            more = 1
        elif name == "SUBPATTERN" and not argument[1] and not argument[2]:
            more, times = _repeats_and_ways(argument[3], flags)
        elif name == "BRANCH":
            parts = [_repeats_and_ways(branch, flags) for branch in argument[1]]
            more, times = max(part[0] for part in parts), sum(part[1] for part in parts)
        elif name not in (*SINGLE, "AT") and not (name in ("ASSERT", "ASSERT_NOT") and _is_short(argument[1])):
            raise NotLinear("it repeats more than one character, or holds a part whose time is unknown")
        repeats, ways = repeats + more, ways * times
    return repeats, ways


def _characters(item: Any, flags: int) -> frozenset[str]:
    """The characters of a sample, and those that the pattern names, that one place of the pattern matches."""
    state = _parser.State()
    state.flags, state.str = flags, ""
    compiled = _compiler.compile(_parser.SubPattern(state, [item]), flags)
    return frozenset(compiled.findall(SAMPLE + _named(item)))


def _named(item: Any) -> str:
    """The characters that an item names, which the sample may lack.

    The sample has only some above U+FFFF, so it cannot tell whether two places share one that is named."""
    operation, argument = item
    beyond = {"LITERAL": argument, "NOT_LITERAL": argument, "RANGE": argument[-1] if isinstance(argument, tuple) else 0}
    if beyond.get(str(operation), 0) > 0xFFFF:
        raise NotLinear("it names a character above U+FFFF")
    if str(operation) in ("LITERAL", "NOT_LITERAL"):
        return chr(argument)
    if str(operation) == "RANGE":
        return chr(argument[0]) + chr(argument[1])
    return "".join(map(_named, argument)) if str(operation) == "IN" else ""


@cache
def _word() -> frozenset[str]:
    return frozenset(re.findall(r"\w", SAMPLE))
