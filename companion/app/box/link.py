"""An open button box, at a table or before one: its seats, its LEDs, and the walk that a page may lead round it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from companion.app.box.guided_walk import GuidedWalk
from companion.app.box.seats import BoxSeats
from companion.core.types import Seat
from firmware_bridge.box import Box
from firmware_bridge.constants import STATIONS, LedState
from firmware_bridge.virtual_box import station_input

LED_WAIT_S = 0.5
"""How long the LEDs' thread waits for news before it checks whether it is to end."""


@dataclass(slots=True)
class BoxLink:
    """An open box; `seats` are its seats at the session, None while no game is played."""

    box: Box
    walk: GuidedWalk
    seats: BoxSeats | None
    close: Callable[[], None]

    def tap(self, seat: Seat) -> None:
        """Press and release the confirm button of a seat's station of a virtual box; its record comes a little later.

        Raises ValueError for a real box, whose buttons only people press.
        """
        if self.box.virtual is None:
            raise ValueError("only a virtual box is pressed by the program")
        self.box.virtual.tap(station_input("confirm", seat + 1))

    def leds(self) -> tuple[LedState, ...]:
        """What the LEDs are to show: what the walk asks about, or else what the seats are awaited for."""
        return self.walk.leds() or ((LedState.OFF,) * STATIONS if self.seats is None else self.seats.leds())


def show_leds(link: BoxLink, wait: Callable[[float], object], ending: threading.Event) -> None:
    """Keep the LEDs as they are to be, until `ending`; `wait` returns after so many seconds, or when there is news."""
    while not ending.is_set():
        link.box.set_leds(link.leds())
        wait(LED_WAIT_S)
