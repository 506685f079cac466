"""What is read of a zone tells the light of the table only when a face in it was recognised."""

from __future__ import annotations

import numpy as np

from vision.appearance.canvas import Canvas, Window
from vision.appearance.picture_light import PictureLight
from vision.tables.place import TILE, PlaceReading, PlaceState
from vision.tables.zone import ZoneReading

WINDOW = Window(0.0, 0.0, 30, 20)
SEEN = np.full((20, 30, 3), 90, np.uint8)
BARE = {"r1c1": PlaceReading("r1c1", TILE, PlaceState.EMPTY, p=0.995)}
EVENING = PictureLight((0.5, 0.6, 0.8), (0.0, 0.0, 0.0), (0.1, 0.0), 2.0)


def test_a_zone_without_a_face_tells_no_light() -> None:
    assert ZoneReading(BARE, WINDOW, SEEN).light is None


def test_a_zone_tells_the_light_that_its_faces_were_expected_in() -> None:
    zone = ZoneReading(BARE, WINDOW, SEEN, Canvas.without_faces(SEEN, WINDOW, EVENING))
    assert zone.light == EVENING


def test_a_grid_has_no_spaces_and_two_readings_share_none() -> None:
    one, other = ZoneReading(BARE, WINDOW, SEEN), ZoneReading(BARE, WINDOW, SEEN)
    assert one.spaces == {}
    assert one.spaces is not other.spaces
