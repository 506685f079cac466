"""`companion play` with its dashboard: terminal, pages, camera and box write one record."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path

from scripted_terminal import Script
from web_kit import NAMES, Caller, hosting, make_app

import companion.app
from companion.app.terminal.referee import Referee
from companion.table.commands import Play
from companion.table.prompts import Prompter
from web.ports.tables import SetupChoice

FILM = Path(companion.app.__file__).parent / "demo" / "film"


class Meanwhile(Script):
    """A terminal that does something else just before a given line is typed."""

    def __init__(self, *lines: str | Callable[[], object]) -> None:
        super().__init__(*lines)  # type: ignore[arg-type]

    def ask(self, prompt: str, *, secret: bool = False) -> str | None:
        while self.lines and callable(self.lines[0]):
            self.lines.pop(0)()
        return super().ask(prompt, secret=secret)


def lead(host, script: Script) -> str:
    table = host.current()
    prompter = Prompter(table.spec, table.rules.setup, "en")
    Referee(table, prompter, script, digital=False, current=host.current).run()
    return script.text


def texts(host) -> list[str]:
    session = host.current().session
    return [session.rules.format(step.event) for step in session.line() if step.event is not None]


def test_what_is_told_on_the_pages_and_typed_is_one_record(tmp_path: Path) -> None:
    with hosting(tmp_path, 2) as host:
        draws = [host.current().rules.format(o.draw) for o in host.current().rules.chance_outcomes(
            host.current().session.state)]
        referee = Caller(make_app(host), "referee")
        lead(host, Script("1"))
        assert referee.play(referee.state()["outcomes"][0]["text"]).status_code == 200
        assert texts(host)[0] == draws[0]
        assert len(texts(host)) == 2
        lead(host, Script("1"))
        assert len(texts(host)) == 3


def test_a_number_typed_from_a_list_that_is_no_longer_true_is_not_taken(tmp_path: Path) -> None:
    with hosting(tmp_path, 2) as host:
        session = host.current().session

        def elsewhere() -> None:
            draw = session.rules.chance_outcomes(session.state)[0].draw
            assert session.ask(Play(texts=(session.rules.format(draw),))).accepted

        said = lead(host, Meanwhile(elsewhere, "2"))
        assert len(texts(host)) == 1
        assert "moved on" in said


def test_the_terminal_follows_its_table_when_other_devices_are_chosen(tmp_path: Path) -> None:
    with hosting(tmp_path, 2, box="virtual:") as host:
        lead(host, Meanwhile("1", lambda: host.setup.choose("box", ""), "1"))
        assert host.box is None
        assert len(texts(host)) == 2


def test_the_terminal_ends_when_another_game_is_begun_on_the_pages(tmp_path: Path) -> None:
    with hosting(tmp_path, 2) as host:
        said = lead(host, Meanwhile("1", lambda: host.begin(SetupChoice("envyra", NAMES[:3])), "1", "1"))
        assert "Another game was begun on the pages." in said
        assert texts(host) == []


def test_play_with_a_camera_and_a_box_serves_the_pages_of_its_session(tmp_path: Path) -> None:
    environment = {**os.environ, "COMPANION_DATA_DIR": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    command = [
        sys.executable, "-m", "companion.app.cli", "play", "ours", "--game", "envyra", "--player", "Žofia:purple",
        "--player", "Ján:gray", "--catalogue", str(FILM / "catalogue.json"), "--camera", f"replay:{FILM}",
        "--box", "virtual:", "--port", "0", "--bind", "127.0.0.1", "--pin", "4711",
    ]
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        said = ""
        while "is being played" not in said:
            line = process.stdout.readline()
            assert line, said
            said += line
        found = re.search(r"http://127\.0\.0\.1:\d+", said)
        assert found, said
        with urllib.request.urlopen(f"{found[0]}/api/state") as answer:
            assert json.load(answer)["session"] == "ours"
        with urllib.request.urlopen(f"{found[0]}/api/devices") as answer:
            devices = json.load(answer)
        assert devices["camera"]["virtual"]
        assert devices["box"]["virtual"]
        rest, _ = process.communicate("quit\n", timeout=600)
        assert process.returncode == 0, rest
        assert "The game is saved" in rest
    finally:
        process.kill()
        process.wait()
