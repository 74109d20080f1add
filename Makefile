# `make demo` and `make test` do all the set-up they need, in .venv and nowhere else: but `make test` installs Debian's
# chromium, for the tests of the report's page, where there is no browser and it may. `make test BROWSER=no` does not.
PYTHON ?= python3
BROWSER ?= install
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test browser battery bench-quick format clean

demo: .venv/installed
	$(BIN)/cotopics demo

test: .venv/installed-test browser
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest --numprocesses=2 --dist=worksteal

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
