"""The same bits, wherever arrays lie in memory, with any number of threads, and whatever the code was compiled for."""

import ast
import json
import os
import subprocess
import sys
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import llvmlite.binding as llvm
import numpy as np
import pytest

import cotopics
from cotopics.linalg import gram, threads
from cotopics.linalg.kernels import cache
from cotopics.linalg.kernels.compiled import allocating_kernel
from same_bits.estimators import ESTIMATORS, digest, run
from same_bits.work import KERNELS, N_TOPICS

WORK = Path(__file__).with_name("work.py")
TARGETS = {  # names that compilers know, and what a processor must have to run their code
    "generic": (),
    "haswell": ("avx2", "fma", "bmi2"),
    "znver3": ("avx2", "fma", "bmi2", "vaes", "clzero"),
    "skylake-avx512": ("avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd"),
}


@allocating_kernel
def memory(n):
    """As a kernel allocates it: numpy and Python keep small pieces for themselves."""
    return np.empty(n)


def shaken(rng, kept):
    """Keep and drop memory of random sizes, so that whatever a kernel allocates next lies somewhere else."""
    for size in rng.integers(1, 70, size=300):
        kept.append(memory(size))
    for _ in range(250):
        kept.rotate(int(rng.integers(len(kept))))
        kept.pop()


def assert_same_bits(work, k, repeats):
    """In shaken memory, where pieces lie far apart, and in that of new threads, where they lie side by side."""
    rng, kept = np.random.default_rng(k), deque()
    found = [digest(run(work, k))]
    for _ in range(repeats):
        shaken(rng, kept)
        found.append(digest(run(work, k)))
        with ThreadPoolExecutor(1) as pool:  # one at a time: a limit to BLAS' threads is one for all that run at once
            found.append(pool.submit(lambda: digest(run(work, k))).result())
    assert len(set(found)) == 1


@pytest.mark.parametrize("k", N_TOPICS)
@pytest.mark.parametrize("names", KERNELS, ids=", ".join)
def test_kernels_wherever_memory_lies(names, k):
    assert_same_bits(KERNELS[names], k, repeats=6)


@pytest.mark.parametrize("k", N_TOPICS)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_estimators_wherever_memory_lies(name, k, monkeypatch):
    monkeypatch.setattr(gram, "MAX_SCIPY_PRODUCTS", 0)  # compiled products, as large corpora have them
    assert_same_bits(ESTIMATORS[name], k, repeats=2)


def test_every_kernel_is_tried():
    """Whatever the library imports from the sources of kernels stands in the table."""
    used, root = set(), Path(cotopics.__file__).parent
    kernels = {".".join(["cotopics", *path.relative_to(root).with_suffix("").parts]) for path in cache.kernel_sources()}
    for path in set(root.rglob("*.py")) - set(cache.kernel_sources()):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module in kernels:
                room = import_module(node.module)
                used |= {alias.name for alias in node.names if hasattr(getattr(room, alias.name), "py_func")}
    assert used == {name for names in KERNELS for name in names}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_number_of_threads(name, monkeypatch):
    """The same bits for a number of threads, whatever memory does; the same up to rounding across numbers."""
    monkeypatch.setattr(gram, "MAX_SCIPY_PRODUCTS", 0)
    found = {}
    for n in (1, 2, 3, 8):
        for module in (threads, gram):
            monkeypatch.setattr(module, "n_threads", lambda n=n: n)
        assert_same_bits(ESTIMATORS[name], 5, repeats=1)
        found[n] = run(ESTIMATORS[name], 5)
    rounding = 1e-8 if name == "topic model" else 1e-10
    for n in (2, 3, 8):
        assert_close(found[n], found[1], rounding)


def assert_close(found, expected, rounding):
    """The same anchors and words, and numbers that differ by rounding."""
    for a, b in zip(found, expected, strict=True):
        if a.dtype.kind == "f":
            assert np.abs(a - b).max(initial=0) <= rounding
        else:
            assert (a == b).all()


def digests(table, topics, **environment):
    """What `work.py` finds in a process of its own."""
    command = [sys.executable, WORK, table, *map(str, topics)]
    done = subprocess.run(command, env={**os.environ, **environment}, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("table", "topics"), [("kernels", N_TOPICS), ("estimators", (5, 8))])
def test_whatever_the_code_was_compiled_for(target, table, topics):
    """Not only close: no operation of a kernel is rounded in another way by another target."""
    missing = [feature for feature in TARGETS[target] if not llvm.get_host_cpu_features().get(feature)]
    if missing:
        pytest.skip(f"this processor cannot run code for {target}: it has no {', '.join(missing)}")
    works = KERNELS if table == "kernels" else ESTIMATORS
    expected = {f"{name} {k}": digest(run(work, k)) for name, work in works.items() for k in topics}
    assert digests(table, topics, NUMBA_CPU_NAME=target, NUMBA_CPU_FEATURES="") == expected


@pytest.mark.parametrize(("core", "needs"), [("Nehalem", "sse4.2"), ("Haswell", "avx2"), ("SkylakeX", "avx512bw")])
def test_another_processor(core, needs, tmp_path):
    """BLAS as another processor has it, where it is OpenBLAS: the same anchors and words, numbers up to rounding."""
    if not llvm.get_host_cpu_features().get(needs):
        pytest.skip(f"this processor cannot do the work of a {core}: it has no {needs}")
    file = tmp_path / "arrays.npz"
    digests("estimators", (3, 12, file), OPENBLAS_CORETYPE=core)
    with np.load(file) as found:
        for name, work in ESTIMATORS.items():
            for k in (3, 12):
                expected = run(work, k)
                assert_close([found[f"{name} {k}/{i}"] for i in range(len(expected))], expected, 1e-6)


@pytest.mark.parametrize("n_threads", ["1", "2"])
def test_fresh_processes(n_threads):
    """Addresses, hashes and the start of every library are other ones in each."""
    limits = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), n_threads)
    found = [digests("estimators", (6,), **limits) for _ in range(10)]
    assert all(other == found[0] for other in found)
