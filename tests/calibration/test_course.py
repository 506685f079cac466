"""Learning a box piece by piece: what is told, kept, shown again; what is on the disk; what catalogue comes of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.course.course import Course, same_look
from calibration.course.course_folder import CourseFolder
from calibration.course.derived_form import derived_form
from calibration.course.faults import PieceFault, fault_of
from calibration.course.upright import quarter_turned, turns_of
from calibration.course.written_catalogue import catalogue_toml, piece_ids
from calibration.sample_edition.art import draw_tile
from calibration.sample_edition.box import sample_tiles
from calibration.sample_edition.style import sample_style
from companion.app.files.atomic_write import write_whole
from companion.core.errors import DataError
from companion.core.types import SeatInfo, Setup
from companion.games import find_game
from companion.games.envyra.edition.catalogue import parse_catalogue
from companion.games.envyra.edition.form import FORM
from companion.games.spyrium.edition.designs import EVENTS

LEAF = {"theme": "flora", "symbol": "1", "vp": "1", "cubes": "2", "requires": "", "start": "yes", "players_3_4": "no"}
GEM = {"theme": "bonus", "vp": "3", "cubes": "3", "requires": "flora,water", "start": "no", "players_3_4": "no"}


def values_of_sample() -> list[dict[str, str]]:
    """Every standard tile of the sample edition as a person would tell it."""
    out = []
    for tile in sample_tiles():
        values = {
            "theme": tile.theme, "vp": str(tile.vp), "cubes": str(tile.cubes), "requires": ",".join(tile.requires),
            "start": "yes" if tile.start else "no", "players_3_4": "yes" if tile.min34 else "no",
        }  # fmt: skip
        out += [] if tile.alternative else [values | ({"symbol": str(tile.symbol + 1)} if tile.theme in THEMES else {})]
    return out


THEMES = ("flora", "water", "fire")


def cards_of_sample() -> list[dict[str, str]]:
    return [
        {"design": card.design_name, "price": str(card.price), "points": str(card.points), "period": card.period}
        for card in find_game("spyrium").load_catalogue("sample").cards
        for _ in range(card.copies)
    ]


def test_a_box_told_piece_by_piece_is_a_catalogue_the_game_takes() -> None:
    pieces = values_of_sample()
    course = Course("envyra").laid([f"{n}.png" for n in range(len(pieces))])
    kept = course.accepted({n + 1: values for n, values in enumerate(pieces)}, FORM).kept
    catalogue = parse_catalogue(catalogue_toml("envyra", "mine", "Moja krabica", kept, FORM), "test")
    assert len(catalogue.tiles) == 38
    assert len(set(piece_ids(kept, FORM).values())) == 38
    assert all(line.have == line.want and not line.wrong for line in FORM.progress(pieces))


def test_spyriums_cards_told_one_by_one_are_a_catalogue_with_copies() -> None:
    spec = find_game("spyrium")
    assert spec.form is not None
    known = spec.load_catalogue("sample")
    pieces = cards_of_sample() + [{"period": "event", "event": event.value} for event in EVENTS]
    course = Course("spyrium").laid([f"{n}.png" for n in range(len(pieces))])
    kept = course.accepted({n + 1: values for n, values in enumerate(pieces)}, spec.form).kept
    again = spec.load_catalogue(catalogue_toml("spyrium", "mine", "Mine", kept, spec.form))
    assert again.piece_counts == known.piece_counts
    seats = (SeatInfo("Eva", "blue"), SeatInfo("Ján", "red"))
    faces = spec.make_rules(Setup("spyrium", seats, again.id), again).faces()
    assert set(piece_ids(kept, spec.form).values()) == set(faces), "the camera knows each card and each event"
    assert {(c.look, c.period): c.copies for c in again.cards} == {(c.look, c.period): c.copies for c in known.cards}
    assert all(line.have == line.want for line in spec.form.progress(pieces))


def test_what_no_more_cards_of_spyrium_can_make_right_is_shown_with_its_cards() -> None:
    spec = find_game("spyrium")
    assert spec.form is not None
    pieces = cards_of_sample()
    first = {piece["design"]: k for k, piece in reversed(list(enumerate(pieces)))}
    crane, palace = first["crane"], first["palace"]
    mansion = first["mansion"]  # the only one
    pieces[mansion] = {**pieces[mansion], "design": "crane"}
    pieces[palace] = {**pieces[palace], "points": "2"}
    money = {"period": "event", "event": "event-money"}
    lines = spec.form.progress([*pieces, money, money])
    broken = {line.text.message: line for line in lines if line.wrong}
    assert set(broken["Each technique is there once: {card}"].pieces) == {crane, mansion}  # S1
    assert broken["Each event is there once: {card}"].pieces == (len(pieces), len(pieces) + 1)  # S1
    assert broken["{card} has {value} points"].pieces == (palace,)  # S2
    missing = [line.text for line in lines if line.have < line.want]
    assert missing == ["Buildings", "Events", "Of each card at least one: Mansion"]  # S1


def test_a_game_that_declares_no_form_gets_one_from_its_catalogue_where_that_can_tell_a_piece() -> None:
    spec = find_game("spyrium")
    derived = derived_form(spec)
    assert derived is not None
    assert (derived.table, derived.size_mm, derived.copies_key) == ("card", (44.0, 68.0), "copies")
    assert [field.key for field in derived.fields] == ["_sort", "design", "period", "price", "points", "_other"]
    assert derived.fields[-1].values == tuple(event.value for event in EVENTS), "they stand in no table"
    assert "[residence]" in derived.begin
    assert derived_form(find_game("rifts")) is None, "a tile of three spaces is told by no list of fields"


def test_a_box_by_a_derived_form_has_all_that_the_camera_must_know() -> None:
    spec = find_game("spyrium")
    derived = derived_form(spec)
    assert derived is not None
    pieces = [{"points": "0", **card, "_sort": "card"} for card in cards_of_sample()]
    pieces += [{"_sort": "_other", "_other": event.value} for event in EVENTS]
    course = Course("spyrium").laid([f"{n}.png" for n in range(len(pieces))])
    kept = course.accepted(dict(enumerate(pieces, 1)), derived).kept
    text = catalogue_toml("spyrium", "mine", "Mine", kept, derived)
    assert "_" not in {line.partition(" = ")[0][:1] for line in text.splitlines()}
    assert {event.value for event in EVENTS} <= set(piece_ids(kept, derived).values())
    assert all(line.have == line.want for line in derived.progress(pieces))


def test_the_counts_name_the_pieces_of_which_there_are_too_many() -> None:
    lines = FORM.progress([GEM | {"vp": "5"}, GEM, GEM | {"vp": "5"}])
    bonus = next(line for line in lines if line.text == "Bonus tiles")
    assert bonus.wrong  # E1: one bonus tile of five points
    assert bonus.pieces == (0, 1, 2)


def test_a_tile_that_shows_what_an_earlier_one_does_is_another_copy_or_the_same_again() -> None:
    course = Course("envyra").laid(["1-1.png", "2-1.png"]).accepted({1: LEAF, 2: GEM}, FORM).laid(["3-1.png"])
    assert same_look(course.pieces, FORM, LEAF) == (1,)
    assert same_look(course.pieces, FORM, LEAF | {"vp": "2"}) == ()
    again = course.shown_again(3, 1)
    assert again.piece(1).pictures == ("1-1.png", "3-1.png")
    assert [one.number for one in again.pieces] == [1, 2]
    assert again.laid(["x"]).pieces[-1].number == 4, "a number is never used twice"


@pytest.mark.parametrize(("key", "value"), [("theme", "sea"), ("requires", "fire,flora"), ("vp", "100"), ("cubes", "")])
def test_a_value_that_no_tile_can_have_is_refused(key: str, value: str) -> None:
    with pytest.raises(ValueError, match=key):
        Course("envyra").laid(["1-1.png"]).told(1, key, value, FORM)


def test_a_piece_of_which_something_is_missing_is_not_kept() -> None:
    with pytest.raises(ValueError, match="vp"):
        Course("envyra").laid(["1-1.png"]).accepted({1: {k: v for k, v in LEAF.items() if k != "vp"}}, FORM)


def test_a_course_is_read_as_it_was_written_and_forgotten_pictures_are_removed(tmp_path: Path) -> None:
    folder = CourseFolder(tmp_path, "envyra", write_whole)
    for name in ("1-1.png", "2-1.png"):
        folder.add(name, np.zeros((8, 8, 3), np.uint8))
    course = Course("envyra").laid(["1-1.png", "2-1.png"]).told(1, "vp", "3", FORM)
    folder.save(course)
    assert folder.read() == course
    folder.save(course.dropped(2))
    assert {path.name for path in tmp_path.glob("*.png")} == {"1-1.png"}


def test_a_damaged_course_says_so_and_stays_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "course.json").write_text('{"schema": 1', encoding="utf-8")
    with pytest.raises(DataError, match="cannot be read"):
        CourseFolder(tmp_path, "envyra", write_whole).read()
    assert (tmp_path / "course.json").exists()


def test_killed_after_any_write_the_course_is_the_old_one_or_the_new_one_whole(tmp_path: Path) -> None:
    """The power fails before the n-th write, for every n: what is read is a course of which every picture is there."""
    picture = np.zeros((8, 8, 3), np.uint8)

    class PowerFailsError(Exception):
        pass

    for last in range(6):
        folder, left = tmp_path / str(last), [last]

        def write(path: Path, chunks: Iterable[bytes], left: list[int] = left) -> None:
            if left[0] == 0:
                raise PowerFailsError
            left[0] -= 1
            write_whole(path, chunks)

        here, course = CourseFolder(folder, "envyra", write), Course("envyra")
        before = course
        try:
            for batch in (["1-1.png", "2-1.png"], ["3-1.png"]):
                for name in batch:
                    here.add(name, picture)
                before, course = course, course.laid(batch)
                here.save(course)
        except PowerFailsError:
            assert here.read() in (before, course)
        for one in here.read().pieces:
            assert here.picture(one.pictures[0]).shape == (8, 8, 3)


KILLED = """
import sys
from pathlib import Path
import numpy as np
from calibration.course.course import Course
from calibration.course.course_folder import CourseFolder
from companion.app.files.atomic_write import write_whole
folder, course = CourseFolder(Path(sys.argv[1]), "envyra", write_whole), Course("envyra")
for number in range(1, 150):
    name = f"{number}-1.png"
    folder.add(name, np.full((64, 64, 3), number, np.uint8))
    course = course.laid([name])
    folder.save(course)
    print(number, flush=True)
"""


def test_a_process_killed_at_work_has_lost_nothing_that_it_had_said(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) == 25:
                break
        os.kill(process.pid, signal.SIGKILL)
        said = [int(line) for line in process.stdout if line.endswith("\n")]
    course = CourseFolder(tmp_path, "envyra", write_whole).read()
    assert len(course.pieces) >= max([25, *said])
    for one in course.pieces:
        assert int(CourseFolder(tmp_path, "envyra", write_whole).picture(one.pictures[0])[0, 0, 0]) == one.number
    assert json.loads((tmp_path / "course.json").read_text(encoding="utf-8"))["next"] == len(course.pieces) + 1


@pytest.fixture(scope="module")
def tiles() -> list[np.ndarray]:
    style = sample_style()
    return [draw_tile(tile, style, 128) for tile in sample_tiles()[::3]]


def test_pieces_laid_any_way_up_are_put_the_same_way_up_as_those_that_are_known(tiles: list[np.ndarray]) -> None:
    laid = [quarter_turned(tile, k % 4) for k, tile in enumerate(tiles[6:])]
    turns = turns_of(laid, tiles[:6])
    assert [(k + turn) % 4 for k, turn in enumerate(turns)] == [0] * len(laid)


def test_a_first_batch_is_put_the_way_up_that_most_of_it_lies(tiles: list[np.ndarray]) -> None:
    quarters = [0, 0, 1, 0, 3, 0, 2, 0]
    turns = turns_of([quarter_turned(tile, k) for tile, k in zip(tiles, quarters, strict=False)], [])
    assert [(k + turn) % 4 for k, turn in zip(quarters, turns, strict=True)] == [0] * 8


CORNERS = np.array([[40.0, 40.0], [140.0, 40.0], [140.0, 140.0], [40.0, 140.0]])


def on_table(tile: np.ndarray) -> np.ndarray:
    table = np.full((200, 200, 3), 90, np.uint8)
    table[40:140, 40:140] = cv2.resize(tile, (100, 100), interpolation=cv2.INTER_AREA)
    return table


def test_a_good_picture_has_no_fault(tiles: list[np.ndarray]) -> None:
    assert [fault_of(on_table(tile), CORNERS, (55.0, 55.0)) for tile in tiles] == [None] * len(tiles)


@pytest.mark.parametrize("fault", [one for one in PieceFault if one is not PieceFault.PARTLY])  # neighbours tell that
def test_a_bad_picture_is_refused_with_the_reason(tiles: list[np.ndarray], fault: PieceFault) -> None:
    image, corners = on_table(tiles[0]), CORNERS
    if fault is PieceFault.CUT_OFF:
        corners = CORNERS + 70
    elif fault is PieceFault.TOO_SMALL:
        corners = 90 + (CORNERS - 90) * 0.45
    elif fault is PieceFault.BLURRED:
        image = cv2.GaussianBlur(image, (0, 0), 3.0)
    else:
        y, x = np.mgrid[:200, :200]
        spot = 420 * np.exp(-((x - 100.0) ** 2 + (y - 100.0) ** 2) / (2 * 14.0**2))
        image = np.clip(image + spot[:, :, None], 0, 255).astype(np.uint8)
    assert fault_of(image, corners, (55.0, 55.0)) is fault


def test_the_copies_of_a_theme_are_told_only_where_they_are_wrong() -> None:
    pieces = values_of_sample()
    said = {line.text.message for line in FORM.progress(pieces)}
    assert "Tiles of {theme}" in said
    flora = [k for k, piece in enumerate(pieces) if piece["theme"] == "flora"]
    for k in flora[:4]:  # E1: at most three of a symbol
        pieces[k] = {**pieces[k], "symbol": "1"}
    wrong = [line.text.message for line in FORM.progress(pieces) if line.wrong]
    assert wrong == ["Tiles of {theme}: four symbols, 3 + 3 + 2 + 2"]
