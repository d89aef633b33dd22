# Two commands do everything: `make demo` and `make test`. Both make the environment first (.venv, pinned by requirements.lock).
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: demo test lint unit soak screenshots install-check lock clean

# Grades the sample and prints what came out; then opens the window on it, where there is a display.
demo: $(READY)
	$(BIN)/gamut demo
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || [ "$$(uname)" = Darwin ]; then $(BIN)/gamut open --sample; fi

test: lint unit

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Real vocabularies first, once a machine; where they cannot be had, their tests are skipped by name (failed where CI is set).
unit: $(READY)
	-$(BIN)/python -m tests.fetch_vocabularies
	QT_QPA_PLATFORM=offscreen $(BIN)/pytest

soak: $(READY)
	GAMUT_SOAK=1 QT_QPA_PLATFORM=offscreen $(BIN)/pytest -m soak -s

# Photographs every view, light and dark, in three languages, into build/screenshots; fails on what is cut or untranslated.
screenshots: $(READY)
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m tools.screenshots

# Proves the install: a wheel built from the tree, a new environment elsewhere, the demo from it in an empty folder.
install-check: $(READY)
	$(BIN)/python tests/packaging/install_check.py

.PHONY: bundle bundle-check

# Builds dist/gamut/, a folder that runs without Python: the program, llama.cpp and the bundled model (build.spec).
bundle: $(READY)
	rm -rf dist/gamut
	$(BIN)/pyinstaller --noconfirm --log-level WARN --distpath dist --workpath build/bundle build.spec
	@du -sh dist/gamut

# Proves the bundle: copied elsewhere, run without Python, environment or tree.
bundle-check: bundle
	$(BIN)/python tests/packaging/bundle_check.py

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Gamut Desktop needs Python 3.11 or newer; call: make PYTHON=python3.11 ...')"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --editable .
	touch $(READY)

# Writes requirements.lock anew from pyproject.toml: everything, with the judge, the bundled model and the tools.
lock:
	rm -rf build/lock && $(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	build/lock/bin/python -m pip install --quiet ".[judge,demo]" --group dev
	build/lock/bin/python -m pip freeze --exclude gamut-desktop > requirements.lock

clean:
	rm -rf $(VENV) build dist *.egg-info

.PHONY: bench

# What a verdict costs, as ratios (benchmarks/speed.py): some minutes on an idle machine. Exit code 1 if a goal is missed.
bench: $(READY)
	$(BIN)/python -m benchmarks.speed
