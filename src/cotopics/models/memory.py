"""How much memory a fit will take, and how much there is."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

from cotopics.cooccur import Cooccurrence

FULL_MATRIX_LIMIT = 4 << 30  # bytes of a full words × words matrix that nobody asked for by name
RESULT_COPIES = 8  # arrays of words × topics at the end: the factor, its product with anchors, memberships, topics, ...


def expected_bytes(C: Cooccurrence, rectifier: Any, n_topics: int) -> int:
    """Bytes that a fit holds at its fullest: the co-occurrence, what the rectifier works on, and the topics."""
    n_words = C.shape[0]
    work = rectifier.memory(n_words, n_topics) if hasattr(rectifier, "memory") else 0
    return C.nbytes + max(work, RESULT_COPIES * 8 * n_words * n_topics)


def largest_full_matrix() -> int:
    """Bytes that a full matrix may take unasked: 4 GiB, or half of what is free where that is less."""
    return min(FULL_MATRIX_LIMIT, available_bytes() // 2)


def available_bytes() -> int:
    """Memory that this process can still get, as far as the system says; a very large number where it does not."""
    free = [math.inf]
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        free += [int(line.split()[1]) << 10 for line in meminfo.read_text().splitlines() if "MemAvailable" in line]
    cgroup = Path("/sys/fs/cgroup")  # a container's share of the machine
    try:
        most = (cgroup / "memory.max").read_text().strip()
        if most != "max":
            free.append(max(int(most) - int((cgroup / "memory.current").read_text()), 0))
    except OSError:
        pass  # not in one
    try:
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit != resource.RLIM_INFINITY:
            used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
            free.append(max(limit - used, 0))
    except (ImportError, OSError):
        pass  # not every system has limits to read
    least = min(free)
    return 1 << 62 if least == math.inf else int(least)
