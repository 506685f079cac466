"""Joins devices to a table being played: the button box and the camera, each with what ends it again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from companion.app import paths
from companion.app.box_seats import BoxSeats, last_press
from companion.app.eyes import film_folder, follow_table
from companion.app.known_box import KnownBox, camera_profiles, enrolled_colours
from companion.app.live import LiveTable
from companion.app.settings import Settings
from companion.app.watch import TableWatch
from companion.app.wiring import Table
from companion.core.types import Seat
from companion.table.store import Store
from firmware_bridge.box import Box, open_box
from firmware_bridge.virtual_box import station_input

LED_WAIT_S = 0.5
"""How long the LEDs' thread waits for news before it looks whether it is to end."""


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


def attach_box(table: Table, store: Store, settings: Settings, source: str) -> BoxLink:
    """Open the box `source` for a table; its bytes are captured beside the record. Raises DeviceError."""
    seats = BoxSeats(table.session)
    name = table.session.header.session
    path = paths.next_capture(settings, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    capture = path.open("w", encoding="utf-8")
    box = open_box(source, seats.press, position=last_press(store.records(name)), capture=capture)
    ending = threading.Event()
    thread = threading.Thread(target=_show_leds, args=(table, box, seats, ending), name="leds", daemon=True)
    thread.start()

    def close() -> None:
        ending.set()
        box.close()
        thread.join()
        capture.close()

    table.on_close.append(close)
    return BoxLink(box, seats)


def _show_leds(table: Table, box: Box, seats: BoxSeats, ending: threading.Event) -> None:
    """Keep the LEDs as the session wants them."""
    news = table.session.subscribe()
    while not ending.is_set():
        box.set_leds(seats.leds())
        news.get(LED_WAIT_S)


def attach_camera(
    table: Table,
    settings: Settings,
    source: str,
    *,
    known: KnownBox | None = None,
    pace_s: float | None = None,
    press: Callable[[Seat], None] | None = None,
    box: BoxLink | None = None,
) -> LiveTable:
    """Let the camera `source` follow a table, from now on, with what is known of the box, of its pieces' colours and of
    the camera. Before a press of the button `box` is judged, the watch concludes what waits for it. Raises as
    `follow_table` and `KnownBox.reader`.
    """
    watch = TableWatch(table.spec, table.session)
    if box is not None:
        box.seats.conclude = watch.conclude
    folder = paths.pictures_dir(settings, table.session.header.session)
    reader = None
    if known is not None and film_folder(source) is None:
        report = enrolled_colours(settings)
        reader = known.reader(table.rules, None if report is None else report.colours)
    live = follow_table(watch, source, reader=reader, pictures=folder, pace_s=pace_s, press=press)
    if reader is not None:
        live.profiles = partial(camera_profiles, settings, source)
    live.start()
    table.on_close.append(live.stop)
    return live


