"""cotopics tree"""

from __future__ import annotations

from typing import Any

import click

from cotopics.cli.display import as_json, echo_data, need_stdout, plain


@click.command("tree")
@click.argument("model", type=click.Path())
@click.option("--cut", type=click.IntRange(1), metavar="N", help="Show the topics in N groups.")
@click.option("--json", "wants_json", is_flag=True, help="The tree, or with --cut the groups, as JSON.")
def command(model: str, cut: int | None, wants_json: bool) -> None:
    """Show which topics of MODEL come together, by their words and by the documents that they share.

    Topics that are joined first are most alike. `cotopics edit MODEL --reduce N` merges the groups that --cut N shows.

    \b
    Examples:
      cotopics tree articles.cotopics
      cotopics tree articles.cotopics --cut 2
      cotopics tree articles.cotopics --cut 2 --json
    """
    need_stdout("open it, as in > tree.txt")
    from cotopics.models import load

    tree = load(model).hierarchy()
    if cut is None:
        echo_data(as_json(_record(tree)) if wants_json else _plain_lines(tree.text()))
        return
    groups = tree.cut(cut)
    if wants_json:
        echo_data(as_json(groups))
        return
    lines = [line for i, group in enumerate(groups) for line in (f"group {i}", *(f"  {tree.label(k)}" for k in group))]
    echo_data(_plain_lines("\n".join(lines)))


def _record(tree: Any) -> dict[str, Any]:
    merges = [{"topics": list(pair), "height": height} for pair, height in zip(tree.merges, tree.heights, strict=True)]
    return {"topics": list(tree.names or ()), "merges": merges}


def _plain_lines(text: str) -> str:
    return "\n".join(plain(line) for line in text.splitlines())
