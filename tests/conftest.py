"""Fixtures of all tests: system packages that a test needs, and goldens that one command regenerates."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

from companion.app.machine.one_thread import bound_blas
from companion.games import add_games

bound_blas()
# There is a process for each core already: threads of OpenCV that wait for each other cost an eighth more.
cv2.setNumThreads(1)

PROGRAMS = {
    "chromium": ("chromium",),
    "gcc-avr": ("avr-gcc",),
    "avr-libc": ("avr-gcc",),
    "simavr": ("simavr",),
    "libsimavr-dev": ("simavr",),
    "gcc": ("gcc",),
    "gcc-arm-none-eabi": ("arm-none-eabi-gcc",),
    "avrdude": ("avrdude",),
    "postgresql": ("pg_ctlcluster",),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regenerate-goldens", action="store_true", help="write the goldens instead of comparing")
    parser.addoption("--whole-evenings", action="store_true", help="also play the evenings that take many minutes")
    parser.addoption("--games", type=Path, help="a folder of one's own games and their contract_NAME.py to test too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--whole-evenings"):
        whole = [item for item in items if item.get_closest_marker("whole_evening")]
        config.hook.pytest_deselected(items=whole)
        items[:] = [item for item in items if item not in whole]
    long = {item.path for item in items if item.get_closest_marker("long")}
    items.sort(key=lambda item: item.path not in long)


def in_a_browser(item: pytest.Item | None) -> bool:
    return item is not None and any("chromium" in marker.args for marker in item.iter_markers("system"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Tests in a browser that follow each other share one; a test that fails leaves none to those of other files."""
    if not in_a_browser(item):
        return (yield)
    from kept_browser import keep, let_go

    failed = item.session.testsfailed
    keep()
    try:
        return (yield)
    finally:
        failing = item.session.testsfailed > failed
        if not in_a_browser(nextitem) or (failing and nextitem is not None and nextitem.path != item.path):
            let_go()


def pytest_configure(config: pytest.Config) -> None:
    folder = config.getoption("--games")
    if folder is not None:
        add_games(folder)
        sys.path.append(os.fspath(folder.resolve()))


def pytest_collection_finish() -> None:
    """Leave what was loaded out of later garbage collections: each game that is begun collects, among all tests."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in item.iter_markers("system"):
        missing = [p for p in marker.args if not all(shutil.which(x) for x in PROGRAMS[p])]
        if missing:
            text = f"needs the Debian package(s) {', '.join(missing)}: make system-packages"
            if os.environ.get("COMPANION_REQUIRE_ALL") == "1":
                pytest.fail(text)
            pytest.skip(text)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[object]:
    """One PostgreSQL of our own for all tests of a process."""
    from postgres_server import PostgresServer

    server = PostgresServer()
    yield server
    server.remove()


@pytest.fixture
def golden(request: pytest.FixtureRequest):
    """Compare a text with its golden file; `make goldens` writes it anew."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--regenerate-goldens"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        assert path.exists(), f"no golden {path}: run `make goldens` and review the diff"
        assert text == path.read_text(encoding="utf-8")

    return compare
