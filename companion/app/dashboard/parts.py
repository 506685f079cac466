"""What the pages' host asks of the composition root: tables and devices."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from companion.app.box.link import BoxLink
from companion.app.camera.camera_thread import CameraThread
from companion.app.camera.idle_camera import IdleCamera
from companion.app.camera.known_box import KnownBox
from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame
from companion.app.game.open_table import Table
from companion.core.types import Seat
from companion.table.record.store import Store
from vision.locate.markers import MarkerLayout
from web.ports.devices import TallyPort


class Parts(Protocol):
    """What the host asks of the composition root (`companion.app.wiring.RealParts`): tables and devices."""

    @property
    def store(self) -> Store:
        """The record's store."""

    @property
    def settings(self) -> Settings:
        """The settings."""

    def begin(self, chosen: NewGame) -> Table:
        """Begin a game. Raises DataError with everything that is wrong with the choice."""

    def resume(self, session: str) -> Table:
        """Open the table of a session where its record ends."""

    def box(self, table: Table, source: str) -> BoxLink:
        """Let the button box `source` join a table. Raises DeviceError."""

    def camera(
        self, table: Table, source: str, known: KnownBox | None, press: Callable[[Seat], None] | None,
        box: BoxLink | None,
    ) -> CameraThread:
        """Let the camera `source` follow a table. Raises DataError and DeviceError."""

    def idle_box(self, source: str) -> BoxLink:
        """The button box `source` while no game is played. Raises DeviceError."""

    def idle_camera(self, source: str, markers: MarkerLayout) -> IdleCamera:
        """The camera `source` while no table is followed. Raises DeviceError."""

    def tally(self, tiles: Path) -> TallyPort:
        """The tally reader for the tiles of a box file or a scene set. Raises DataError."""
