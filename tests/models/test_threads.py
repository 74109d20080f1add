"""One thread and two give the same topics."""

import os
import subprocess
import sys

import numpy as np

SCRIPT = """
import sys, numpy as np
from conftest import planted_corpus
from cotopics import AnchorWords
X, _, _ = planted_corpus(n_documents=300, n_words=1500, n_topics=6, length=80)
model = AnchorWords(6).fit(X)
np.savez(sys.argv[1], B=model.components_, A=model.topic_correlation_, S=model.anchors_, W=model.transform(X))
"""


def test_one_thread_and_two(tmp_path):
    results = []
    for name, threads in (("a", "1"), ("b", "2"), ("c", "2")):
        env = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(__file__))}
        env |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), threads)
        subprocess.run([sys.executable, "-c", SCRIPT, tmp_path / name], env=env, check=True)
        results.append(np.load(tmp_path / f"{name}.npz"))
    one, two, again = results
    assert (one["S"] == two["S"]).all()
    for key in ("B", "A", "W"):
        assert np.abs(one[key] - two[key]).max() <= 1e-10
        assert (two[key] == again[key]).all()
