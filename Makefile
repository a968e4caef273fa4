# Every target sets up what it needs, in .venv, and does so again when pyproject.toml changes.

# The first Python 3.11 or newer that runs: a pyenv shim may be there and fail.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
  $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
    && command -v $$python && break; done)
READY := .venv/.ready
TOOLS := tests/tools/node_modules/.ready
BIN := .venv/bin

# Without compiled tests every worker compiles them again, and so does every command they start.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo test test-slow test-browser test-tools test-all lint format docs site release bench clean

help:
	@echo 'make demo          see a whole debate, without a model or a network'
	@echo 'make test          run the tests'
	@echo 'make test-slow     run the long sweeps and whole installations'
	@echo 'make test-browser  look at report.html in Chromium (which has to be installed)'
	@echo 'make test-tools    read the exports with the parsers of other tools (needs npm, graphviz)'
	@echo 'make test-all      run them all'
	@echo 'make lint          check style and types'
	@echo 'make format        put the code into its usual form'
	@echo 'make docs          write docs/commands.md from the program, and what clients are asked to allow'
	@echo 'make site          write the documentation as a site into build/site'
	@echo 'make release       build what a registry takes into dist, and check it; nothing is uploaded'
	@echo 'make bench         measure'
	@echo 'make clean         remove what was made here'

demo: $(READY)
	@$(BIN)/python -m debate_ops demo

test: $(READY)
	$(BIN)/pytest -n auto --dist loadfile --ignore tests/browser --ignore tests/tools

test-slow: $(READY)
	$(BIN)/pytest -n auto --dist worksteal -m slow

test-browser: $(READY)
	$(BIN)/pytest -n auto --dist loadgroup -m browser tests/browser

test-tools: $(READY) $(TOOLS)
	$(BIN)/pytest -n auto --dist loadscope -m tools tests/tools

test-all: $(READY) $(TOOLS)
	$(BIN)/pytest -n auto -m 'slow or not slow'

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo --no-cache
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: $(READY)
	$(BIN)/python -m tests.reference

# What zensical leaves unchecked of links, tests/test_docs.py checks.
site: $(READY)
	$(BIN)/zensical build --clean --strict

release: $(READY)
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/twine check --strict dist/*
	@echo 'Checked. Publishing is one command more: $(BIN)/twine upload dist/*'

bench: $(READY)
	$(BIN)/python -m benchmarks

$(TOOLS): tests/tools/package.json tests/tools/package-lock.json
	@for program in node npm dot; do command -v $$program >/dev/null 2>&1 || { \
	  echo "$$program was not found. On Debian and Ubuntu this brings it:" >&2; \
	  echo '  sudo apt-get install -y nodejs npm graphviz' >&2; exit 1; }; done
	cd tests/tools && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

clean:
	rm -rf tests/tools/node_modules
	rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist .cache
	find debate_ops tests benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

$(READY): pyproject.toml
	@echo 'Setting up .venv (once; a minute or two)'
	@if command -v uv >/dev/null 2>&1 \
	  && uv venv --quiet --clear --python '>=3.11' .venv \
	  && uv pip install --quiet --python .venv --editable '.[dev]'; then :; \
	elif [ -z '$(PYTHON)' ]; then \
	  echo 'No Python 3.11 or newer was found. This brings one:' >&2; \
	  echo '  curl -LsSf https://astral.sh/uv/install.sh | sh && ~/.local/bin/uv python install 3.13' >&2; \
	  exit 1; \
	elif ! '$(PYTHON)' -c 'import ensurepip' 2>/dev/null; then \
	  echo '$(PYTHON) cannot make environments: it lacks ensurepip. This mends it:' >&2; \
	  '$(PYTHON)' -c 'import sys; print("  sudo apt-get install -y python%d.%d-venv" % sys.version_info[:2])' >&2; \
	  exit 1; \
	else \
	  '$(PYTHON)' -m venv --clear .venv \
	    && $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'; \
	fi
	@$(BIN)/python -m compileall -q debate_ops
	@touch $@
