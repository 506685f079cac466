"""What every source of pictures offers: the newest frame, and its health at any time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import numpy as np

from companion.core.messages import NO_MESSAGE, Message


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture (H, W, 3) uint8 BGR; `number` counts from 1 without gaps in reception, `time_s` by the source's clock.

    `name`: the file it came from, where there is one.
    """

    number: int
    time_s: float
    image: np.ndarray
    name: str = ""


class Health(Enum):
    """How a source is doing."""

    OPENING = "opening"
    LIVE = "live"
    STALE = "stale"  # open, but no new picture comes
    GONE = "gone"  # cannot be opened or has failed; tried again by itself
    ENDED = "ended"  # the material is finished
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """The health of a source for people: why it is so, since when (source's clock), and what was received.

    `dropped`: frames replaced by newer ones before anybody took them; that is the policy, not a fault.
    `reopened`: how often it was opened again. `details`: what the driver granted, such as "1920 x 1080".
    """

    source: str
    health: Health
    reason: Message = NO_MESSAGE
    since_s: float = 0.0
    frames: int = 0
    dropped: int = 0
    reopened: int = 0
    details: str = ""

    @property
    def usable(self) -> bool:
        """Whether the newest frame shows the table as it is now."""
        return self.health in (Health.LIVE, Health.ENDED)


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """What is asked of a camera; a driver may refuse, `SourceStatus.details` says what was granted.

    Locked focus and exposure keep a settled picture settled. `exposure` and `focus`: the driver's own values,
    None leaves the value it has at that moment.
    """

    width: int = 1920
    height: int = 1080
    fps: float = 30.0
    lock: bool = True
    exposure: float | None = None
    focus: float | None = None


class FrameSource(Protocol):
    """A source of pictures. `start` and `stop` may be called once each; all methods from any thread."""

    def start(self) -> None:
        """Begin to receive. Does not wait for the first frame."""

    def stop(self) -> None:
        """End receiving and let go of the device."""

    def newest(self, after: int = 0, timeout_s: float = 0.0, alike_s: float = 0.0) -> Frame | None:
        """The newest frame whose number is above `after`, waiting up to `timeout_s` for it; None when none came.

        `alike_s`: until it is asked anew, frames that look as the newest one may be let go by while that one is
        younger than this.
        """

    def status(self) -> SourceStatus:
        """The health now: noticed within one second of what happened."""
