"""001's Table 2: what the corpora at hand are, beside the paper's.   python benchmarks/corpora_statistics.py"""

from __future__ import annotations

from common import keep
from printed.paper_001 import STATISTICS
from rectifiers import corpus

OURS = {"NIPS": "nips", "NYTimes": None, "Movies": "movielens", "Songs": "playlists"}


def main() -> None:
    rows = []
    for name, paper in STATISTICS.items():
        X = None if OURS[name] is None else corpus(OURS[name], 5000)
        ours = [None] * 3 if X is None else [X.shape[0], X.shape[1], round(float(X.sum(axis=1).mean()), 1)]
        rows.append([name, *paper, *ours])
    columns = ["corpus", "paper's M", "paper's N", "paper's mean length", "M", "N", "mean length"]
    keep(
        "corpora_statistics",
        columns,
        rows,
        "M documents of N words; NYTimes is not at hand, MovieLens is that of 100K.",
    )


if __name__ == "__main__":
    main()
