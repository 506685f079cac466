"""What the pages need of keeping the machine in order: measuring the lens, the doctor, backups, shutting down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from companion.core.messages import NO_MESSAGE, Message
from web.ports.setup_step import SetupStep


@dataclass(frozen=True, slots=True)
class LensFigures:
    """A measured lens: from how many pictures, the error on pictures that it was not measured by (px), by how much
    straight lines bend at the edge of the picture (px), and what that means for people."""

    views: int
    error_px: float
    bend_px: float
    meaning: Message
    good: bool


@dataclass(frozen=True, slots=True)
class LensLook:
    """How the measuring stands. `fields`: rows of the picture's fields, whether the board was seen there; `board`: its
    outline in the newest picture, as shares of width and height; `advice`: what to do next; `known`: the lens that is
    in use, None when it is estimated; `result`: what this measuring came to."""

    running: bool
    views: int = 0
    share: float = 0.0
    fields: tuple[tuple[bool, ...], ...] = ()
    board: tuple[tuple[float, float], ...] = ()
    advice: Message = NO_MESSAGE
    known: LensFigures | None = None
    result: LensFigures | None = None

    @property
    def complete(self) -> bool:
        """Whether enough was seen."""
        return self.share >= 1.0


class LensPort(Protocol):
    """Measuring the lens of the camera in use."""

    def begin(self) -> None:
        """Collect views from now on."""

    def look(self) -> LensLook:
        """How it stands, with the newest picture taken in. Raises DeviceError without a picture."""

    def finish(self) -> None:
        """Measure by what was collected; a good lens is used from now on. Raises DataError with too little."""

    def end(self) -> None:
        """Collect no more, and forget what was collected."""

    def sheets(self, paper: str) -> bytes:
        """The markers and the board as a PDF, true to size. `paper`: "a4" or "letter"."""


@dataclass(frozen=True, slots=True)
class BackupHolds:
    """What a backup that was handed in holds: its sessions, its parts, and how many bytes."""

    sessions: tuple[str, ...]
    parts: int
    size: int


class BackupPort(Protocol):
    """Everything in one file, and back."""

    def make(self) -> Path:
        """A fresh backup; whoever asked for it removes it. Raises CompanionError."""

    def take(self, at: int, part: bytes) -> int:
        """A part of a backup that is handed in, from byte `at` on; how many bytes there are now. Raises ValueError
        for a part that does not follow."""

    def holds(self) -> BackupHolds:
        """Try what was handed in, as whole as a restore would. Raises DataError; nothing is changed."""

    def restore(self) -> None:
        """Put it in the place of what is here: this program begins anew. Raises DataError, CompanionError."""

    def forget(self) -> None:
        """Remove what was handed in."""


class UpkeepPort(Protocol):
    """Keeping the machine in order."""

    @property
    def lens(self) -> LensPort:
        """The lens of the camera in use."""

    @property
    def backups(self) -> BackupPort:
        """Backup and restore."""

    @property
    def can_shut_down(self) -> bool:
        """Whether this machine is one that people switch off on its pages."""

    def steps(self, game: str) -> Sequence[SetupStep]:
        """All that may be wrong: machine, camera, table, box."""

    def report(self, game: str) -> bytes:
        """The same with versions and settings, as JSON without secrets, to ask for help with."""

    def shut_down(self) -> None:
        """Switch this machine off. Raises CompanionError when it is not to be, or cannot."""
