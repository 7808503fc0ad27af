# The two commands a newcomer needs: `make demo` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

# The tests start a hundred processes: bytecode that is not kept would be made anew in each of them.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo demo-reset test test-fast crash race citus twins lint scripts bench simulate gallery deep clean attack generated

help:
	@echo "make demo        you against three computer players: a server on this machine, a campaign that runs"
	@echo "make demo-reset  the same, from the start again"
	@echo "make test        run every test (makes its own environment first)"
	@echo "make test-fast   the rules, their cases and the shape of the code: under a minute"
	@echo "make crash       a server killed KILLS=225 times on DB=sqlite (or postgresql): nothing is lost"
	@echo "make race        PHASES=200 ended by everybody at once: each is resolved once"
	@echo "make twins       campaigns that differ in what is hidden: every answer is the same"
	@echo "make deep        what takes an hour: 10,000 random games at the table, failed orders of 1,000 phases"
	@echo "make attack      what hostile texts, files and requests were found to do: it does not happen again"
	@echo "make generated   clients that six generators make of the API compile, and the guides for bots run as they stand"
	@echo "make lint        formatting, types, import rules, spelling"
	@echo "make bench       timings, as a table"
	@echo "make simulate    ACCOUNTS=10000 in CAMPAIGNS=2000 with a club's rhythm, against a real server"
	@echo "make gallery     a picture of every page (PAGES='table people' for some) in gallery/"

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
	@command -v firefox-esr >/dev/null || echo "There is no firefox-esr: the first turn in Firefox is left out."
	@command -v WebKitWebDriver >/dev/null && command -v Xvfb >/dev/null || echo "webkit2gtk-driver or xvfb is missing: the first turn in WebKitGTK is left out."
	@[ -x /usr/sbin/pgbouncer ] || command -v pgbouncer >/dev/null || echo "pgbouncer is missing: servers behind a pooler are left out."
	@if [ -z "$$SEALED_ORDERS_TEST_POSTGRESQL" ] && ! $(BIN)/python -m tests.store.answers; then \
		echo "No PostgreSQL answers on 127.0.0.1:5432: tests run on SQLite alone."; \
		export SEALED_ORDERS_SKIP_POSTGRESQL=1; \
	fi; \
	$(BIN)/python -m pytest -n auto --dist worksteal $(PYTEST)

test-fast: $(VENV)/.ready
	$(BIN)/python -m pytest -q -n auto --dist worksteal tests/core tests/cases tests/rules \
		tests/test_layers.py tests/test_orders.py tests/test_rulesets.py tests/test_shape.py \
		--ignore tests/rules/properties --ignore tests/rules/test_codec.py

# What the tests do a little of, with figures; 225 kills take some minutes.
DB     ?= sqlite
KILLS  ?= 225
PHASES ?= 200

crash: $(VENV)/.ready
	SEALED_ORDERS_KILLS=$(KILLS) $(BIN)/python -m pytest -q -s tests/e2e/test_crash.py -k $(DB)

race: $(VENV)/.ready
	SEALED_ORDERS_PHASES=$(PHASES) $(BIN)/python -m pytest -q -s tests/e2e/test_race.py -k $(DB)

# On a Citus cluster: SEALED_ORDERS_TEST_CITUS=postgresql://user@coordinator/database. Workers are in its pg_dist_node.
citus: $(VENV)/.ready
	@test -n "$$SEALED_ORDERS_TEST_CITUS" || { echo "SEALED_ORDERS_TEST_CITUS is not set"; exit 1; }
	SEALED_ORDERS_KILLS=$(KILLS) SEALED_ORDERS_PHASES=$(PHASES) $(BIN)/python -m pytest -q -s -k postgresql tests/e2e

twins: $(VENV)/.ready
	SEALED_ORDERS_TWINS=$(DB) $(BIN)/python -m pytest -q tests/api/test_secrecy.py tests/web/test_page_secrecy.py

attack: $(VENV)/.ready
	SEALED_ORDERS_LONG=1 $(BIN)/python -m pytest -q --timeout 3600 tests/security
	$(BIN)/python -m pytest -q tests/play/test_dice_attacks.py tests/play/test_records.py tests/play/test_receipts.py \
		tests/play/test_addresses.py tests/api/test_bad_input.py tests/api/test_bodies.py tests/scenarios/test_hostile.py
	$(BIN)/python -m bench heavy

# Node 20 and java come from the system; everything else is installed here.
generated: $(VENV)/.ready tests/generated/.tools/.ready
	SEALED_ORDERS_TEST_GENERATED=1 SEALED_ORDERS_LONG=1 $(BIN)/python -m pytest -q tests/generated

tests/generated/.tools/.ready: tests/generated/requirements.txt tests/generated/package-lock.json
	npm ci --prefix tests/generated --ignore-scripts --no-audit --no-fund
	$(PYTHON) -m venv tests/generated/.tools
	tests/generated/.tools/bin/python -m pip install --quiet --requirement tests/generated/requirements.txt
	@touch $@

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/deptry .
	$(BIN)/codespell
	$(BIN)/python -m tests.plain_english
	$(MAKE) scripts

# The scripts of the pages: rules, types, unit tests. Node is a tool of development only.
scripts: node_modules/.ready
	npm run --silent lint
	npm run --silent types
	npm run --silent test

node_modules/.ready: package-lock.json
	npm ci --no-audit --no-fund
	@touch $@

# 10,000 accounts in 2,000 campaigns against two server processes; ACCOUNTS=1000 CAMPAIGNS=200 for a tenth, DB=sqlite,
# WAITING=198000 for campaigns beside them that only wait.
simulate: $(VENV)/.ready
	ACCOUNTS=$(ACCOUNTS) CAMPAIGNS=$(CAMPAIGNS) ROUNDS=$(ROUNDS) WAITING=$(WAITING) DB=$(if $(filter file,$(origin DB)),,$(DB)) \
		$(BIN)/python -m bench.simulate

bench: $(VENV)/.ready
	$(BIN)/python -m bench $(BENCH)

# Every page as PNG: desktop, tablet, phone; light, dark; German. Some minutes; needs Chromium.
gallery: $(VENV)/.ready
	$(BIN)/python -m tests.web.browser.gallery gallery $(PAGES)

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

# What is too long for every change.
deep: $(VENV)/.ready
	SEALED_ORDERS_LONG=1 $(BIN)/python -m pytest -q tests/referee/test_random_games.py tests/web/presenters/test_failed_orders.py tests/web/browser/test_table_kinds.py \
		tests/web/browser/test_table_sheets.py tests/web/browser/test_whole_campaign.py tests/e2e/test_rolling_upgrade.py tests/store/test_migrations.py
