"""cotopics find"""

from __future__ import annotations

from typing import Any

import click

from cotopics.cli.display import (
    as_json,
    echo_data,
    need_stdout,
    new_table,
    plain,
    progress_bar,
    show,
    warnings_as_messages,
)
from cotopics.cli.options import INPUT_OPTIONS, common_options, input_options, refuse_unused
from cotopics.cli.reading import read_for, read_raw_texts

MAX_TEXT = 120  # characters of a document that are shown


@click.command("find")
@click.argument("model", type=click.Path())
@click.argument("words")
@click.argument("input", type=click.Path(), required=False)
@click.option("-n", "n_topics", type=click.IntRange(1), default=5, show_default=True, help="Topics to show.")
@click.option("--documents", "n_documents", type=click.IntRange(1), default=3, show_default=True, help="Of each topic.")
@click.option("--json", "wants_json", is_flag=True, help="A list with one object per topic.")
@input_options
@common_options
def command(
    model: str,
    words: str,
    input: str | None,
    n_topics: int,
    n_documents: int,
    wants_json: bool,
    **options: Any,
) -> None:
    """Find the topics of MODEL that WORDS, or a text, speak for; with INPUT also documents that show them best.

    The score is the mean of p(topic | word) over the words that the model knows.

    \b
    Examples:
      cotopics find articles.cotopics "bm bn"
      cotopics find articles.cotopics "bm bn" articles.jsonl.gz --documents 2
    """
    refuse_unused(input or model, {} if input else dict.fromkeys(INPUT_OPTIONS, "says how to read INPUT; name one"))
    need_stdout("open it, as in > topics.txt")
    with progress_bar(hidden=True), warnings_as_messages():
        from cotopics.models import load

        fitted = load(model)
        names, leading = fitted.topic_names_, fitted.top_words(8)
        found: list[dict[str, Any]] = [
            {"topic": k, "name": names[k], "score": round(score, 6), "words": [str(word) for word in leading[k]]}
            for k, score in fitted.find_topics(words, n_topics)
        ]
        if input is not None:
            _add_documents(found, fitted, input, n_documents, options)
    if wants_json:
        echo_data(as_json(found))
        return
    show(_table(found))


def _add_documents(found: list[dict[str, Any]], model: Any, input: str, n: int, options: dict[str, Any]) -> None:
    """The documents that show each topic best, with their ids, and with their texts where there are any."""
    from cotopics.errors import CorpusError

    corpus = read_for(model, input, options)
    try:
        texts: Any = list(read_raw_texts(input, options))
    except CorpusError:
        texts = None
    for topic in found:
        topic["documents"] = [
            {
                "document": row,
                "id": None if corpus.ids is None else corpus.ids[row],
                "share": round(share, 6),
                "text": None if texts is None or len(texts) != corpus.counts.shape[0] else _short(texts[row]),
            }
            for row, share in model.documents_of(corpus.counts, topic["topic"], n)
        ]


def _short(text: Any) -> str:
    line = " ".join(str(text).split())
    return line if len(line) <= MAX_TEXT else line[: MAX_TEXT - 1] + "…"


def _table(found: list[dict[str, Any]]) -> Any:
    from rich.text import Text

    table = new_table()
    table.add_column("topic", justify="right", style="dim")
    table.add_column("score", justify="right")
    table.add_column("name", style="bold cyan")
    table.add_column("words, documents", ratio=1)
    for topic in found:
        cells = [str(topic["topic"]), f"{topic['score']:.2f}", topic["name"], " ".join(topic["words"])]
        table.add_row(*(Text(plain(cell)) for cell in cells))
        for document in topic.get("documents", []):
            name = document["id"] or f"document {document['document']}"
            text = document["text"] or ""
            table.add_row("", f"{document['share']:.0%}", Text(plain(str(name))), Text(plain(text)))
    return table
