"""Two kernels by numba and by C++ with nanobind, side by side in one process: seconds, and whether the bits are equal.

    pip install nanobind cython
    python benchmarks/ahead_of_time/measure.py

Builds the C++ with the compiler that is there (g++), once for any x86-64, once for this processor, and once with one
function for each of three instruction sets; and the second kernel in Cython and in Rust (rustc), both for this
processor. Prints tables in Markdown.
"""

import ctypes
import importlib.util
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

import nanobind
import numpy as np

HERE = Path(__file__).parent
COMMON = ["-std=c++17", "-O3", "-ffp-contract=off", "-fno-math-errno", "-fPIC", "-shared", "-fvisibility=hidden"]
BUILDS = {"any x86-64": [], "this processor": ["-march=native"], "three in one": ["-DCLONES"]}
REPEATS = 7


def build(folder, name, flags):
    """The compiled module, the seconds that it took, and its size."""
    source = Path(nanobind.source_dir())
    include = ["-I", nanobind.include_dir(), "-I", sysconfig.get_paths()["include"]]
    include += ["-I", str(source.parent / "ext" / "robin_map" / "include")]
    target = folder / f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
    start = time.perf_counter()
    files = [str(HERE / "kernels.cpp"), str(source / "nb_combined.cpp")]
    command = ["g++", *COMMON, *flags, f"-DNAME={name}", "-DNDEBUG", *include, *files, "-o", str(target), "-s"]
    subprocess.run(command, check=True)
    seconds = time.perf_counter() - start
    spec = importlib.util.spec_from_file_location(name, target)
    module = importlib.util.module_from_spec(spec)
    start = time.perf_counter()
    spec.loader.exec_module(module)
    return module, seconds, os.path.getsize(target), time.perf_counter() - start


def build_cython(folder):
    """`document_pass` in Cython, and the seconds that it took."""
    start = time.perf_counter()
    made, target = folder / "document_pass.c", folder / f"document_pass{sysconfig.get_config_var('EXT_SUFFIX')}"
    subprocess.run([sys.executable, "-m", "cython", "-3", HERE / "document_pass.pyx", "-o", made], check=True)
    flags = [flag for flag in COMMON if "std" not in flag]
    include = sysconfig.get_paths()["include"]
    subprocess.run(["gcc", *flags, "-march=native", "-I", include, made, "-o", target, "-s"], check=True)
    seconds = time.perf_counter() - start
    spec = importlib.util.spec_from_file_location("document_pass", target)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.document_pass, seconds, os.path.getsize(target)


def build_rust(folder):
    """The same in Rust, called through ctypes."""
    start = time.perf_counter()
    target = folder / "document_pass.so"
    flags = ["-O", "-C", "opt-level=3", "-C", "target-cpu=native", "-C", "strip=symbols", "--crate-type", "cdylib"]
    subprocess.run(["rustc", *flags, HERE / "document_pass.rs", "-o", target], check=True)
    seconds = time.perf_counter() - start
    function = ctypes.CDLL(str(target)).document_pass
    pointers, whole, real = [ctypes.c_void_p] * 5, [ctypes.c_int64] * 3, ctypes.c_double
    function.argtypes = [*pointers, *whole, real, ctypes.c_void_p, ctypes.c_void_p]
    function.restype = None

    def call(indptr, indices, data, B, W, kappa, a, smoothing, first, last, relax, with_likelihood, ratios):
        arrays = [array.ctypes.data for array in (indptr, indices, data, B, W)]
        function(*arrays, *B.shape, len(W), kappa, a.ctypes.data, ratios.ctypes.data)

    return call, seconds, os.path.getsize(target)


def simplex_problem(n_topics, n_words=4000, seed=0):
    """As recovery has it: every word a mixture of the anchors, with noise."""
    rng = np.random.default_rng(seed)
    A = rng.dirichlet(np.full(600, 0.1), size=n_topics)
    rows = rng.dirichlet(np.full(n_topics, 0.2), size=n_words) @ A + 0.0005 * rng.random((n_words, 600))
    G, F = A @ A.T, rows @ A.T
    scale = np.abs(G).max()
    guess = np.maximum(np.linalg.solve(G + 1e-9 * scale * np.eye(n_topics), F.T).T, 0)
    return np.ascontiguousarray(G / scale), np.ascontiguousarray(F / scale), np.ascontiguousarray(guess)


def documents_problem(n_topics, n_documents=3000, n_words=8000, length=90, seed=0):
    rng = np.random.default_rng(seed)
    indices = np.sort(rng.zipf(1.3, size=(n_documents, length)) % n_words, axis=1).astype(np.int32).ravel()
    indptr = np.arange(0, n_documents * length + 1, length, dtype=np.int32)
    data = rng.integers(1, 4, len(indices)).astype(np.float32)
    B = rng.dirichlet(np.full(n_topics, 0.3), size=n_words).astype(np.float32)
    W = rng.dirichlet(np.full(n_topics, 0.3), size=n_documents).astype(np.float32)
    a = rng.dirichlet(np.ones(n_words)) / 2
    return indptr, indices, data, B, W, a


def run_simplex(function, problem):
    G, F, guess = problem
    Y, gap, steps = np.empty_like(F), np.empty(len(F)), np.empty(len(F), dtype=np.int64)
    start = time.perf_counter()
    function(G, F, guess, 1e-10, 0, len(F), Y, gap, steps)
    return time.perf_counter() - start, (Y, gap, steps)


def run_documents(function, problem):
    indptr, indices, data, B, W, a = problem
    W, ratios = W.copy(), np.empty(len(indices), dtype=np.float32)
    start = time.perf_counter()
    function(indptr, indices, data, B, W, 0.5, a, 0.0, 0, len(W), True, False, ratios)
    return time.perf_counter() - start, (W, ratios)


def main():
    start = time.perf_counter()
    from cotopics.linalg.kernels.simplex import active_set
    from cotopics.refine.kernels import document_pass

    imported = time.perf_counter() - start
    cases = [("active_set", run_simplex, active_set, simplex_problem, K) for K in (20, 100)]
    cases += [("document_pass", run_documents, document_pass, documents_problem, K) for K in (20, 100)]
    first = {}
    for name, run, function, make, K in cases[::2]:
        start = time.perf_counter()
        run(function, make(K))
        first[name] = time.perf_counter() - start
    print(f"import with numba {imported:.1f} s; first calls {', '.join(f'{n} {s:.1f} s' for n, s in first.items())}")
    print("(compiled now if the cache was empty: set NUMBA_CACHE_DIR and COTOPICS' cache folder aside to see it)\n")
    with tempfile.TemporaryDirectory() as folder:
        built = {label: build(Path(folder), f"aot_{i}", flags) for i, (label, flags) in enumerate(BUILDS.items())}
        for label, (_, seconds, size, load) in built.items():
            print(f"{label}: built in {seconds:.0f} s, {size / 1024:.0f} KB, imported in {1000 * load:.1f} ms")
        print("\n| kernel | topics | numba, ms | " + " | ".join(f"C++, {label}" for label in BUILDS) + " | same bits |")
        print("|---|---|---|" + "---|" * len(BUILDS) + "---|")
        for name, run, ours, make, K in cases:
            problem = make(K)
            functions = [ours, *(getattr(module, name) for module, *_ in built.values())]
            times = np.array([[run(function, problem)[0] for function in functions] for _ in range(REPEATS)])
            best = times.min(axis=0) * 1000
            results = [run(function, problem)[1] for function in functions]
            same = [all(np.array_equal(x, y) for x, y in zip(results[0], other, strict=True)) for other in results[1:]]
            cells = " | ".join(f"{ms:.1f} (×{best[0] / ms:.2f})" for ms in best[1:])
            print(f"| `{name}` | {K} | {best[0]:.1f} | {cells} | {', '.join('yes' if s else 'no' for s in same)} |")
            print(f"<!-- largest difference {max(_difference(results[0], other) for other in results[1:]):.1e} -->")
        others(Path(folder), document_pass)
    print(f"\nPython {sys.version.split()[0]}, numpy {np.__version__}, nanobind {nanobind.__version__}")


def others(folder, ours):
    """The second kernel in Cython and Rust."""
    built = {"Cython": build_cython(folder), "Rust": build_rust(folder)}
    print()
    for label, (_, seconds, size) in built.items():
        print(f"{label}: built in {seconds:.0f} s, {size / 1024:.0f} KB")
    print("\n| `document_pass` | numba, ms | Cython | Rust | same bits |\n|---|---|---|---|---|")
    for K in (20, 100):
        problem = documents_problem(K)
        functions = [ours, *(function for function, *_ in built.values())]
        best = np.min([[run_documents(f, problem)[0] for f in functions] for _ in range(REPEATS)], axis=0) * 1000
        results = [run_documents(function, problem)[1] for function in functions]
        same = [all(map(np.array_equal, results[0], other)) for other in results[1:]]
        cells = " | ".join(f"{ms:.1f} (×{best[0] / ms:.2f})" for ms in best[1:])
        print(f"| {K} topics | {best[0]:.1f} | {cells} | {', '.join('yes' if s else 'no' for s in same)} |")


def _difference(ours, others):
    return max(float(np.abs(x.astype(float) - y.astype(float)).max()) for x, y in zip(ours, others, strict=True))


if __name__ == "__main__":
    main()
