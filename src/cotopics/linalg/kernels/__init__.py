"""Compiled loops that know nothing of topics; those of one room alone are in its `kernels.py`.

Importing any of them imports numba, so import them where they are called, not at the top.
"""
