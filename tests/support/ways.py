"""`python tests/support/ways.py`: the files that a picture, a click and a press go through, followed in the calls.

Every function counts when it is called the first time, in whatever thread; a stay is an unbroken run of functions of
one file, a return is a stay in a file that was left before.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ROOMS = [str(room) for room in Path(__file__).resolve().parent.iterdir() if room.is_dir()]
"""What tests share: modules that are imported by their names."""

PARTS = ("companion", "vision", "web", "firmware_bridge", "calibration")
OWN = ("companion/app", "companion/table")
"""The way itself; what it asks of the eyes, the rules and the pages is theirs."""

ALARM_PICTURE = 9
"""Of the film that ships: the first one that shows an illegal act."""


class Way:
    """Follows the calls between `begin` and `end`."""

    def __init__(self) -> None:
        self._files: list[str] = []
        self._seen: set[Any] = set()
        self._on = False
        threading.setprofile(self._called)  # of threads that start from now on
        sys.setprofile(self._called)

    def begin(self) -> None:
        """Count from here."""
        self._files, self._seen, self._on = [], set(), True

    def end(self) -> str:
        """What was counted."""
        self._on = False
        own = [file for file in self._files if file.startswith(OWN)]
        return f"{_counts(self._files)}; of these in {' and '.join(OWN)}: {_counts(own)}"

    def _called(self, frame: FrameType, event: str, _: object) -> None:
        if not self._on or event != "call" or frame.f_code in self._seen:
            return
        self._seen.add(frame.f_code)
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in PARTS:
            self._files.append(str(path.relative_to(ROOT)))


def _counts(files: list[str]) -> str:
    stays = [file for n, file in enumerate(files) if n == 0 or files[n - 1] != file]
    return f"files {len(set(stays))}, stays {len(stays)}, returns {len(stays) - len(set(stays))}"


def picture(way: Way, folder: Path) -> str:
    """From the picture that shows an illegal act to the alarm in the record."""
    from shortened_film import shortened

    from companion.app.camera.film import FilmPeople
    from companion.app.files.sessions import open_store
    from companion.app.files.settings import Settings
    from companion.app.game.new_game import NewGame
    from companion.app.wiring import attach_camera, begin_table
    from companion.core.types import SeatInfo

    film, counted = shortened(folder / "film"), []
    act = FilmPeople.before_picture

    def before_picture(people: FilmPeople, index: int) -> None:
        act(people, index)
        if index == ALARM_PICTURE:
            way.begin()
        if index == ALARM_PICTURE + 1:
            counted.append(way.end())

    FilmPeople.before_picture = before_picture  # type: ignore[method-assign]
    settings = Settings(data_dir=str(folder / "home"))
    seats = tuple(SeatInfo(name, colour) for name, colour in zip("PQ", ("purple", "gray"), strict=True))
    with open_store(settings) as store:
        table = begin_table(store, settings, NewGame("envyra", seats, catalogue=str(film / "catalogue.json")))
        assert attach_camera(table, settings, f"replay:{film}", pace_s=0.0).ended.wait(200)
        assert counted
        table.close()
    return counted[0]


def click(way: Way, folder: Path) -> str:
    """From a player's tap on the phone to the record and the answer."""
    from web_kit import Caller, deal, hosting, make_app

    with hosting(folder, 2) as host:
        deal(host)
        caller = Caller(make_app(host), "A", host)
        caller.state()
        way.begin()
        assert caller.play("A confirm").status_code == 200
        return way.end()


def press(way: Way, folder: Path) -> str:
    """From a press of a button to the record."""
    from web_kit import deal, hosting

    from companion.app.box.seats import BoxSeats
    from companion.core.inputs import BoxInput, ButtonEdge, ButtonEvent

    with hosting(folder, 2) as host:
        deal(host)
        table = host.current()
        assert table is not None
        seats = BoxSeats(table.session)
        seats.leds()
        way.begin()
        seats.press(ButtonEvent("box", 1, 1, BoxInput.CONFIRM_1, ButtonEdge.PRESSED, 5))
        counted = way.end()
        assert table.session.line()[-1].event is not None
        return counted


WAYS: tuple[Callable[[Way, Path], str], ...] = (picture, click, press)

if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), *ROOMS]
    followed = Way()
    for what in WAYS:
        with tempfile.TemporaryDirectory() as place:
            print(f"{what.__name__}: {what(followed, Path(place))}")
