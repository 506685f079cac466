"""What was read of captured tiles spread on a table, and why a person must confirm it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.core.messages import Message, with_decimals
from companion.core.types import Face
from vision.appearance.leftovers import LeftoverJudge
from vision.faces.copies import too_many
from vision.locate.plane import Plane

# Probability of all tiles together from which a total is not asked about.
SURE_OF_ALL = 0.97

# Part of a tile that must look unlike the table for one like it to be noticed.
NOTICED = 0.2

# Tiles are spread alike: one more lies no further from the next than any of the others does from its own, and within
# so many sides. Of a tile that lies alone nothing is known.
FURTHEST, NEAREST = 2.1, 1.1

# Middles of two tiles that lie beside each other are at least so many sides apart.
BESIDE = 0.95

# Part of a tile's place that must look unlike the table for a tile to lie there unseen: the margins of the tiles
# around it, of which nothing is known, may take four tenths.
HIDDEN_SHARE = 0.55

# Part of the place that must not be seen to be table, margins with it, of what the tiles themselves show unlike it: a
# tile that is hidden, or in part, shows none. What is unlike the table is told in pixels of a twelfth of a tile, so
# that a pixel along a side may be wrong; a chequered cloth has the colours of many things, and of the tiles.
UNSEEN_SHARE = 0.85

# Gaps so wide, px, within what is unlike the table are no table either: a thing's print may have the table's colour.
GAP_PX = 5

# The table is looked over for such places at this many px a side, in turns of so many degrees.
PX_A_SIDE, TURN_STEP_DEG = 14, 15

NO_TILES = Message("No tiles were found.")
MAY_HIDE = Message(
    "What lies beside the tiles may hide another one: move it away and take the picture again, "
    "or see that none lies there."
)
LIKE_TABLE = Message(
    "The tiles look much like the table: another one may not have been seen. Lay them on a plain cloth of another "
    "colour, or see that all are outlined."
)


@dataclass(frozen=True, slots=True)
class TallyTile:
    """A tile, or what looks like one: face (None: ask), probability, alternatives, (4, 2) corners in the picture."""

    face: Face | None
    p: float
    alternatives: tuple[tuple[Face, float], ...]
    corners_px: np.ndarray

    @property
    def centre_px(self) -> tuple[float, float]:
        """Middle of the tile in the picture."""
        x, y = self.corners_px.mean(0).tolist()
        return x, y


@dataclass(frozen=True, slots=True)
class TallyReading:
    """All tiles found, whether they can be believed without asking, and why not (English, for people).

    `beyond_names`: those of the doubts that are not settled by naming the tiles that are `asked`. `hidden_px`: (4, 2)
    corners in the picture of where another tile may lie unseen; None where nothing hides one.
    """

    tiles: tuple[TallyTile, ...]
    sure: bool
    doubts: tuple[Message, ...]
    located_by: str
    beyond_names: tuple[Message, ...] = ()
    hidden_px: np.ndarray | None = None

    @property
    def faces(self) -> tuple[Face, ...]:
        """The faces of the recognised tiles."""
        return tuple(t.face for t in self.tiles if t.face is not None)

    def counted(self, number: int) -> TallyReading:
        """The same reading where `number` tiles are known to lie there, by the record of the game: where as many were
        found none is hidden, and where not, a person is asked, however sure their names are."""
        if not self.tiles:
            return self
        if len(self.tiles) != number:
            found = len(self.tiles)
            other = Message(
                "{found} tiles were found, but {number} were captured by the record.", found=found, number=number
            )
            return replace(self, sure=False, doubts=(*self.doubts, other), beyond_names=(*self.beyond_names, other))
        doubts, beyond = (
            tuple(doubt for doubt in each if doubt not in (MAY_HIDE, LIKE_TABLE))
            for each in (self.doubts, self.beyond_names)
        )
        return replace(self, sure=not doubts, doubts=doubts, beyond_names=beyond, hidden_px=None)

    @property
    def asked(self) -> tuple[bool, ...]:
        """For each tile whether a person must say which it is: all without a name, and the least sure of the others
        until those that are left are sure together."""
        asked = [t.face is None for t in self.tiles]
        left = sorted((k for k, ask in enumerate(asked) if not ask), key=lambda k: -self.tiles[k].p)
        while left and _together([self.tiles[k] for k in left]) < SURE_OF_ALL:
            asked[left.pop()] = True
        return tuple(asked)


def read_as(
    tiles: Sequence[TallyTile], over: LeftoverJudge, plane: Plane, side_mm: float, copies: Mapping[Face, int], by: str
) -> TallyReading:
    """The reading of `tiles`, with all for which a person must confirm it.

    `over`: what beside the tiles is not table; `plane`: where the tiles lie; `copies`: see `TallyReader`; `by`: what
    told the plane.
    """
    shown = tuple(sorted(tiles, key=lambda t: t.centre_px[::-1]))
    named = [t for t in shown if t.face is not None]
    if not named:
        return TallyReading(shown, False, (NO_TILES,), by, (NO_TILES,))
    names = []
    if len(named) < len(tiles):
        names.append(Message(
            "{unknown} of {all} tiles were not recognised.", unknown=len(tiles) - len(named), all=len(tiles)
        ))  # fmt: skip
    together = _together(named)
    if together < SURE_OF_ALL:
        p = with_decimals(together, 2)
        names.append(Message("All tiles together are right with probability {p} only.", p=p))
    hidden_px = _hidden_px(shown, over, plane, side_mm)
    beyond = _doubts_beyond_names(named, over, copies)
    if hidden_px is not None:
        beyond.append(MAY_HIDE)
    return TallyReading(shown, not names and not beyond, (*names, *beyond), by, tuple(beyond), hidden_px)


def _together(named: Sequence[TallyTile]) -> float:
    return float(np.prod([t.p for t in named]))


def _doubts_beyond_names(named: Sequence[TallyTile], over: LeftoverJudge, copies: Mapping[Face, int]) -> list[Message]:
    """Why another tile may not be seen, or names that are sure one by one cannot all be right."""
    doubts = []
    if twice := too_many([t.face or "" for t in named], copies):
        faces = ", ".join(sorted(twice))
        doubts.append(Message("More tiles than the box holds were read as {faces}.", faces=faces))
    if over.hides([t.corners_px for t in named], NOTICED):
        doubts.append(LIKE_TABLE)
    return doubts


def _hidden_px(shown: Sequence[TallyTile], over: LeftoverJudge, plane: Plane, side_mm: float) -> np.ndarray | None:
    """(4, 2) corners in the picture of where another tile may lie unseen; None without such a place. What looks like a
    tile without a name is none: it is asked about itself."""
    middles_mm = plane.to_mm(np.array([t.corners_px.mean(0) for t in shown if t.face is not None]))
    low = middles_mm.min(0) - (FURTHEST + 1) * side_mm
    size_mm = float((middles_mm.max(0) - low).max()) + (FURTHEST + 1) * side_mm
    corners_mm = low + np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size_mm
    left, margins = over.in_picture(), over.around_known()
    for tile in shown:
        if tile.face is None:
            cv2.fillConvexPoly(left, np.round(tile.corners_px).astype(np.int32), 0)
    size_px = round(size_mm / side_mm * PX_A_SIDE)
    strange, around, in_picture = (
        plane.crop(each, corners_mm, size_px, 0.0) > 0 for each in (left, margins, np.full_like(left, 255))
    )
    seen_of_tiles = float(np.median([over.share(t.corners_px) for t in shown if t.face is not None]))
    unseen_share = UNSEEN_SHARE * seen_of_tiles
    hidden = hidden_place(strange, around | ~in_picture, (middles_mm - low) / side_mm, unseen_share)
    return None if hidden is None else plane.to_px(low + hidden * side_mm)


def hidden_place(
    strange: np.ndarray, unknown: np.ndarray, middles: np.ndarray, least_unseen: float = UNSEEN_SHARE
) -> np.ndarray | None:
    """(4, 2) corners of where another tile of the same spread may lie unseen among what is strange, in sides; None
    where nothing may hide one.

    `strange` (H, W) bool: the plane of the tiles from above, PX_A_SIDE px a side, where it shows neither table nor a
    known tile; `unknown` (H, W) bool: where it does not tell, along the known tiles and beyond the picture; `middles`
    (N, 2): of the known tiles, in sides; `least_unseen`: part of a hidden tile's place that shows no table.
    """
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=-1) + np.where(np.eye(len(middles)), np.inf, 0.0)
    usual = apart.min(1).max() if len(middles) > 1 else np.inf
    reach = float(np.clip(usual, NEAREST, FURTHEST))
    rows, columns = (np.indices(strange.shape) + 0.5) / PX_A_SIDE
    to_known = np.full(strange.shape, np.inf)
    for x, y in middles:
        to_known = np.minimum(to_known, np.hypot(columns - x, rows - y))
    free = (to_known >= BESIDE) & (to_known <= reach)
    if not (strange & (to_known <= reach + 1.0)).any():
        return None
    things = cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((GAP_PX, GAP_PX), np.uint8))
    unseen = (things > 0) | unknown
    reach_px = PX_A_SIDE
    for turn_deg in range(0, 90, TURN_STEP_DEG):
        tile = np.zeros((2 * reach_px + 1,) * 2, np.float32)
        square = cv2.boxPoints(((reach_px, reach_px), (PX_A_SIDE, PX_A_SIDE), turn_deg))
        cv2.fillConvexPoly(tile, np.round(square).astype(np.int32), 1.0)
        of_things, of_unseen = (
            cv2.filter2D(each.astype(np.float32), -1, tile / tile.sum(), borderType=cv2.BORDER_CONSTANT)
            for each in (things, unseen)
        )
        hides = free & (of_things >= HIDDEN_SHARE) & (of_unseen >= least_unseen)
        if hides.any():
            y, x = np.unravel_index(int(np.where(hides, of_things, 0.0).argmax()), hides.shape)
            middle = (float(x + 0.5) / PX_A_SIDE, float(y + 0.5) / PX_A_SIDE)
            return np.asarray(cv2.boxPoints((middle, (1.0, 1.0), turn_deg)))
    return None
