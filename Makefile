# `make demo` and `make test` do all the set-up they need, in .venv and nowhere else.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test format bench-quick clean

demo: .venv/installed
	$(BIN)/cotopics demo

test: .venv/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest --numprocesses=2 --dist=worksteal

format: .venv/installed-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Ratios of seconds against those kept in benchmarks/results/quick.json; exits 1 where something is slower.
bench-quick: .venv/installed
	$(BIN)/python benchmarks/quick.py

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "cotopics needs Python 3.11 or newer: try  make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python pyproject.toml
	@echo "Installing cotopics into .venv (once) ..."
	$(PIP) install --editable .
	@touch $@

.venv/installed-test: .venv/installed pyproject.toml
	@echo "Installing what the tests need into .venv (once) ..."
	$(PIP) install --editable ".[test]"
	@touch $@

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build
