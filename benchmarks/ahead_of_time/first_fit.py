"""Seconds of the first and of a later fit of a process, with the cache of compiled code empty and full.

NUMBA_CACHE_DIR=EMPTY_FOLDER python benchmarks/ahead_of_time/first_fit.py   (twice)
"""

import time

start = time.perf_counter()
from cotopics import TopicModel, datasets  # noqa: E402

X = datasets.make_corpus(800, 300, 8, length=100, anchors_per_topic=3, random_state=0)[0]
read = time.perf_counter()
for name in ("first", "second"):
    begin = time.perf_counter()
    TopicModel(8).fit(X).transform(X)
    print(f"{name} fit and transform: {time.perf_counter() - begin:.2f} s")
print(f"imports and data before: {read - start:.2f} s")
