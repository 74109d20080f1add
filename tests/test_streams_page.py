"""docs/streams.md is true: its code runs."""

import json
import re
from pathlib import Path

from planted import TEXTS

PAGE = (Path(__file__).parents[1] / "docs" / "streams.md").read_text(encoding="utf-8")


def test_the_code_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shards = tmp_path / "shards"
    shards.mkdir()
    for i in range(3):
        lines = [json.dumps({"text": text}) + "\n" for text in TEXTS[i::3]]
        (shards / f"{i}.jsonl").write_text("".join(lines), encoding="utf-8")
    found: dict = {}
    for code in re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL):
        exec(code, found)
        found |= {"kept_counts": found["kept"].gather(), "words": found["kept"].vocabulary}
    assert [model.n_topics_ for model in found["models"]] == [3, 4, 5]
    assert found["model"].fit_.sums.n_documents == len(TEXTS) - 10
    assert sorted(tmp_path.iterdir()) == [tmp_path / "news.cotopics", shards]


def results(name):
    file = Path(__file__).parents[1] / "benchmarks" / "results" / f"{name}.json"
    return json.loads(file.read_text(encoding="utf-8"))["rows"]


def test_the_table_is_that_of_the_run():
    """NMI of one fit, of ten pieces, and of three tenths first; what misses by more than .02 is in bold."""
    table = re.findall(r"^\| [^|]+ \| (many|one) \| (\S+) \| (\S+) \| (\S+) \|$", PAGE, flags=re.MULTILINE)
    expected = []
    for _, kind, one_fit, pieces, larger, *_ in results("update"):
        one, other, third = (f"{value:.3f}".removeprefix("0") for value in (one_fit, pieces, larger))
        expected.append((kind, one, f"**{other}**" if one_fit - pieces > 0.02 else other, third))
    assert table == expected


def test_no_peer_predicts_words_better():
    """As the page says: after no piece, on no corpus, and none is faster."""
    rows = results("update_peers")
    for name in {row[0] for row in rows}:
        (ours,) = (row for row in rows if row[:2] == [name, "TopicModel"])
        for peer in (row for row in rows if row[0] == name and row[1] != "TopicModel"):
            assert all(a > b for a, b in zip(ours[4:], peer[4:], strict=True))
            assert ours[2] < peer[2]
