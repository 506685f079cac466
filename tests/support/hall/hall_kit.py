"""What tests of a hall share: a hall on a place of its own in PostgreSQL, and a browser of the organiser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from companion.app.files.sessions import rules_of
from companion.app.files.settings import Settings
from companion.app.hall.join_file import Joined, JoinFile
from companion.games import find_game, game_names
from companion.hub.hall import Hall, open_hall
from web.hall import create_hall_app

PIN = "47110312"
NOW_MS = 1_790_000_000_000


class Clock:
    """Unix milliseconds that a test sets."""

    def __init__(self) -> None:
        self.now_ms = NOW_MS

    def __call__(self) -> int:
        return self.now_ms


@contextmanager
def a_hall(place: str, clock: Any = None) -> Iterator[tuple[Hall, Any]]:
    """A hall whose organiser has PIN; `clock`: another one than a `Clock`."""
    clock = clock or Clock()
    hall = open_hall(place, rules_of, clock, {name: find_game(name).title for name in game_names()})
    try:
        hall.staff.begin(PIN)
        yield hall, clock
    finally:
        hall.close()


def browser(hall: Hall) -> FlaskClient:
    """A browser at the hub; limits of requests never bite (an hour passes every time)."""
    ticks = count(0, 3600.0)
    app = create_hall_app(hall, lambda: next(ticks))
    app.testing = False  # errors become answers, as they do for people
    return app.test_client()


def logged_in(hall: Hall, pin: str = PIN) -> FlaskClient:
    """The organiser's browser."""
    client = browser(hall)
    assert client.post("/login", data={"pin": pin}).status_code == 303
    return client


def send(client: FlaskClient, page: str, address: str, **fields: Any) -> Any:
    """Send a form of `page` as a browser does: with the token that the page holds."""
    text = client.get(page).get_data(as_text=True)
    found = re.search(r'name="token" value="([^"]+)"', text)
    assert found, f"{page} has no form"
    return client.post(address, data={"token": found[1], **fields})


def join_folder(hall: Hall, url: str, folder: Path, name: str) -> int:
    """Let the companion whose data folder this is belong to the hall as a new table; the table's number."""
    table = hall.tables.add(name, hall.clock_ms())
    _, known_as, key = hall.tables.join(hall.tables.new_code(table, hall.clock_ms()), "test", hall.clock_ms())
    joined = Joined(url, table, known_as, key, "", hall.clock_ms())
    JoinFile(Settings(data_dir=str(folder))).write(joined)
    return table
