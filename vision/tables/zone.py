"""What a layout reads of one zone of a table, and what it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from companion.core.types import Face, Slot
from vision.appearance.background import TableLook
from vision.appearance.canvas import Canvas, Window
from vision.appearance.picture_light import PictureLight
from vision.pieces.between_faces.gaps import Gaps
from vision.tables.changes import Changes
from vision.tables.corner_card import CornerReading
from vision.tables.face_at_place import LIKE_A_FACE
from vision.tables.place import ACCEPTED, PlaceReading, Shot


@dataclass(frozen=True, slots=True)
class SpaceReading:
    """What is seen in one space of a map: its face, sixths it is turned by, how sure, and its likeness to a face."""

    face: Face | None
    turn: int
    p: float
    likeness: float

    @property
    def is_clear(self) -> bool:
        """Whether the space shows its face without a doubt."""
        return self.p >= ACCEPTED and self.likeness >= LIKE_A_FACE


@dataclass(frozen=True, slots=True)
class SpaceOnMap:
    """A space that shows a known face: which, by how many degrees it is turned clockwise, and the slot of the first
    space of its tile, whose spaces lie as one."""

    face: Face
    turn_deg: float
    tile: Slot = ""


@dataclass(frozen=True, slots=True, eq=False)
class MapLooks:
    """What was found on a map by looks that need not be taken again where nothing has changed.

    `shown`: the spaces of known tiles. `explained`: for each tile (slot, face, turn) that pieces hide, the spaces that
    were known beside it and whether it and pieces on it explain what is seen. `on_bare`: the colour of the piece on
    each space beside the tiles on which one was looked for; None: there is none. `table`: what the bare table beside
    tiles looks like, see `BareTable.looks`.
    """

    shown: Mapping[Slot, SpaceOnMap] = field(default_factory=dict)
    explained: Mapping[tuple[Slot, Face, int], tuple[frozenset[tuple[Slot, SpaceOnMap]], bool]] = field(
        default_factory=dict
    )
    on_bare: Mapping[Slot, str | None] = field(default_factory=dict)
    table: Mapping[tuple[float, ...], TableLook] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class ZoneReading:
    """A zone that was read: its places in order, the window around them and what that shows, (H, W, 3) uint8.

    `canvas`: what the faces were expected to look like in it; None when none was recognised. `corner`: the corner card
    of a grid. `gaps`: what stands between faces; None when the light was not known. `spaces`: those of a map, whose
    light is `map_light`; `laid`: (slot, face, turn) of each tile that was last named there, by pieces however hidden;
    `looks`: what else is known of it.
    """

    places: Mapping[Slot, PlaceReading]
    window: Window
    seen_bgr: np.ndarray
    canvas: Canvas | None = None
    corner: CornerReading | None = None
    gaps: Gaps | None = None
    spaces: Mapping[Slot, SpaceReading] = field(default_factory=dict)
    map_light: PictureLight | None = None
    laid: tuple[tuple[Slot, Face, int], ...] = ()
    looks: MapLooks = field(default_factory=MapLooks)

    @property
    def light(self) -> PictureLight | None:
        """The light inferred from the faces of the zone."""
        return None if self.canvas is None else self.canvas.light


class ZoneReader(Protocol):
    """A layout's reader of one zone. `places_mm`: (N, 2) corners of every slot."""

    @property
    def places_mm(self) -> Mapping[Slot, np.ndarray]: ...

    def rectified(self, shot: Shot) -> tuple[Window, np.ndarray]:
        """The window that the zone's readings show, and the picture (H, W, 3) uint8 of it from above."""

    def read(
        self,
        shot: Shot,
        seen: np.ndarray,
        light_elsewhere: Callable[[], PictureLight | None],
        before: ZoneReading | None = None,
        due: Collection[Slot] = (),
        changes: Changes | None = None,
    ) -> ZoneReading | None:
        """The whole zone, or after `before` the slots that are `due`; None when that cannot be done."""
