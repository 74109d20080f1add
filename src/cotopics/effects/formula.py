"""The text of a formula, checked word by word before anything is computed.

formulaic evaluates Python expressions. A formula may come from a form or a file of others, so none of its text gets
that far: fields are replaced by names made here, functions and options are those of a short list, and what is left are
numbers and signs. There is no attribute, no index, no string and no other name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import pairwise
from typing import Any

from cotopics.errors import ParameterError

NUMERIC = ("bs", "cr", "cs", "cc", "poly", "center", "scale", "log", "log2", "log10", "exp", "I")  # of numbers
GROUPS, DATES = ("C",), ("days", "year")  # of one field each
FUNCTIONS = (*NUMERIC, *GROUPS, *DATES)
CENTRED = ("cr", "cs", "cc")  # splines that would else repeat the intercept
OPTIONS = {"df": 50, "degree": 10}  # and their largest values
MAX_LETTERS, MAX_FIELDS, MAX_PRODUCTS, MAX_POWER = 1000, 30, 8, 3
TOKEN = re.compile(
    r"\s*(?:(?P<name>[^\W\d]\w*)|`(?P<quoted>[^`]*)`|(?P<number>\d+(?:\.\d*)?|\.\d+)|(?P<sign>\*\*|[-+*/:^(),=~]))"
)


@dataclass
class Formula:
    """A checked formula: its text with fields by their new names; what each new name stands for.

    fields: new name → (field, kind), kind in "any", "number", "group", "date".
    """

    text: str
    fields: dict[str, tuple[str, str]] = field(default_factory=dict)

    def shown(self, term: str, levels: dict[str, list[str]]) -> str:
        """A column of formulaic's, as a user would write it: "rating=Liberal × day"."""

        def name(found: re.Match[str]) -> str:
            alias, level = found[1], found[2]
            return self.fields[alias][0] + ("" if level is None else f"={levels[alias][int(level)]}")

        parts = term.replace(", constraints='center'", "").split(":")
        return " × ".join(re.sub(r"(field\d+)(?:\[(?:T\.)?L(\d+)\])?", name, part) for part in parts)


def check_formula(formula: Any, known: Iterable[Any]) -> Formula:
    """The formula with the known fields; a ParameterError of one line for anything else.

    >>> check_formula("rating + bs(day, df=4)", ["rating", "day", "blog"]).text
    'field0+bs(field1,df=4)'
    >>> check_formula("raing", ["rating", "day"])
    Traceback (most recent call last):
    cotopics.errors.ParameterError: there is no field 'raing'; did you mean 'rating'?
    """
    if not isinstance(formula, str) or not formula.strip() or len(formula) > MAX_LETTERS:
        raise ParameterError(
            f"formula={formula!r:.80} must be a text such as 'rating + bs(day, df=4)', of {MAX_LETTERS} letters at most"
        )
    return _Reader(_tokens(formula), [str(name) for name in known]).read()


def fields_of(formula: str) -> list[str]:
    """The names of fields in a formula, whether there are such fields or not."""
    tokens = [*_tokens(formula), ("", "")]
    pairs = pairwise(tokens)
    found = [
        text for (kind, text), (_, after) in pairs if kind == "quoted" or (kind == "name" and after not in ("(", "="))
    ]
    return list(dict.fromkeys(found))


def _tokens(formula: str) -> list[tuple[str, str]]:
    """(kind, text) of each part of the formula."""
    tokens, at, text = [], 0, formula.rstrip()
    while at < len(text):
        found = TOKEN.match(text, at)
        if found is None:
            raise ParameterError(
                f"the formula has {text[at:].strip()[:20]!r}, which cannot be used there; write fields, numbers, the "
                f"signs + - * : / ^ and {', '.join(FUNCTIONS)}. Put other names of fields in `backticks`"
            )
        kind = str(found.lastgroup)
        tokens.append((kind, found[kind]))
        at = found.end()
    if tokens[:1] == [("sign", "~")]:
        tokens = tokens[1:]
    if ("sign", "~") in tokens:
        raise ParameterError("the formula has a left side; leave it out: the shares of topics are explained")
    return tokens


class _Reader:
    """Goes through the tokens once and writes the text that formulaic gets."""

    def __init__(self, tokens: list[tuple[str, str]], known: list[str]) -> None:
        self.tokens, self.known = tokens, known
        self.calls: list[str] = []  # open parentheses: the function, or "" for plain ones
        self.fields: dict[tuple[str, str], str] = {}
        self.n_products = 0

    def read(self) -> Formula:
        text = "".join(self._written(i) for i in range(len(self.tokens)))
        if self.calls:
            raise ParameterError("the formula has a parenthesis that is not closed")
        if not self.fields:
            raise ParameterError("the formula has no field; name at least one")
        return Formula(text, {alias: found for found, alias in self.fields.items()})

    def _written(self, i: int) -> str:
        kind, text = self.tokens[i]
        before = self.tokens[i - 1] if i else ("sign", "(")
        follows = before[0] != "sign" or before[1] == ")"  # a field, a number or a parenthesis
        if follows and (kind != "sign" or (text == "(" and before[0] != "name")):
            raise ParameterError(f"the formula lacks a sign between {before[1]!r:.40} and {text!r:.40}, such as +")
        if kind == "quoted":
            return self._field(text)
        if kind == "name":
            return self._name(i, text)
        if kind == "number":
            return self._number(i, text)
        return self._sign(i, text)

    def _next(self, i: int) -> str:
        return self.tokens[i + 1][1] if i + 1 < len(self.tokens) and self.tokens[i + 1][0] == "sign" else ""

    @property
    def inside(self) -> str:
        """The function whose parentheses these are; "" outside of any."""
        return next((call for call in reversed(self.calls) if call), "")

    def _name(self, i: int, text: str) -> str:
        if self._next(i) == "(":
            if text not in FUNCTIONS:
                raise ParameterError(f"the formula has {text}(…); functions are {', '.join(FUNCTIONS)}")
            if self.inside in (*GROUPS, *DATES):
                raise ParameterError(f"{self.inside}(…) takes the name of a field only")
            return "" if text in GROUPS else text
        if self._next(i) == "=":
            if text not in OPTIONS or not self.inside:
                raise ParameterError(f"the formula has {text}=…; options of functions are {', '.join(OPTIONS)}")
            return text
        return self._field(text)

    def _field(self, name: str) -> str:
        if name not in self.known:
            raise ParameterError(f"there is no field {name!r:.80}{nearest(name, self.known)}")
        call = self.inside
        kind = "group" if call in GROUPS else "date" if call in DATES else "number" if call else "any"
        alias = self.fields.setdefault((name, kind), f"field{len(self.fields)}")
        if len(self.fields) > MAX_FIELDS:
            raise ParameterError(f"the formula has more than {MAX_FIELDS} fields; leave some out")
        return alias

    def _number(self, i: int, text: str) -> str:
        before = self.tokens[i - 1] if i else ("", "")
        option = self.tokens[i - 2][1] if before == ("sign", "=") and i > 1 else ""
        if option in OPTIONS and not (text.isdecimal() and len(text) < 4 and 1 <= int(text) <= OPTIONS[option]):
            raise ParameterError(f"{option}={text:.20} must be a whole number from 1 to {OPTIONS[option]}")
        if before[1] in ("**", "^") and not (text.isdecimal() and len(text) == 1 and 1 <= int(text) <= MAX_POWER):
            raise ParameterError(f"powers in a formula are whole numbers from 1 to {MAX_POWER}, not {text:.20}")
        if not self.inside and before[1] not in ("**", "^") and text not in ("0", "1"):
            raise ParameterError(f"the formula has the number {text:.20} where a field should be")
        if (
            self.inside == "poly"
            and before == ("sign", ",")
            and not (text.isdecimal() and len(text) < 4 and 1 <= int(text) <= OPTIONS["degree"])
        ):
            raise ParameterError(f"poly(…, {text:.20}) must be of a degree from 1 to 10")
        return text

    def _sign(self, i: int, text: str) -> str:
        before = self.tokens[i - 1] if i else ("", "")
        if text == "(":
            self.calls.append(before[1] if before[0] == "name" else "")
            return text
        if text == ")":
            if not self.calls:
                raise ParameterError("the formula closes a parenthesis that was not opened")
            return ", constraints='center')" if self.calls.pop() in CENTRED else ")"
        if text in (",", "=") and not (self.calls and self.calls[-1]):
            raise ParameterError(f"the formula has {text!r} outside of a function")
        if text in (",", "="):
            self._check_option(i, text)
        if text in ("**", "^"):
            if self._token(i + 1)[0] != "number" or (
                self.inside and (text == "^" or before[0] not in ("name", "quoted"))
            ):
                raise ParameterError(
                    "powers are of a field by a number, such as I(day**2), or of a sum, such as (a + b)^2"
                )
        elif text == ":" and self.inside:
            raise ParameterError("the formula has ':' within a function; it joins fields outside of functions")
        if not self.inside and text in ("*", ":", "/", "**", "^"):
            self.n_products += 1
            if self.n_products > MAX_PRODUCTS:
                raise ParameterError(f"the formula has more than {MAX_PRODUCTS} products of fields; leave some out")
        return text

    def _check_option(self, i: int, text: str) -> None:
        """After a comma comes name=number and nothing else, or the plain degree of poly."""
        call, after, end = self.calls[-1], self._token(i + 1), self._token(i + 2)
        if text == ",":
            right = (after[0] == "name" and end == ("sign", "=")) or (
                call == "poly" and after[0] == "number" and end == ("sign", ")")
            )
        else:
            named = self.tokens[i - 1][0] == "name" and self._token(i - 2) == ("sign", ",")
            right = named and after[0] == "number" and end in (("sign", ","), ("sign", ")"))
        if not right:
            raise ParameterError(
                f"{call}(…) takes a field and options that are plain numbers, such as bs(day, df=4) or poly(day, 2)"
            )

    def _token(self, i: int) -> tuple[str, str]:
        return self.tokens[i] if i < len(self.tokens) else ("", "")


def nearest(name: str, known: list[str]) -> str:
    """What to say of a name that is not among these."""
    close = get_close_matches(name, known, n=3, cutoff=0.6)
    if close:
        return f"; did you mean {' or '.join(map(repr, close))}?"
    return f"; there are {', '.join(map(repr, known[:12]))}" if known else "; there are none"
