"""Faults tried from outside, thousands at a time: `make battery`, or `python -m battery`; docs/battery.md has results.

One file a suite in `suites/`, whose `__init__.py` has the only list of them. A suite says what one input is: a function
of a random generator that raises `Fault` where a promise is broken. The harness draws inputs, runs them in processes
that may crash or hang, and counts. Every input is known by the suite, the seed and its number, and can be tried again.
"""
