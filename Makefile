# Needs Python 3.11 or newer, make and git; everything else comes from the locks. `make` alone lists the targets.

VENV := .venv
BIN  := $(VENV)/bin
LINT := $(VENV)/lint
# The stores that `make bench` compares with bring some 80 packages: an environment of their own keeps the other one lean.
BENCH := $(VENV)/bench

# Without dependencies, since the locks name every one of them: half the time, and nothing unpinned slips in.
INSTALL := -m pip install --disable-pip-version-check --no-deps

# The interpreter that .venv is made with: the first of these that is new enough, or PYTHON=… from the caller.
PYTHONS := $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11)

# What the caller's shell has activated must not leak into the environment made here.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV

# A test run starts hundreds of Python processes: none compiles again what another has, and no source folder holds bytecode.
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/cache/python

.DEFAULT_GOAL := help
.PHONY: help env run demo test test-long chaos lint format bench docs edition lock clean package-tree

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

env: $(VENV)/ready ## Make .venv: the locked dependencies and this package, editable

run: $(VENV)/ready ## Serve a sample on 127.0.0.1 until Ctrl-C; ARGS="--port 9000"
	@$(BIN)/backstory serve --sample $(ARGS)

demo: $(VENV)/ready ## Start, talk, decide, backtrack, fork, replay, verify
	@$(BIN)/backstory demo

test: $(VENV)/ready ## Run the tests; ARGS="-k append" narrows them
	@$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal $(ARGS)

test-long: $(VENV)/ready ## Run the tests with many more examples, kills and writers; takes hours
	@TESTS=long $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal --timeout 7200 $(ARGS)

# One after the other, and nothing beside: each fault has the machine to itself, and the table is printed at the end.
chaos: $(VENV)/ready ## Break things on purpose, at length; ARGS="-k proxy" narrows it
	@BACKSTORY_CHAOS=whole $(BIN)/python -m pytest -p no:xdist tests/chaos $(ARGS)

lint: $(VENV)/ready package-tree ## Check style, layout, types and layers
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@cd $(LINT) && $(CURDIR)/$(BIN)/mypy --config-file $(CURDIR)/pyproject.toml
	@cd $(LINT) && PYTHONPATH=. $(CURDIR)/$(BIN)/lint-imports --config $(CURDIR)/pyproject.toml --cache-dir $(CURDIR)/$(VENV)/cache/import-linter

format: $(VENV)/ready ## Mend style and layout where a tool can
	@$(BIN)/ruff check --fix-only --quiet
	@$(BIN)/ruff format

bench: $(BENCH)/ready ## Measure beside other stores; ARGS="--quick --only turns"
	@$(BENCH)/bin/python -m benchmarks $(ARGS)

docs: $(VENV)/ready ## Regenerate docs/reference
	@$(BIN)/python scripts/docs.py

edition: $(VENV)/ready ## Number the SQL functions anew when their text has changed
	@$(BIN)/python scripts/edition.py

lock: ## Pin the newest allowed versions, with hashes
	@$(call make-venv,$(VENV)/lock)
	@$(VENV)/lock/bin/python -m pip install -qq --disable-pip-version-check uv
	@$(call compile,requirements/build.txt,--group build)
	@$(call compile,requirements/runtime.txt,pyproject.toml)
	@$(call compile,requirements/dev.txt,--extra dev --constraint requirements/runtime.txt pyproject.toml)
	@$(call compile,requirements/bench.txt,--extra bench --constraint requirements/runtime.txt pyproject.toml)

clean: ## Remove what the other targets made; no data is touched
	rm -rf $(VENV) build dist .hypothesis *.egg-info
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +

$(VENV)/ready: pyproject.toml requirements/dev.txt
	@$(call install,$(VENV),requirements/dev.txt)
	@touch $@

$(BENCH)/ready: pyproject.toml requirements/bench.txt
	@$(call install,$(BENCH),requirements/bench.txt)
	@touch $@

# mypy and import-linter read files, so they cannot follow the import hook of a lenient editable install. Here the
# folders are linked together as they are in the wheel, which is what a strict install does, only never out of date.
package-tree:
	@rm -rf $(LINT) && mkdir -p $(LINT)/backstory
	@ln -s $(CURDIR)/backstory/* $(CURDIR)/application $(CURDIR)/domain $(CURDIR)/projections \
		$(CURDIR)/infrastructure $(CURDIR)/interfaces $(LINT)/backstory/

define make-venv
	test -x $(1)/bin/python || { found=; \
		for python in $(PYTHONS); do \
			if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$python; break; fi; \
		done; \
		test -n "$$found" || { echo "no Python 3.11 or newer among: $(PYTHONS)" >&2; exit 1; }; \
		echo "making $(1) with $$($$found --version)"; \
		$$found -m venv $(1) || { \
			rm -rf $(1); echo "$$found cannot make environments; on Debian, install python3-venv" >&2; exit 1; \
		}; \
	}
endef

define install
	$(call make-venv,$(1)); \
	echo "installing the locked dependencies into $(1)"; \
	$(1)/bin/python $(INSTALL) --no-compile --require-hashes --requirement $(2) && \
	$(1)/bin/python $(INSTALL) --no-build-isolation --editable .
endef

# Universal: one lock for every platform and every Python from 3.11 on. No index address is written.
define compile
	$(VENV)/lock/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --custom-compile-command 'make lock' --output-file $(1) $(2)
endef
