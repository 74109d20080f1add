"""The battery's command line."""

from __future__ import annotations

import argparse
import os
import sys

for _limit in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[_limit] = "1"  # before numpy: processes share the cores, and a fork must find no threads


def main(arguments: list[str] | None = None) -> int:
    from battery import harness, page
    from battery.suites import SUITES
    from battery.warm import warm

    parser = argparse.ArgumentParser(prog="python -m battery", description="Tries bad inputs, damaged files and kills.")
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"all by default: {', '.join(SUITES)}")
    parser.add_argument("--seed", type=int, default=0, help="of all random numbers (0)")
    parser.add_argument("--count", type=int, help="inputs of each suite, whatever its own number is")
    parser.add_argument("--scale", type=float, default=1.0, help="times as many inputs as usual (1)")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="try the one input of this number again")
    parser.add_argument("--processes", type=int, default=2, help="at a time (2)")
    parser.add_argument("--write", action="store_true", help="write docs/battery.md from what is found")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.suites if name not in SUITES]
    if unknown:
        parser.error(f"there is no suite {unknown[0]!r}; choose from {', '.join(SUITES)}")
    if options.write and (options.suites or options.only is not None):
        parser.error("--write is for all suites: the page says what was found in each")
    if options.only is not None and len(options.suites) != 1:
        parser.error("--only is for one suite: name it")

    warm()
    results = []
    for name in options.suites or SUITES:
        suite = SUITES[name]
        count = max(1, round(suite.count * options.scale)) if options.count is None else options.count
        numbers = range(count) if options.only is None else [options.only]
        print(f"{name} ...", file=sys.stderr, flush=True)
        results.append(harness.run(name, suite, options.seed, numbers, options.processes))
    harness.show(results, options.seed)
    if options.write:
        page.write(results, options.seed)
    return 1 if any(result.failed for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
