"""Processor seconds of the fits that README.md shows, at their defaults: this version beside another one.

    git worktree add ../before cb96227^ && python benchmarks/readme_fits.py ../before/src

cb96227 is the commit that made rectification go as far as the authors' 150 steps. Both versions are given the same
counts: those of the demo's texts, 2,000 words, and of make_corpus(800, 300, 8) for TOP.
"""

import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import scipy.sparse as sp

from common import keep
from jobs import ONE_THREAD

FITS = ("TopicModel(12)", "AnchorWords(12)", "AnchorWords(12, rectifier='enn')", "AnchorFree(12)", "TOP()")
REPEATS = 3


def measured(folder: str) -> None:
    """Print the least of the seconds of every fit, by the cotopics that is imported here."""
    warnings.simplefilter("ignore")
    from cotopics import TOP, AnchorFree, AnchorWords, TopicModel

    made = {
        "TopicModel(12)": lambda: TopicModel(12),
        "AnchorWords(12)": lambda: AnchorWords(12),
        "AnchorWords(12, rectifier='enn')": lambda: AnchorWords(12, rectifier="enn"),
        "AnchorFree(12)": lambda: AnchorFree(12),
        "TOP()": lambda: TOP(),
    }
    for name in FITS:
        X = sp.load_npz(Path(folder, "planted.npz" if name == "TOP()" else "demo.npz"))
        spent = []
        for _ in range(1 + REPEATS):  # the first compiles
            model = made[name]()
            started = time.process_time()
            model.fit(X)
            spent.append(time.process_time() - started)
        print(min(spent[1:]))


def main(before: str) -> None:
    from cotopics import datasets
    from cotopics.corpus import count_words

    here = Path(datasets.__file__).parents[2]
    with tempfile.TemporaryDirectory() as folder:
        texts, _ = datasets.load_demo()
        sp.save_npz(Path(folder, "demo.npz"), sp.csr_array(count_words(texts, vocabulary_size=2000).counts))
        X, *_ = datasets.make_corpus(800, 300, 8, length=300, anchors_per_topic=3, random_state=0)
        sp.save_npz(Path(folder, "planted.npz"), X)
        found = []
        for source in (before, here):
            command = [sys.executable, __file__, "--measure", folder]
            environment = {"PYTHONPATH": str(Path(source).resolve()), **ONE_THREAD}
            run = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
            found.append([float(line) for line in run.stdout.split()])
    rows = [[name, old, new, new / old] for name, old, new in zip(FITS, *found, strict=True)]
    notes = f"The least of {REPEATS} fits, processor seconds of one thread, counts given; before: cb96227^."
    keep("readme_fits", ["fit", "before", "now", "times"], rows, notes)


if __name__ == "__main__":
    measured(sys.argv[2]) if sys.argv[1] == "--measure" else main(sys.argv[1])
