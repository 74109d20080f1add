"""Docstrings as Markdown. They are plain text with `names` in backticks, numpy's sections, and examples after >>>."""

import re

SECTION = re.compile(r"^(?P<name>[A-Z]\w+)\n-{3,}\n", flags=re.MULTILINE)
MEANS_SOMETHING = re.compile(r"([\\*_<>\[\]|#~^$])")  # to Markdown, outside of code


def as_markdown(docstring):
    """The whole docstring."""
    pieces = SECTION.split(docstring.strip())
    parts = [_paragraphs(pieces[0])]
    for name, body in zip(pieces[1::2], pieces[2::2], strict=True):
        content = _fields(body) if name in ("Parameters", "Attributes") else _paragraphs(body)
        parts.append(f"**{name}**\n\n{content}")
    return "\n\n".join(part for part in parts if part)


def first_sentence(docstring):
    """What a table says of a name: the first sentence, in Markdown for one cell."""
    paragraph = " ".join(docstring.strip().split("\n\n")[0].split())
    return prose(re.split(r"(?<=[a-z0-9)`\"])[.:;](?= |$)", paragraph)[0])


def prose(text):
    """Text in which only backticks have a meaning."""
    return "".join(
        piece if i % 2 else MEANS_SOMETHING.sub(r"\\\1", piece) for i, piece in enumerate(re.split(r"(`[^`]+`)", text))
    )


def _paragraphs(text):
    return "\n\n".join(_paragraph(part) for part in re.split(r"\n\s*\n", text.strip("\n")) if part.strip())


def _paragraph(text):
    """An example, a list, or lines of prose."""
    if text.lstrip().startswith(">>>"):
        return f"```pycon\n{text.rstrip()}\n```"
    if text.startswith("    "):
        return f"```text\n{text.rstrip()}\n```"
    return prose(text)


def _fields(text):
    """A definition list of `name : what it is`, with further lines that are indented; then what else there is."""
    entries, lines = [], text.strip("\n").splitlines()
    for i, line in enumerate(lines):
        if line.startswith(" "):
            entries[-1][1].append(line.strip())
        elif " : " in line:
            names, _, kind = line.partition(" : ")
            entries.append((names, [], kind))
        elif line:
            return "\n\n".join([*(_field(*entry) for entry in entries), _paragraphs("\n".join(lines[i:]))])
    return "\n\n".join(_field(*entry) for entry in entries)


def _field(names, lines, kind):
    term = ", ".join(f"`{name.strip()}`" for name in names.split(","))
    if lines and len(kind) < 60:
        return f"{term} ({prose(kind)})\n: {prose(' '.join(lines))}" if kind else f"{term}\n: {prose(' '.join(lines))}"
    return f"{term}\n: {prose(' '.join([kind, *lines]).strip()) or '–'}"
