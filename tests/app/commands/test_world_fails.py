"""A full disk, a folder that is not there, a terminal of few letters, a package that is missing: one message each."""

from __future__ import annotations

import os
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from run_companion import Companion

from companion.app.commands.eyes import calibrate
from vision.sources import BrowserSource

HUB = ("hub", "--database", "postgresql://companion@localhost/hall")


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written does not fit."""

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)


@pytest.fixture
def companion(tmp_path: Path) -> Companion:
    ours = Companion(tmp_path)
    (tmp_path / "colours.json").write_text('{"red": [200, 30, 30]}', encoding="utf-8")
    cv2.imwrite(str(tmp_path / "table.png"), np.full((120, 160, 3), 90, np.uint8))
    return ours


def outside(*arguments: str, before: str = "", **variables: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own; `before`: Python that runs first."""
    code = f"import sys; {before or 'pass'}; sys.argv[0] = 'companion'; from companion.app.cli import main; main()"
    return subprocess.run([sys.executable, "-c", code, *arguments], env=os.environ | variables, capture_output=True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_full_disk_is_told_where_no_command_thinks_of_it(companion: Companion) -> None:
    run = companion("count", "--colours", str(companion.folder / "colours.json"), "--learn", "/dev/full")
    assert (run.code, run.out) == (1, "")
    assert run.err.startswith("companion: ")
    assert "No space left on device" in run.err
    assert "Make room there" in run.err


@pytest.mark.parametrize("arguments", [
    ("sample", "box", "--game", "spyrium", "--out", "{folder}/away/cards.zip"),
    ("count", "--colours", "{folder}/colours.json", "--picture", "{folder}/colours.json/out", "{folder}/table.png"),
    ("count", "--colours", "{folder}/colours.json", "--learn", "{folder}/away/learnt.json"),
    ("backup", "{folder.parent}/nowhere/evening.zip"),
])
def test_place_that_cannot_be_written_is_named_with_what_to_do(
    companion: Companion, arguments: tuple[str, ...]
) -> None:
    run = companion(*(word.format(folder=companion.folder) for word in arguments))
    assert (run.code, run.out) == (1, "")
    assert str(companion.folder.parent) in run.err
    assert "Choose another place" in run.err
    assert "Errno" not in run.err


def test_outlined_picture_that_was_not_written_is_no_success(companion: Companion) -> None:
    (companion.folder / "out" / "table.png").mkdir(parents=True)
    colours, picture, out = (str(companion.folder / name) for name in ("colours.json", "table.png", "out"))
    run = companion("count", "--colours", colours, "--picture", out, picture)
    assert run.code == 1
    assert "cannot be written" in run.err


@pytest.mark.usefixtures("full_disk")
def test_box_file_that_was_there_is_whole_when_the_new_one_cannot_be_written(companion: Companion) -> None:
    kept = companion.folder / "cards.zip"
    kept.write_bytes(b"learnt")
    run = companion("sample", "box", "--game", "spyrium", "--out", str(kept))
    assert run.code == 1
    assert kept.read_bytes() == b"learnt"


def test_only_picture_that_cannot_be_read_leaves_none_that_was_counted(companion: Companion) -> None:
    run = companion("count", "--colours", str(companion.folder / "colours.json"), str(companion.folder / "gone.jpg"))
    assert "No picture was counted." in run.err


@pytest.mark.parametrize("encoding", ["latin-1", "cp1250"])
def test_terminal_of_few_letters_gets_numbers_for_the_others(encoding: str) -> None:
    done = outside("rules", "E41", "--lang", "sk", PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "E41" in done.stdout.decode(encoding)


@pytest.mark.parametrize("package", ["prometheus_client", "psycopg"])
def test_hub_without_its_packages_says_which_and_how_to_get_them(package: str) -> None:
    done = outside(*HUB, before=f"sys.modules[{package!r}] = None")
    assert done.returncode == 1
    assert package in done.stderr.decode()
    assert "pip install 'psycopg[binary]' prometheus-client highspy" in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_box_that_is_away_is_told_once(companion: Companion) -> None:
    run = companion("box", "settings", "/dev/ttyNONE", "--buzzer")
    assert run.code == 5
    assert run.err.count("companion box doctor /dev/ttyNONE") == 1


def test_session_that_is_there_already_is_not_answered_with_an_option_of_another_command(companion: Companion) -> None:
    export = str(companion.folder / "eve.jsonl")
    assert companion("new", "envyra", "--player", "Eva", "--player", "Ján", "--session", "eve").code == 0
    assert companion("export", "eve", "-o", export).code == 0
    run = companion("import", export)
    assert run.code == 3
    assert "this game is here already, with 1 record. `companion status eve` shows it" in run.err


def test_another_game_of_the_same_name_is_told_from_the_one_that_is_here(tmp_path: Path) -> None:
    """Two machines both call the first game of an evening after its day."""
    export, other = str(tmp_path / "eve.jsonl"), str(tmp_path / "other.sqlite")
    ours, theirs = Companion(tmp_path / "ours"), Companion(tmp_path / "theirs")
    for companion, player in ((ours, "Žofia"), (theirs, "Eva")):
        assert companion("new", "envyra", "--session", "eve", "--player", player, "--player", "Ján").code == 0
    assert theirs("export", "eve", "-o", export).code == 0
    run = ours("import", export)
    assert run.code == 3
    assert "another game called eve, of Žofia, Ján, is here" in run.err
    assert f"`COMPANION_STORE=other.sqlite companion import {export}`" in run.err
    assert Companion(tmp_path / "ours", COMPANION_STORE=other)("import", export).code == 0


@pytest.mark.parametrize("printed", [("calibrate", "print"), ("sample", "print", "--game", "spyrium")])
@pytest.mark.usefixtures("full_disk")
def test_sheets_that_do_not_fit_on_the_disk_leave_what_was_there(
    companion: Companion, printed: tuple[str, ...]
) -> None:
    sheets = companion.folder / "sheets.pdf"
    sheets.write_bytes(b"printed before")
    run = companion(*printed, "--out", str(sheets))
    assert run.code == 1
    assert "with room" in run.err
    assert sheets.read_bytes() == b"printed before"


@pytest.mark.parametrize("pages", [("--web",), ("--box", "virtual:")])
def test_game_is_not_begun_when_its_pages_have_no_port(companion: Companion, pages: tuple[str, ...]) -> None:
    players = ("--player", "Eva", "--player", "Ján")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        run = companion("play", "--game", "envyra", *players, *pages, "--port", port, "--bind", "127.0.0.1")
    assert run.code == 5
    assert port in run.err
    assert "envyra" not in companion("status").out


def test_lens_without_a_picture_waits_no_longer_than_for_a_camera_to_open(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[object] = []
    monkeypatch.setattr(BrowserSource, "newest", lambda *looked, **_: looks.append(looked))
    monkeypatch.setattr(calibrate, "FIRST_PICTURE_S", 0.0)
    monkeypatch.setattr(calibrate, "LIVE_S", 0.3)
    run = companion("calibrate", "lens", "browser")
    assert run.code == 5
    assert "browser: no phone has sent a picture yet" in run.err
    assert len(looks) < 10  # at once, not for as long as the board is moved about


def test_backup_of_a_folder_that_may_only_be_read_is_whole(
    companion: Companion, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert companion("new", "envyra", "--player", "Eva", "--player", "Ján", "--session", "eve").code == 0
    file = tmp_path_factory.mktemp("elsewhere") / "evening.zip"
    opened = sqlite3.connect

    def read_only(database: str, **options: object) -> sqlite3.Connection:
        if str(companion.folder) in str(database):
            raise sqlite3.OperationalError("unable to open database file")
        return opened(database, **options)  # type: ignore[call-overload, no-any-return]

    may = os.access
    monkeypatch.setattr(sqlite3, "connect", read_only)
    monkeypatch.setattr(os, "access", lambda path, mode: companion.folder not in (Path(path), *Path(path).parents)
                        and may(path, mode))
    assert companion("backup", str(file)).code == 0
    monkeypatch.undo()
    assert companion("restore", str(file), "--try").code == 0
