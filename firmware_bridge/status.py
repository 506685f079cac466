"""What the bridge says of itself: the phase of the link, its quality, and the state of the box."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.core.inputs import BoxInput
from firmware_bridge.messages import About


class LinkPhase(Enum):
    """Where the link stands; it is always known and always shown."""

    SEARCHING = "searching for the box"
    LISTENING = "waiting for the box to answer"
    CONNECTED = "connected"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class LinkQuality:
    """Counts since the bridge was opened, and the last round trip."""

    frames: int = 0  # good frames from the box
    bad_frames: int = 0  # damaged or unknown ones from the box
    box_bad_frames: int = 0  # damaged ones that the box saw, since its start
    box_resent: int = 0  # reports that the box sent again, since its start
    repeated: int = 0  # reports that had been delivered already and were dropped
    early: int = 0  # reports that came before an earlier one and were left for later
    dropped_by_box: int = 0  # edges that found the box's queue full, since its start
    missed: int = 0  # reports that the box had given to another program
    refused: int = 0  # reports that the receiver raised on; they come again
    stale_leds: int = 0  # times that the box showed another program's LEDs, until it was told again
    refused_by_box: int = 0  # frames of ours that the box did not know
    resets: int = 0  # starts of the box seen while connected before
    reconnects: int = 0
    round_trip_ms: float | None = None


@dataclass(frozen=True, slots=True)
class ReportPosition:
    """The last report a session took: where delivery goes on after a restart of the host."""

    box: str
    boot: int
    number: int


@dataclass(frozen=True, slots=True)
class BoxStatus:
    """A snapshot of the bridge; `trouble` says whose fault it is and what to do, "" when all is well."""

    phase: LinkPhase
    virtual: bool
    port: str = ""
    box: str = ""
    boot: int = 0
    firmware: int = 0
    about: About | None = None  # board, start, lock-outs; None for firmware that does not say
    closed: tuple[BoxInput, ...] = ()  # inputs whose contact is closed: pressed buttons, shields in place
    leds_taken: bool = False  # the box has confirmed the LED states last set
    quality: LinkQuality = LinkQuality()
    trouble: str = ""

    @property
    def connected(self) -> bool:
        """Whether the box answers now."""
        return self.phase is LinkPhase.CONNECTED
