"""A map drawn by hand for tests: three spaces around one corner, of which each shows a face of its own."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from drawn_faces import drawn_tiles
from drawn_table import POSE, THICK_MM, bare_cloth, lay, picture_px

from companion.core.layout import SlotOutline, TableLayout
from companion.core.types import Face, Slot
from vision.appearance.canvas import Window
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.appearance.placed_face import FaceScan, shrink_reference
from vision.locate.plane import square_at
from vision.tables.maps.standing.map_in_picture import MapInPicture
from vision.tables.maps.standing.standing_pieces import StandingPieces
from vision.tables.place import Shot
from vision.tables.zone import SpaceOnMap

SIDE_MM = 32.0  # of a space, as far as from its middle to a corner
SQUARE_MM = 40.0
GOLD_BGR, BLUE_BGR = (40.0, 190.0, 235.0), (180.0, 80.0, 30.0)
MIDDLES = {
    name: SIDE_MM * np.array([np.cos(turn), np.sin(turn)])
    for name, turn in (("north", -np.pi / 2), ("east", np.pi / 6), ("west", 5 * np.pi / 6))
}
WINDOW = Window.around(np.array([[-60.0, -60.0], [60.0, 60.0]]), 20.0)
TILES = drawn_tiles(3, 36, every=12)
FACES = dict(zip(MIDDLES, TILES, strict=True))
SPACES = {slot: SpaceOnMap(face, 0.0) for slot, face in FACES.items()}


def outline(slot: str, x: float, y: float) -> SlotOutline:
    """A corner at `x`, `y` mm."""
    return SlotOutline(slot, tuple(map(tuple, square_at(np.array([x, y]), 10.0, 0.0))), "gap")


CORNERS = (outline("corner", 0.0, 0.0), outline("edge", 0.0, -2 * SIDE_MM), outline("beyond", 300.0, 0.0))
COLOURS = PieceColours(("blue", "gold"), (BLUE_BGR, GOLD_BGR))


def scans() -> dict[Face, FaceScan]:
    """The face of each space, as `SpaceSearch` takes it."""
    return {face: shrink_reference(TILES[face], SQUARE_MM) for face in FACES.values()}


def standing(
    faces: Mapping[Face, FaceScan] | None = None, colours: PieceColours = COLOURS, tokens: tuple[str, ...] = ("gold",)
) -> StandingPieces:
    """The readers of the map; `tokens` lie on its corners."""
    cv2.setNumThreads(1)
    return StandingPieces.of(TableLayout(CORNERS), faces or scans(), SQUARE_MM, colours, CORNERS, tokens)


def picture(token_mm: tuple[float, float] | None = None, radius_mm: float = 5.0) -> np.ndarray:
    """Three spaces, and a gold disc, of 10 mm across, where it is asked for."""
    image = bare_cloth()
    for slot, face in FACES.items():
        lay(image, TILES[face], MIDDLES[slot], SQUARE_MM)
    if token_mm is not None:
        angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        rim = np.array(token_mm) + radius_mm * np.column_stack([np.cos(angles), np.sin(angles)])
        cv2.fillConvexPoly(image, np.round(picture_px(rim, THICK_MM)).astype(np.int32), GOLD_BGR, cv2.LINE_AA)
    return image


def seen_in(
    image: np.ndarray, covered: frozenset[Slot] = frozenset(), window: Window = WINDOW,
    middles: Mapping[Slot, np.ndarray] = MIDDLES,
) -> MapInPicture:
    """The map in a picture (H, W, 3) uint8, in which some slots are `covered`."""
    return MapInPicture(Shot(image, POSE, covered), window, middles, SIDE_MM, TableLayout(CORNERS).face_thickness_mm)


def light(readers: StandingPieces, image: np.ndarray) -> PictureLight:
    """The light that the three spaces tell in a picture."""
    found = readers.on_spaces.light(seen_in(image), SPACES)
    assert found is not None
    return found
