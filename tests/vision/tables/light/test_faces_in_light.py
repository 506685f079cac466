"""Faces of one zone in the light that known ones tell: doubtful ones are decided, strange ones taken back."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_faces import drawn_tiles
from drawn_table import POSE, bare_cloth, lay, stand

from companion.core.layout import TableLayout
from vision.appearance.canvas import Canvas, Window
from vision.appearance.picture_light import PieceColours
from vision.faces.learning import learn_faces
from vision.locate.plane import square_at
from vision.locate.rectify import rectify
from vision.pieces.finder import FoundPiece, PieceSearch
from vision.pieces.probability import Counted
from vision.tables.face_at_place import BoxFaces
from vision.tables.light.counted_twice import beside_first, surer_count
from vision.tables.light.faces_in_light import FacesInLight, Places
from vision.tables.place import TILE, PlaceReading, PlaceState, Shot

SIDE_MM = 55.0
BLUE_BGR = (180.0, 80.0, 30.0)
COLOURS = PieceColours(("red", "blue"), ((30.0, 30.0, 190.0), BLUE_BGR))
MIDDLES = {"left": np.array([-29.0, 0.0]), "right": np.array([29.0, 0.0])}
WINDOW = Window(-90.0, -60.0, 270, 180)
TILES = drawn_tiles(3, 4)
KNOWN, RIGHT, TWIN, OTHER = TILES


@pytest.fixture(scope="module")
def in_light() -> FacesInLight:
    cv2.setNumThreads(1)
    book = learn_faces({face: [scan] for face, scan in TILES.items()})
    places_mm = {slot: square_at(middle, SIDE_MM, 0.0) for slot, middle in MIDDLES.items()}
    return FacesInLight(TableLayout(()), BoxFaces.of(book, TILES, SIDE_MM), COLOURS, (SIDE_MM, SIDE_MM), places_mm)


def named(slot: str, *ranked: tuple[str, float]) -> PlaceReading:
    """A place that was named by its first reading, lying where it should."""
    corners = square_at(MIDDLES[slot], SIDE_MM, 0.0)
    return PlaceReading(slot, TILE, PlaceState.UNKNOWN, turn=0, likeness=9.0, corners_mm=corners).named(ranked)


def picture() -> np.ndarray:
    """The known tile on the left, another on the right."""
    image = bare_cloth()
    lay(image, TILES[KNOWN], MIDDLES["left"], SIDE_MM)
    lay(image, TILES[RIGHT], MIDDLES["right"], SIDE_MM)
    return image


def decided(reader: FacesInLight, image: np.ndarray, *places: PlaceReading) -> tuple[Places, Canvas | None]:
    shot = Shot(image, POSE)
    seen = rectify(image, POSE, WINDOW.corners_mm, -2.0, (WINDOW.width_px, WINDOW.height_px))
    return reader.decide(shot, seen, WINDOW, {one.slot: one for one in places})


SURE = named("left", (KNOWN, 1.0))


@pytest.mark.parametrize("first", [((TWIN, 0.6), (RIGHT, 0.4)), ((TWIN, 0.95), (RIGHT, 0.05))])
def test_a_doubtful_face_is_decided_beside_a_known_one(
    in_light: FacesInLight, first: tuple[tuple[str, float], ...]
) -> None:
    places, canvas = decided(in_light, picture(), SURE, named("right", *first))
    assert (places["right"].state, places["right"].face) == (PlaceState.FACE, RIGHT)
    assert places["left"].face == KNOWN
    assert canvas is not None


def test_the_canvas_of_the_faces_that_lie_there_is_nearest_to_what_is_seen(in_light: FacesInLight) -> None:
    misfit = {}
    for face in (RIGHT, TWIN, OTHER):
        _, canvas = decided(in_light, picture(), SURE, named("right", (face, 1.0)))
        assert canvas is not None
        misfit[face] = float(np.abs(canvas.seen - canvas.bare)[canvas.label >= 0].mean())
    assert min(misfit, key=misfit.__getitem__) == RIGHT


def test_a_cube_is_counted_on_the_face_that_its_foot_is_on(in_light: FacesInLight) -> None:
    image = picture()
    stand(image, BLUE_BGR, (14.0, 12.0))
    places, _ = decided(in_light, image, SURE, named("right", (RIGHT, 1.0)))
    assert places["right"].pieces == (("blue", 1),)
    assert places["left"].pieces == ()
    (cube,) = places["right"].found
    assert cube.foot_mm == pytest.approx((14.0, 12.0), abs=1.5)


@pytest.mark.parametrize(
    ("faint_nats", "goes_on", "is_sure"), [(1e9, False, True), (1e9, True, False), (50.0, True, True)]
)
def test_a_piece_for_which_little_speaks_and_that_looks_like_the_table_beside_its_tile_is_asked_about(
    in_light: FacesInLight, monkeypatch: pytest.MonkeyPatch, faint_nats: float, goes_on: bool, is_sure: bool
) -> None:
    monkeypatch.setattr("vision.tables.light.faces_in_light.FAINT_NATS", faint_nats)
    image = picture()
    if goes_on:
        beside = POSE.project(np.array([[57.5, -12.0], [85.0, -12.0], [85.0, 12.0], [57.5, 12.0]]))
        cv2.fillConvexPoly(image, np.round(beside).astype(np.int32), BLUE_BGR)
    stand(image, BLUE_BGR, (49.0, 0.0))
    places, _ = decided(in_light, image, SURE, named("right", (RIGHT, 1.0)))
    assert places["right"].pieces == (("blue", 1),)
    assert (places["right"].pieces_p >= 0.9) == is_sure
    assert places["right"].face == RIGHT


@pytest.mark.parametrize(
    ("at_x_mm", "faint_nats", "is_sure"), [(14.0, 1e9, True), (53.5, 1e9, False), (53.5, 50.0, True)]
)
def test_a_piece_for_which_little_speaks_and_that_its_tile_shows_in_part_is_asked_about(
    in_light: FacesInLight, monkeypatch: pytest.MonkeyPatch, at_x_mm: float, faint_nats: float, is_sure: bool
) -> None:
    monkeypatch.setattr("vision.tables.light.faces_in_light.FAINT_NATS", faint_nats)
    image = picture()
    stand(image, BLUE_BGR, (at_x_mm, 0.0))
    places, _ = decided(in_light, image, SURE, named("right", (RIGHT, 1.0)))
    assert places["right"].pieces == (("blue", 1),)
    assert (places["right"].pieces_p >= 0.9) == is_sure


def test_a_name_is_taken_back_where_something_else_lies(in_light: FacesInLight) -> None:
    image = picture()
    chequered = np.kron(np.indices((8, 8)).sum(0) % 2, np.ones((16, 16)))[..., None] * np.array([250, 40, 250])
    lay(image, chequered.astype(np.uint8), MIDDLES["right"], SIDE_MM)
    places, _ = decided(in_light, image, SURE, named("right", (RIGHT, 1.0)))
    assert (places["right"].state, places["right"].face) == (PlaceState.UNKNOWN, None)
    assert not places["right"].is_sure
    assert places["left"].face == KNOWN


@pytest.mark.parametrize(("across", "is_named"), [(2, True), (4, False)])
def test_pieces_that_hide_a_tile_nearly_whole_leave_it_no_name(
    in_light: FacesInLight, across: int, is_named: bool
) -> None:
    image = picture()
    for number in range(across * across):
        row, column = divmod(number, across)
        stand(image, BLUE_BGR, (29.0 + 13.0 * (column - (across - 1) / 2), 13.0 * (row - (across - 1) / 2)))
    places, _ = decided(in_light, image, SURE, named("right", (RIGHT, 1.0)))
    assert (places["right"].face == RIGHT, places["right"].is_sure) == (is_named, is_named)


@pytest.mark.parametrize(("p", "state"), [(0.95, PlaceState.UNKNOWN), (0.995, PlaceState.FACE)])
def test_beside_a_count_that_is_not_sure_a_name_must_be_surer(
    in_light: FacesInLight, p: float, state: PlaceState
) -> None:
    image = picture()
    corner = POSE.project(np.array([MIDDLES["right"] + 4.0, MIDDLES["right"] + 15.0]))  # too small to be another face
    (x0, y0), (x1, y1) = np.round(corner).astype(int).tolist()
    image[y0:y1, x0:x1] = (240, 60, 240)
    seen = rectify(image, POSE, WINDOW.corners_mm, -2.0, (WINDOW.width_px, WINDOW.height_px))
    lying = {"left": SURE, "right": named("right", (RIGHT, p))}
    places, _ = in_light.decide(Shot(image, POSE), seen, WINDOW, lying, known=frozenset(lying))  # not compared anew
    assert places["right"].pieces_p < 0.9
    assert places["right"].state is state


def test_without_a_recognised_face_nobody_knows_the_light_and_nothing_is_decided(in_light: FacesInLight) -> None:
    open_name = named("left", (KNOWN, 0.4), (TWIN, 0.3))
    places, canvas = decided(in_light, bare_cloth(), open_name)
    assert canvas is None
    assert places == {"left": open_name}


def test_where_no_name_is_likely_a_face_whose_print_is_seen_tells_the_light(in_light: FacesInLight) -> None:
    places, _ = decided(in_light, picture(), named("left", (KNOWN, 0.4), (TWIN, 0.3)))
    assert (places["left"].state, places["left"].face) == (PlaceState.FACE, KNOWN)


def test_where_no_face_is_named_one_that_is_this_or_its_twin_tells_the_light(in_light: FacesInLight) -> None:
    places, canvas = decided(in_light, picture(), named("right", (TWIN, 0.55), (RIGHT, 0.45)))
    assert canvas is not None
    assert (places["right"].state, places["right"].face) == (PlaceState.FACE, RIGHT)


def test_a_face_is_laid_with_its_own_size_however_its_corners_were_found(in_light: FacesInLight) -> None:
    shrunk = replace(SURE, corners_mm=square_at(MIDDLES["left"], 0.95 * SIDE_MM, 10.0))
    face = in_light.placed(shrunk, KNOWN)
    assert np.linalg.norm(face.corners_mm[1] - face.corners_mm[0]) == pytest.approx(SIDE_MM)
    assert face.corners_mm.mean(0) == pytest.approx(MIDDLES["left"])
    assert face.turn_deg == pytest.approx(10.0)


def in_sun(image: np.ndarray) -> np.ndarray:
    """The picture with a pane of sun over the right tile's corner."""
    rows, columns = np.indices(image.shape[:2])
    x, y = POSE.project(np.array([[*MIDDLES["right"], -2.0]]))[0]
    pane = cv2.GaussianBlur(((columns - x) + (rows - y) > 12).astype(np.float32), (0, 0), 1.2)
    return np.asarray(np.clip(image * (1.0 + 0.5 * pane[..., None]), 0, 255), np.uint8)


def test_a_face_with_sun_on_a_part_of_it_keeps_its_name(in_light: FacesInLight) -> None:
    places, _ = decided(in_light, in_sun(picture()), SURE, named("right", (RIGHT, 0.99999), (TWIN, 0.00001)))
    assert places["right"].face == RIGHT


def test_a_face_that_is_another_one_in_the_sun_is_found_by_its_print(in_light: FacesInLight) -> None:
    places, _ = decided(in_light, in_sun(picture()), SURE, named("right", (OTHER, 0.99999), (RIGHT, 0.00001)))
    assert places["right"].face == RIGHT


@pytest.mark.parametrize("p", [0.99999, 0.0])
def test_a_face_that_the_first_reading_laid_beside_its_place_is_found_by_its_print(
    in_light: FacesInLight, p: float
) -> None:
    image = bare_cloth()
    lay(image, TILES[KNOWN], MIDDLES["left"], SIDE_MM)
    lay(image, TILES[RIGHT], MIDDLES["right"] + (1.5, -2.0), SIDE_MM, 184.0)
    stand(image, BLUE_BGR, (14.0, 12.0))
    astray = replace(
        named("right", (OTHER, p), (TWIN, 0.0)), corners_mm=square_at(MIDDLES["right"] + (4.0, 4.0), SIDE_MM, 95.0)
    )
    places, _ = decided(in_light, image, SURE, astray)
    found = places["right"]
    assert (found.face, found.turn, found.pieces) == (RIGHT, 2, (("blue", 1),))
    assert found.corners_mm == pytest.approx(square_at(MIDDLES["right"] + (1.5, -2.0), SIDE_MM, 184.0), abs=1.0)


def test_a_face_that_print_and_light_name_differently_is_asked_about(
    in_light: FacesInLight, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        FacesInLight, "rematch", lambda *_: {"right": ((TWIN, 0.999), (RIGHT, 0.001))}
    )  # what the light says of a tile in the sun may be wrong and sure
    places, _ = decided(in_light, in_sun(picture()), SURE, named("right", (OTHER, 0.9), (RIGHT, 0.1)))
    assert (places["right"].face, places["right"].likeliest) == (None, RIGHT)


def with_row(squares: int) -> np.ndarray:
    """A tile with a row of squares at its left, its number and three marks at its right."""
    face = np.full((160, 160, 3), (116, 120, 104), np.uint8)
    for k in range(squares):
        y = round(80 + 22 * (k - (squares - 1) / 2))
        cv2.rectangle(face, (10, y - 8), (26, y + 8), (30, 26, 26), -1)
        cv2.rectangle(face, (12, y - 6), (24, y + 6), (200, 236, 240), -1)
    for k, colour in enumerate([(60, 40, 140), (60, 40, 140), (140, 40, 60)]):
        cv2.circle(face, (136, 76 + 22 * k), 7, colour, -1)
        cv2.circle(face, (136, 76 + 22 * k), 7, (230, 230, 230), 1)
    cv2.circle(face, (130, 30), 18, (30, 26, 26), -1)
    cv2.putText(face, str(squares), (122, 38), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (220, 230, 230), 2, cv2.LINE_AA)
    return face


def test_a_longer_row_whose_end_a_piece_hides_is_not_taken_for_the_row_that_lies_there(
    in_light: FacesInLight,
) -> None:
    faces = {KNOWN: TILES[KNOWN], "four": with_row(4), "five": with_row(5)}
    book = learn_faces({face: [scan] for face, scan in faces.items()})
    of_box = BoxFaces.of(book, faces, SIDE_MM)
    reader = FacesInLight(in_light.layout, of_box, COLOURS, in_light.face_mm, in_light.places_mm)
    image = bare_cloth()
    lay(image, faces[KNOWN], MIDDLES["left"], SIDE_MM)
    lay(image, faces["four"], MIDDLES["right"], SIDE_MM)
    stand(image, BLUE_BGR, (8.7, -20.0))  # where the fifth square would be
    half_mm = 11 / 160 * SIDE_MM
    astray = square_at(MIDDLES["right"] + (0.0, half_mm), SIDE_MM, 0.0)
    first = replace(named("right", ("five", 0.99999), ("four", 0.00001)), corners_mm=astray)
    places, _ = decided(reader, image, SURE, first)
    found = places["right"]
    assert (found.face, found.pieces) == ("four", (("blue", 1),))
    assert found.corners_mm == pytest.approx(square_at(MIDDLES["right"], SIDE_MM, 0.0), abs=0.5)


def counted(p: float, *pieces: tuple[str, int]) -> PlaceReading:
    return replace(SURE, pieces=pieces, pieces_p=p, counted=Counted(60.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("before", "now", "pieces", "is_sure"),
    [
        (counted(0.28), counted(0.99, ("blue", 1)), (("blue", 1),), True),  # in the light of more faces
        (counted(0.99, ("blue", 1)), counted(0.28), (("blue", 1),), True),  # in light that a wrong face told
        (counted(0.98), counted(0.98, ("blue", 1)), (), False),  # one of two that were sure is wrong
        (counted(0.95, ("red", 1)), counted(0.99, ("red", 1)), (("red", 1),), True),
        (counted(0.95), counted(0.1), (), False),  # a piece was nearly found in the light of more faces
        (counted(0.28), SURE, (), False),  # not counted anew
    ],
    ids=["now surer", "surer before", "both sure", "alike", "alike in doubt", "once"],
)
def test_of_two_counts_in_different_light_the_surer_one_stays(
    before: PlaceReading, now: PlaceReading, pieces: tuple[tuple[str, int], ...], is_sure: bool
) -> None:
    one = surer_count(before, now)
    assert (one.pieces, one.is_sure) == (pieces, is_sure)


@pytest.mark.parametrize(
    ("unexplained_mm2", "room_mm2", "stays"),
    [(123.0, 106.0, True), (123.0, 0.0, False), (480.0, 350.0, False)],
    ids=["a patch as large as a piece", "lines along print", "a pane of sun"],
)
def test_light_of_its_own_on_no_more_than_a_piece_hides_may_be_one(
    in_light: FacesInLight, unexplained_mm2: float, room_mm2: float, stays: bool
) -> None:
    _, canvas = decided(in_light, picture(), SURE, named("right", (RIGHT, 1.0)))
    assert canvas is not None
    covered = np.zeros(canvas.label.shape, np.float32)
    first = PieceSearch((), np.array([0.0, unexplained_mm2]), np.array([0.0, room_mm2]), covered, ({}, {}))
    anew = replace(first, unexplained_mm2=np.zeros(2), room_mm2=np.zeros(2))
    both = beside_first(first, anew, canvas, np.array([False, True]))
    assert both.unexplained_mm2.tolist() == [0.0, unexplained_mm2 if stays else 0.0]
    assert both.room_mm2.tolist() == [0.0, room_mm2 if stays else 0.0]


def test_pieces_that_light_of_its_own_explains_count_as_refused(in_light: FacesInLight) -> None:
    _, canvas = decided(in_light, picture(), SURE, named("right", (RIGHT, 1.0)))
    assert canvas is not None
    foot = (float(canvas.faces[1].centre_mm[0]), float(canvas.faces[1].centre_mm[1]))
    nats = (90.0, 60.0, 200.0)
    standing = tuple(FoundPiece("blue", foot, 0.0, evidence, evidence) for evidence in nats)
    covered = np.zeros(canvas.label.shape, np.float32)
    first = PieceSearch(standing, np.zeros(2), np.zeros(2), covered, ({}, {}))
    anew = replace(first, pieces=standing[2:], refused_of=({}, {"red": 9.0}))
    lit = np.array([False, True])
    assert beside_first(first, anew, canvas, lit).refused == (0.0, 0.5 * 90.0)
    assert beside_first(first, first, canvas, lit).refused == (0.0, 0.0)
