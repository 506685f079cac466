"""A bundle replays to the same result anywhere, and a damaged one is refused naming the place."""

from __future__ import annotations

import json
import shutil
import threading
import zipfile
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from followed_table import ENVYRA
from run_companion import Companion

from companion.app.camera.evidence_pictures import EvidencePictures
from companion.app.files.bundle import MANIFEST, RECORD, replay_bundle, write_bundle
from companion.app.files.paths import pictures_dir
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame
from companion.app.wiring import attach_box, begin_table, resume_table
from companion.core.digest import digest
from companion.core.errors import CompanionError, DataError, RecordError
from companion.core.types import Seat, SeatInfo
from companion.table.commands import Play


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A bundle of a short evening with the box opened twice and two pictures; the final state's digest and head."""
    folder = tmp_path_factory.mktemp("evening")
    settings = Settings(data_dir=str(folder), store=str(folder / "own.sqlite"))
    seats = tuple(SeatInfo(f"P{n}", colour) for n, colour in enumerate(ENVYRA.colours[:2]))
    with open_store(settings) as store:
        table = begin_table(store, settings, NewGame("envyra", seats, session="evening"))
        random, rules = Random(1), table.rules
        while outcomes := rules.chance_outcomes(table.session.state):
            draw = random.choices(outcomes, [float(o.probability) for o in outcomes])[0].draw
            table.session.ask(Play(texts=(rules.format(draw),)))
        pictures = EvidencePictures(pictures_dir(settings, "evening"))
        grey = np.full((40, 60, 3), 90, np.uint8)
        pictures.settled(grey, new_scene=True)
        pictures.settled(grey + 20, new_scene=True)
        pictures.keep(table.session.number)
        for seat in (Seat.A, Seat.B):  # the program is started again in between
            news, number = table.session.subscribe(), table.session.number
            attach_box(table, store, settings, "virtual:").tap(seat)
            while table.session.number == number:
                assert news.get(10.0) is not None
            state = digest(rules.dump(table.session.state))
            table.close()
            table = resume_table(store, settings, "evening")
        table.close()
        file = folder / "evening.zip"
        assert write_bundle(store, settings, "evening", file) == (2, 2)
        head = store.session("evening").head
    assert not [t for t in threading.enumerate() if t.name in ("box", "leds")]
    return file, state, head


def test_a_bundle_replays_to_the_same_state_on_another_machine(evening: tuple, tmp_path: Path) -> None:
    file, state, head = evening
    other = Companion(tmp_path / "other")
    copy = tmp_path / "copy.zip"
    shutil.copy(file, copy)
    run = other("bundle", "--replay", str(copy), "--json")
    assert run.code == 0, run.err
    told = json.loads(run.out)
    assert (told["state"], told["head"], told["pictures"]) == (state, head, 2)
    assert (told["recorded"], told["proven"]) == (2, 2)  # both presses are in the bytes of the box
    assert told["presses"] >= 2


def test_the_same_session_gives_the_same_bytes(evening: tuple, tmp_path: Path) -> None:
    file, _, _ = evening
    settings = Settings(data_dir=str(file.parent), store=str(file.parent / "own.sqlite"))
    with open_store(settings) as store:
        write_bundle(store, settings, "evening", tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == file.read_bytes()


def test_no_address_of_the_machine_is_in_the_settings(evening: tuple) -> None:
    with zipfile.ZipFile(evening[0]) as archive:
        told = json.loads(archive.read("settings.json"))
        assert not [name for name in archive.namelist() if str(evening[0].parent) in name]
    assert not {"store", "data_dir"} & told.keys()
    assert told["language"] == "en"


def test_the_evidence_pictures_can_be_opened(evening: tuple) -> None:
    with zipfile.ZipFile(evening[0]) as archive:
        names = [name for name in archive.namelist() if name.startswith("pictures/")]
        shapes = {cv2.imdecode(np.frombuffer(archive.read(n), np.uint8), cv2.IMREAD_COLOR).shape for n in names}
    assert sorted(name[-10:] for name in names) == ["-after.jpg", "before.jpg"]
    assert shapes == {(40, 60, 3)}


def rewritten(file: Path, target: Path, change: dict[str, bytes | None], *, relist: bool = False) -> Path:
    """A copy with some members changed, added, or left out (None); `relist`: the manifest lists them as they are."""
    import hashlib

    with zipfile.ZipFile(file) as archive:
        members: dict[str, bytes | None] = {name: archive.read(name) for name in archive.namelist()}
    members |= change
    there = {name: data for name, data in members.items() if data is not None}
    if relist:
        manifest = json.loads(there[MANIFEST])
        manifest["members"] = {
            name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in there.items() if name != MANIFEST
        }
        there[MANIFEST] = json.dumps(manifest).encode()
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in there.items():
            archive.writestr(name, data)
    return target


def member(file: Path, name: str) -> bytes:
    with zipfile.ZipFile(file) as archive:
        return archive.read(name)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("settings.json", b"{}", "settings.json: expected"),
        ("settings.json", None, "settings.json"),
        ("box/001.jsonl", None, "box/001.jsonl"),
        ("../escape.txt", b"x", "../escape.txt: not in the list"),
        (MANIFEST, None, MANIFEST),
        (MANIFEST, b"[]", MANIFEST),
        (MANIFEST, b'{"format": "other"}', MANIFEST),
    ],
)
def test_a_part_that_is_changed_missing_or_foreign_is_named(
    evening: tuple, tmp_path: Path, name: str, data: bytes | None, said: str
) -> None:
    with pytest.raises(DataError) as caught:
        replay_bundle(rewritten(evening[0], tmp_path / "bad.zip", {name: data}))
    assert said in str(caught.value)


def test_every_problem_is_named_at_once(evening: tuple, tmp_path: Path) -> None:
    bad = rewritten(evening[0], tmp_path / "bad.zip", {"settings.json": b"{}", "box/002.jsonl": None})
    with pytest.raises(DataError, match=r"settings\.json.*box/002\.jsonl|box/002\.jsonl.*settings\.json"):
        replay_bundle(bad)


def test_a_foreign_part_is_refused_even_when_it_is_listed(evening: tuple, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"evil\.sh: no part of a bundle"):
        replay_bundle(rewritten(evening[0], tmp_path / "bad.zip", {"evil.sh": b"x"}, relist=True))


def test_a_forged_record_is_found_with_its_line(evening: tuple, tmp_path: Path) -> None:
    lines = member(evening[0], RECORD).splitlines(keepends=True)
    lines[3] = lines[3].replace(b'"time_ms":1', b'"time_ms":2')
    with pytest.raises(CompanionError, match="line 4"):
        replay_bundle(rewritten(evening[0], tmp_path / "bad.zip", {RECORD: b"".join(lines)}, relist=True))


def test_a_bundle_that_promises_another_result_is_refused(evening: tuple, tmp_path: Path) -> None:
    manifest = json.loads(member(evening[0], MANIFEST))
    manifest["result"]["state"] = "0" * 64
    with pytest.raises(RecordError, match="came to"):
        replay_bundle(rewritten(evening[0], tmp_path / "bad.zip", {MANIFEST: json.dumps(manifest).encode()}))


def test_a_damaged_capture_is_named_with_its_line(evening: tuple, tmp_path: Path) -> None:
    lines = member(evening[0], "box/001.jsonl").splitlines(keepends=True)
    lines[1] = b"no JSON\n"
    with pytest.raises(DataError, match=r"box/001\.jsonl.*line 2"):
        replay_bundle(rewritten(evening[0], tmp_path / "bad.zip", {"box/001.jsonl": b"".join(lines)}, relist=True))


def test_any_cut_and_any_flipped_byte_is_refused_or_changes_nothing(evening: tuple, tmp_path: Path) -> None:
    whole = evening[0].read_bytes()
    random, bad = Random(7), tmp_path / "bad.zip"
    sound, refusals = replay_bundle(evening[0]), []
    for _ in range(12):
        bad.write_bytes(whole[: random.randrange(len(whole))])
        with pytest.raises(CompanionError):
            replay_bundle(bad)
    for _ in range(25):
        at = random.randrange(len(whole))
        bad.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << random.randrange(8))]) + whole[at + 1 :])
        try:
            again = replay_bundle(bad)
        except CompanionError as error:
            refusals.append(str(error))
        else:  # the bit says nothing: a date, an attribute
            assert again == sound
    assert len(refusals) > 15
    assert all(str(bad) in refusal for refusal in refusals)


def test_the_command_says_what_was_expected(tmp_path: Path) -> None:
    companion = Companion(tmp_path / "here")
    assert companion("bundle").code == 2
    assert companion("bundle", "nobody", str(tmp_path / "x.zip")).code == 3
    assert not (tmp_path / "x.zip").exists()
    (tmp_path / "text.zip").write_text("hello", encoding="utf-8")
    run = companion("bundle", "--replay", str(tmp_path / "text.zip"))
    assert (run.code, "text.zip" in run.err) == (3, True)
