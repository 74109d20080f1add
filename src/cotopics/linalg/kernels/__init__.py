"""Compiled loops that know nothing of topics. Loops for one room only are in the `kernels.py` of that room.

Importing one of these modules imports numba: do so where a loop is called, not at the top of a file.
"""
