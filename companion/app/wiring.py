"""The composition root: the only place that puts real parts together, from the store to the pages' host."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from companion.app.box.guided_walk import GuidedWalk
from companion.app.box.known_boxes import KnownButtonBoxes
from companion.app.box.link import BoxLink, show_leds
from companion.app.box.seats import BoxSeats, last_press
from companion.app.camera.camera_thread import CameraThread
from companion.app.camera.evidence_pictures import EvidencePictures
from companion.app.camera.film import FilmJobs, FilmPeople, film_folder, read_jobs
from companion.app.camera.idle_camera import IdleCamera
from companion.app.camera.known_box import KnownBox, camera_profiles, enrolled_colours
from companion.app.camera.picture_eyes import PictureEyes
from companion.app.camera.picture_loop import SourceLoop
from companion.app.camera.watch.joining import Joining
from companion.app.camera.watch.policy import FILM
from companion.app.camera.watch.table_watch import TableWatch
from companion.app.dashboard.devices import TallyDevice, box_tally, scene_tally
from companion.app.dashboard.host import Host
from companion.app.files import paths
from companion.app.files.sessions import catalogue_text, rules_of
from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame, choice_problems
from companion.app.game.open_table import Table
from companion.app.hall.around import SpectatorsPage, StandingFile, health_of
from companion.app.hall.deliveries import Deliveries
from companion.app.hall.hub_link import HubLink
from companion.app.hall.join_file import JoinFile
from companion.app.hall.referee_call import RefereeCall
from companion.app.hall.sender import Sender, Surroundings
from companion.core.errors import DataError
from companion.core.types import Action, Seat, Setup
from companion.draws.bag import DigitalBag
from companion.draws.keeper import SecretFiles
from companion.games import find_game
from companion.table.ledger import now_ms
from companion.table.record.records import SessionHeader, check_session_id, check_time
from companion.table.record.store import Store
from companion.table.session import Session
from firmware_bridge.box import Box, open_box
from vision.locate.markers import MarkerLayout
from vision.scenes.scene_set import SceneSet
from vision.scenes.set_reader import SetReader
from vision.sources import open_source

FIRST_RECORD = 1
"""Tells that a session was begun: what was pressed before is not for it."""

FILM_PACE_S = 0.6
"""Time between the pictures of a film that is played as if live."""


def begin_table(store: Store, settings: Settings, chosen: NewGame) -> Table:
    """Begin a session and open its table. Raises DataError with everything that is wrong with the choice."""
    spec = find_game(chosen.game)
    problems = choice_problems(spec, chosen)
    if problems:
        found = "; ".join(message.format_map(facts) for message, facts in problems)
        raise DataError(found, remedy=f"`companion new --help` shows how to begin {spec.title}.", parts=problems)
    catalogue = chosen.catalogue or spec.default_catalogue
    text = catalogue_text(spec, catalogue)
    setup = Setup(spec.name, chosen.seats, Path(catalogue).stem, tuple(sorted(chosen.options)))
    created_ms = check_time(now_ms())
    session = chosen.session or _free_name(store, spec.name, created_ms)
    check_session_id(session)
    header = SessionHeader(session, created_ms, setup, text)
    _, rules = rules_of(header)
    bag = _bag(store, settings, session)
    return Table(spec, Session.create(store, header, rules, bag=bag), bag)


def resume_table(store: Store, settings: Settings, session: str) -> Table:
    """Open the table of a session where its record ends. Raises as `Session.resume` and `rules_of`."""
    spec, rules = rules_of(store.session(session).header)
    bag = _bag(store, settings, session)
    return Table(spec, Session.resume(store, session, rules, bag=bag), bag)


def _bag(store: Store, settings: Settings, session: str) -> DigitalBag:
    return DigitalBag(session, SecretFiles(paths.secrets_dir(settings)), lambda n: store.records(session, n + 1))


def _free_name(store: Store, game: str, created_ms: int) -> str:
    day = time.strftime("%Y-%m-%d", time.localtime(created_ms / 1000))
    taken = set(store.names())
    number = 1
    while f"{game}-{day}-{number}" in taken:
        number += 1
    return f"{game}-{day}-{number}"


def attach_box(table: Table, store: Store, settings: Settings, source: str) -> BoxLink:
    """Open the box `source` for a table; its bytes are captured beside the record. Raises DeviceError."""
    seats = BoxSeats(table.session)
    name = table.session.header.session
    path = paths.next_capture(settings, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    capture = path.open("w", encoding="utf-8")
    fresh = table.session.number <= FIRST_RECORD
    walk = GuidedWalk(seats.press, _button_boxes(settings).was_tested)
    box = open_box(source, walk.event, position=last_press(store.records(name)), fresh=fresh, capture=capture)
    link = _led(box, walk, seats, table.session.subscribe().get, capture.close)
    table.on_close.append(link.close)
    return link


def idle_box(settings: Settings, source: str) -> BoxLink:
    """Open the box `source` while no game is played: presses stay in it for a game. Raises DeviceError."""
    walk = GuidedWalk(None, _button_boxes(settings).was_tested)
    return _led(open_box(source, None), walk, None, None, lambda: None)


def _button_boxes(settings: Settings) -> KnownButtonBoxes:
    return KnownButtonBoxes(paths.calibration_dir(settings))


def _led(
    box: Box, walk: GuidedWalk, seats: BoxSeats | None, news: Callable[[float], object] | None,
    closed: Callable[[], None],
) -> BoxLink:
    """An open box with its walk, and the thread that keeps its LEDs; `closed` is called when it is closed."""
    ending = threading.Event()
    walk.attach(box)

    def close() -> None:
        ending.set()
        box.close()
        thread.join()
        closed()

    link = BoxLink(box, walk, seats, close)
    thread = threading.Thread(target=show_leds, args=(link, news or ending.wait, ending), name="leds", daemon=True)
    thread.start()
    return link


def attach_camera(
    table: Table,
    settings: Settings,
    source: str,
    *,
    known: KnownBox | None = None,
    pace_s: float | None = None,
    press: Callable[[Seat], None] | None = None,
    box: BoxLink | None = None,
) -> CameraThread:
    """Let the camera `source` follow a table, from now on, with what is known of the box, of its pieces' colours and of
    the camera. A filmed game (`replay:DIR`) brings its own tiles and people, who `press` the box's buttons. Before a
    press of the button `box` is judged, the watch concludes what waits for it.

    Raises DataError when the box is not known, DeviceError for a source that names nothing, and as `KnownBox.check`.
    """
    evidence = EvidencePictures(paths.pictures_dir(settings, table.session.header.session))
    film = film_folder(source)
    followed = (
        _filmed(table, film, evidence, press) if film is not None
        else _live(table, settings, source, known, evidence)
    )
    if film is not None:
        followed.pace_s = FILM_PACE_S if pace_s is None else pace_s
    if box is not None and box.seats is not None:
        box.seats.conclude = followed.watch.conclude
    followed.start()
    table.on_close.append(followed.stop)
    return followed


def _live(
    table: Table, settings: Settings, source: str, known: KnownBox | None, evidence: EvidencePictures
) -> CameraThread:
    """A camera over the table."""
    if known is None:
        raise DataError(
            "the camera does not know the box", where=source,
            remedy="Learn its pieces with `companion enrol`, or write those of an edition that ships with "
            "`companion sample box`, and name the file: --box-file FILE.",
        )
    known.check(table.rules)
    report = enrolled_colours(settings)
    colours = None if report is None else report.colours
    played = any(isinstance(step.event, Action) for step in table.session.line())
    watch = TableWatch(table.spec, table.session, keep=evidence.keep, joining=Joining(played))

    def eyes() -> PictureEyes:
        return PictureEyes(
            known.reader(table.rules, colours), boards=watch.boards, agreed=watch.agreed, recorded=watch.recorded,
            evidence=evidence, profiles=partial(camera_profiles, settings, source),
            aside=ThreadPoolExecutor(1, "reading"),
        )

    return CameraThread(SourceLoop(eyes, watch, open_source(source)), watch, evidence)


def _filmed(
    table: Table, film: Path, evidence: EvidencePictures, press: Callable[[Seat], None] | None
) -> CameraThread:
    """The film of a table, with its own tiles and people."""
    jobs = read_jobs(film / "game")
    watch = TableWatch(table.spec, table.session, FILM, keep=evidence.keep)
    people = FilmPeople(table.session, jobs, press, watch.conclude)
    return CameraThread(film_loop(film, jobs, watch, people, evidence), watch, evidence)


def film_loop(
    film: Path, jobs: FilmJobs, watch: TableWatch, people: FilmPeople, evidence: EvidencePictures | None = None
) -> SourceLoop:
    """The way of a film's pictures to `watch`, with its own tiles, and its `people` before each picture."""
    pieces = (*jobs.colours, *watch.session.rules.layout().tokens)

    def eyes() -> PictureEyes:
        return PictureEyes(
            SetReader(SceneSet(film)).table(jobs.players, pieces), stills=True, boards=watch.boards,
            agreed=watch.agreed, recorded=watch.recorded, evidence=evidence,
        )

    return SourceLoop(eyes, watch, open_source(f"replay:{film / 'game'}"), before_picture=people.before_picture)


@dataclass(frozen=True, slots=True)
class RealParts:
    """See `companion.app.dashboard.host.Parts`: the tables and devices that the pages' host asks for."""

    store: Store
    settings: Settings

    def begin(self, chosen: NewGame) -> Table:
        """Begin a game. Raises as `begin_table`."""
        return begin_table(self.store, self.settings, chosen)

    def resume(self, session: str) -> Table:
        """Open the table of a session. Raises as `resume_table`."""
        return resume_table(self.store, self.settings, session)

    def box(self, table: Table, source: str) -> BoxLink:
        """Let a box join a table. Raises DeviceError."""
        return attach_box(table, self.store, self.settings, source)

    def idle_box(self, source: str) -> BoxLink:
        """A box while no game is played. Raises DeviceError."""
        return idle_box(self.settings, source)

    def camera(
        self, table: Table, source: str, known: KnownBox | None, press: Callable[[Seat], None] | None,
        box: BoxLink | None,
    ) -> CameraThread:
        """Let a camera follow a table. Raises as `attach_camera`."""
        return attach_camera(table, self.settings, source, known=known, press=press, box=box)

    def idle_camera(self, source: str, markers: MarkerLayout) -> IdleCamera:
        """A camera while no table is followed. Raises DeviceError."""
        return IdleCamera(source, markers)

    def tally(self, tiles: Path) -> TallyDevice:
        """The tally reader for the tiles of a box file or a scene set. Raises DataError."""
        return scene_tally(tiles) if tiles.is_dir() else box_tally(tiles)


def open_host(
    store: Store, settings: Settings, *, box: str = "", camera: str = "", enrolled: Path | None = None,
    idle: bool = True,
) -> Host:
    """The companion behind the pages, with real devices; a table of a hall delivers from now on. Raises as `Host`, and
    DataError when what is known of the hall is damaged."""
    host = Host(RealParts(store, settings), box=box, camera=camera, enrolled=enrolled, idle=idle)
    joined = JoinFile(settings).read()
    call = None if joined is None else RefereeCall(joined, HubLink(joined.url, joined.certificate))
    host.deliver(hall_sender(store, settings, host), call)
    return host


def hall_sender(store: Store, settings: Settings, host: Host) -> Sender | None:
    """What delivers the record of a table that belongs to a hall; None when this one belongs to none."""
    joins = JoinFile(settings)
    joined = joins.read()
    if joined is None:
        return None

    def session() -> Session | None:
        table = host.table
        return None if table is None else table.session

    around = Surroundings(
        session, SpectatorsPage(host, settings.language), partial(health_of, host), now_ms, random.Random(),
        StandingFile(joins.path.parent).tell,
    )
    link = HubLink(joined.url, joined.certificate)
    return Sender(joined, link, Deliveries(store, joins, rules_of, now_ms), around)
