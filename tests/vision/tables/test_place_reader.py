"""One zone of a table drawn by hand: faces, their turns, pieces on them, empty, covered and unseen places."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from drawn_faces import drawn_tiles
from drawn_table import POSE, bare_cloth, lay, picture_px, stand

from companion.core.layout import SlotOutline, TableLayout
from vision.appearance.common_print import CommonPrint
from vision.appearance.picture_light import PieceColours
from vision.appearance.placed_face import shrink_reference
from vision.faces.learning import learn_faces
from vision.locate.plane import square_at
from vision.tables import place_reader
from vision.tables.changes import find_changes
from vision.tables.face_at_place import UNLIKE_A_FACE, BoxFaces, FaceAtPlace, read_faces
from vision.tables.place import CARD, PlaceState, Shot
from vision.tables.place_reader import BURNT_OUT_P, NO_CARD_P, PlaceReader
from vision.tables.zone import ZoneReading

SIDE_MM = 55.0
MIDDLES = {"left": (-58.0, 0.0), "middle": (0.0, 0.0), "right": (58.0, 0.0)}
RED_BGR = (30.0, 30.0, 190.0)
COLOURS = PieceColours(("red", "blue"), (RED_BGR, (180.0, 80.0, 30.0)))
FAINT = 0.08  # part of its print's contrast that a card in the dark is left with
FAINT_CONTRAST, CHECK_PX = 0.25, 12  # of a tile in haze on a cloth of its colours, and the cloth's checks
OUTLINES = tuple(
    SlotOutline(slot, tuple(map(tuple, square_at(np.array(xy), SIDE_MM, 0.0)))) for slot, xy in MIDDLES.items()
)
TILES = drawn_tiles(3, 36, every=6)  # of each theme some
FIRST, SECOND, *_ = TILES


@pytest.fixture(scope="module")
def reader() -> PlaceReader:
    cv2.setNumThreads(1)
    book = learn_faces({face: [scan] for face, scan in TILES.items()})
    return PlaceReader(OUTLINES, TableLayout(OUTLINES), BoxFaces.of(book, TILES, SIDE_MM), COLOURS)


def two_tiles() -> np.ndarray:
    """The first tile on the left, upright; the second in the middle, turned by a quarter; nothing on the right."""
    image = bare_cloth()
    lay(image, TILES[FIRST], MIDDLES["left"], SIDE_MM)
    lay(image, TILES[SECOND], MIDDLES["middle"], SIDE_MM, 90.0)
    return image


def read(reader: PlaceReader, shot: Shot, before: ZoneReading | None = None, due: tuple[str, ...] = ()) -> ZoneReading:
    zone = reader.read(shot, reader.rectified(shot)[1], lambda: None, before, due)
    assert zone is not None
    return zone


@pytest.fixture(scope="module")
def zone(reader: PlaceReader) -> ZoneReading:
    return read(reader, Shot(two_tiles(), POSE))


def test_tiles_are_named_with_their_turns_and_bare_cloth_is_empty(zone: ZoneReading) -> None:
    assert {slot: (one.state, one.face, one.turn) for slot, one in zone.places.items()} == {
        "left": (PlaceState.FACE, FIRST, 0),
        "middle": (PlaceState.FACE, SECOND, 1),
        "right": (PlaceState.EMPTY, None, None),
    }
    assert all(one.pieces == () for one in zone.places.values())


def test_the_zone_is_seen_from_above_with_room_around_its_places(reader: PlaceReader) -> None:
    window, seen = reader.rectified(Shot(two_tiles(), POSE))
    assert seen.shape == (window.height_px, window.width_px, 3)
    every = np.vstack(list(reader.places_mm.values()))
    px = window.to_px(every)
    assert (px > 0).all()
    assert (px < (window.width_px, window.height_px)).all()


def test_cubes_are_counted_on_the_tile_that_they_stand_on(reader: PlaceReader) -> None:
    image = two_tiles()
    for x in (-70.0, -46.0):
        stand(image, RED_BGR, (x, 10.0))
    zone = read(reader, Shot(image, POSE))
    assert zone.places["left"].face == FIRST
    assert zone.places["left"].pieces == (("red", 2),)
    assert zone.places["middle"].pieces == ()
    assert sorted(round(piece.foot_mm[0]) for piece in zone.places["left"].found) == pytest.approx([-70, -46], abs=2)


def test_a_covered_place_is_left_unread(reader: PlaceReader) -> None:
    zone = read(reader, Shot(two_tiles(), POSE, frozenset({"left"})))
    assert (zone.places["left"].state, zone.places["left"].face) == (PlaceState.COVERED, None)
    assert zone.places["middle"].face == SECOND


def test_a_place_that_reaches_beyond_the_picture_is_outside(reader: PlaceReader) -> None:
    far = SlotOutline("far", tuple(map(tuple, square_at(np.array([190.0, 0.0]), SIDE_MM, 0.0))))
    far_reader = PlaceReader((far,), TableLayout((far,)), reader.faces, COLOURS)
    assert read(far_reader, Shot(bare_cloth(), POSE)).places["far"].state is PlaceState.OUTSIDE


def test_after_an_earlier_reading_only_the_places_that_are_due_are_read(reader: PlaceReader, zone: ZoneReading) -> None:
    image = two_tiles()
    lay(image, TILES[FIRST], MIDDLES["right"], SIDE_MM)
    stand(image, RED_BGR, (-58.0, 0.0))
    again = read(reader, Shot(image, POSE), zone, ("right",))
    assert again.places["right"].face == FIRST
    assert again.places["left"] is zone.places["left"]  # what stands there now was not asked for


def test_a_first_face_cannot_be_judged_beside_others_in_unknown_light(reader: PlaceReader, zone: ZoneReading) -> None:
    dark = replace(zone, canvas=None)
    shot = Shot(two_tiles(), POSE)
    assert reader.read(shot, reader.rectified(shot)[1], lambda: None, dark, ("left",)) is None


def test_of_a_tile_that_the_box_has_once_no_two_are_believed(reader: PlaceReader) -> None:
    faces = replace(reader.faces, copies=dict.fromkeys(TILES, 1))
    image = bare_cloth()
    for slot in ("left", "right"):
        lay(image, TILES[FIRST], MIDDLES[slot], SIDE_MM)
    zone = read(PlaceReader(OUTLINES, TableLayout(OUTLINES), faces, COLOURS), Shot(image, POSE))
    assert {zone.places[slot].state for slot in ("left", "right")} == {PlaceState.UNKNOWN}
    assert {zone.places[slot].likeliest for slot in ("left", "right")} == {FIRST}


def test_bare_cloth_in_a_dark_blotchy_picture_is_empty(reader: PlaceReader) -> None:
    rng = np.random.default_rng(0)
    dark = 0.3 * two_tiles()
    blotches = 2 * cv2.GaussianBlur(rng.normal(0, 14, dark.shape), (0, 0), 1.2)
    found = read(reader, Shot(np.clip(dark + blotches, 0, 255).astype(np.uint8), POSE)).places
    assert found["right"].state is PlaceState.EMPTY
    assert found["left"].state is not PlaceState.EMPTY


def test_a_place_with_a_thing_on_it_is_not_called_empty_though_the_rest_looks_like_table(reader: PlaceReader) -> None:
    image = two_tiles()
    stand(image, (190.0, 40.0, 10.0), (62.0, 6.0), above_mm=0.0)
    assert read(reader, Shot(image, POSE)).places["right"].state is PlaceState.UNKNOWN


def test_places_for_cards_on_a_chequered_cloth_are_empty_without_a_face_being_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outlines = tuple(replace(one, holds=CARD) for one in OUTLINES)
    book = learn_faces({face: [scan] for face, scan in TILES.items()}, loose=False)
    cards = PlaceReader(outlines, TableLayout(outlines), BoxFaces.of(book, TILES, SIDE_MM), COLOURS)
    image = bare_cloth()
    rows, columns = np.indices(image.shape[:2]) // 12
    image[(rows + columns) % 2 == 0] = (40, 44, 120)
    lay(image, TILES[FIRST], MIDDLES["middle"], SIDE_MM, 90.0)
    tried: list[int] = []

    def counted(*arguments: Any, **more: Any) -> list[FaceAtPlace]:
        tried.append(len(arguments[2]))
        return read_faces(*arguments, **more)

    monkeypatch.setattr(place_reader, "read_faces", counted)
    zone = read(cards, Shot(image, POSE))
    assert {slot: (one.state, one.face) for slot, one in zone.places.items()} == {
        "left": (PlaceState.EMPTY, None),
        "middle": (PlaceState.FACE, FIRST),
        "right": (PlaceState.EMPTY, None),
    }
    assert sum(tried) == 1


def test_a_card_of_the_tables_colour_is_not_empty_though_only_its_faint_print_shows() -> None:
    outlines = tuple(replace(one, holds=CARD) for one in OUTLINES)
    book = learn_faces({face: [scan] for face, scan in TILES.items()}, loose=False)
    cards = PlaceReader(outlines, TableLayout(outlines), BoxFaces.of(book, TILES, SIDE_MM), COLOURS)
    image = bare_cloth()
    cloth = image.reshape(-1, 3).mean(axis=0)
    faint = cloth + FAINT * (TILES[FIRST] - TILES[FIRST].reshape(-1, 3).mean(axis=0))
    lay(image, np.clip(faint, 0, 255).astype(np.uint8), MIDDLES["left"], SIDE_MM)
    found = read(cards, Shot(image, POSE)).places
    assert {slot: found[slot].state is PlaceState.EMPTY for slot in MIDDLES} == {
        "left": False, "middle": True, "right": True,
    }  # fmt: skip


def test_a_place_with_what_all_cards_print_is_not_empty_though_it_has_the_tables_colours() -> None:
    outlines = tuple(replace(one, holds=CARD) for one in OUTLINES)
    book = learn_faces({face: [scan] for face, scan in TILES.items()}, loose=False)
    cards = PlaceReader(outlines, TableLayout(outlines), BoxFaces.of(book, TILES, SIDE_MM), COLOURS)
    shot = Shot(bare_cloth(), POSE)
    window, seen = cards.rectified(shot)
    weave = seen[window.box(cards.places_mm["left"], 0.0)]  # as if all cards showed just this piece of cloth
    cards.common = CommonPrint.of([shrink_reference(weave, SIDE_MM)])
    found = read(cards, shot).places
    assert {slot: found[slot].state is PlaceState.EMPTY for slot in MIDDLES} == {
        "left": False, "middle": True, "right": True,
    }  # fmt: skip


def card_reader() -> PlaceReader:
    outlines = tuple(replace(one, holds=CARD) for one in OUTLINES)
    book = learn_faces({face: [scan] for face, scan in TILES.items()}, loose=False)
    return PlaceReader(outlines, TableLayout(outlines), BoxFaces.of(book, TILES, SIDE_MM), COLOURS)


@pytest.mark.parametrize(
    ("farther_y_mm", "state"),
    [((-100.0, 100.0), PlaceState.EMPTY), ((100.0,), PlaceState.UNKNOWN), ((), PlaceState.UNKNOWN)],
)
def test_a_check_that_the_rim_shows_none_of_is_bare_if_the_table_farther_away_shows_it_on_both_sides(
    farther_y_mm: tuple[float, ...], state: PlaceState
) -> None:
    image = bare_cloth()
    for y_mm in (0.0, *farther_y_mm):
        check = picture_px(square_at(np.array((58.0, y_mm)), 76.0, 0.0), 0.0)
        cv2.fillConvexPoly(image, np.round(check).astype(np.int32), (40, 44, 120))
    noise = np.random.default_rng(3).normal(0, 2, image.shape)
    image = np.clip(image + noise, 0, 255).astype(np.uint8)
    assert read(card_reader(), Shot(image, POSE)).places["right"].state is state


def test_a_name_is_in_doubt_where_no_card_at_all_is_seen() -> None:
    cards = card_reader()
    shot = Shot(two_tiles(), POSE)
    seen = cards.rectified(shot)[1]
    one = replace(read(cards, shot).places["left"], state=PlaceState.UNKNOWN, likeness=9.0)
    assert cards._as_card(seen, one) is one
    bare = cards.rectified(Shot(bare_cloth(), POSE))[1]
    assert cards._as_card(bare, one).p == NO_CARD_P
    assert cards._as_card(bare, replace(one, likeness=UNLIKE_A_FACE)).p == one.p


def test_a_name_is_in_doubt_where_a_card_is_seen_and_not_its_own_print(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = card_reader()
    shots = [Shot(image, POSE) for image in (two_tiles(), bare_cloth())]
    seen, other = (cards.rectified(shot)[1] for shot in shots)
    one = replace(read(cards, shots[0]).places["left"], state=PlaceState.UNKNOWN, likeness=9.0)
    monkeypatch.setattr(CommonPrint, "is_shown", lambda *_: True)
    assert cards._as_card(seen, one) is one
    assert cards._as_card(other, one).p == NO_CARD_P


def test_a_card_whose_colours_are_too_bright_in_one_channel_is_not_surely_named() -> None:
    image = two_tiles()
    right = read(card_reader(), Shot(image, POSE)).places["left"]
    assert (right.state, right.face) == (PlaceState.FACE, FIRST)
    image[..., 2] = 255
    burnt = read(card_reader(), Shot(image, POSE)).places["left"]
    assert burnt.state is PlaceState.UNKNOWN
    assert burnt.p <= BURNT_OUT_P
    assert (right.burnt_out, burnt.burnt_out) == (False, True)
    assert burnt.slot_reading().burnt_out


def test_the_first_card_of_a_zone_is_read_without_reading_the_empty_places_again(reader: PlaceReader) -> None:
    outlines = tuple(replace(one, holds=CARD) for one in OUTLINES)
    cards = PlaceReader(outlines, TableLayout(outlines), reader.faces, COLOURS)
    bare, laid = bare_cloth(), bare_cloth()
    lay(laid, TILES[FIRST], MIDDLES["left"], SIDE_MM)
    empty = read(cards, Shot(bare, POSE))
    assert empty.canvas is None
    whole = read(cards, Shot(laid, POSE)).places["left"]
    zone = read(cards, Shot(laid, POSE), empty, ("left",))
    assert (zone.places["left"].face, zone.places["left"].p) == (FIRST, whole.p)
    assert zone.places["middle"] is empty.places["middle"]
    assert zone.canvas is not None


def test_a_card_that_a_piece_stands_beside_or_leans_over_is_kept_and_one_whose_print_changed_is_read(
    reader: PlaceReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    outlines = tuple(replace(one, holds=CARD) for one in OUTLINES)
    cards = PlaceReader(outlines, TableLayout(outlines), reader.faces, COLOURS)
    first = read(cards, Shot(two_tiles(), POSE))
    assert first.places["left"].face == FIRST
    tried: list[int] = []

    def spy(*args: Any, **kind: Any) -> list[FaceAtPlace]:
        tried.append(len(args[2]))
        return read_faces(*args, **kind)

    monkeypatch.setattr(place_reader, "read_faces", spy)

    def again(image: np.ndarray) -> ZoneReading:
        tried.clear()
        seen = cards.rectified(Shot(image, POSE))[1]
        zone = cards.read(Shot(image, POSE), seen, lambda: None, first, ("left",), find_changes(first.seen_bgr, seen))
        assert zone is not None
        return zone

    beside, leant_over, printed = two_tiles(), two_tiles(), two_tiles()
    lay(beside, np.full((20, 20, 3), RED_BGR, np.uint8), (MIDDLES["left"][0], SIDE_MM / 2 + 5.0), 8.0)
    stand(leant_over, RED_BGR, (MIDDLES["left"][0] + SIDE_MM / 2 - 1.0, 0.0))
    lay(printed, np.full((20, 20, 3), 250, np.uint8), (MIDDLES["left"][0] + 8.0, 4.0), 12.0)
    for image in (beside, leant_over):
        assert again(image).places["left"].face == FIRST
        assert not any(tried)
    again(two_tiles())  # nothing has changed: it is read in its turn
    assert any(tried)
    again(printed)
    assert any(tried)


def test_a_tile_under_a_hand_over_the_rim_is_covered_where_the_rim_was_seen_bare(reader: PlaceReader) -> None:
    image = two_tiles()
    bare = reader.rectified(Shot(image, POSE))[1]
    hand_mm = np.array([[-150.0, -26.0], [-29.0, -26.0], [-29.0, 29.0], [-150.0, 29.0]])
    px = POSE.project(np.column_stack([hand_mm, np.zeros(4)]))
    cv2.fillConvexPoly(image, np.round(px).astype(np.int32), (150.0, 175.0, 230.0))
    shot = Shot(image, POSE)
    seen = reader.rectified(shot)[1]
    assert read(reader, shot).places["left"].state is PlaceState.EMPTY  # it might be a mat
    whole = reader.read(shot, seen, lambda: None, changes=find_changes(bare, seen))
    assert whole is not None
    assert [whole.places[slot].state for slot in MIDDLES] == [PlaceState.COVERED, PlaceState.FACE, PlaceState.EMPTY]


def _plain_faces() -> dict[str, np.ndarray]:
    """A box of one's own: three faces of one ground, each with one figure."""
    faces = {name: np.full((220, 220, 3), (78, 142, 46), np.uint8) for name in ("disc", "ring", "bars")}
    cv2.circle(faces["disc"], (110, 130), 45, (240, 240, 240), -1, cv2.LINE_AA)
    cv2.circle(faces["ring"], (110, 130), 45, (240, 240, 240), 9, cv2.LINE_AA)
    for y in (100, 130, 160):
        cv2.line(faces["bars"], (65, y), (155, y), (240, 240, 240), 14)
    return faces


def test_an_even_table_is_empty_though_a_small_box_names_a_plain_face() -> None:
    faces = _plain_faces()
    box = BoxFaces.of(learn_faces({face: [scan] for face, scan in faces.items()}, loose=True), faces, SIDE_MM)
    reader = PlaceReader(OUTLINES, TableLayout(OUTLINES, seat_pieces=False), box, COLOURS)
    image = bare_cloth()
    lay(image, faces["ring"], MIDDLES["left"], SIDE_MM)

    places = read(reader, Shot(image, POSE)).places

    assert (places["left"].state, places["left"].face) == (PlaceState.FACE, "ring")
    assert [places[slot].state for slot in ("middle", "right")] == [PlaceState.EMPTY] * 2


def test_a_faint_tile_of_the_colours_of_its_cloth_keeps_the_name_of_the_print_that_is_seen() -> None:
    faces = _plain_faces()
    box = BoxFaces.of(learn_faces({face: [scan] for face, scan in faces.items()}, loose=True), faces, SIDE_MM)
    reader = PlaceReader(OUTLINES, TableLayout(OUTLINES, seat_pieces=False), box, COLOURS)
    ground = np.array((78, 142, 46), np.uint8)
    image = np.broadcast_to(ground, bare_cloth().shape).copy()
    faint = np.asarray(np.round(ground + FAINT_CONTRAST * (faces["ring"].astype(float) - ground)), np.uint8)
    rows, columns = np.indices(image.shape[:2]) // CHECK_PX
    image[(rows + columns) % 2 == 1] = faint.reshape(-1, 3).max(0)
    lay(image, faint, MIDDLES["left"], SIDE_MM)

    places = read(reader, Shot(image, POSE)).places

    assert (places["left"].state, places["left"].face) == (PlaceState.FACE, "ring")
    assert [places[slot].state for slot in ("middle", "right")] == [PlaceState.EMPTY] * 2
