"""What a followed table asks of whatever reads its pictures, and the reader of tables that are no grid of tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from companion.core.inputs import BoardObservation, ViewState
from companion.core.layout import SlotOutline
from vision.boards import SeatBoard
from vision.camera_model import Camera
from vision.layout_reader import LayoutReader, LayoutReading
from vision.markers import MarkerLayout
from vision.occlusion import Occlusion
from vision.pose import TablePose
from vision.reread import GridMemory
from vision.table_zones import zones_of


class Look(Protocol):
    """What was read in one picture."""

    @property
    def memory(self) -> GridMemory | None:
        """What the next picture of the same view need not be read again for, where the reader keeps such a thing."""

    def observation(self, frame: int, time_ms: int, view: ViewState | None = None) -> BoardObservation:
        """The reading in the words that every part shares."""


class TableEyes(Protocol):
    """A reader of one table's pictures: `vision.reader.TableReader`, or `LayoutEyes`."""

    camera: Camera | None

    @property
    def markers(self) -> MarkerLayout:
        """The markers by which the table is found."""

    @property
    def outlines(self) -> tuple[SlotOutline, ...]:
        """The slots round which hands are looked for."""

    def read(
        self,
        image: np.ndarray,
        *,
        seats: Sequence[SeatBoard] = (),
        pose: TablePose | None = None,
        memory: GridMemory | None = None,
        over: Occlusion | None = None,
    ) -> Look:
        """What lies on the table in `image` (H, W, 3) uint8 BGR; see `TableReader.read`."""


@dataclass(frozen=True, slots=True)
class LayoutLook:
    """The reading of a table by its layout; nothing is kept from one picture to the next."""

    reading: LayoutReading
    memory: GridMemory | None = None

    def observation(self, frame: int, time_ms: int, view: ViewState | None = None) -> BoardObservation:
        """The reading in the words that every part shares."""
        return self.reading.observation(frame, time_ms, view)


class LayoutEyes:
    """A `LayoutReader` as the eyes of a followed table. Every picture is read as a whole.

    Hands are looked for round the slots that lie together with those for pieces, which every camera has in view; over
    other slots they are found when those are read.
    """

    def __init__(self, reader: LayoutReader) -> None:
        self.reader = reader
        zones = zones_of(reader.outlines)
        self._middle = next((z for z in zones if any(o.holds == "gap" for o in z)), reader.outlines)

    @property
    def camera(self) -> Camera | None:
        """The measured lens, where there is one."""
        return self.reader.camera

    @camera.setter
    def camera(self, camera: Camera | None) -> None:
        self.reader.camera = camera

    @property
    def markers(self) -> MarkerLayout:
        """The markers by which the table is found."""
        return self.reader.markers

    @property
    def outlines(self) -> tuple[SlotOutline, ...]:
        """The slots round which hands are looked for."""
        return self._middle

    def read(
        self,
        image: np.ndarray,
        *,
        seats: Sequence[SeatBoard] = (),
        pose: TablePose | None = None,
        memory: GridMemory | None = None,  # noqa: ARG002 - every picture is read as a whole
        over: Occlusion | None = None,  # noqa: ARG002 - each zone of the layout looks for hands round itself
    ) -> LayoutLook:
        """What lies on the table in `image` (H, W, 3) uint8 BGR. Raises ValueError when boards are asked for."""
        return LayoutLook(self.reader.read(image, seats=seats, pose=pose))
