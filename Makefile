# `make demo`, `make test` and `make docs` do all the set-up they need, in .venv and nowhere else: but `make test` installs Debian's
# chromium, for the tests of the report's page, where there is no browser and it may. `make test BROWSER=no` does not.
# On Windows: in Git's bash, with any GNU make.
ifeq ($(OS),Windows_NT)
PYTHON ?= python
export PYTHONUTF8 := 1
SCRIPTS := Scripts
else
PYTHON ?= python3
SCRIPTS := bin
endif
BROWSER ?= install
BIN := .venv/$(SCRIPTS)
OLDEST := .venv-oldest/$(SCRIPTS)
EMPTY := .venv-wheel/$(SCRIPTS)
PIP := -m pip --disable-pip-version-check --quiet
PYTEST := -m pytest --numprocesses=2 --dist=worksteal

.PHONY: demo test test-oldest docs wheel browser battery bench-quick format clean

demo: .venv/installed
	$(BIN)/cotopics demo

test: .venv/installed-test browser
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python $(PYTEST)

# The tests with the oldest versions that pyproject.toml allows, in an environment of their own.
test-oldest: .venv-oldest/installed browser
	$(OLDEST)/python $(PYTEST)

# The site, from this repository alone: site/index.html opens without a server or a network. A warning is an error.
docs: .venv/installed-docs
	$(BIN)/python -m sphinx -q -W --keep-going -c docs/site -d build/doctrees -b html . site
	@echo "The site is at site/index.html"

# What would be released: built into dist/, checked, and tried in an environment that holds the wheel and what it needs.
wheel:
	rm -rf dist .venv-wheel
	$(PYTHON) -m venv .venv-wheel
	$(EMPTY)/python $(PIP) install build twine
	$(EMPTY)/python -m build --outdir dist .
	$(EMPTY)/python -m twine check --strict dist/*
	rm -rf .venv-wheel
	$(PYTHON) -m venv .venv-wheel
	$(EMPTY)/python $(PIP) install dist/*.whl
	cd dist && ../$(EMPTY)/cotopics demo
	@echo "Ready: dist/*.whl and dist/*.tar.gz"

# Never fails: without a browser some tests are skipped, and say so. What is downloaded late is not installed.
APT := apt-get -qq -y -o Acquire::Retries=0 -o Acquire::http::Timeout=15 -o DPkg::Lock::Timeout=15
browser:
	@for name in $$COTOPICS_BROWSER chromium chromium-browser google-chrome google-chrome-stable; do \
		if command -v "$$name" >/dev/null 2>&1; then exit 0; fi; \
	done; \
	as_root=; test "$$(id -u)" = 0 || as_root="sudo -n"; \
	if test "$(BROWSER)" = install && command -v apt-get >/dev/null 2>&1 && $$as_root true 2>/dev/null; then \
		echo "Installing chromium for the tests of the report's page (once; a few minutes at most) ..."; \
		limited="$$as_root timeout -k 10 180 env DEBIAN_FRONTEND=noninteractive"; \
		if { $$limited $(APT) update; $$limited $(APT) install --no-install-recommends --download-only chromium \
			&& $$limited $(APT) install --no-install-recommends chromium; } >/dev/null 2>&1; then exit 0; fi; \
	fi; \
	echo "No chromium here, so the tests in a browser are skipped (Debian: apt-get install chromium; or set COTOPICS_BROWSER)."

format: .venv/installed-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Bad inputs, damaged files, kills and hostile texts by the thousand: about 30 minutes; exits 1 where something failed.
battery: .venv/installed-test browser
	$(BIN)/python -m battery $(ARGUMENTS)

# Ratios of seconds against those kept in benchmarks/results/quick.json; exits 1 where something is slower.
bench-quick: .venv/installed
	$(BIN)/python benchmarks/quick.py

.venv/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "cotopics needs Python 3.11 or newer: try  make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/installed: .venv/pyvenv.cfg pyproject.toml
	@echo "Installing cotopics into .venv (once) ..."
	$(BIN)/python $(PIP) install --editable .
	@touch $@

.venv/installed-test: .venv/installed pyproject.toml
	@echo "Installing what the tests need into .venv (once) ..."
	$(BIN)/python $(PIP) install --editable ".[test]"
	@touch $@

.venv/installed-docs: .venv/installed pyproject.toml
	@echo "Installing what the site is built with into .venv (once) ..."
	$(BIN)/python $(PIP) install --editable ".[docs]"
	@touch $@

.venv-oldest/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' \
		|| { echo "The oldest versions are for Python 3.11: try  make test-oldest PYTHON=python3.11"; exit 1; }
	$(PYTHON) -m venv .venv-oldest

# Matplotlib as old as that makes newer pyparsings warn; nobody but tests sees it.
.venv-oldest/installed: .venv-oldest/pyvenv.cfg pyproject.toml tests/oldest.py
	@echo "Installing the oldest versions that cotopics works with into .venv-oldest (once) ..."
	$(OLDEST)/python tests/oldest.py > .venv-oldest/oldest.txt
	$(OLDEST)/python $(PIP) install --editable ".[test]" --constraint .venv-oldest/oldest.txt "pyparsing<3.3"
	@touch $@

clean:
	rm -rf .venv .venv-oldest .venv-wheel .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build site docs/reference
