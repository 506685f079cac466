"""`companion demo` and `companion serve` as processes: they say where the pages are, serve them, and end when told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from web_kit import hosting

START_S = 600.0


def begun(folder: Path, *arguments: str) -> tuple[subprocess.Popen[str], dict[str, str]]:
    """The process, and what it printed by its first words, once it serves."""
    environment = {**os.environ, "COMPANION_DATA_DIR": str(folder), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "companion.app.cli", *arguments], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    said: dict[str, str] = {}
    while "Referee" not in said:
        line = process.stdout.readline()
        assert line, "the command ended before it served"
        name, _, rest = line.partition(":")
        said[name] = rest.strip()
    return process, said


def ended(process: subprocess.Popen[str]) -> int:
    """The exit code after the process was asked to end."""
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=START_S)
    return process.returncode


@pytest.mark.parametrize("command", [("demo", "--no-film"), ("serve",)])
def test_the_pages_are_served_where_the_command_says_and_it_ends_in_order(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    process, said = begun(tmp_path, *command, "--port", "0", "--no-https", "--bind", "127.0.0.1", "--pin", "4711")
    try:
        address = said["Table"].removesuffix("/table")
        with urllib.request.urlopen(f"{address}/api/state") as answer:
            state = json.load(answer)
        assert (state["session"] is not None) == (command[0] == "demo")
        assert said["Referee"].endswith("PIN 4711")
        with urllib.request.urlopen(f"{address}/api/stream") as stream:
            assert stream.readline().startswith(b"retry:")
            assert ended(process) == 0
    finally:
        process.kill()
        process.wait()


def test_plain_serve_goes_on_with_the_game_that_was_played_and_its_devices(tmp_path: Path) -> None:
    arguments = ("serve", "--port", "0", "--no-https", "--bind", "127.0.0.1", "--pin", "4711")
    with hosting(tmp_path, box="virtual:") as host:
        assert host.table is not None
        session = host.table.session.header.session
        host.draw_automatically(True)
    process, said = begun(tmp_path, *arguments)
    try:
        address = said["Table"].removesuffix("/table")
        with urllib.request.urlopen(f"{address}/api/state") as answer:
            state = json.load(answer)
            assert state["session"] == session
            assert state["bag"]["automatic"]  # else the table waits for a draw that nobody knows is theirs to make
        with urllib.request.urlopen(f"{address}/api/devices") as answer:
            assert json.load(answer)["box"]["virtual"]
        assert ended(process) == 0
    finally:
        process.kill()
        process.wait()
