# Two commands: `make demo` and `make test`. Both make the virtual environment they need.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
SPACE  := $() $()
# One more than cores: a worker often waits for a browser, a disk or a clock.
WORKERS = $(shell $(PYTHON) -c "import os; print(min(8, (os.cpu_count() or 1) + 1))")
SUPPORT := $(subst $(SPACE),:,$(wildcard tests/support/*/))

.DEFAULT_GOAL := help
.PHONY: help demo test evenings walks film-walk lint types contracts system-packages goldens scenes rough tables fixtures film fit-faces pictures contact-sheet hashes clean

PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# What the demo needs, and on top of it what the tests need.
$(VENV)/.runs: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e .
	touch $@

$(VENV)/.installed: $(VENV)/.runs
	$(PIP) -e '.[test]'
	touch $@

help:
	@echo "make demo            a whole refereed game in the browser, without hardware"
	@echo "make test            lint, types, import contracts and every test"
	@echo "make evenings        whole games walked in Chromium: taps per act, seconds"
	@echo "make film-walk FILM=DIR a rendered film played through the pages: camera, phones, questions, alarms"
	@echo "make walks WALKS=1000  random walks over what the pages offer: nothing may be refused"
	@echo "make goldens         write the golden texts anew"
	@echo "make system-packages what some tests need, by apt (as root)"
	@echo "make scenes          rendered tables with exact truth, to measure the readers on"
	@echo "make rough SEED=1    the same of a bad living room: sun, cheap cameras, mugs, worn tiles, hands at the rim"
	@echo "make tables GAME=rifts  rendered tables of another game, read by its layout (spyrium or rifts)"
	@echo "make fixtures, film  the tests' small set and the demo's film, rendered anew"
	@echo "make fit-faces       the recogniser's probabilities for photographed references, fitted anew"
	@echo "make pictures       the pictures of README and guide, of the demo in Chromium"
	@echo "make hashes          docs/install/requirements-hashed.txt anew: versions and hashes of a shipped install"
	@echo "make contact-sheet   every page in every state at three sizes, on one sheet"
	@echo "make clean           remove the virtual environment and what was built"

demo: $(VENV)/.runs
	$(BIN)/companion demo

# A file of tests stays in one process, which makes the file's fixtures once, and goes out in the order of collection:
# long ones first. What is compiled is kept, whatever the surroundings say: tests start hundreds of Python processes.
test: export PYTHONDONTWRITEBYTECODE =
test: lint types contracts
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# Whole games in Chromium, walked by what people see and touch; taps per act and seconds are printed.
evenings: $(VENV)/.installed
	$(BIN)/python -m pytest tests/evenings --whole-evenings -s

# Asks pip for the hashes of the pinned versions; some minutes, no wheel is downloaded.
hashes: $(VENV)/.installed
	$(BIN)/python tests/support/hash_pins.py

# What the pages offer, taken at its word by chance: each seed that finds a fault is printed.
WALKS ?= 100
walks: $(VENV)/.installed
	PYTHONPATH=$(SUPPORT) $(BIN)/python tests/evenings/offer_walk.py --walks $(WALKS)

# A rendered film played through the pages: `make film-walk FILM=folder PICTURES=30`.
PICTURES ?= 20
film-walk: $(VENV)/.installed
	PYTHONPATH=$(SUPPORT) $(BIN)/python tests/evenings/film_walk.py $(FILM) --pictures $(PICTURES) --shots artefacts/film-walk

lint: $(VENV)/.installed
	$(BIN)/ruff check .

types: $(VENV)/.installed
	$(BIN)/mypy

contracts: $(VENV)/.installed
	$(BIN)/lint-imports --no-cache

goldens: $(VENV)/.installed
	$(BIN)/python -m pytest -q tests --regenerate-goldens -k golden

# Rendered pictures with exact truth (companion/lab/render): a set to measure on, the tests' small one, the demo's film.
RENDER := OPENBLAS_NUM_THREADS=1 $(BIN)/python -m companion.lab.scenes.make_set
SCENES ?= artefacts/scenes

scenes: $(VENV)/.installed
	$(RENDER) $(SCENES)

SEED ?= 1
ROUGH ?= artefacts/rough-$(SEED)

rough: $(VENV)/.installed
	$(RENDER) $(ROUGH) --profile rough --edition painted:$(SEED) --seed $(SEED)

GAME ?= spyrium
TABLES ?= artefacts/tables-$(GAME)-rendered

tables: $(VENV)/.installed
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m companion.lab.scenes.make_tables $(TABLES) --game $(GAME)

fixtures: $(VENV)/.installed
	$(RENDER) tests/vision/fixtures/sample --seed 3 --size 1280 720 --grids 0,1,2,5,7,12 --boards 2 --tallies 3 \
		--views 6 --reference-px 128 --enrol cubes --players 0
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m companion.lab.scenes.make_loose tests/vision/fixtures/loose \
		--numbers 0,5,9,13 --size 640 480

film: $(VENV)/.installed
	$(RENDER) companion/app/demo/film --seed 8 --size 1280 720 --grids 0 --boards 0 --tallies 0 \
		--views 0 --reference-px 160 --enrol cubes --players 2 --film-quality 72
	$(BIN)/python -m companion.lab.films.smaller companion/app/demo/film/game

fit-faces: $(VENV)/.installed
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m companion.lab.fitting.fit_faces

# README's moving picture and the guide's pictures: the demo's own pages, in Chromium.
pictures: $(VENV)/.installed
	PYTHONPATH=$(SUPPORT) $(BIN)/python tests/support/pages/readme_pictures.py

# Every page in every state at three sizes, in one sheet to be looked at: artefacts/contact-sheet/index.html
contact-sheet: $(VENV)/.installed
	PYTHONPATH=$(SUPPORT) $(BIN)/python tests/support/pages/contact_sheet.py

system-packages:
	apt-get update
	xargs -a .ci/system-packages.txt apt-get install -y --no-install-recommends

clean:
	rm -rf $(VENV) build dist artefacts
