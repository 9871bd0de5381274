# Two commands do everything: `make demo` and `make test`. Both set up what they need first.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
PYTEST := $(BIN)/python -m pytest
# Where it is set, every process of every part compiles the project and the tests again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help setup setup-demo setup-all setup-server lock sbom audit demo serve test checks lint types check-data test-unit test-slow test-browser test-postgres pictures walks notebooks clean

help:
	@echo "make demo    set up, load the demo studies, score, serve"
	@echo "make test    set up everything, run all checks and tests"
	@echo "make setup   only make $(VENV) with what running Accordance needs"
	@echo "make setup-server    the same, every package by its hash (requirements-server.txt, which make lock writes)"
	@echo "make sbom            write what such a server consists of to build/sbom.json"
	@echo "make audit           look its packages up in the advisory database, where that can be reached"
	@echo "make lint types test-unit test-slow test-browser test-postgres: parts of make test"

setup: $(VENV)/.installed
setup-demo: $(VENV)/.installed-demo
setup-all: $(VENV)/.installed-all

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e .
	touch $@

# METEOR and the parser of SPICE add about 350 MB and a minute.
$(VENV)/.installed-demo: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing Accordance with METEOR and SPICE: about 1.1 GB, of which METEOR and SPICE are 0.35 GB."
	$(PIP) -e '.[meteor,parsing]'
	touch $(VENV)/.installed $@

# timm stands apart: torchvision, which it needs, breaks transformers unless it was built for the very same torch, and
# the one that pip finds is built for CUDA. Tests of timm look there.
$(VENV)/.installed-all: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e '.[dev]'
	$(PIP) --no-deps --upgrade --target $(VENV)/apart timm torchvision
	touch $(VENV)/.installed $(VENV)/.installed-demo $@

# A server installs nothing that this file does not name with its hash; nothing is built from what pip would fetch.
setup-server: requirements-server.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-server.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index -e .

# At the versions of constraints.txt, for every platform; the hashes come from the package index.
lock: setup-all
	$(BIN)/uv pip compile pyproject.toml deploy/build.in --constraint constraints.txt --generate-hashes --universal \
		--python-version 3.11 --no-annotate --custom-compile-command "make lock" --quiet \
		--output-file requirements-server.txt
	$(BIN)/uv pip compile pyproject.toml --extra metrics --extra critics --constraint constraints.txt --generate-hashes \
		--universal --python-version 3.11 --no-annotate --custom-compile-command "make lock" --quiet \
		--output-file metrics_plugins/installing/digests.txt

sbom: setup-all
	mkdir -p build
	$(BIN)/cyclonedx-py requirements requirements-server.txt --pyproject pyproject.toml --mc-type application \
		--output-reproducible --output-file build/sbom.json

audit: setup-all
	$(BIN)/python .ci/audit.py requirements-server.txt

demo: setup-demo
	$(BIN)/python manage.py demo

serve: setup
	$(BIN)/python manage.py serve

test: checks test-unit test-slow test-browser test-postgres
	@echo "All checks and tests passed."

# Neither of the two uses more than one core.
checks: setup-all
	$(MAKE) --jobs=2 lint types

lint: setup-all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/python manage.py check
	$(BIN)/python manage.py makemigrations --check --dry-run

types: setup-all
	$(BIN)/mypy

# Everything of a database is tested on PostgreSQL (test-postgres). On SQLite, what the two do differently: locks, leases
# and the jobs that wait for them, triggers, constraints, statements written for each, files, backup, restoring, and the
# commands from end to end. The rest asks by Django's ORM for rows and computes, and a browser sees the pages on SQLite.
PAGES := tests/annotation_ui $(addprefix tests/challenges/,api views) $(addprefix tests/studies/,admin api forms views)
STUDIES := $(addprefix tests/studies/,access/test_*.py analysis/test_*.py analysis/disagreements \
	analysis/explorer/test_*.py datasets/drafts/test_*.py datasets/importing/files datasets/importing/published \
	datasets/importing/tables design monitoring publishing/test_*.py publishing/exporting publishing/methods \
	scoring/test_*.py scoring/plugins simulation templatetags test_rules.py)
DIFFERENT := $(addprefix tests/studies/,access/test_limits.py analysis/explorer/test_jobs.py \
	analysis/test_cached_results.py analysis/test_fingerprint.py datasets/drafts/test_upload_jobs.py scoring/test_chunks.py)
ON_POSTGRES := $(PAGES) $(filter-out $(DIFFERENT),$(wildcard $(STUDIES)))

# Files with a mark: to import all the others takes longer than many a part's tests.
marked = $(shell grep -rlE --include='test_*.py' 'mark\.$(1)\b' tests | sort)

# A process that has run its half of the tests takes some of the other's: neither waits for the other's last ones.
# Contiguous halves also make what a module's tests share once, and not on both cores.
SHARING := -n auto --dist worksteal
# A product of two small matrices waits for a thread of OpenBLAS that has no core while the other process computes, and
# uses up processor time while it waits.
SHARED := OPENBLAS_NUM_THREADS=1 $(PYTEST) $(SHARING)

# Tests that compare speed or fill the machine run alone; the others share the cores.
test-unit: setup-all
	$(SHARED) -m "not slow and not browser" $(ON_POSTGRES:%=--ignore=%)

test-slow: setup-all
	$(SHARED) -m "slow and not alone and not browser" $(call marked,slow)
	$(PYTEST) -m alone $(call marked,alone)

test-browser: setup-all
	$(SHARED) -m browser $(call marked,browser)

# The pictures in docs/design.md.
pictures: setup-all
	ACCORDANCE_SHOTS=docs/images $(PYTEST) tests/e2e/researchers/test_design.py

# The pictures and numbers in docs/first-walks.md.
walks: setup-all
	ACCORDANCE_WALKS=docs $(PYTEST) tests/e2e/first_walks/test_first_walks.py

# What the notebooks in docs/ show.
notebooks: setup-all
	$(BIN)/python -m tests.docs.notebooks

# An attack whose defence is who holds a lease.
RACES := test_code_without_work.py

test-postgres: setup-all
	$(SHARED) -p tests.postgres -m "not slow and not browser" tests/studies tests/annotation_ui tests/challenges \
		$(RACES:%=tests/security/%)

clean:
	rm -rf $(VENV) var db.sqlite3* build *.egg-info
