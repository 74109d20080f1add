"""What every estimator said before a change of the source, to be held against what it says after it.

    python tests/golden/make.py                   write expected.jsonl anew: only where an answer is meant to change
    python tests/golden/make.py --bits OTHER/src  run this source tree and another one on this machine and compare bits

`expected.jsonl` has a line for each case: anchors, words and other plain values, which are the same on every processor,
and some of the numbers, which are so to 1e-6 (docs/same-answer.md). Bits are the same on one machine only: `--bits`
compares all numbers and the bytes of saved files, for a refactoring that must change none. It exits 1 where some do.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))  # where this is run as a script

from golden.cases import NAMES, found

SRC = Path(__file__).parents[2] / "src"
EXPECTED = Path(__file__).with_name("expected.jsonl")
SHOWN = 6  # numbers of an array
DIGITS = 9


def few(array):
    """Some numbers of an array, from its first to its last, after a mean to which all of them contribute."""
    values = np.asarray(array, dtype=float).ravel()
    mean = np.cos(np.arange(values.size)) @ values / values.size
    places = np.linspace(0, values.size - 1, SHOWN).round().astype(int)
    return [round(float(value), DIGITS) for value in (mean, *values[places])]


def record(name, one):
    numbers = {of: [list(array.shape), *few(array)] for of, array in one.arrays.items()}
    return {"case": name, **one.facts, "numbers": numbers}


def bits(one):
    """A digest of all numbers and of the saved file."""
    content = hashlib.sha256(one.file)
    for name, array in sorted(one.arrays.items()):
        content.update(name.encode() + str(array.dtype).encode() + np.ascontiguousarray(array).tobytes())
    return content.hexdigest()[:16]


def write():
    lines, digests = [], []
    for name in NAMES:
        one = found(name)
        lines.append(json.dumps(record(name, one), ensure_ascii=False) + "\n")
        digests.append(bits(one))
        print(digests[-1], name)
    EXPECTED.write_text("".join(lines), encoding="utf-8")
    print(
        f"{len(lines)} cases; bits of all on this machine: {hashlib.sha256(''.join(digests).encode()).hexdigest()[:16]}"
    )


def keep(file):
    """All arrays, facts and files of all cases, in one npz file."""
    kept = {}
    for name in NAMES:
        one = found(name)
        kept |= {f"{name} / {of}": array for of, array in one.arrays.items()}
        kept[f"{name} / facts"] = np.array(json.dumps(one.facts))
        kept[f"{name} / saved file"] = np.frombuffer(one.file, dtype=np.uint8)
    np.savez(file, **kept)


def of_tree(src, file):
    """What the source tree `src` finds, in a process of its own: {case and array: array}."""
    if not (src / "cotopics" / "__init__.py").exists():
        raise SystemExit(f"{src} has no folder cotopics; give the src folder of another checkout")
    environment = {**os.environ, "PYTHONPATH": str(src)}
    imported = [sys.executable, "-c", "import cotopics; print(cotopics.__file__)"]
    path = subprocess.run(imported, env=environment, check=True, capture_output=True, text=True).stdout.strip()
    if not Path(path).is_relative_to(src):
        raise SystemExit(
            f"this Python imports cotopics from {path}, not from {src}; use one in which PYTHONPATH counts"
        )
    subprocess.run([sys.executable, __file__, "--keep", file], env=environment, check=True)
    with np.load(file) as kept:
        return dict(kept)


def differences(one, other):
    """What differs between two trees: a line for each array that only one has, or that has other bits."""
    lines = [f"{name}: only in {'one' if name in one else 'the other'}" for name in sorted(one.keys() ^ other.keys())]
    for name in [name for name in one if name in other]:
        a, b = one[name], other[name]
        if a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes():
            continue
        if a.dtype.kind == b.dtype.kind == "f" and a.shape == b.shape:
            lines.append(f"{name}: numbers differ by up to {np.abs(a - b).max(initial=0):.1e}")
        elif name.endswith("/ facts"):
            a, b = json.loads(str(a)), json.loads(str(b))
            lines += [f"{name}, {of}: {a.get(of)} | {b.get(of)}" for of in a | b if a.get(of) != b.get(of)]
        else:
            lines.append(f"{name}: {a.shape} {a.dtype} | {b.shape} {b.dtype}, other content")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bits", type=Path, metavar="SRC")
    parser.add_argument("--keep", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.keep:
        keep(options.keep)
    elif options.bits:
        with tempfile.TemporaryDirectory() as folder:
            here = of_tree(SRC, Path(folder, "one.npz"))
            lines = differences(here, of_tree(options.bits.resolve(), Path(folder, "other.npz")))
        print("\n".join(lines) or f"the same bits in {len(NAMES)} cases")
        sys.exit(bool(lines))
    else:
        write()


if __name__ == "__main__":
    main()
