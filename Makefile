# make play   sets everything up and opens the table        make test   sets everything up and passes all tests
# make check  format, lint, types and layers
# make site   the table without a server, in dist/site     make bench  positions and games per second
# make dist   a wheel in dist/, for pip install             make lowest the quick tests with the lowest allowed dependencies
# make audit  known vulnerabilities of what is installed; asks a database on the network

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Two more than there are cores: tests wait for browsers, servers and databases.
JOBS ?= $(shell $(PYTHON) -c 'import os; print(2 + (os.cpu_count() or 1))')
export PIP_DISABLE_PIP_VERSION_CHECK := 1
unexport PYTHONDONTWRITEBYTECODE  # else each of the hundreds of processes that the tests start compiles every source anew

.PHONY: play test test-postgresql test-plain check warm bench site dist lowest audit format types browser screenshots examples

play: $(VENV)/.play
	@$(BIN)/tablee serve

test: $(VENV)/.dev node_modules/.installed browser
	$(MAKE) -j2 check warm
	$(BIN)/pytest -n $(JOBS) --dist worksteal
	$(MAKE) -j2 test-postgresql test-plain

test-postgresql:
	TABLEE_ENGINE=postgresql $(BIN)/pytest -n $(JOBS) --dist worksteal -q tests/server -m "not one_engine"

test-plain:
	TABLEE_PLAIN=1 $(BIN)/pytest -n $(JOBS) -q src/tablee/games --ignore-glob='*/test_page*' --ignore-glob='*/test_art*' --ignore-glob='*/test_balance*'

check: $(VENV)/.dev node_modules/.installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/node node_modules/@biomejs/biome/bin/biome check --error-on-warnings
	$(BIN)/node node_modules/typescript/bin/tsc --project .
	$(BIN)/djlint --lint --quiet src tests
	$(BIN)/pytest -q tests/test_styles.py

warm: $(VENV)/.dev
	TABLEE_EXAMPLES=1 $(BIN)/python -m tablee.cli warm --research

bench: $(VENV)/.play
	$(BIN)/tablee bench

site: node_modules/.installed
	$(BIN)/tablee site dist/site

dist: $(VENV)/.play
	$(BIN)/python release/sbom.py
	$(BIN)/python release/wheel.py

lowest:
	$(PYTHON) bench/lowest_versions.py

audit: $(VENV)/.play
	@echo "Asking the public database of known vulnerabilities about every package in $(VENV). This needs the network."
	@test -x $(VENV)/audit/bin/pip-audit || { $(PYTHON) -m venv $(VENV)/audit && $(VENV)/audit/bin/pip install -q pip-audit; }
	@$(BIN)/pip freeze --exclude-editable >$(VENV)/audit/packages.txt
	@$(VENV)/audit/bin/pip-audit --strict --no-deps --disable-pip -r $(VENV)/audit/packages.txt || \
	  { echo "make audit: a vulnerability stands above, or the database cannot be reached from here and nothing was audited" >&2; exit 1; }

format: $(VENV)/.dev node_modules/.installed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/node node_modules/@biomejs/biome/bin/biome check --write

types: $(VENV)/.dev
	$(BIN)/python -m release.page_messages

screenshots: $(VENV)/.dev browser
	$(BIN)/python docs/screenshots.py

examples: $(VENV)/.dev
	$(BIN)/python docs/examples.py

# The build without windows starts in half the time; where only the other is there, that does too.
INSTALL := [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -q && apt-get install -y -q --no-install-recommends fonts-dejavu-core
browser:
	@command -v chromium-headless-shell >/dev/null || { $(INSTALL) chromium-headless-shell; } || \
	  command -v chromium >/dev/null || { $(INSTALL) chromium; } || \
	  { echo "the browser tests need Chromium: install Debian's package 'chromium' and run make test again" >&2; exit 1; }

$(VENV)/.play: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Tablée needs Python 3.11 or newer")'
	@echo "Setting up Tablée in $(VENV): pip fetches what it needs. The first time this takes about a minute."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install -q -e '.[serve]'
	@touch $@

$(VENV)/.dev: $(VENV)/.play
	@echo "Fetching what the tests need besides, a browser driver, PostgreSQL and Ray among it. This takes some minutes."
	@$(BIN)/pip install -q -e '.[serve,check,dev,research,cuda,postgres,cluster]'
	@touch $@

node_modules/.installed: package-lock.json $(VENV)/.dev
	@PATH="$(abspath $(BIN)):$$PATH" $(BIN)/npm ci
	@touch $@
