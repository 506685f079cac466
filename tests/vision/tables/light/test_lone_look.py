"""A face that alone tells a light which nothing else tells is asked about, where another one explains it in that."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawn_table import POSE, bare_cloth, lay

from companion.core.layout import TableLayout
from vision.appearance.canvas import Canvas, Window
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.faces.learning import learn_faces
from vision.locate.plane import square_at
from vision.locate.rectify import rectify
from vision.tables.face_at_place import BoxFaces
from vision.tables.light.faces_in_light import FacesInLight, Places
from vision.tables.light.lone_look import doubted_in, in_a_likely_light, is_another_light, is_lone_look
from vision.tables.place import TILE, PlaceReading, PlaceState, Shot

SIDE_MM = 55.0
AT = {"left": np.array([-29.0, 0.0]), "right": np.array([29.0, 0.0])}
WINDOW = Window(-90.0, -60.0, 270, 180)
MARKERS = PictureLight((2.0, 2.0, 2.0), (0.03, 0.03, 0.03), (0.0, 0.0), 2.0, at_least=True)


def barred(ground_bgr: tuple[int, int, int], bars_bgr: tuple[int, int, int]) -> np.ndarray:
    face = np.full((120, 120, 3), ground_bgr, np.uint8)
    cv2.rectangle(face, (25, 30), (95, 45), bars_bgr, -1)
    cv2.rectangle(face, (25, 75), (95, 90), bars_bgr, -1)
    return face


FACES = {"pale": barred((190, 185, 195), (150, 160, 165)), "dark": barred((55, 91, 58), (35, 60, 40))}


@pytest.fixture(scope="module")
def in_light() -> FacesInLight:
    cv2.setNumThreads(1)
    book = learn_faces({face: [scan] for face, scan in FACES.items()}, loose=False)
    places_mm = {slot: square_at(middle, SIDE_MM, 0.0) for slot, middle in AT.items()}
    colours = PieceColours(("red", "blue"), ((30.0, 30.0, 190.0), (180.0, 80.0, 30.0)))
    return FacesInLight(TableLayout(()), BoxFaces.of(book, FACES, SIDE_MM), colours, (SIDE_MM, SIDE_MM), places_mm)


def seen_of(image: np.ndarray) -> np.ndarray:
    seen: np.ndarray = rectify(image, POSE, WINDOW.corners_mm, -2.0, (WINDOW.width_px, WINDOW.height_px))
    return seen


def named(slot: str, face: str) -> PlaceReading:
    corners = square_at(AT[slot], SIDE_MM, 0.0)
    return PlaceReading(slot, TILE, PlaceState.UNKNOWN, turn=0, likeness=9.0, corners_mm=corners).named(((face, 1.0),))


def decided(reader: FacesInLight, image: np.ndarray, *places: PlaceReading) -> tuple[Places, Canvas]:
    out, canvas = reader.decide(Shot(image, POSE), seen_of(image), WINDOW, {one.slot: one for one in places})
    assert canvas is not None
    return out, canvas


def overexposed(face: str) -> np.ndarray:
    """`face` on the left in more light than the picture shows."""
    image = bare_cloth()
    lay(image, np.clip(1.4 * FACES[face].astype(np.float32), 0, 255).astype(np.uint8), AT["left"], SIDE_MM)
    return image


def test_a_pale_face_that_was_burnt_to_white_is_no_dark_one_in_a_light_ten_times_as_strong(
    in_light: FacesInLight,
) -> None:
    image = overexposed("pale")
    places, canvas = decided(in_light, image, named("left", "dark"))
    assert places["left"].face == "dark"
    assert is_another_light(canvas.light, MARKERS)
    out, none = in_a_likely_light(in_light, places, canvas, seen_of(image), lambda: MARKERS)
    doubted = out["left"]
    assert none is None
    assert doubted.state is PlaceState.UNKNOWN
    assert doubted.alternatives[0][0] == "pale"


def test_what_is_named_rightly_stays_named_in_the_light_of_the_markers(in_light: FacesInLight) -> None:
    image = overexposed("pale")
    places, canvas = decided(in_light, image, named("left", "pale"))
    assert not doubted_in(in_light, MARKERS, canvas, seen_of(image), places)


def test_black_tells_how_much_light_there_is_at_most() -> None:
    told = PictureLight((4.0, 4.0, 4.0), (0.0, 0.0, 0.0), (0.0, 0.0), 2.0)
    assert not is_another_light(told, MARKERS)
    black = PictureLight((2.0, 2.0, 2.0), (0.0, 0.0, 0.0), (0.0, 0.0), 2.0, at_least=True)
    assert is_another_light(told, black)


def test_two_faces_that_fit_one_light_confirm_it() -> None:
    places = {"left": named("left", "dark"), "right": named("right", "dark")}
    assert is_lone_look(places)
    assert not is_lone_look(places | {"right": named("right", "pale")})
