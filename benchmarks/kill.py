"""`kill -9` at 50 random moments of `cotopics fit -o` over an existing model: the file is the old or the new one.

Half of the moments are anywhere in the run. The other half are within the writing, which is a hundredth of it: from the
moment at which a part of the new file lies beside the old one.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import keep

N_KILLS = 25  # of each kind
N_TOPICS = (12, 20)  # of the old and of the new model
FIT = [sys.executable, "-c", "from cotopics.cli.main import main; main()", "fit"]


def write_texts(path: Path) -> None:
    from cotopics.datasets import load_demo

    texts, _ = load_demo()
    path.write_text("\n".join(" ".join(text.split()) for text in texts), encoding="utf-8")


def start(texts: Path, n_topics: int, model: Path) -> subprocess.Popen[bytes]:
    command = [*FIT, str(texts), "-k", str(n_topics), "--refine", "5", "-q", "-o", str(model)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def fit(texts: Path, n_topics: int, model: Path) -> tuple[bytes, float]:
    """The file of a model that nobody disturbs, and the seconds that it takes."""
    began = time.perf_counter()
    if start(texts, n_topics, model).wait() != 0:
        sys.exit("the fit failed")
    return model.read_bytes(), time.perf_counter() - began


def parts(model: Path) -> list[Path]:
    return list(model.parent.glob(f".{model.name}.*.part"))


def wait_for_part(process: subprocess.Popen[bytes], model: Path) -> None:
    while not parts(model) and process.poll() is None:
        pass


def main() -> None:
    from cotopics import load

    draw = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        texts, model = Path(folder, "texts.txt"), Path(folder, "m.cotopics")
        write_texts(texts)
        fit(texts, N_TOPICS[0], model)  # compiles what is not compiled yet
        new, seconds = fit(texts, N_TOPICS[1], model)
        old, _ = fit(texts, N_TOPICS[0], model)
        rows = []
        for when in ("anywhere", "while writing"):
            found = {"old": 0, "new": 0, "damaged": 0, "parts": 0, "ended before": 0}
            for _ in range(N_KILLS):
                model.write_bytes(old)
                process = start(texts, N_TOPICS[1], model)
                if when == "anywhere":
                    time.sleep(draw.random() * seconds)
                else:
                    wait_for_part(process, model)
                    time.sleep(draw.random() * 0.01)
                found["ended before"] += process.poll() is not None
                process.kill()
                process.wait()
                content = model.read_bytes()
                found["old" if content == old else "new" if content == new else "damaged"] += 1
                if load(model).n_topics_ not in N_TOPICS:
                    sys.exit(f"{model} holds neither model")
                found["parts"] += len(parts(model))
                for part in parts(model):
                    os.unlink(part)
            rows.append([when, N_KILLS, *found.values()])
    notes = (
        f"The documentation of numpy, scipy and scikit-learn, {N_TOPICS[1]} topics over a model of {N_TOPICS[0]}; a "
        f"run takes {seconds:.1f} s and the file has {len(new) / 1e6:.1f} MB. Every file was loaded, which checks its "
        "checksums, and compared byte for byte with both. Parts are what killed runs leave beside the file; the next "
        "run removes them."
    )
    columns = ["killed", "runs", "old file", "new file", "damaged", "parts left", "ended before the kill"]
    keep("kill", columns, rows, notes)
    if any(row[4] for row in rows):
        sys.exit("a file was damaged")


if __name__ == "__main__":
    main()
