# Needs Python 3.11 or newer, make and git; everything else comes from the locks. `make` alone lists the targets.

VENV := .venv
BIN  := $(VENV)/bin
LINT := $(VENV)/lint
# The stores that `make bench` compares with bring some 80 packages: an environment of their own keeps the other one lean.
BENCH := $(VENV)/bench
# The frameworks whose suites `make conformance` runs: some 600 MB.
CONFORMANCE := $(VENV)/conformance
# Node, where the machine has none that is new enough.
NODE := $(VENV)/node
# The built page: the service answers with its files, and without the page until they are there.
PAGE := interfaces/http/page/index.html

# Without dependencies, since the locks name every one of them: half the time, and nothing unpinned slips in.
INSTALL := -m pip install --quiet --disable-pip-version-check --no-deps

# The interpreter that .venv is made with: the first of these that is new enough, or PYTHON=… from the caller.
PYTHONS := $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11)

# What the caller's shell has activated must not leak into the environment made here.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV

# A test run starts hundreds of Python processes: none compiles again what another has, and no source folder holds bytecode.
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/cache/python

.DEFAULT_GOAL := help
.PHONY: help env run demo page page-check page-tests test test-http test-long chaos lint format wheel bench conformance docs edition lock clean package-tree
.DELETE_ON_ERROR:

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

env: $(VENV)/ready ## Make .venv: the locked dependencies and this package, editable

run: $(VENV)/ready ## Serve a sample on 127.0.0.1 until Ctrl-C; ARGS="--port 9000"
	@$(call with-page,$(BIN)/backstory serve --sample $(ARGS))

demo: $(VENV)/ready ## Start, talk, decide, backtrack, fork, replay, verify
	@$(BIN)/backstory demo

page: $(PAGE) ## Build the web page; brings node where it is missing

page-check: dashboard/node_modules/.package-lock.json
	@$(call with-node,cd dashboard && npm run --silent check)

page-tests: dashboard/node_modules/.package-lock.json
	@$(call with-node,cd dashboard && npm test --silent)

# Without the page the tests that need it are skipped; in CI nothing is.
test: $(VENV)/ready ## Run the tests; ARGS="-k append" narrows them
	@if $(MAKE) --no-print-directory page; then $(MAKE) --no-print-directory page-tests; else test "$$CI" != true; fi
	@$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal $(ARGS)

test-http: $(VENV)/ready ## Run the library's tests on a client of a service
	@$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal --over-http $(ARGS)

test-long: $(VENV)/ready ## Run the tests with many more examples, kills and writers; takes hours
	@TESTS=long $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal --timeout 7200 $(ARGS)

# One after the other, and nothing beside: each fault has the machine to itself, and the table is printed at the end.
chaos: $(VENV)/ready ## Break things on purpose, at length; ARGS="-k proxy" narrows it
	@BACKSTORY_CHAOS=whole $(BIN)/python -m pytest -p no:xdist tests/chaos $(ARGS)

lint: $(VENV)/ready package-tree page-check ## Check style, layout, types and layers
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@cd $(LINT) && $(CURDIR)/$(BIN)/mypy --config-file $(CURDIR)/pyproject.toml
	@cd $(LINT) && PYTHONPATH=. $(CURDIR)/$(BIN)/lint-imports --config $(CURDIR)/pyproject.toml --cache-dir $(CURDIR)/$(VENV)/cache/import-linter

format: $(VENV)/ready ## Mend style and layout where a tool can
	@$(BIN)/ruff check --fix-only --quiet
	@$(BIN)/ruff format

wheel: $(VENV)/ready $(PAGE) ## Build the wheel, with the page in it, into dist
	@$(BIN)/python -m build --wheel --no-isolation --outdir dist .

bench: $(BENCH)/ready ## Measure beside other stores; ARGS="--quick --only turns"
	@$(BENCH)/bin/python -m benchmarks $(ARGS)

conformance: $(CONFORMANCE)/ready ## Run the public suites of frameworks and protocols
	@$(call with-node,$(CONFORMANCE)/bin/python scripts/conformance.py)
	@$(CONFORMANCE)/bin/python -m pytest -q -p no:xdist tests/adapters tests/docs/test_examples_run.py -k "adapters or framework"

docs: $(VENV)/ready ## Regenerate docs/reference
	@$(BIN)/python scripts/docs.py

edition: $(VENV)/ready ## Number the SQL functions anew when their text has changed
	@$(BIN)/python scripts/edition.py

lock: ## Pin the newest allowed versions, with hashes
	@$(call make-venv,$(VENV)/lock)
	@$(VENV)/lock/bin/python -m pip install -qq --disable-pip-version-check uv
	@$(call compile,requirements/build.txt,--group build)
	@$(call compile,requirements/node.txt,--group node)
	@$(call compile,requirements/runtime.txt,pyproject.toml)
	@$(call compile,requirements/dev.txt,--extra dev --constraint requirements/runtime.txt pyproject.toml)
	@# Without the runtime's versions: the stores that are compared with ask for older ones of some packages.
	@$(call compile,requirements/bench.txt,--extra bench pyproject.toml)
	@$(call compile,requirements/conformance.txt,--extra conformance pyproject.toml)

clean: ## Remove what the other targets made; no data is touched
	rm -rf $(VENV) $(dir $(PAGE)) dashboard/node_modules dashboard/openapi.json dashboard/src/api/schema.d.ts build dist .hypothesis *.egg-info
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +

$(VENV)/ready: pyproject.toml requirements/dev.txt
	@$(call install,$(VENV),requirements/dev.txt)
	@touch $@

$(BENCH)/ready: pyproject.toml requirements/bench.txt
	@$(call install,$(BENCH),requirements/bench.txt)
	@touch $@

$(CONFORMANCE)/ready: pyproject.toml requirements/conformance.txt
	@$(call install,$(CONFORMANCE),requirements/conformance.txt)
	@touch $@

$(PAGE): dashboard/node_modules/.package-lock.json dashboard/index.html dashboard/vite.config.ts \
		$(shell find dashboard/src dashboard/public -type f -not -name schema.d.ts -not -name '*.test.*')
	@echo "building the page"
	@$(call with-node,cd dashboard && npm run --silent build -- --logLevel=warn)

dashboard/node_modules/.package-lock.json: dashboard/package.json dashboard/package-lock.json
	@echo "installing the locked dependencies of the page"
	@$(call with-node,cd dashboard && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error)
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

# Runs a command while the page is built beside it.
define with-page
	{ $(MAKE) --no-print-directory page || echo "the page could not be built; everything else works without it" >&2; } & \
	page=$$!; trap 'kill $$page 2>/dev/null' EXIT; trap : INT; $(1)
endef

# Runs a command with node 22.12 or newer: the machine's, or one from a wheel in an environment of its own.
define with-node
	if ! node -e 'const [a, b] = process.versions.node.split("."); process.exit(+(a < 22 || (a == 22 && b < 12)))' 2>/dev/null; then \
		test -x $(NODE)/bin/npm || { \
			$(call make-venv,$(NODE)); \
			echo "installing node into $(NODE)"; \
			$(NODE)/bin/python $(INSTALL) --quiet --require-hashes --requirement requirements/node.txt || { \
				echo "the page needs node 22.12 or newer, and none could be installed" >&2; exit 1; \
			}; \
		}; \
		PATH="$(CURDIR)/$(NODE)/bin:$$PATH"; \
	fi; \
	$(1)
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
