"""A rendered map of Rifts of N'Norya: each location tile is named, with the space it lies on and its turn."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from learnt_sets import learnt

from companion.core.errors import DataError
from companion.core.inputs import ViewState
from companion.core.layout import SlotOutline, SlotView
from companion.core.types import Slot
from companion.lab.scenes.make_tables import main as make_tables
from vision.appearance.picture_light import PieceColours
from vision.appearance.placed_face import shrink_reference
from vision.scenes.layout_file import read_table_plan
from vision.tables.changes import find_changes
from vision.tables.maps.map_reader import MapReader
from vision.tables.maps.naming.space_votes import SpaceVotes
from vision.tables.maps.space_pieces import SQUARE_SIDES, space_square
from vision.tables.maps.standing.pieces_on_spaces import PiecesOnSpaces
from vision.tables.maps.standing.standing_pieces import StandingPieces
from vision.tables.place import EMPTY_P, LOCATION, EarlierReading, PlaceReading, PlaceState, Shot
from vision.tables.table_reader import TableReading
from vision.tables.zone import MapLooks, ZoneReading
from vision.view.arms.occlusion import Occlusion
from vision.view.arms.rim import MM_PER_PX
from vision.view.view_state import View

MAP = "002"


@pytest.fixture(scope="module")
def small_map(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("map")
    size = ["--size", "1280", "720", "--reference-px", "160"]
    arguments = [str(out), "--game", "rifts", "--seed", "5", *size, "--tables", "2,"]
    assert CliRunner().invoke(make_tables, arguments, catch_exceptions=False).exit_code == 0
    return out


@cache
def reader_with_pieces(folder: Path) -> MapReader:
    """The reader of that set's map, on which violet pieces may stand."""
    sets = learnt(folder)
    (job,) = sets.scenes.jobs("table")
    (reader,) = sets.table(job.players).zones
    assert isinstance(reader, MapReader)
    square_mm = SQUARE_SIDES * reader.plan.side_mm
    scans = {face: shrink_reference(scan, square_mm) for face, scan in sets.scans.items()}
    colours = PieceColours(("violet",), ((150.0, 30.0, 120.0),))
    layout = sets.plan.layout(job.players)
    corner = SlotOutline("corner", layout.slots[0].corners_mm, "gap")
    standing = StandingPieces.of(layout, scans, square_mm, colours, (corner,), ())
    spaces = [o for o in layout.slots if o.holds == LOCATION]
    return MapReader(spaces, tuple(reader.plan.pieces.values()), reader.book, reader.thickness_mm, standing)


@pytest.fixture(scope="module")
def reading(small_map: Path) -> tuple[TableReading, dict[str, Any]]:
    reader = learnt(small_map)
    (job,) = reader.scenes.jobs("table")
    told = reader.scenes.truth(job)
    assert told is not None
    return reader.read(job), told


def map_reader_and_picture(small_map: Path, *, with_pieces: bool = False) -> tuple[MapReader, np.ndarray]:
    """The reader of that map, and its picture (H, W, 3) uint8 BGR; `with_pieces`: violet ones may stand on it."""
    sets = learnt(small_map)
    (job,) = sets.scenes.jobs("table")
    (reader,) = sets.table(job.players).zones
    assert isinstance(reader, MapReader)
    picture = cv2.imread(str(small_map / job.image))
    assert picture is not None
    return reader_with_pieces(small_map) if with_pieces else reader, picture


@pytest.fixture(scope="module")
def with_pieces_first(small_map: Path, reading) -> ZoneReading:
    """What is read of the map at first where violet pieces may stand on it."""
    reader, picture = map_reader_and_picture(small_map, with_pieces=True)
    shot = Shot(picture, reading[0].pose)
    return reader.read(shot, reader.rectified(shot)[1], lambda: None)


def read_after_bare_table(reader: MapReader, shot: Shot) -> ZoneReading:
    """What lies on the map in `shot` where all of it was bare table by the reading before."""
    _, above = reader.rectified(shot)
    bare = {slot: PlaceReading(slot, LOCATION, PlaceState.EMPTY, p=EMPTY_P) for slot in reader.plan.spaces_mm}
    return reader.read(replace(shot, earlier=EarlierReading(above, bare, ())), above, lambda: None)


def test_every_tile_is_named_in_the_slot_of_its_first_space_with_its_turn(reading) -> None:
    seen, told = reading
    laid = {s["slot"]: (s["face"], s["turn"]) for s in told["slots"] if s["face"]}
    assert len(laid) >= 3
    assert {turn for _, turn in laid.values()} != {0}
    assert {slot: (seen.at(slot).face, seen.at(slot).turn) for slot in laid} == laid
    named = {s.slot for s in seen.places if s.state is PlaceState.FACE}
    assert named == set(laid)


def test_what_seems_to_reach_in_is_a_tile_where_all_of_it_shows_one_and_not_where_a_finger_lies_beside(
    small_map: Path, reading
) -> None:
    sets = learnt(small_map)
    (job,) = sets.scenes.jobs("table")
    reader, image = sets.table(job.players), cv2.imread(str(small_map / job.image))
    seen, _ = reading
    shown = seen.memory.zones[0].reading.looks.shown
    plan = reader.zones[0].plan
    tile = next(one.tile for slot, one in shown.items() if not seen.at(slot).pieces)
    spaces = [slot for slot, one in shown.items() if one.tile == tile]
    low = np.min([plan.middles[slot] for slot in spaces], axis=0) - 120.0
    mask = np.zeros((200, 200), np.uint8)
    for slot in spaces:
        cv2.fillPoly(mask, [np.round((plan.outlines_mm[slot] - low) / MM_PER_PX - 0.5).astype(np.int32)], 1)
    view_mm = low + 2 * 100.0 * MM_PER_PX * np.array([[0, 0], [1, 0], [1, 1], [0, 1]])

    def is_tile(covered: np.ndarray) -> bool:
        over = Occlusion(True, {}, covered > 0, view_mm)
        return reader.is_far_tile(image, seen.pose, over)

    assert is_tile(mask)
    in_part = mask.copy()  # one space has a colour of its own, that of no arm
    cv2.fillPoly(in_part, [np.round((plan.outlines_mm[spaces[-1]] - low) / MM_PER_PX - 0.5).astype(np.int32)], 0)
    assert is_tile(in_part)
    assert not is_tile(np.ones_like(mask))
    first = np.round((plan.middles[spaces[0]] - low) / MM_PER_PX).astype(int)
    finger = cv2.line(mask.copy(), tuple(first.tolist()), (int(first[0]), 0), 1, round(16 / MM_PER_PX))
    assert not is_tile(finger)
    assert not is_tile(cv2.circle(np.zeros_like(mask), (8, 8), 7, 1, -1))


def test_hands_are_looked_for_where_tiles_lie_or_can_come_to_lie(small_map: Path, reading) -> None:
    sets = learnt(small_map)
    (job,) = sets.scenes.jobs("table")
    reader = sets.table(job.players)
    seen, told = reading
    assert {o.slot for o in reader.looked_over()} == {o.slot for o in reader.outlines}
    near = {o.slot: np.mean(o.corners_mm, axis=0) for o in reader.looked_over(reader.laid(seen.memory))}
    laid = {slot for space in told["slots"] if space["face"] for slot in [space["slot"]]}
    assert laid < set(near)
    step_mm = reader.zones[0].plan.side_mm * 3**0.5
    every = {o.slot: np.mean(o.corners_mm, axis=0) for o in reader.outlines}
    beside = {s for s, middle in every.items() for one in laid if np.linalg.norm(middle - every[one]) < 1.5 * step_mm}
    assert beside <= set(near)
    assert len(near) < len(every)
    close = reader.near_tiles(reader.laid(seen.memory))
    assert close is not None
    assert laid < close < set(near)
    assert reader.near_tiles(reader.laid(None)) is None


def test_in_the_way_of_what_rests_only_spaces_that_show_their_print_are_believed(small_map: Path, reading) -> None:
    reader, picture = map_reader_and_picture(small_map, with_pieces=True)
    seen, _ = reading
    tiled = reader.plan.spaces_of(seen.zones[0].laid)
    shot = Shot(picture, seen.pose, in_way=frozenset(reader.plan.middles))
    _, above = reader.rectified(shot)
    places = reader.read(shot, above, lambda: None).places
    shown = {slot for slot in reader.plan.middles if places[slot].state not in (PlaceState.COVERED, PlaceState.OUTSIDE)}
    assert shown
    assert shown <= set(tiled)  # bare table may be a hand that looks like it
    slot = next(slot for slot in tiled if slot in shown)
    table_bgr = np.median(above.reshape(-1, 3), axis=0).tolist()
    corners = seen.pose.project(reader.plan.middles[slot] + np.array([[-9.0, -9], [9, -9], [9, 9], [-9, 9]]))
    hidden = cv2.fillConvexPoly(picture.copy(), np.round(corners).astype(np.int32), table_bgr)
    shot = replace(shot, image=hidden)
    assert reader.read(shot, reader.rectified(shot)[1], lambda: None).places[slot].state is PlaceState.COVERED


def test_what_is_known_to_rest_round_fewer_tiles_is_not_asked_of_the_rim_of_more(small_map: Path, reading) -> None:
    sets, (seen, _) = learnt(small_map), reading
    (job,) = sets.scenes.jobs("table")
    reader = sets.table(job.players)
    picture = cv2.imread(str(small_map / job.image))
    assert picture is not None
    height, width = picture.shape[:2]
    arm = cv2.rectangle(picture, (width // 2 - 30, height * 3 // 4), (width // 2 + 30, height), (60, 90, 160), -1)
    fewer = np.zeros(7, bool)
    view = View(ViewState.SETTLED, standing=(fewer,), still=(fewer,), looked_over=frozenset({"elsewhere"}))
    over = reader.read(arm, pose=seen.pose, memory=seen.memory, view=view).over
    assert over is not None
    assert len(over.still[0]) > len(fewer)


def test_spaces_without_a_first_space_are_empty(reading) -> None:
    seen, told = reading
    bare = [s["slot"] for s in told["slots"] if not s["face"]]
    assert {seen.at(slot).state for slot in bare} == {PlaceState.EMPTY}


def test_the_square_of_a_space_lies_in_its_middle() -> None:
    picture = np.zeros((416, 360, 3), np.uint8)
    picture[200:216, 172:188] = 255
    square = space_square(picture, 208.0)
    assert square.shape[0] == square.shape[1] == 258
    ys, xs = np.nonzero(square[..., 0])
    assert (ys.mean(), xs.mean()) == pytest.approx((128.5, 128.5), abs=1)


def test_a_piece_with_more_faces_than_spaces_is_refused(small_map: Path, tmp_path: Path) -> None:
    data = json.loads((small_map / "layout.json").read_text())
    data["compound"][0]["faces"].append("one-too-many")
    path = tmp_path / "layout.json"
    path.write_text(json.dumps(data))
    with pytest.raises(DataError, match="4 faces and 3 middles"):
        read_table_plan(path)


def test_a_tile_is_remembered_under_what_hides_it_also_in_another_light(small_map: Path, reading) -> None:
    sets = learnt(small_map)
    (job,) = sets.scenes.jobs("table")
    reader = sets.table(job.players)
    seen, _ = reading
    first = seen.zones[0].laid[0]
    image = cv2.convertScaleAbs(cv2.imread(str(small_map / job.image)), alpha=0.7)
    for slot in reader.zones[0].plan.lies_on(first[1], first[0], first[2]):
        pixel = np.round(seen.pose.project(reader.zones[0].plan.middles[slot][None])).astype(int)[0]
        cv2.circle(image, tuple(pixel.tolist()), 24, (190, 30, 200), -1)
    assert first in reader.read(image, pose=seen.pose, memory=seen.memory).zones[0].laid
    recorded = {first[0]: SlotView(first[1], first[2]), "s1": SlotView("tempest")}
    assert first in reader.read(image, pose=seen.pose, recorded=recorded).zones[0].laid
    assert first not in reader.read(image, pose=seen.pose).zones[0].laid


def test_the_light_of_a_map_is_that_on_its_tiles_once_one_is_known(
    small_map: Path, reading, with_pieces_first: ZoneReading
) -> None:
    reader, image = map_reader_and_picture(small_map, with_pieces=True)
    seen, _ = reading
    its_own = with_pieces_first.map_light
    assert its_own is not None
    elsewhere = replace(its_own, gain=tuple(0.4 * gain for gain in its_own.gain))  # the sun is on the map alone
    for anchor, face, turn in seen.zones[0].laid:
        for slot in reader.plan.lies_on(face, anchor, turn):
            pixel = np.round(seen.pose.project(reader.plan.middles[slot][None])).astype(int)[0]
            cv2.circle(image, tuple(pixel.tolist()), 12, (190, 30, 200), -1)
    shot = Shot(image, seen.pose, laid=seen.zones[0].laid)
    _, above = reader.rectified(shot)
    hidden = reader.read(shot, above, lambda: elsewhere)
    assert hidden.looks.explained
    assert hidden.map_light is not None
    assert hidden.map_light.gain == pytest.approx(its_own.gain, rel=0.3)
    unknown = replace(hidden, map_light=elsewhere, looks=MapLooks())
    again = reader.read(shot, above, lambda: elsewhere, unknown, list(reader.plan.spaces_mm))
    assert again.map_light is not None
    assert again.map_light.gain == pytest.approx(its_own.gain, rel=0.3)


@pytest.mark.parametrize(("noise", "is_told_anew"), [(15.0, True), (3.0, False)])
def test_a_light_that_missed_the_print_is_told_anew_and_what_was_read_in_it_is_read_again(
    small_map: Path, reading, with_pieces_first: ZoneReading, noise: float, is_told_anew: bool
) -> None:
    reader, image = map_reader_and_picture(small_map, with_pieces=True)
    shot, first = Shot(image, reading[0].pose), with_pieces_first
    _, above = reader.rectified(shot)
    assert first.map_light is not None
    slot = next(s for s, one in first.places.items() if s in first.looks.shown and not one.pieces)
    misread = replace(first.places[slot], pieces=(("violet", 1),), pieces_p=0.99)
    badly = replace(first.map_light, gain=(0.3, 0.5, 1.0), noise=noise)
    before = replace(first, map_light=badly, places={**first.places, slot: misread})
    now = reader.read(shot, above, lambda: None, before, [], find_changes(above, above))
    assert (now.map_light != badly, now.places[slot].pieces != misread.pieces) == (is_told_anew, is_told_anew)


def test_a_tile_that_came_to_lie_on_bare_table_is_named_though_nothing_looked_like_it_at_first(
    small_map: Path, reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, picture = map_reader_and_picture(small_map)
    seen, _ = reading
    monkeypatch.setattr("vision.tables.maps.naming.tile_naming.NOTHING_LIKE_IT", -1.0)  # as in odd light
    shot = Shot(picture, seen.pose)
    assert not reader.read(shot, reader.rectified(shot)[1], lambda: None).laid
    came = read_after_bare_table(reader, shot)
    assert set(came.laid) == set(seen.zones[0].laid)


@pytest.fixture
def overexposed(small_map: Path, reading):
    """A reader, what it says of the tiles laid in a picture that is too bright, and those that are."""
    reader, picture = map_reader_and_picture(small_map, with_pieces=True)
    seen, _ = reading
    shot = Shot(cv2.convertScaleAbs(picture, alpha=1.6), seen.pose)

    def laid() -> set[tuple[Slot, str, int]]:
        return set(reader.read(shot, reader.rectified(shot)[1], lambda: None).laid)

    return reader, laid, set(seen.zones[0].laid)


def test_an_overexposed_tile_of_which_no_space_tells_its_face_is_named_by_all_of_them_together(
    overexposed, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, laid, true = overexposed
    assert laid() == true
    monkeypatch.setattr("vision.tables.maps.naming.whole_tiles.MOST_TRIED", 0)
    assert laid() < true


def test_a_tile_for_which_too_little_speaks_does_not_hide_the_one_that_explains_all(
    overexposed, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, laid, true = overexposed
    named = SpaceVotes.named

    def with_a_wrong_one(self: SpaceVotes, spaces: Any, known: Any) -> Any:
        slots, used, shown = named(self, spaces, known)
        for anchor, face, turn in true:
            here = [place for place in reader.plan.lies_on(face, anchor, turn) if place is not None]
            if not shown.keys() & set(here):
                other = next(name for name in reader.plan.pieces if name != face)
                slots[here[-1]] = PlaceReading(
                    here[-1], LOCATION, PlaceState.UNKNOWN, turn=0, alternatives=((other, 0.5),)
                )
                used.update(place for place in reader.plan.lies_on(other, here[-1], 0) if place is not None)
        return slots, used, shown

    monkeypatch.setattr(SpaceVotes, "named", with_a_wrong_one)
    assert laid() == true
    monkeypatch.setattr("vision.tables.maps.naming.whole_tiles.MOST_TRIED", 0)
    assert laid() < true  # such a tile there is


def test_one_clear_space_of_what_came_is_kept_though_no_other_agrees(
    small_map: Path, reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, picture = map_reader_and_picture(small_map)
    seen, _ = reading
    anchor, face, turn = seen.zones[0].laid[0]
    for slot in reader.plan.lies_on(face, anchor, turn):
        pixel = np.round(seen.pose.project(reader.plan.middles[slot][None])).astype(int)[0]
        if slot != anchor:
            cv2.circle(picture, tuple(pixel.tolist()), 24, (190, 30, 200), -1)
    monkeypatch.setattr("vision.tables.maps.naming.tile_naming.NOTHING_LIKE_IT", -1.0)  # as in odd light
    came = read_after_bare_table(reader, Shot(picture, seen.pose))
    assert anchor not in {slot for slot, _, _ in came.laid}
    assert came.spaces[anchor].face in reader.plan.pieces[face].faces
    assert came.spaces[anchor].turn == turn


def test_a_tile_is_not_gone_from_some_of_its_spaces_alone(small_map: Path, reading) -> None:
    reader, picture = map_reader_and_picture(small_map)
    seen, _ = reading
    first = seen.zones[0].laid[0]
    here = reader.plan.lies_on(first[1], first[0], first[2])
    shown = seen.memory.zones[0].reading.looks.shown
    bare = max(
        (slot for slot in reader.plan.middles if seen.at(slot).state is PlaceState.EMPTY),
        key=lambda slot: min(np.linalg.norm(reader.plan.middles[slot] - reader.plan.middles[one]) for one in shown),
    )
    table = seen.pose.project(
        1.3 * (reader.plan.outlines_mm[bare] - reader.plan.middles[bare]) + reader.plan.middles[bare]
    )

    def looks_bare(slot: Slot) -> None:
        outline = 1.3 * (reader.plan.outlines_mm[slot] - reader.plan.middles[slot]) + reader.plan.middles[slot]
        there = seen.pose.project(outline)
        moved = cv2.warpPerspective(picture, cv2.findHomography(table, there)[0], picture.shape[1::-1])
        inside = cv2.fillConvexPoly(np.zeros(picture.shape[:2], np.uint8), np.round(there).astype(np.int32), 1) > 0
        picture[inside] = moved[inside]

    def read(*laid: tuple[Slot, str, int]) -> set[PlaceState]:
        shot = Shot(picture, seen.pose, laid=laid)
        places = reader.read(shot, reader.rectified(shot)[1], lambda: None).places
        return {places[slot].state for slot in here}

    for slot in here:
        looks_bare(slot)
    middle = np.round(seen.pose.project(reader.plan.middles[here[0]][None])).astype(int)[0]
    cv2.circle(picture, tuple(middle.tolist()), 24, (190, 30, 200), -1)  # nobody can tell what lies there
    assert PlaceState.EMPTY in read()
    assert PlaceState.EMPTY not in read(first)


def test_no_figure_stands_on_bare_table_where_nothing_tells_that_all_of_a_tile_has_gone(
    small_map: Path, reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, picture = map_reader_and_picture(small_map, with_pieces=True)
    seen, _ = reading
    shown = seen.memory.zones[0].reading.looks.shown
    first, stands = next(
        (tile, slot) for tile in seen.zones[0].laid for slot in reader.plan.spaces_of([tile])
        if reader.plan.touches(slot, [one for one in shown if shown[one].tile != tile[0]])
    )
    for slot in reader.plan.spaces_of([first]):  # a hand over most of it
        hidden = np.round(seen.pose.project(reader.plan.outlines_mm[slot])).astype(np.int32)
        cv2.fillPoly(picture, [hidden], (190, 30, 200))

    def on_bare(_reader: PiecesOnSpaces, _seen: Any, slot: Slot, *_: Any) -> str | None:
        return "violet" if slot == stands else None

    monkeypatch.setattr(PiecesOnSpaces, "on_bare", on_bare)

    def read(*laid: tuple[Slot, str, int]) -> PlaceReading:
        shot = Shot(picture, seen.pose, laid=laid)
        return reader.read(shot, reader.rectified(shot)[1], lambda: None).places[stands]

    assert (read().state, read().pieces) == (PlaceState.EMPTY, (("violet", 1),))
    assert (read(first).state, read(first).pieces_p) == (PlaceState.UNKNOWN, 0.0)
