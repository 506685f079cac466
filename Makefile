# Two commands: `make demo` and `make test`. Both make the virtual environment they need.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help demo test lint types contracts system-packages goldens clean

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $@

help:
	@echo "make demo            a whole refereed game in the browser, without hardware"
	@echo "make test            lint, types, import contracts and every test"
	@echo "make goldens         write the golden texts anew"
	@echo "make system-packages what some tests need, by apt (as root)"
	@echo "make clean           remove the virtual environment and what was built"

demo: $(VENV)/.installed
	$(BIN)/companion demo

test: lint types contracts
	$(BIN)/python -m pytest -n 2 --dist loadgroup

lint: $(VENV)/.installed
	$(BIN)/ruff check .

types: $(VENV)/.installed
	$(BIN)/mypy

contracts: $(VENV)/.installed
	$(BIN)/lint-imports --no-cache

goldens: $(VENV)/.installed
	$(BIN)/python -m pytest -q tests --regenerate-goldens -k golden

system-packages:
	apt-get update
	xargs -a .ci/system-packages.txt apt-get install -y --no-install-recommends

clean:
	rm -rf $(VENV) build dist artefacts
