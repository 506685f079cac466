"""Cards beside workers, in a rendered market: what a worker's shadow falls on tells no card from its twin."""

from __future__ import annotations

import cv2
import numpy as np
from rendered_tables import market

from companion.lab.scenes.spyrium import table_set as spyrium_set
from companion.lab.scenes.spyrium.pictures import WORKER_RGB, table_layout
from vision.appearance.picture_light import PieceColours
from vision.faces.learning import learn_faces
from vision.locate.pose import TablePose
from vision.tables.place import PlaceReading, PlaceState, Shot
from vision.tables.place_reader import PlaceReader
from vision.tables.table_reader import TableReader
from vision.tables.zone import ZoneReading

CARD = "r2c1"
IN_SHADOW_MM, LIT_MM = (-69.0, -26.0), (-69.0, 10.0)
"""Places on that card: in the shadow of the worker above it, and far from any."""

SIGN_MM = 2.5
"""Radius of a sign that tells a card from its twin: half that of the disc with a price."""


def with_a_sign(scan: np.ndarray, corners_mm: np.ndarray, at_mm: tuple[float, float]) -> np.ndarray:
    """The scan (H, W, 3) of a card with one more sign at a place of the table, where it lies at these corners."""
    height, width = scan.shape[:2]
    across, down = corners_mm[1] - corners_mm[0], corners_mm[3] - corners_mm[0]
    x, y = (float((np.array(at_mm) - corners_mm[0]) @ side / (side @ side)) for side in (across, down))
    radius, out = round(SIGN_MM * width / float(np.linalg.norm(across))), scan.copy()
    cv2.circle(out, (round(x * width), round(y * height)), radius, (40, 200, 240), -1, cv2.LINE_AA)
    return out


def read_with_twin(at_mm: tuple[float, float]) -> tuple[PlaceReader, Shot, ZoneReading, str]:
    """The market with one more card in the box, that has a sign where `at_mm` is on the card that lies in `CARD`."""
    cv2.setNumThreads(1)
    faces, pictures = dict(spyrium_set.scans()), market()
    colours = PieceColours.from_rgb(WORKER_RGB).only(("red", "blue"))

    def reader() -> TableReader:
        book = learn_faces({face: [scan] for face, scan in faces.items()}, size_px=96)
        return TableReader(table_layout(2), book, faces, colours)

    first = reader().read(pictures.before)
    lies = first.at(CARD)
    assert isinstance(first.pose, TablePose)
    assert lies.face is not None
    assert lies.corners_mm is not None
    faces["twin"] = with_a_sign(faces[lies.face], lies.corners_mm, at_mm)
    other = reader()
    zone = other.read(pictures.before, pose=first.pose).zones[-1]
    read = other.zones[-1]
    assert isinstance(read, PlaceReader)
    return read, Shot(pictures.before, first.pose), zone, lies.face


def compared_anew(at_mm: tuple[float, float]) -> tuple[PlaceReading | None, str]:
    """The card beside the workers if its twin was thought to lie there, and its true name; None: not compared."""
    read, shot, zone, face = read_with_twin(at_mm)
    assert read.gaps is not None
    assert zone.gaps is not None
    assert zone.canvas is not None
    doubtful = zone.places[CARD].named((("twin", 0.95), (face, 0.05)))
    places = {**zone.places, CARD: doubtful}
    return read.gaps.faces_beside(shot, zone.seen_bgr, places, [CARD], zone.gaps, zone.canvas).get(CARD), face


def test_a_sign_in_a_workers_shadow_tells_no_card_from_its_twin() -> None:
    card, face = compared_anew(IN_SHADOW_MM)
    assert card is not None
    assert card.state is PlaceState.UNKNOWN
    assert dict(card.alternatives)[face] > 0.3


def test_a_lit_sign_tells_a_card_from_its_twin_beside_a_worker() -> None:
    card, face = compared_anew(LIT_MM)
    assert card is not None
    assert card.face == face
