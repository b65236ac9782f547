# Everything runs in an environment of its own, created on first use.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# Numba's cache does not notice that a kernel's helper in another file changed, so the cache is keyed by the sources.
SOURCES := $(shell find src/ter -name '*.py' | LC_ALL=C sort)
export NUMBA_CACHE_DIR ?= $(CURDIR)/.cache/numba-$(shell cat $(SOURCES) | cksum | cut -d' ' -f1)

.PHONY: demo test tests quick nojit attack chaos lint bench reference study paper paper-runs paper-thin paper-best docs package clean

$(VENV)/.core: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[report]'
	touch $@

$(VENV)/.dev: $(VENV)/.core
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[test,lint]'
	touch $@

# Other libraries bring many packages along, so they live in an environment of their own.
$(VENV)-bench/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)-bench
	$(VENV)-bench/bin/pip install --quiet --disable-pip-version-check -e '.[report,problems,bench]'
	touch $@

demo: $(VENV)/.core
	$(BIN)/python -m ter run deblurring --budget 20s --seed 1 --picture demo/result.png --report demo/report.html

test: lint tests nojit

tests: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 --dist loadfile

# What decides and evaluates, without whole studies, pages and commands: an answer while one still remembers the question.
QUICK := core engines objectives run schedulers analysis interface
quick: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 --dist loadfile -m 'not slow' --hypothesis-profile=few \
		$(addprefix tests/,$(QUICK))

# Kernels as plain Python, which is what a debugger sees, without whole searches. That the bits are the same is tested
# among the others.
PLAIN := core/test_ledger.py heuristics objectives/test_tree.py objectives/test_tree_moves.py objectives/test_groups.py \
	analysis/test_sequences.py
nojit: $(VENV)/.dev
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 --dist loadfile -m 'not slow' --hypothesis-profile=few \
		$(addprefix tests/,$(PLAIN))

# Thousands of hostile runs, damaged files and kills; a few of each are among the tests.
attack: $(VENV)/.dev
	$(BIN)/python -m tests.attack

# Runs with a checkpoint, killed, damaged and starved, hundreds of times; a few of each are among the tests.
chaos: $(VENV)/.dev
	$(BIN)/python -m tests.chaos

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)-bench/.ready
	$(VENV)-bench/bin/python -m bench

# Data of the suites, and reference values from other people's programs; these get an environment of their own.
reference: $(VENV)/.dev
	$(BIN)/python -m tools.build_data
	$(BIN)/python -m tools.build_reference

STUDY := studies/first-look

# Do its runs, or what is missing of them; compare them with the committed ones to the last digit; report.
study: $(VENV)/.core
	$(BIN)/python -m ter experiment run $(STUDY)/lso13.toml --store $(STUDY)/results.sqlite --workers 2
	$(BIN)/python -m ter experiment run $(STUDY)/baselines.toml --store $(STUDY)/results.sqlite --workers 2
	$(BIN)/python -m ter experiment run $(STUDY)/lso08.toml --store $(STUDY)/results.sqlite --workers 2
	$(BIN)/python $(STUDY)/check.py $(STUDY)/results.sqlite
	$(BIN)/python -m ter report $(STUDY)/results.sqlite -o $(STUDY)/report --quiet --against ter \
		--with paper,paper-ran,paper-ls,paper-cc,paper-gs

# Everything that is made of the paper's runs: runs.csv, the tables and curves of docs/paper.md, reports.
PAPER := studies/paper
paper: $(VENV)/.core
	$(BIN)/python -m studies.paper

# The runs of the paper's tables, or what is missing of them; RUNS=2 for two runs of each kind. They go on from the
# committed file, whose curves are thin.
TABLES := ter baselines hyperparameters ackley scalability-1000 competitors-lso08 scalability-2500 scalability-5000 \
	scalability-10000
paper-runs: $(VENV)/.core
	for table in $(TABLES); do \
		$(BIN)/python -m ter experiment run $(PAPER)/$$table.toml --store $(PAPER)/results.sqlite --any-code \
			--workers 2 $(if $(RUNS),--runs $(RUNS)) || exit 1; \
	done

# Thin curves, so that the file can be committed.
paper-thin: $(VENV)/.core
	rm -f $(PAPER)/thin.sqlite
	$(BIN)/python -m ter experiment merge $(PAPER)/thin.sqlite $(PAPER)/results.sqlite --thin
	mv $(PAPER)/thin.sqlite $(PAPER)/results.sqlite

# The search for the best known sequences and its finals, or the rest of it.
paper-best: $(VENV)/.core
	$(BIN)/python -m studies.paper.search --workers 2
	$(BIN)/python -m studies.paper.finals --workers 2

docs: $(VENV)/.dev
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[docs]'
	$(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html

# What is uploaded: both files are made, and looked into.
package: $(VENV)/.core
	rm -rf dist
	$(BIN)/pip install --quiet --disable-pip-version-check 'build>=1.2,<2'
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m tools.check_package dist

clean:
	rm -rf .cache docs/_build demo dist
