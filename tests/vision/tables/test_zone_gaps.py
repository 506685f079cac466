"""Cards beside workers, in a rendered market: what a worker's shadow falls on tells no card from its twin."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
from rendered_tables import market, market_before, market_reader, market_with

from companion.lab.scenes.spyrium import table_set as spyrium_set
from companion.lab.scenes.spyrium.pictures import WORKER_RGB, table_layout
from vision.appearance.canvas import compose
from vision.appearance.picture_light import PieceColours
from vision.faces.learning import learn_faces
from vision.locate.pose import TablePose
from vision.pieces.scene import ACCEPTED
from vision.tables.place import PlaceReading, PlaceState, Shot
from vision.tables.place_reader import PlaceReader
from vision.tables.table_reader import TableReader, TableReading
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
    first, before, faces = market_before(), market().before, dict(spyrium_set.scans())
    lies = first.at(CARD)
    assert isinstance(first.pose, TablePose)
    assert lies.face is not None
    assert lies.corners_mm is not None
    faces["twin"] = with_a_sign(faces[lies.face], lies.corners_mm, at_mm)
    book = learn_faces({face: [scan] for face, scan in faces.items()}, size_px=96)
    colours = PieceColours.from_rgb(WORKER_RGB).only(("red", "blue"))
    other = TableReader(table_layout(2), book, faces, colours)
    zone = other.read(before, pose=first.pose).zones[-1]
    read = other.zones[-1]
    assert isinstance(read, PlaceReader)
    return read, Shot(before, first.pose), zone, lies.face


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


GAP, BEHIND = "r1c2|r2c2", "r1c2"
"""A gap, and the card over which a worker leans that stands at its far side."""

OTHERS = ("automation", "banker")
"""Faces that the card is not."""


@cache
def leaning() -> tuple[np.ndarray, TableReading]:
    """A market (H, W, 3) uint8 BGR with a blue worker behind a red one at that gap, and what is read in it."""
    picture = market_with({GAP: [("red", 0.0, 6.5), ("blue", 0.0, -6.5)]})
    return picture, market_reader().read(picture)


def evidence_beside(likely: tuple[str, ...], *, with_its_own: bool) -> tuple[float, float]:
    """Nats for a blue worker of which a red one before it hides much, and whose top leans over a card: as that card is
    named, and without a name if any of the `likely` faces lies there or, if so asked, its own."""
    picture, found = leaning()
    read, zone = market_reader().zones[-1], found.zones[-1]
    assert isinstance(read, PlaceReader)
    assert isinstance(found.pose, TablePose)
    assert zone.canvas is not None
    named = {slot: one for slot, one in zone.places.items() if one.holds != "gap"}
    card = named[BEHIND]
    assert card.face is not None
    names = (*likely, card.face) if with_its_own else likely
    unnamed = replace(card, alternatives=tuple((face, 1.0 / len(names)) for face in names)).in_doubt(0.5)
    told = []
    for places in (named, named | {BEHIND: unnamed}):
        laid = [read.in_light.placed(one, one.face) for one in places.values() if one.face is not None]
        canvas = compose(zone.seen_bgr, zone.window, laid, zone.canvas.light)
        assert read.gaps is not None
        shot = Shot(picture, found.pose)
        _, gaps = read.gaps.read(shot, zone.seen_bgr, places, canvas, lambda: None, None, ())
        assert gaps[GAP].pieces == (("blue", 1), ("red", 1))
        told.append(next(piece.evidence for piece in gaps[GAP].found if piece.colour == "blue"))
    return told[0], told[1]


def test_a_top_over_a_card_without_a_name_speaks_as_over_one_that_is_named() -> None:
    named, unnamed = evidence_beside(OTHERS, with_its_own=True)
    assert unnamed > named - ACCEPTED


def test_a_top_over_a_card_that_no_likely_face_explains_tells_less() -> None:
    named, unlike = evidence_beside(OTHERS, with_its_own=False)
    assert unlike < named - ACCEPTED
