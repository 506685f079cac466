"""Facts about the commands around a session: what they print, their JSON, their exit codes, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from run_companion import Companion, Run

PLAYERS = ("--player", "Žofia:pink", "--player", "Ján:gray")
# The deal of six tiles, who begins, two choices behind the screen, a move, and an undo that crosses nothing.
OPENING = "1\n" * 6 + "1\n" + "\n1\n" + "\n2\n" + "1\n"


@pytest.fixture
def companion(tmp_path: Path) -> Companion:
    return Companion(tmp_path)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Companion:
    """A session "eve" that has been played for a while; tests only read it."""
    ours = Companion(tmp_path_factory.mktemp("played"))
    assert ours("new", "envyra", *PLAYERS, "--session", "eve").code == 0
    assert ours("play", "eve", stdin=OPENING).code == 0
    return ours


def test_one_of_a_thing_is_no_plural(companion: Companion, tmp_path: Path) -> None:
    assert companion("new", "envyra", *PLAYERS, "--session", "eve").code == 0
    assert "1 record " in companion("status").out
    assert "eve: 1 record without a difference" in companion("replay", "eve").out
    assert "eve: 1 record, the chain holds" in companion("verify", "eve").out
    assert "0 pictures and 0 captures" in companion("bundle", "eve", str(tmp_path / "eve.zip")).out
    assert "after 1 record;" in companion("bundle", "--replay", str(tmp_path / "eve.zip")).out


def as_json(run: Run) -> Any:
    assert run.code == 0, run.err
    return json.loads(run.out)


def test_new_names_the_session_and_the_seats(companion: Companion) -> None:
    made = as_json(companion("new", "envyra", "--player", "Žofia:pink", "--player", "Ľuboš Ö'Brien", "--json"))
    assert made["session"].startswith("envyra-")
    assert [(s["seat"], s["name"], s["colour"]) for s in made["seats"]] == [
        ("A", "Žofia", "pink"),
        ("B", "Ľuboš Ö'Brien", "purple"),
    ]
    again = as_json(companion("new", "envyra", *PLAYERS, "--json"))
    assert again["session"] != made["session"]


BAD_NEW = [
    (("nogame", *PLAYERS), 3, "no game is called 'nogame'"),
    (("envyra",), 3, "2 to 4 players, got 0"),
    (("envyra", *PLAYERS, "--option", "variant"), 2, "expected KEY=VALUE"),
    (("envyra", *PLAYERS, "--option", "variant=fast"), 3, "standard, basic"),
    (("envyra", *PLAYERS, "--catalogue", "nowhere.toml"), 3, "nowhere.toml"),
    (("envyra", *PLAYERS, "--catalogue", "/"), 3, "no catalogue"),
    (("envyra", *PLAYERS, "--session", "Not This"), 3, "cannot name a session"),
    (("envyra", "--player", "Eva", "--player", "Eva"), 3, "two players are called Eva"),
]


@pytest.mark.parametrize(("arguments", "code", "message"), BAD_NEW)
def test_a_game_that_cannot_be_set_up_is_refused(
    companion: Companion, arguments: tuple[str, ...], code: int, message: str
) -> None:
    run = companion("new", *arguments)
    assert (run.code, run.out) == (code, "")
    assert message in run.err
    assert "Traceback" not in run.err
    assert as_json(companion("status", "--json")) == {"sessions": []}


def test_status_lists_and_shows_sessions(played: Companion) -> None:
    (row,) = as_json(played("status", "--json"))["sessions"]
    assert (row["session"], row["players"]) == ("eve", ["Žofia", "Ján"])
    shown = as_json(played("status", "eve", "--json"))
    assert shown["number"] == row["records"]
    assert not shown["over"]
    said = played("status", "eve", "--lang", "sk")
    assert "Ján" in said.out
    assert "eve" in played("status").out


def test_play_goes_on_where_it_was(companion: Companion) -> None:
    companion("new", "envyra", *PLAYERS, "--session", "s")
    first = companion("play", "s", stdin="1\n" * 3)
    assert "The game is saved" in first.out
    before = as_json(companion("status", "s", "--json"))["number"]
    companion("play", stdin="1\n")  # the newest unfinished one
    assert as_json(companion("status", "s", "--json"))["number"] == before + 1


def test_play_begins_a_new_game_with_game(companion: Companion) -> None:
    run = companion("play", "mine", "--game", "envyra", *PLAYERS, stdin="1\n")
    assert "The game mine is being played" in run.out


def test_play_without_a_game_says_how_to_begin_one(companion: Companion) -> None:
    assert "companion new" in companion("play").err
    assert companion("play", *PLAYERS).code == 2
    missing = companion("play", "nobody")
    assert missing.code == 3
    assert "no session is called 'nobody'" in missing.err


def test_secret_choices_appear_neither_in_status_nor_on_the_screen(companion: Companion) -> None:
    companion("new", "envyra", *PLAYERS, "--session", "s")
    run = companion("play", "s", stdin="1\n" * 7 + "\nr1c2 r2c3\n")
    number = as_json(companion("status", "s", "--json"))["number"]
    last = companion("export", "s").out.splitlines()[-1]
    assert json.loads(last)["body"] == {"text": "A choose r1c2 r2c3"}
    assert number == json.loads(last)["number"]
    assert "choose r1c2 r2c3" not in run.out
    assert "r1c2 r2c3" not in companion("status", "s", "--json").out


def test_undo_tells_what_to_put_where_and_asks_for_consent(companion: Companion) -> None:
    companion("new", "envyra", *PLAYERS, "--session", "s")
    companion("play", "s", stdin=OPENING)
    refused = companion("undo", "s", "--to", "1")
    assert refused.code == 1
    assert "everyone must agree first; waiting for: Žofia and Ján" in refused.err
    by = "A" if as_json(companion("status", "s", "--json"))["to_act"] != ["A"] else "B"
    done = as_json(companion("undo", "s", "--by", by, "--json"))
    assert done["steps"]
    assert all("r1c1" in step for step in done["steps"])  # what is listed first is the place r1c1
    assert companion("undo", "s", "--by", "E").code == 2
    lifted = companion("undo", "s", "--to", "1", "--all-agree").out.splitlines()
    assert len(lifted) == 6
    assert all(line.endswith("away") for line in lifted)


def test_verify_and_replay_agree_with_a_sound_record(played: Companion, tmp_path: Path) -> None:
    file = str(tmp_path / "eve.jsonl")
    assert played("export", "eve", "-o", file).code == 0
    assert Path(file).read_text(encoding="utf-8") == played("export", "eve").out
    for what in ("eve", file):
        verified = as_json(played("verify", what, "--json"))
        replayed = as_json(played("replay", what, "--json"))
        assert verified["sound"]
        assert replayed["difference"] is None
        assert verified["records"] == replayed["records"]
        assert "the chain holds" in played("verify", what).out
        assert "without a difference" in played("replay", what).out


def test_an_export_is_imported_elsewhere_and_played_on(played: Companion, companion: Companion, tmp_path: Path) -> None:
    file = tmp_path / "eve.jsonl"
    played("export", "eve", "-o", str(file))
    assert as_json(companion("import", str(file), "--json"))["session"] == "eve"
    assert companion("export", "eve").out == played("export", "eve").out
    assert companion("play", "eve", stdin="1\n").code == 0
    again = companion("import", str(file))
    assert again.code == 3
    assert "here already" in again.err


def test_a_changed_record_is_refused_by_verify_replay_and_import(
    played: Companion, companion: Companion, tmp_path: Path
) -> None:
    file = tmp_path / "eve.jsonl"
    text = played("export", "eve").out
    file.write_text(text.replace("deal r1c2", "deal r1c3"), encoding="utf-8")
    for command in ("verify", "replay", "import"):
        run = companion(command, str(file))
        assert run.code == 4
        assert f"{file}, line" in run.err
        assert "Traceback" not in run.err
    told = companion("verify", str(file), "--json")
    assert told.code == 4
    assert json.loads(told.out)["sound"] is False
    assert as_json(companion("status", "--json")) == {"sessions": []}


def rewritten(text: str, number: int, event: str) -> str:
    """The export with another event in a record, all hashes made right again."""
    from companion.core.digest import canonical_json, digest

    header, *records = (json.loads(line) for line in text.splitlines())
    records[number - 1]["body"]["text"] = event
    previous = "0" * 64
    for record in records:
        record["previous_hash"] = previous
        previous = record["hash"] = digest({k: v for k, v in record.items() if k != "hash"})
    header["head"] = previous
    header["hash"] = digest({k: v for k, v in header.items() if k != "hash"})
    return "".join(canonical_json(line) + "\n" for line in (header, *records))


def test_replay_names_the_first_difference_of_a_record_with_right_hashes(played: Companion, tmp_path: Path) -> None:
    file = tmp_path / "forged.jsonl"
    file.write_text(rewritten(played("export", "eve").out, 3, "A move r1c1"), encoding="utf-8")
    assert played("verify", str(file)).code == 0
    run = played("replay", str(file), "--json")
    assert run.code == 4
    difference = json.loads(run.out)["difference"]
    assert (difference["record"], difference["expected"]) == (3, "A move r1c1")
    assert difference["reason"]
    assert "record 3" in played("replay", str(file), "--lang", "cs").out


@pytest.mark.parametrize("content", [b"", b"\x00\xff", b"{}\n", b"[1]\n", b'{"format":"companion-record"}\n'])
def test_files_that_are_no_record_are_refused(companion: Companion, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(content)
    for command in ("verify", "replay", "import"):
        run = companion(command, str(file))
        assert run.code == 3
        assert "line 1" in run.err
        assert "Traceback" not in run.err


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(st.text(st.characters(exclude_characters="\n\r"), max_size=20), max_size=12))
def test_whatever_is_typed_the_record_stays_sound(played: Companion, tmp_path: Path, lines: list[str]) -> None:
    companion = Companion(tmp_path)
    if not (tmp_path / "sessions.sqlite").exists():
        file = tmp_path / "eve.jsonl"
        played("export", "eve", "-o", str(file))
        companion("import", str(file))
    run = companion("play", "eve", stdin="\n".join(lines) + "\n")
    assert run.code == 0, run.err
    assert companion("verify", "eve").code == 0


def test_a_session_keeps_its_catalogue_when_the_file_is_gone(companion: Companion, tmp_path: Path) -> None:
    from companion.app.files.sessions import catalogue_text
    from companion.games import find_game

    file = tmp_path / "my box.toml"
    file.write_text(catalogue_text(find_game("envyra"), "sample"), encoding="utf-8")
    assert companion("new", "envyra", *PLAYERS, "--catalogue", str(file), "--session", "s").code == 0
    file.unlink()
    assert companion("play", "s", stdin=OPENING).code == 0
    assert companion("replay", "s").code == 0


def test_a_reader_that_goes_away_is_no_trouble(played: Companion) -> None:
    command = [sys.executable, "-m", "companion.app.cli", "export", "eve"]
    reader, writer = os.pipe()
    os.close(reader)
    pipes = {"stdout": writer, "stderr": subprocess.PIPE}
    done = subprocess.run(command, env=played.environment, text=True, timeout=600, **pipes)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")


def test_a_session_that_is_being_played_is_not_played_twice(companion: Companion) -> None:
    from companion.app.files.sessions import open_store
    from companion.app.files.settings import Settings
    from companion.app.wiring import resume_table

    companion("new", "envyra", *PLAYERS, "--session", "s")
    own = Settings(data_dir=str(companion.folder))
    with open_store(own) as store:
        table = resume_table(store, own, "s")
        run = companion("play", "s")
        table.close()
    assert run.code == 1
    assert "is being played by process" in run.err
    assert companion("status", "s").code == 0


def test_a_damaged_session_is_listed_with_its_damage(companion: Companion) -> None:
    import sqlite3

    for name in ("whole", "broken"):
        companion("new", "envyra", *PLAYERS, "--session", name)
    connection = sqlite3.connect(companion.folder / "sessions.sqlite")
    connection.execute("UPDATE companion_records SET line = 'x' WHERE session = 'broken'")
    connection.commit()
    connection.close()
    rows = {row["session"]: row for row in as_json(companion("status", "--json"))["sessions"]}
    assert "record 1 cannot be read" in rows["broken"]["damage"]
    assert rows["whole"]["records"] == 1
    assert "damaged" in companion("status").out


def test_a_wrong_setting_stops_every_command(tmp_path: Path) -> None:
    run = Companion(tmp_path, COMPANION_LANGUAGE="de")("status")
    assert run.code == 3
    assert "COMPANION_LANGUAGE: expected one of en, sk, cs, got 'de'" in run.err


def test_an_export_to_a_place_that_cannot_be_written_leaves_nothing(played: Companion, tmp_path: Path) -> None:
    run = played("export", "eve", "-o", str(tmp_path / "none" / "x.jsonl"))
    assert run.code == 1
    assert "cannot be written" in run.err
    kept = tmp_path / "kept.jsonl"
    kept.write_text("before", encoding="utf-8")
    assert played("export", "nobody", "-o", str(kept)).code == 3
    assert kept.read_text(encoding="utf-8") == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["kept.jsonl"]


@pytest.mark.parametrize("command", ["new", "play", "status", "undo", "replay", "verify", "export", "import"])
def test_every_command_has_a_help_with_an_example(companion: Companion, command: str) -> None:
    run = companion(command, "--help")
    assert run.code == 0
    assert f"companion {command}" in run.out
    assert "Example" in run.out


def test_the_catalogue_in_a_box_file_is_checked(companion: Companion, tmp_path: Path) -> None:
    box = str(tmp_path / "box.zip")
    assert companion("sample", "box", "--game", "spyrium", "--out", box).code == 0
    right = companion("catalogue", "check", box, "--game", "spyrium")
    assert right.code == 0
    assert "everything counted right" in right.out
    other = companion("catalogue", "check", box)
    assert other.code == 3
    assert "Give --game spyrium" in other.err
