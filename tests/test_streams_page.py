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
