# The two commands a newcomer needs: `make demo` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

# The tests start a hundred processes: bytecode that is not kept would be made anew in each of them.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo demo-reset test lint bench clean

help:
	@echo "make demo        you against three computer players: a server on this machine, a campaign that runs"
	@echo "make demo-reset  the same, from the start again"
	@echo "make test        run every test (makes its own environment first)"
	@echo "make lint        formatting, types, import rules, spelling"
	@echo "make bench       timings, as a table"

# What the program needs, and no more.
$(VENV)/.installed: pyproject.toml
	@echo "Making an environment in $(VENV): this takes a minute or two ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade pip
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $@

# What working on it needs besides.
$(VENV)/.ready: $(VENV)/.installed
	@echo "Adding what the tests need ..."
	@$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@

# DEMO="--port 8080" and the like.
demo: $(VENV)/.installed
	@exec $(BIN)/sealed-orders demo $(DEMO)

demo-reset: $(VENV)/.installed
	@exec $(BIN)/sealed-orders demo --reset $(DEMO)

# Without a PostgreSQL server that lets us in, the tests run on SQLite alone; CI has both and skips nothing.
# PYTEST="tests/rules -x" and the like.
test: $(VENV)/.ready
	$(BIN)/lint-imports
	@command -v chromium >/dev/null || echo "There is no Chromium: tests of the pages in a browser are left out."
	@if [ -z "$$SEALED_ORDERS_TEST_POSTGRESQL" ] && ! $(BIN)/python -m tests.store.answers; then \
		echo "No PostgreSQL answers on 127.0.0.1:5432: tests run on SQLite alone."; \
		export SEALED_ORDERS_SKIP_POSTGRESQL=1; \
	fi; \
	$(BIN)/python -m pytest -n auto --dist worksteal $(PYTEST)

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/deptry .
	$(BIN)/codespell
	$(BIN)/python -m tests.plain_english

bench: $(VENV)/.ready
	$(BIN)/python -m bench $(BENCH)

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
