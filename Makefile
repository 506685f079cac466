# Two commands: `make demo` and `make test`. Both make the virtual environment they need.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help demo test lint types contracts system-packages goldens scenes tables fixtures film fit-faces clean

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $@

help:
	@echo "make demo            a whole refereed game in the browser, without hardware"
	@echo "make test            lint, types, import contracts and every test"
	@echo "make goldens         write the golden texts anew"
	@echo "make system-packages what some tests need, by apt (as root)"
	@echo "make scenes          rendered tables with exact truth, to measure the readers on"
	@echo "make tables GAME=rifts  rendered tables of another game, read by its layout (spyrium or rifts)"
	@echo "make fixtures, film  the tests' small set and the demo's film, rendered anew"
	@echo "make fit-faces       the recogniser's probabilities for photographed references, fitted anew"
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

# Rendered pictures with exact truth (tests/support/render): a set to measure on, the tests' small one, the demo's film.
RENDER := OPENBLAS_NUM_THREADS=1 PYTHONPATH=tests/support $(BIN)/python -m render.make_set
SCENES ?= artefacts/scenes

scenes: $(VENV)/.installed
	$(RENDER) $(SCENES)

GAME ?= spyrium
TABLES ?= artefacts/tables-$(GAME)-rendered

tables: $(VENV)/.installed
	OPENBLAS_NUM_THREADS=1 PYTHONPATH=tests/support $(BIN)/python -m render.make_tables $(TABLES) --game $(GAME)

fixtures: $(VENV)/.installed
	$(RENDER) tests/vision/fixtures/sample --seed 3 --size 1280 720 --grids 0,1,2,5,7,12 --boards 2 --tallies 3 \
		--views 6 --reference-px 128 --enrol cubes --players 0
	OPENBLAS_NUM_THREADS=1 PYTHONPATH=tests/support $(BIN)/python -m render.make_loose tests/vision/fixtures/loose \
		--numbers 0,5,9,13 --size 640 480

film: $(VENV)/.installed
	$(RENDER) companion/app/demo/film --seed 8 --size 1280 720 --grids 0 --boards 0 --tallies 0 \
		--views 0 --reference-px 160 --enrol cubes --players 2 --film-quality 72

fit-faces: $(VENV)/.installed
	OPENBLAS_NUM_THREADS=1 PYTHONPATH=tests/support $(BIN)/python -m fit_faces

system-packages:
	apt-get update
	xargs -a .ci/system-packages.txt apt-get install -y --no-install-recommends

clean:
	rm -rf $(VENV) build dist artefacts
