"""One thread and two give the same topics."""

import os
import subprocess
import sys

import numpy as np

SCRIPT = """
import sys, numpy as np
from conftest import planted_corpus
from cotopics import TOP, AnchorWords, TopicModel
from cotopics.linalg import gram
gram.MAX_SCIPY_PRODUCTS = 0  # compiled products
X, _, _ = planted_corpus(n_documents=300, n_words=1500, n_topics=6, length=80)
arrays = {}
thin = AnchorWords(6, rectifier="enn", representation="implicit")
models = {"ap": AnchorWords(6), "enn": thin, "top": TOP(min_documents=0.2, c1=0.1), "topic model": TopicModel(6)}
for name, model in models.items():
    model.fit(X)
    arrays |= {f"B {name}": model.components_, f"A {name}": model.topic_correlation_}
    arrays |= {f"S {name}": model.anchors_, f"W {name}": model.transform(X)}
np.savez(sys.argv[1], **arrays)
"""


def test_one_thread_and_two(tmp_path):
    results = []
    for name, threads in (("a", "1"), ("b", "2"), ("c", "2")):
        env = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(__file__))}
        env |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), threads)
        subprocess.run([sys.executable, "-c", SCRIPT, tmp_path / name], env=env, check=True)
        results.append(np.load(tmp_path / f"{name}.npz"))
    one, two, again = results
    for name, rounding in {"ap": 1e-10, "enn": 1e-10, "top": 1e-10, "topic model": 1e-8}.items():
        assert (one[f"S {name}"] == two[f"S {name}"]).all()
        for key in (f"B {name}", f"A {name}", f"W {name}"):
            assert np.abs(one[key] - two[key]).max() <= rounding
            assert (two[key] == again[key]).all()
