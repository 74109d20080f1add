"""Texts that attack whoever shows them: markup, scripts, formulas, escapes, turned and broken text."""

from __future__ import annotations

from typing import Any

import numpy as np

from battery.mutate import TOKENS
from battery.suite import Trial
from battery.warm import planted
from cotopics.corpus import Corpus

SCRIPTS = (
    "</script><script>window.PWN=1</script>",
    "<script>window.PWN=1</script>",
    "<img src=x onerror=window.PWN=1>",
    '"><img src=x onerror=window.PWN=1>',
    "'><svg onload=window.PWN=1>",
    "<svg/onload=window.PWN=1>",
    "<body onload=window.PWN=1>",
    "<iframe src=javascript:window.parent.PWN=1>",
    "<a href=javascript:window.PWN=1>x</a>",
    "javascript:window.PWN=1",
    "<input autofocus onfocus=window.PWN=1>",
    "<details open ontoggle=window.PWN=1>",
    "<video><source onerror=window.PWN=1>",
    "<audio src=x onerror=window.PWN=1>",
    "<object data=javascript:window.PWN=1>",
    "<embed src=javascript:window.PWN=1>",
    "<form action=javascript:window.PWN=1><button>x",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=window.PWN=1>",
    "<style>@import 'https://example.org/x.css';</style>",
    "<link rel=stylesheet href=https://example.org/x.css>",
    "<base href=https://example.org/>",
    "<meta http-equiv=refresh content='0;url=https://example.org/'>",
    "<template><img src=x onerror=window.PWN=1></template>",
    "<!--<img src='--><img src=x onerror=window.PWN=1>",
    "<!-- <script>",
    "--><script>window.PWN=1</script>",
    "]]><script>window.PWN=1</script>",
    "<![CDATA[<script>window.PWN=1</script>]]>",
    "<textarea></textarea><script>window.PWN=1</script>",
    "</title><script>window.PWN=1</script>",
    "</style><script>window.PWN=1</script>",
    "</textarea><script>window.PWN=1</script>",
    "<noscript><p title='</noscript><img src=x onerror=window.PWN=1>'>",
    "&lt;script&gt;window.PWN=1&lt;/script&gt;",
    "&#60;script&#62;window.PWN=1&#60;/script&#62;",
    "%3Cscript%3Ewindow.PWN=1%3C/script%3E",
    "\\u003cscript\\u003ewindow.PWN=1\\u003c/script\\u003e",
    "\\x3cscript\\x3ewindow.PWN=1\\x3c/script\\x3e",
    "';window.PWN=1;//",
    '";window.PWN=1;//',
    "`${window.PWN=1}`",
    "{{constructor.constructor('window.PWN=1')()}}",
    "${window.PWN=1}",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "<script\x00>window.PWN=1</script>",
    "<scr\x00ipt>window.PWN=1</scr\x00ipt>",
    "<<script>window.PWN=1//<</script>",
    "<IMG SRC=JaVaScRiPt:window.PWN=1>",
    "<a\u2028href=javascript:window.PWN=1>",
    "\u2028window.PWN=1//",
    "<div style=background:url(https://example.org/x)>",
    "<!--script--><!--data--><!--style--><!--policy-->",
    "https://example.org/x.js",
    "data:text/html,<script>window.PWN=1</script>",
)
FORMULAS = (
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1+1)",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("https://example.org";"x")',
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    " =1+1",
    "'=1+1",
    "＝1+1",
    "＋1+1",
    "－1+1",
    "＠SUM(1)",
    "﹦1+1",
    "\u200b=1+1",
    "\ufeff=1+1",
    "\u00a0=1+1",
    "x;=1+1",
    "x,=1+1",
    "x\t=1+1",
    "x\n=1+1",
    "x\r\n=1+1",
    '","=1+1',
    '";"=1+1',
    '"=1+1',
    'DDE("cmd";"/C calc";"x")',
    "%0A=1+1",
)
STRANGE = (
    "\x00",
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\x9b31m",
    "\x7f\x08\x08",
    "\u202eright-to-left\u2066",
    "a\u2028b\u2029c",
    "\ud800",
    "e\u0301\u0301\u0301\u0301",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "ظلام",
    "x" * 3000,
    " ",
    "",
    "null",
    "NaN",
    "../../etc/passwd",
    "$(touch pwned)",
    "`touch pwned`",
    "; touch pwned",
    "' OR 1=1 --",
    "%s%n%x",
    "\\",
    '"',
    "\r\n\r\n",
)
ALL = (*SCRIPTS, *FORMULAS, *STRANGE)
N_WORDS, N_DOCUMENTS = 24, 40


def hostile(trial: Trial) -> list[str]:
    """Payloads, the one of this trial's number among them, some of them changed."""
    chosen = [ALL[trial.number % len(ALL)], *(ALL[i] for i in trial.draw.integers(len(ALL), size=N_WORDS * 2))]
    for i in range(1, len(chosen)):
        if trial.draw.random() < 0.3:
            at = int(trial.draw.integers(len(chosen[i]) + 1))
            token = TOKENS[int(trial.draw.integers(len(TOKENS)))].decode("utf-8", "replace")
            chosen[i] = chosen[i][:at] + token + chosen[i][at:]
    return chosen


def a_corpus(trial: Trial) -> tuple[Any, list[str]]:
    """Documents whose every text is hostile."""
    bad = hostile(trial)
    words = list(dict.fromkeys(bad))[:N_WORDS]
    words += [f"w{i}" for i in range(N_WORDS - len(words))]
    counts = planted(trial.draw, N_DOCUMENTS, N_WORDS)
    about = [bad[i % len(bad)] for i in range(N_DOCUMENTS)]
    texts = [" ".join([*np.repeat(words, row), about[i]]) for i, row in enumerate(counts)]
    return Corpus(counts, words, about, [bad[0]], ids=about[::-1], dates=about), texts
