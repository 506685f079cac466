"""The companion as the pages see it: the open table, the games, the devices, behind the ports of web/ports.py."""

from __future__ import annotations

import json
import os
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.app.box_seats import BoxSeats, last_press
from companion.app.settings import Settings
from companion.app.standing import session_rows
from companion.app.wiring import NewGame, Table, begin_table, resume_table
from companion.core.errors import DataError, DeviceError
from companion.core.game import GameSpec
from companion.core.inputs import BoxInput, ButtonEvent
from companion.core.types import SeatInfo
from companion.games import find_game, game_names
from companion.table.store import Store
from companion.table.transfer import export_lines
from firmware_bridge.box import Box, open_box
from firmware_bridge.status import LinkPhase, Position
from web.ports import CameraPort, Choice, Health, OpenTable, TallyPort

LED_S = 0.3
"""How often the LEDs are set from what the table says; a player sees the change at once."""

MakeCamera = Callable[[Table], CameraPort]


class BoxDevice:
    """The button box of whatever table is open: presses go to its session, LEDs come from it."""

    def __init__(self, source: str, seats: Callable[[], BoxSeats | None], position: Position | None) -> None:
        """`position`: the last press that a record holds. Raises DeviceError for a source that is none."""
        self._seats = seats
        self._stop = threading.Event()
        self._box: Box = open_box(source, self._press, position=position)
        self._thread = threading.Thread(target=self._show, name="leds", daemon=True)
        self._thread.start()

    def _press(self, event: ButtonEvent) -> None:
        seats = self._seats()
        if seats is not None:
            seats.press(event)

    def _show(self) -> None:
        while not self._stop.wait(LED_S):
            seats = self._seats()
            if seats is not None:
                self._box.set_leds(seats.leds())

    def health(self) -> Health:
        """How the link is."""
        status = self._box.status
        state = "ok" if status.connected else "wait" if status.phase is LinkPhase.LISTENING else "bad"
        quality = status.quality
        facts = {"port": status.port, "box": status.box, "damaged": quality.bad_frames,
                 "round_trip_ms": None if quality.round_trip_ms is None else round(quality.round_trip_ms)}
        return Health(state, status.phase.value, status.trouble, facts, status.virtual)

    def inputs(self) -> Sequence[str]:
        """The inputs whose contacts are closed."""
        return [which.value for which in self._box.status.closed]

    def leds(self) -> Sequence[str]:
        """What each station's LED shows, by name."""
        seats = self._seats()
        if self._box.virtual is not None:
            return [led.name for led in self._box.virtual.leds()]
        return [] if seats is None else [led.name for led in seats.leds()]

    def touch(self, which: str, press: bool | None) -> None:
        """Touch the virtual box."""
        virtual = self._virtual()
        name = BoxInput(which)
        if press is None:
            virtual.tap(name)
        elif press:
            virtual.press(name)
        else:
            virtual.release(name)

    def fault(self, command: str) -> None:
        """A fault of the virtual box."""
        self._virtual().command(command)

    def _virtual(self) -> Any:
        if self._box.virtual is None:
            raise DeviceError("this is a real box: press its buttons", where="box")
        return self._box.virtual

    def close(self) -> None:
        """End the box and its thread."""
        self._stop.set()
        self._thread.join()
        self._box.close()


class Host:
    """The companion behind the pages: one table at a time, the devices that watch it."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store, self._settings = store, settings
        self._lock = threading.RLock()
        self._table: Table | None = None
        self._open: OpenTable | None = None
        self._seats: BoxSeats | None = None
        self._camera: CameraPort | None = None
        self._make_camera: MakeCamera | None = None
        self.box: BoxDevice | None = None
        self.tally: TallyPort | None = None
        self.addresses: list[str] = ["http://localhost"]

    @property
    def table(self) -> OpenTable | None:
        """The game being played, or None."""
        return self._open

    @property
    def camera(self) -> CameraPort | None:
        """The camera of the open table."""
        return self._camera

    def use_box(self, source: str) -> None:
        """Connect a box, real or virtual. Raises DeviceError for a source that is none."""
        table = self._table
        position = None if table is None else last_press(self._store.records(table.session.header.session))
        self.box = BoxDevice(source, lambda: self._seats, position)

    def use_camera(self, make: MakeCamera) -> None:
        """Watch every table that is opened from now on, and the open one, with what `make` gives."""
        self._make_camera = make
        if self._table is not None:
            self._camera = make(self._table)

    def games(self) -> Sequence[GameSpec]:
        """The games that can be set up."""
        return [find_game(name) for name in game_names()]

    def faces(self, game: str) -> Mapping[str, Any]:
        """The faces of a game's own catalogue."""
        catalogue = find_game(game).load_catalogue(find_game(game).default_catalogue)
        found: dict[str, Any] = {}
        for tile in getattr(catalogue, "tiles", ()):
            found[tile.id] = {
                "id": tile.id, "theme": tile.theme.value, "symbol": tile.symbol, "vp": tile.vp, "cubes": tile.cubes,
                "requires": [theme.value for theme in tile.requires],
                "symbol_name": catalogue.symbol_name(tile.theme, tile.symbol) if tile.symbol else "",
                "start": tile.start, "players_3_4": tile.players_3_4,
            }
        return found

    def score(self, game: str, faces: Sequence[str]) -> Any:
        """The SeatScore of captured faces."""
        spec = find_game(game)
        if spec.score_faces is None:
            raise DataError(f"{spec.title} has no tally of captured pieces")
        return spec.score_faces(spec.load_catalogue(spec.default_catalogue), tuple(faces))

    def catalogues(self, game: str) -> Sequence[str]:
        """Names of the catalogues that come with a game."""
        return sorted(path.stem for path in (find_game(game).locale_dir.parent / "catalogues").glob("*.toml"))

    def sessions(self) -> Sequence[Mapping[str, Any]]:
        """All sessions, newest first."""
        return session_rows(self._store)

    def begin(self, choice: Choice) -> None:
        """Begin a game in place of the one being played."""
        seats = tuple(SeatInfo(name.strip(), colour) for name, colour in choice.seats)
        chosen = NewGame(choice.game, seats, choice.options, choice.catalogue)
        with self._lock:
            self._take(begin_table(self._store, self._settings, chosen))
            if choice.draws == "digital":
                self._fill_bag()

    def _fill_bag(self) -> None:
        """The host's part of the digital bag: players add to it on their pages until the referee seals it."""
        assert self._table is not None
        self._table.desk.record(lambda bag: bag.commit())

    def resume(self, session: str) -> None:
        """Go on with a session; nothing happens when it is the open one."""
        with self._lock:
            if self._table is not None and self._table.session.header.session == session:
                return
            self._take(resume_table(self._store, self._settings, session))

    def _take(self, table: Table) -> None:
        before = self._table
        self._table = table
        self._seats = BoxSeats(table.session)
        self._camera = None if self._make_camera is None or table.spec.blame is None else self._make_camera(table)
        self._open = OpenTable(table.spec, table.session, table.bag, table.desk)
        if before is not None:
            before.close()

    def export(self, session: str) -> bytes:
        """The whole record as an export file."""
        return "".join(export_lines(self._store, session)).encode()

    def close(self) -> None:
        """End the devices, then the table."""
        if self.box is not None:
            self.box.close()
        if self._table is not None:
            self._table.close()


def access_key(folder: Path) -> dict[str, str]:
    """The key of the tokens and the referee's PIN, made at the first start and kept in `folder` for this user alone.

    Raises DataError when the file is damaged or cannot be written.
    """
    path = folder / "access.json"
    try:
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            made = {"key": secrets.token_hex(32), "pin": f"{secrets.randbelow(10**6):06d}"}
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
                json.dump(made, file)
        data = json.loads(path.read_text(encoding="ascii"))
        return {"key": str(bytes.fromhex(data["key"]).hex()), "pin": str(data["pin"])}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"the key of the pages cannot be used: {error}", where=str(path),
                        remedy="Remove the file: phones then join again.") from error
