"""The companion as the pages see it: the open table, the games, the devices, behind the ports of web/ports."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from companion.app.box.known_boxes import KnownButtonBoxes
from companion.app.box.link import BoxLink
from companion.app.camera.film import film_folder
from companion.app.camera.idle_camera import IdleCamera
from companion.app.camera.known_box import camera_profiles
from companion.app.dashboard.box_device import BoxDevice
from companion.app.dashboard.devices import LiveCamera
from companion.app.dashboard.face_art import art_jpeg, art_of
from companion.app.dashboard.filmed_game import film_choice, shows
from companion.app.dashboard.parts import Parts
from companion.app.dashboard.setup_steps import Workbench
from companion.app.enrolment.enrolment import Enrolment
from companion.app.enrolment.looking import LooseEyes
from companion.app.files import paths
from companion.app.files.evening import Evening, keep_evening
from companion.app.files.played import Played
from companion.app.files.sessions import session_rows
from companion.app.game.first_player import asks_who_begins, begins
from companion.app.game.new_game import NewGame
from companion.app.game.open_table import Table
from companion.app.game.tally_check import number_captured
from companion.app.hall.around import hall_step
from companion.app.hall.referee_call import RefereeCall
from companion.app.hall.sender import Sender
from companion.app.machine.freed_memory import give_back
from companion.app.upkeep.backups import Backups
from companion.app.upkeep.examination import Examination
from companion.app.upkeep.lens_bench import LensBench
from companion.app.upkeep.upkeep import Upkeep
from companion.core.errors import CompanionError, DataError, DeviceError
from companion.core.game import GameSpec
from companion.core.messages import Message
from companion.core.types import Seat, SeatInfo
from companion.draws.ceremony import Phase
from companion.games import find_game, game_names
from companion.table.commands import Answer
from companion.table.record.transfer import export_lines
from vision.locate.camera_model import Camera
from vision.locate.markers import MarkerLayout
from vision.locate.pose import TablePose
from web.ports.devices import TallyPort
from web.ports.tables import OpenTable, SetupChoice

ANSWER_S = 30.0
"""Longer than the table takes for anything."""
PRESS_S = 2.0
"""A press of the virtual box is in the record within milliseconds; a refused one never is."""

OWN_BOX = "your-box"
"""Stands for the catalogue of the box whose tiles are known, among those that a game comes with."""

NOT_FOLLOWED = "{game} cannot be followed by a camera yet: tell on the pages what happens"
"""Of a game without `blame` in its GameSpec."""
TILES_UNKNOWN = Message("The tiles of this box are not known yet: learn your box on the set-up page")


class Host:
    """The companion behind the pages: one table at a time, the devices that watch it."""

    def __init__(
        self, parts: Parts, *, box: str = "", camera: str = "", enrolled: Path | None = None, idle: bool = True
    ) -> None:
        """`box`, `camera`: sources of the devices that join every table that is opened, "" for none.

        `enrolled`: what is known of this box's tiles, a file of `companion enrol` or a scene set. `idle`: open the
        camera at once for the set-up; False when a table is opened next. Raises DataError, and DeviceError for a
        camera that names nothing.
        """
        self._parts, self._store, self.settings = parts, parts.store, parts.settings
        self._lock = threading.RLock()
        self._played = Played(parts.store)
        self._table: Table | None = None
        self._open: OpenTable | None = None
        tiles = "" if enrolled is None else str(enrolled)
        sources = {"box": box, "camera": camera, "tiles": tiles}
        self.camera: LiveCamera | IdleCamera | None = None
        self.box: BoxDevice | None = None
        self._idle_box: BoxLink | None = None
        self._known_boxes = KnownButtonBoxes(paths.calibration_dir(self.settings))
        self.setup = Workbench(self.settings, sources, lambda: (self.camera, self.box), self._frame, self._rejoin)
        self.enrolment = self._learning()
        self.upkeep = self._keeping()
        self.begins_anew = False
        """Whether the program is to be started again when it has ended."""
        self.end_for_anew: Callable[[], None] | None = None
        """Ends the program; None where nobody starts it again."""
        self.tally: TallyPort | None = None
        self.ended = False
        self.not_resumed: CompanionError | None = None
        """Why the game that was played last does not go on since the start, until another one is played."""
        self.addresses: list[str] = ["http://localhost"]
        self.local_name = ""
        self.overlay_delay_s = self.settings.overlay_delay_s
        self._sender: Sender | None = None
        self.hall: RefereeCall | None = None
        if idle:
            self.rest()

    def deliver(self, sender: Sender | None, call: RefereeCall | None = None) -> None:
        """Deliver what is played here to a hall from now on, if `sender` is one, and let people call its referees; ends
        with this host."""
        self._sender, self.hall = sender, call
        if call is not None:
            call.start()
        if sender is not None:
            self.setup.hall = lambda: hall_step(sender.standing)
            sender.start()

    def _frame(self) -> np.ndarray | None:
        camera = self.camera
        return None if camera is None else camera.frame()

    def _learning(self) -> Enrolment:
        def profile(size_wh: tuple[int, int]) -> tuple[Camera | None, TablePose | None]:
            return camera_profiles(self.settings, self.setup.sources["camera"], size_wh)

        eyes = LooseEyes(self._frame, lambda: self.setup.markers, profile)
        return Enrolment(self.settings, eyes, lambda path: self.setup.choose("tiles", str(path)))

    def _keeping(self) -> Upkeep:
        def source() -> str:
            return self.setup.sources["camera"]

        def markers() -> MarkerLayout:
            return self.setup.markers

        lens = LensBench(self.settings, self._frame, source, markers, self._rejoin)
        backups = Backups(self.settings, paths.config_in_use, self._begin_anew)
        examination = Examination(self.settings, self._lan_address, self._frame, markers, self.setup.steps)
        return Upkeep(self.settings, lens, backups, examination)

    def _lan_address(self) -> str:
        return urlsplit(self.addresses[0]).hostname or "127.0.0.1"

    def _begin_anew(self) -> None:
        """End the program, which `companion serve` then starts again."""
        if self.end_for_anew is None:
            raise DataError("this companion is not started again by itself", where="backup",
                            remedy="End it, and start `companion serve`: the backup is then put in place.")
        self.begins_anew = True
        self.end_for_anew()

    def be_named(self, name: str) -> None:
        """The local network knows this machine as `name`."""
        self.local_name = name

    def rest(self) -> None:
        """Tally reader and, while no table is followed, the camera and the box for set-up and calibration."""
        known, source = self.setup.known, self.setup.sources["camera"]
        tallied = known is not None and find_game(known.game()).score_faces is not None
        self.tally = self._parts.tally(known.path) if known is not None and tallied else None
        if self.camera is None and source and film_folder(source) is None:
            self.camera = self._parts.idle_camera(source, self.setup.markers)
            if self._table is not None:
                game = self._table.spec
                self.camera.note = TILES_UNKNOWN if game.blame is not None else Message(NOT_FOLLOWED, game=game.title)
        if self._table is None and self.box is None and self.setup.sources["box"]:
            self._idle_box = self._parts.idle_box(self.setup.sources["box"])
            self.box = BoxDevice(self._idle_box, self._known_boxes)

    def _rejoin(self) -> None:
        """Other devices were chosen: the table being played goes on with them."""
        with self._lock:
            if self._table is not None:
                session = self._table.session.header.session
                self._let_go()
                self._take(self._parts.resume(session))
            else:
                self._let_go()
                self.rest()
                self._keep()

    @property
    def table(self) -> OpenTable | None:
        """The game being played, or None."""
        return self._open

    def games(self) -> Sequence[GameSpec]:
        """The games that can be set up."""
        return [find_game(name) for name in game_names()]

    def faces(self, game: str) -> Mapping[str, Any]:
        """The faces of a game's own catalogue."""
        spec = find_game(game)
        return {} if spec.faces is None else spec.faces(spec.load_catalogue(spec.default_catalogue))

    def score(self, game: str, faces: Sequence[str]) -> Any:
        """The SeatScore of captured faces."""
        spec = find_game(game)
        if spec.score_faces is None:
            raise DataError(f"{spec.title} has no tally of captured pieces")
        return spec.score_faces(spec.load_catalogue(spec.default_catalogue), tuple(faces))

    def captured(self, game: str, seat: str) -> int | None:
        """How many tiles a seat has captured by the record, see `number_captured`; None without a table."""
        return None if self.table is None else number_captured(self.table.session, game, seat)

    def catalogues(self, game: str) -> Sequence[str]:
        """Names of the catalogues that come with a game, and first the one of the box whose tiles are known."""
        shipped = sorted(path.stem for path in (find_game(game).locale_dir.parent / "catalogues").glob("*.toml"))
        known = self.setup.known
        return [OWN_BOX, *shipped] if known is not None and known.game() == game else shipped

    def asks_who_begins(self, game: str) -> bool:
        """Whether the starting player can be chosen beforehand."""
        return asks_who_begins(find_game(game))

    def sessions(self) -> Sequence[Mapping[str, Any]]:
        """All sessions, newest first."""
        return session_rows(self._store)

    def played(self) -> tuple[Sequence[Mapping[str, Any]], int]:
        """Who played and who won."""
        return self._played.rows()

    def again(self, beforehand: Callable[[str], None]) -> None:
        """The game on the table once more; `beforehand` gets the new session before any page hears of it."""
        table = self._table
        if table is None:
            raise DataError("there is no game to play again", remedy="Begin one in the set-up.")
        setup = table.session.header.setup
        shipped = find_game(setup.game).locale_dir.parent / "catalogues" / f"{setup.catalogue}.toml"
        digital = table.bag.seen()[0].phase is not Phase.NONE
        self.begin(SetupChoice(
            setup.game, tuple((seat.name, seat.colour) for seat in setup.seats), setup.options,
            setup.catalogue if shipped.exists() else OWN_BOX, "digital" if digital else "physical",
        ), beforehand)

    def begin(self, choice: SetupChoice, beforehand: Callable[[str], None] | None = None) -> None:
        """Begin a game in place of the one being played."""
        seats = tuple(SeatInfo(name.strip(), colour) for name, colour in choice.seats)
        known, catalogue = self.setup.known, choice.catalogue
        if known is not None and catalogue == OWN_BOX:
            own = known.catalogue(self.settings)
            catalogue = find_game(choice.game).default_catalogue if own is None else str(own)
        chosen = NewGame(choice.game, seats, choice.options, catalogue)
        with self._lock:
            table = self._parts.begin(chosen)
            if beforehand is not None:
                beforehand(table.session.header.session)
            try:
                self._take(table)
            finally:  # without a device the game is begun all the same
                if choice.draws == "digital":
                    self._fill_bag()
                if choice.first:
                    begins(table, Seat[choice.first])

    def _fill_bag(self) -> None:
        """The host's part of the digital bag: players add to it on their pages until the referee seals it."""
        assert self._table is not None
        self._table.desk.record(lambda bag: bag.commit())

    def adopt(self, table: Table) -> None:
        """Go on with a table that is open already. Raises as `begin`; the table is open all the same."""
        with self._lock:
            self._take(table)

    def current(self) -> Table | None:
        """The table being played, or None: also between two of them."""
        return self._table

    def resume(self, session: str) -> None:
        """Go on with a session; nothing happens when it is the open one."""
        with self._lock:
            if self._table is not None and self._table.session.header.session == session:
                return
            self._take(self._parts.resume(session))

    def draw_automatically(self, on: bool) -> Answer:
        """Let the digital bag make every draw as soon as it is due, after a restart too; or no longer. Raises
        DataError without a game."""
        if self._table is None:
            raise DataError("no game is being played")
        answer = self._table.session.draw_automatically(on).result(ANSWER_S)
        self._keep()
        return answer

    def _let_go(self) -> None:
        """End the devices and close the table."""
        table = self._table
        self._close_idle()
        self._open = self._table = self.box = self.camera = None
        if table is not None:
            table.close()

    def _close_idle(self) -> None:
        """Let go of the devices that follow no table."""
        if isinstance(self.camera, IdleCamera):
            self.camera.close()
        if self._idle_box is not None:
            self._idle_box.close()
            self._idle_box = None

    def _take(self, table: Table) -> None:
        """Put `table` in the place of the one being played: its devices first let go of the old one."""
        self._let_go()
        give_back()  # the eyes of the table before, so that those of the new one come in their place
        self._table, self.not_resumed = table, None
        self._open = OpenTable(table.spec, table.session, table.bag, table.desk)
        try:
            self._join(table)
        finally:
            self.rest()
            self._keep()

    def _keep(self) -> None:
        """Remember what is played, and with which devices, for the next start."""
        session = None if self._table is None else self._table.session
        kept = Evening("", self.setup.sources)
        if session is not None:
            kept = Evening(session.header.session, self.setup.sources, session.draws_automatically)
        keep_evening(self.settings, kept)

    def _join(self, table: Table) -> None:
        """Let the devices join `table`. Raises as `Parts`; the table is open all the same."""
        link, box, camera = None, self.setup.sources["box"], self.setup.sources["camera"]
        if box:
            link = self._parts.box(table, box)
            self.box = BoxDevice(link, self._known_boxes)
        if camera and table.spec.blame is not None:
            press = None
            if link is not None and link.box.virtual is not None:
                press = partial(_press, link, table)
            players = len(table.session.header.setup.seats)
            film = film_folder(camera)
            if film is not None and not shows(film, table.spec.name, players):
                raise DeviceError(f"the film is of another game than {table.spec.title} for {players}", where=camera,
                                  remedy="The game goes on without the camera.")
            if film is None and self.setup.known is None:
                return  # the set-up page says that the tiles are not known; the camera's picture is shown
            live = self._parts.camera(table, camera, self.setup.known, press, link)
            self.camera = LiveCamera(live, camera)

    @property
    def film(self) -> str:
        """How the film stands that is in place of a camera."""
        return self.camera.film() if isinstance(self.camera, LiveCamera) else ""

    def film_do(self, what: str) -> None:
        """Hold the film, go on with it, or begin it anew."""
        film = film_folder(self.setup.sources["camera"])
        if film is None or not isinstance(self.camera, LiveCamera):
            raise DataError("there is no film", remedy="`companion demo` plays one.")
        if what == "again":
            self.begin(film_choice(film))
        else:
            self.camera.hold(what == "hold")

    def art(self, face: str) -> bytes | None:
        """The picture of a face of the filmed table, or of the box that the game is played with."""
        film = film_folder(self.setup.sources["camera"])
        if film is not None:
            return art_of(film, face)
        picture = self.setup.known.picture(face) if self.own_art and self.setup.known is not None else None
        return None if picture is None else art_jpeg(picture)

    @property
    def own_art(self) -> str:
        """Which box's own pictures `art` shows of the game on the table; "" when it is not played with that box."""
        known, table = self.setup.known, self._table
        if known is None or table is None or not known.path.is_file():
            return ""
        setup = table.session.header.setup
        of_it = setup.catalogue == known.path.stem and setup.game == known.game()
        return f"{setup.catalogue}-{known.path.stat().st_mtime_ns}" if of_it else ""

    @property
    def own_faces(self) -> tuple[str, ...]:
        """The faces of which `art` has the box's own picture; none when the game is not played with that box."""
        return self.setup.known.faces() if self.own_art and self.setup.known is not None else ()

    def export(self, session: str) -> bytes:
        """The whole record as an export file."""
        return "".join(export_lines(self._store, session)).encode()

    def close(self) -> None:
        """End the table and the devices with it; its streams end, and pages wait for the next start."""
        self.ended = True
        if self._sender is not None:
            self._sender.close()
        if self.hall is not None:
            self.hall.close()
        with self._lock:
            table = self._table
            self._close_idle()
            if table is not None:
                table.close()


def _press(link: BoxLink, table: Table, seat: Seat) -> None:
    """Press a seat's button of the virtual box and wait for what becomes of it, as a person does."""
    news = table.session.subscribe()
    link.tap(seat)
    news.get(PRESS_S)
