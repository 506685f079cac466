"""An open button box at a table: its seats, its LEDs, and the bytes that are captured beside the record."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from companion.app.box.seats import BoxSeats
from companion.core.types import Seat
from companion.table.session import Session
from firmware_bridge.box import Box
from firmware_bridge.virtual_box import station_input

LED_WAIT_S = 0.5
"""How long the LEDs' thread waits for news before it checks whether it is to end."""


@dataclass(slots=True)
class BoxLink:
    """An open box and its seats at the session."""

    box: Box
    seats: BoxSeats

    def tap(self, seat: Seat) -> None:
        """Press and release the confirm button of a seat's station of a virtual box; its record comes a little later.

        Raises ValueError for a real box, whose buttons only people press.
        """
        if self.box.virtual is None:
            raise ValueError("only a virtual box is pressed by the program")
        self.box.virtual.tap(station_input("confirm", seat + 1))


def show_leds(session: Session, box: Box, seats: BoxSeats, ending: threading.Event) -> None:
    """Keep the LEDs as the session wants them, until `ending`."""
    news = session.subscribe()
    while not ending.is_set():
        box.set_leds(seats.leds())
        news.get(LED_WAIT_S)
