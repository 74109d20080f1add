"""Compiled loops. Importing a module in here imports numba, so import it where it is called, not at the top."""
