# Every target makes its own virtual environment: Python 3.11 or newer and make are all that is needed.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
STEPS ?=
SITE ?= site
INSTALL ?=
PEERS := cloudpickle,dask,distributed,iminuit,jax,joblib,lmfit,numba,optax,optree,pandas,polars,pyhf,safetensors,scipy,sklearn,statsmodels,torch,xarray

.PHONY: help demo test peers pytensor lint types check check-matrix format bench docs clean
.DEFAULT_GOAL := help

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1	\2/'

demo: $(VENV)/.examples  ## train the network on the moons and draw the result (STEPS=n for another length)
	$(BIN)/adjoint demo moons --output examples/output $(if $(STEPS),--steps $(STEPS))

test: $(VENV)/.test  ## run the tests and every documented example
	$(BIN)/python -m pytest -q -n auto $(ARGS)

peers: $(VENV)-peers/.peers  ## bridges to PyTorch, JAX and Dask, and the tests of adjoint.nn beside them, optax, optree and safetensors
	ADJOINT_REQUIRE=$(PEERS) $(VENV)-peers/bin/python -m pytest -q -n auto --dist loadfile src/adjoint/interop tests/interop \
		src/adjoint/dask tests/partitions tests/travelling tests/test_examples_of_bridges.py 'tests/test_docs.py::test_page[docs/with_dask.md]' \
		'tests/test_docs.py::test_page[docs/with_other_libraries.md]' \
		'tests/test_docs.py::test_page[docs/with_torch.md]' 'tests/test_docs.py::test_page[docs/with_jax.md]' $(ARGS)
	ADJOINT_REQUIRE=$(PEERS) $(VENV)-peers/bin/python -m pytest -q -n auto \
		$$(grep -rl --include='*.py' 'needed(' tests/nn | sort) $(ARGS)

pytensor: $(VENV)-pytensor/.pytensor  ## the bridge to PyTensor, and a model of PyMC, which pins an older Numba
	ADJOINT_REQUIRE=pytensor,pymc ADJOINT_THOROUGH=1 $(VENV)-pytensor/bin/python -m pytest -q -n0 \
		-W 'ignore:Numba will use object mode' src/adjoint/interop/pytensor.py tests/interop/test_pytensor.py \
		'tests/test_docs.py::test_page[docs/with_pytensor.md]' $(ARGS)

lint: $(VENV)/.test  ## ruff: faults and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.test  ## ruff: write the format
	$(BIN)/ruff format .

types: $(VENV)/.test  ## mypy, strict
	$(BIN)/mypy

check: lint types docs test $(if $(ADJOINT_THOROUGH),pytensor)  ## all four; with ADJOINT_THOROUGH=1 also PyTensor's

check-matrix:  ## the tests with the lowest versions declared (Python 3.11) and the newest (3.13)
	PYTHON=$(PYTHON) LOWEST=$(LOWEST) NEWEST=$(NEWEST) ARGS="$(ARGS)" .ci/matrix

bench: $(VENV)/.bench  ## measure and write benchmarks/results/
	$(BIN)/python benchmarks/run.py $(ARGS)

docs: $(VENV)/.docs  ## build the documentation into site/, and fail on any warning
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --jobs 2 --doctree-dir build/doctrees docs $(SITE)

clean:  ## remove what the other targets made
	rm -rf $(VENV) $(VENV)-peers $(VENV)-pytensor $(SITE) docs/gallery docs/api/generated jupyter_execute dist build examples/output .pytest_cache .mypy_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "adjoint needs Python 3.11 or newer; set PYTHON=/path/to/python" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)-peers/.peers: pyproject.toml
	$(PYTHON) -m venv $(VENV)-peers
	$(VENV)-peers/bin/python -m pip install --quiet $(INSTALL) --editable ".[peers]"
	@touch $@

$(VENV)-pytensor/.pytensor: pyproject.toml
	$(PYTHON) -m venv $(VENV)-pytensor
	$(VENV)-pytensor/bin/python -m pip install --quiet $(INSTALL) --editable ".[pytensor]" hypothesis pymc pytest pytest-xdist
	@touch $@

$(VENV)/.%: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet $(INSTALL) --editable ".[$*]"
	@touch $@
