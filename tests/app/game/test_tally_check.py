"""Captured tiles in a picture against the record: the difference is named tile by tile, same faces counting as one."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from followed_table import ENVYRA, sample_rules
from run_companion import Companion

import companion.app
from calibration.box_file import EnrolledBox, write_box
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame
from companion.app.game.tally_check import BoxTally, as_json, captured_by, compare_tally, number_captured
from companion.app.wiring import begin_table
from companion.core.errors import DataError
from companion.core.types import Seat, SeatInfo
from companion.lab.simulators.simulated_table import play, random_state
from companion.table.commands import Play

REFERENCE = Path(companion.app.__file__).parent / "demo" / "film" / "reference"
CATALOGUE = ENVYRA.locale_dir.parent / "catalogues" / "sample.toml"
TILE_PX = 150


def same(face: str) -> str:
    """Faces that differ in their last letter look the same."""
    return face.rpartition("-")[0] + "-a"


@pytest.mark.parametrize(
    ("seen", "recorded", "unknown", "differences"),
    [
        (("x-a", "y-a"), ("y-a", "x-b"), 0, []),
        (("x-a",), ("x-a", "x-b"), 0, [("x-a", -1)]),
        (("x-a", "x-b", "y-a"), ("x-a",), 0, [("x-a", 1), ("y-a", 1)]),
        (("x-a",), ("y-a",), 0, [("x-a", 1), ("y-a", -1)]),
        ((), (), 0, []),
        (("x-a",), ("x-a",), 1, []),
    ],
    ids=["same faces", "missing", "too many", "another", "nothing", "one not recognised"],
)
def test_differences_are_counted_by_what_can_be_seen(
    seen: tuple, recorded: tuple, unknown: int, differences: list
) -> None:
    check = compare_tally(seen, recorded, same, unknown)
    assert [(row.face, row.difference) for row in check.differences] == differences
    assert check.agrees is (not differences and not unknown)
    assert sum(row["seen"] for row in as_json(check)["tiles"]) == len(seen)


def test_the_captured_tiles_are_those_of_the_seat() -> None:
    rules, random = sample_rules(2), Random(2)
    *_, (_, _, last) = play(rules, random_state(rules, random), random)
    for seat in (Seat.A, Seat.B):
        assert len(captured_by(rules, last, seat)) == bin(last.owned[seat]).count("1")
    with pytest.raises(DataError, match="seat C"):
        captured_by(rules, last, Seat.C)


def test_the_record_of_a_game_that_is_over_tells_how_many_tiles_a_seat_has_captured() -> None:
    rules, random = sample_rules(2), Random(2)
    first = random_state(rules, random)
    *_, (_, _, last) = play(rules, first, random)
    session = SimpleNamespace(rules=rules, state=last)
    assert number_captured(SimpleNamespace(rules=rules, state=first), "envyra", "A") is None
    for seat in (Seat.A, Seat.B):
        assert number_captured(session, "envyra", seat.name) == bin(last.owned[seat]).count("1")
    assert number_captured(session, "spyrium", "A") is None
    assert number_captured(session, "envyra", "C") is None  # two play
    assert number_captured(session, "envyra", "") is None


def photograph(path: Path, faces: tuple[str, ...]) -> Path:
    """Tiles lying apart on a plain table, seen from above."""
    picture = np.full((720, 1280, 3), (70, 105, 140), np.uint8)
    for number, face in enumerate(faces):
        x, y = 120 + 190 * number, 150 + 180 * (number % 2)
        tile = cv2.resize(cv2.imread(str(REFERENCE / f"{face}.png")), (TILE_PX, TILE_PX), interpolation=cv2.INTER_AREA)
        picture[y : y + TILE_PX, x : x + TILE_PX] = tile
    cv2.imwrite(str(path), cv2.GaussianBlur(picture, (3, 3), 0))
    return path


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[Companion, Path, tuple[str, ...]]:
    """A companion with a session in which A has captured three tiles or more, the box, and A's tiles."""
    folder = tmp_path_factory.mktemp("evening")
    companion = Companion(folder)
    settings = Settings(data_dir=str(folder))
    seats = tuple(SeatInfo(f"P{n}", colour) for n, colour in enumerate(ENVYRA.colours[:2]))
    random = Random(6)
    with open_store(settings) as store:
        table = begin_table(store, settings, NewGame("envyra", seats, session="evening"))
        rules = table.rules
        while len(captured_by(rules, table.session.state, Seat.A)) < 3:
            outcomes = rules.chance_outcomes(table.session.state)
            events = [o.draw for o in outcomes] or rules.legal_actions(table.session.state)
            assert table.session.ask(Play(texts=(rules.format(random.choice(events)),))).accepted
        tiles = captured_by(rules, table.session.state, Seat.A)
        table.close()
    references = {path.stem: [cv2.imread(str(path))] for path in sorted(REFERENCE.glob("*.png"))}
    box = folder / "sample.box"
    write_box(box, EnrolledBox("envyra", CATALOGUE.read_text(encoding="utf-8"), references))
    return companion, box, tiles


def test_a_tile_that_is_not_on_the_table_is_named(evening: tuple, tmp_path: Path) -> None:
    companion, box, tiles = evening
    picture = photograph(tmp_path / "tiles.png", tiles[1:])
    run = companion("tally-check", "--box", str(box), "--session", "evening", "--seat", "a", "--json", str(picture))
    assert run.code == 1, run.err
    told = json.loads(run.out)
    short = [(t["tile"], t["recorded"] - t["seen"]) for t in told["tiles"] if t["seen"] != t["recorded"]]
    rules = sample_rules(2)
    assert short == [(rules.same_face(tiles[0]), 1)]
    assert told["agrees"] is False


def test_the_tiles_of_the_record_agree_in_whatever_order_and_pictures(evening: tuple, tmp_path: Path) -> None:
    companion, box, tiles = evening
    pictures = [photograph(tmp_path / f"{n}.png", part) for n, part in enumerate((tiles[2:], tiles[:2]))]
    run = companion("tally-check", "--box", str(box), "--session", "evening", "--seat", "A", *map(str, pictures))
    assert (run.code, "agree" in run.out) == (0, True), run.out + run.err


def test_tiles_that_look_alike_are_one_face_of_which_the_box_has_two(evening: tuple, tmp_path: Path) -> None:
    _, box, _ = evening
    tiles, same = ("flora-2-a", "flora-2-b", "fire-2-b", "water-3-a"), sample_rules(2).same_face
    assert same(tiles[0]) == same(tiles[1])
    reading = BoxTally(box).read(photograph(tmp_path / "pair.png", tiles))
    assert sorted(reading.faces) == sorted(map(same, tiles))
    assert not reading.doubts


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--seat", "A"), 2),
        (("--session", "evening", "--seat", "Q"), 2),
        (("--session", "nobody", "--seat", "A"), 3),
        (("--session", "evening", "--seat", "C"), 3),
    ],
)
def test_a_seat_or_a_session_that_is_not_there_is_refused(
    evening: tuple, tmp_path: Path, arguments: tuple, code: int
) -> None:
    companion, _, _ = evening
    small = tmp_path / "small.box"
    write_box(small, EnrolledBox("envyra", "x", {"a": [np.full((64, 64, 3), 90, np.uint8)]}))
    empty = tmp_path / "empty.png"
    cv2.imwrite(str(empty), np.full((72, 128, 3), 90, np.uint8))
    assert companion("tally-check", "--box", str(small), *arguments, str(empty)).code == code
