"""A filmed table at a running companion: from the first frame without the hand to the event on a page's stream.

The chain is the real one: a camera that sends 30 frames a second over the network, its source, the camera's thread, the
record, the server, and a page's stream, which another process reads. The people of the film act at the session.
"""

from __future__ import annotations

import json
import multiprocessing
import resource
import socket
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from companion.app.camera.film import FilmJobs, FilmPeople, read_jobs
from companion.app.dashboard.filmed_game import film_choice
from companion.app.dashboard.host import Host
from companion.app.dashboard.server.serve import serving
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.wiring import open_host
from companion.games import DEFAULT_GAME
from companion.lab.simulators.film_camera import FilmCamera
from companion.lab.trials.live_people import ActOutcome, TruthfulPeople
from web.ports.tables import SetupChoice

HAND_S = 0.7
"""How long a picture with a hand, or shields, is shown."""
LATEST_S = 4.0
"""How long an event is waited for, and how long a still table is left before the next act."""
REST_S = 0.3
"""After an event has come: nobody acts in the same moment."""
UNTIL_IDLE_S = 3.0
"""A still picture is read so long until nothing more is to be learnt of it."""
DEALT_S = 15.0
"""How long people wait at most for the table that they have laid to be known."""
STILL_S = 1.5
"""How long a still picture is shown of which nothing is told."""
PEOPLE_S = 0.05
"""Between what people enter and the next picture."""
SETTLED = "settled"
RECORDED = frozenset({"move", "refill", "returned", "remove", "illegal", "corrected", "act"})
"""Events of a film that leave a record by the camera: an alarm and its end among them, and a question."""
AT_WORK = frozenset({"hand in view", "settling"})
"""Views of which pages say that somebody is at work."""


@dataclass
class Arrivals:
    """What a page's stream has brought since it was last asked to forget: (time, kind, data) in order; filled by a
    thread."""

    seen: list[tuple[float, str, dict[str, Any]]] = field(default_factory=list)
    news: threading.Condition = field(default_factory=threading.Condition)

    def forget(self) -> None:
        """What has come so far is not waited for any more, and takes no more memory."""
        with self.news:
            self.seen.clear()

    def wait(
        self, wanted: Callable[[str, dict[str, Any]], bool], since_s: float, latest_s: float
    ) -> float | None:
        """When the first message from `since_s` on came that is `wanted`; None by `latest_s` from now."""
        until = time.monotonic() + latest_s
        with self.news:
            while True:
                for moment, kind, data in self.seen:
                    if moment >= since_s and wanted(kind, data):
                        return moment
                left = until - time.monotonic()
                if left <= 0 or not self.news.wait(left):
                    return None


@contextmanager
def page_stream(port: int) -> Iterator[Arrivals]:
    """A page of a spectator in another process, which takes the times of arrival by the same clock."""
    here, there = multiprocessing.Pipe()
    reader = multiprocessing.get_context("spawn").Process(target=_read_stream, args=(there, port), daemon=True)
    reader.start()
    arrivals = Arrivals()

    def collect() -> None:
        while True:
            try:
                message = here.recv()
            except (EOFError, OSError):
                return
            with arrivals.news:
                arrivals.seen.append(message)
                arrivals.news.notify_all()

    threading.Thread(target=collect, daemon=True).start()
    try:
        yield arrivals
    finally:
        reader.kill()
        reader.join()
        here.close()


def _read_stream(pipe: Connection, port: int) -> None:
    while True:  # another game was begun: pages load anew
        _read_one_stream(pipe, port)


def _read_one_stream(pipe: Connection, port: int) -> None:
    stream = socket.create_connection(("127.0.0.1", port))
    stream.sendall(b"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    data = b""
    while more := stream.recv(262144):
        now = time.monotonic()
        data += more
        *whole, data = data.split(b"\n\n")
        for text in whole:
            lines = dict(line.split(": ", 1) for line in text.decode().splitlines() if ": " in line)
            if lines.get("event") in ("record", "devices"):
                pipe.send((now, lines["event"], json.loads(lines["data"])))
            elif lines.get("event") == "moved":
                return


@dataclass
class LiveTable:
    """A companion that serves a filmed table, its camera and one page."""

    film: Path
    host: Host
    camera: FilmCamera
    page: Arrivals
    jobs: FilmJobs
    people: FilmPeople
    knowing: TruthfulPeople
    events: Sequence[Mapping[str, Any]]
    """The film's truth."""
    telling: frozenset[int]
    """The pictures after which a record must come: an act, an alarm, or its end."""
    still: frozenset[int]
    """The pictures without a hand and without shields."""
    said_s: list[float] = field(default_factory=list)
    """Of each picture that tells something the seconds until the page first said what is made of it: a record, or who
    is in the middle of an act; of those of which it said something by the time that a record is waited for."""

    @property
    def number(self) -> int:
        """The number of the last record."""
        assert self.host.table is not None
        return self.host.table.session.number

    def act(self, picture: int, gain: float = 1.0, latest_s: float = LATEST_S) -> float | None:
        """What people do before a picture of the film (from 0), and the picture; hands stay, a still table lies there
        for a while. Where it tells something: seconds from its first frame to the record on the page's stream, None
        when none came by `latest_s`; of hands seconds until the page says so, None when it did not."""
        self.people.before_picture(picture)
        self.knowing.before_picture(picture)
        time.sleep(PEOPLE_S)
        self.page.forget()
        last = self.number
        sent_s = self.camera.show(self.jobs.pictures[picture], gain)
        came_s = None
        if picture in self.telling:
            came_s = self.page.wait(partial(is_after, last), sent_s, latest_s)
            said_s = self.page.wait(partial(is_said, last), sent_s, 0.0)
            self.said_s += [] if said_s is None else [said_s - sent_s]
            time.sleep(REST_S)
            self.knowing.after_picture(picture)
        elif picture in self.still:
            time.sleep(STILL_S)
            self._await_the_deal()
        else:
            time.sleep(HAND_S)
            came_s = self.page.wait(is_at_work, sent_s, 0.0)
        return None if came_s is None else came_s - sent_s

    def _await_the_deal(self) -> None:
        """People begin when the table is laid and known: as long as only chance has a turn, nobody acts."""
        assert self.host.table is not None
        session, until_s = self.host.table.session, time.monotonic() + DEALT_S
        while session.rules.chance_outcomes(session.state) and time.monotonic() < until_s:
            time.sleep(PEOPLE_S)

    def begin_again(self) -> None:
        """The film's game from its beginning, as the next game of the evening."""
        self.camera.show(self.jobs.pictures[0])
        begin_filmed(self.host, self.film, self.jobs)
        assert self.host.table is not None
        self.people = FilmPeople(self.host.table.session, self.jobs)
        self.knowing = TruthfulPeople(self.host, self.jobs, self.events)
        time.sleep(UNTIL_IDLE_S)  # the page loads anew, the camera is opened again


def begin_filmed(host: Host, film: Path, jobs: FilmJobs) -> None:
    """Begin the film's game. A set of another game than the first one lists its faces only: that game is played with
    its sample edition."""
    if jobs.game == DEFAULT_GAME:
        host.begin(film_choice(film))
        return
    host.begin(SetupChoice(jobs.game, tuple((f"Player {n + 1}", colour) for n, colour in enumerate(jobs.colours))))


@contextmanager
def live_table(film: Path) -> Iterator[LiveTable]:
    """The film at `film` as a table with a camera. Raises DataError without a film."""
    jobs = read_jobs(film / "game")
    truth = json.loads((film / "game" / "truth.json").read_text(encoding="utf-8"))
    still = frozenset(number for number, frame in enumerate(truth["frames"]) if frame["kind"] == SETTLED)
    telling = frozenset(event["frame"] for event in truth["events"] if event["event"] in RECORDED) & still
    with (
        tempfile.TemporaryDirectory(prefix="companion-live-") as folder,
        FilmCamera() as camera,
        open_store(settings := Settings(data_dir=folder)) as store,
    ):
        host = open_host(store, settings, camera=camera.url, enrolled=film, idle=False)
        begin_filmed(host, film, jobs)
        assert host.table is not None
        with serving(host, Path(folder) / "web", bind="127.0.0.1", port=0) as where, page_stream(where.port) as page:
            # a camera is opened when its first picture is there
            people, knowing = FilmPeople(host.table.session, jobs), TruthfulPeople(host, jobs, truth["events"])
            yield LiveTable(film, host, camera, page, jobs, people, knowing, truth["events"], telling, still)


def play_film(table: LiveTable, pictures: int) -> dict[str, Any]:
    """Show the film's first pictures. Seconds from the first frame of each still picture that tells something to its
    record on the page's stream, and from the first frame of a hand to the page that says so; what did not come."""
    waits: list[float] = []
    noticed: list[float] = []
    missed: list[int] = []
    for number in range(min(pictures, len(table.jobs.pictures))):
        took_s = table.act(number)
        if number in table.telling:
            (missed.append(number) if took_s is None else waits.append(took_s))
        elif took_s is not None:
            noticed.append(took_s)
    return {"waits_s": waits, "noticed_s": noticed, "missed": missed}


def rest_at(table: LiveTable, picture: int, seconds: float) -> float:
    """Show a still picture until it is read often enough, and then so long: the part of a core that this takes."""
    table.people.before_picture(picture)
    table.camera.show(table.jobs.pictures[picture])
    time.sleep(UNTIL_IDLE_S)
    begun_s, begun_cpu_s = time.monotonic(), time.process_time()
    time.sleep(seconds)
    return (time.process_time() - begun_cpu_s) / (time.monotonic() - begun_s)


@contextmanager
def busy_core() -> Iterator[None]:
    """A process beside that keeps one core busy, as a browser or a video call on the same machine does."""
    burner = multiprocessing.get_context("spawn").Process(target=_burn, daemon=True)
    burner.start()
    try:
        yield
    finally:
        burner.kill()
        burner.join()


def _burn() -> None:
    while True:
        sum(range(10_000))


def live_bench(film: Path, pictures: int, idle_s: float) -> dict[str, Any]:
    """The figures of `companion bench live`."""
    with live_table(film) as table:
        found = play_film(table, pictures)
        last = max(number for number in table.still if number < len(table.jobs.pictures[:pictures]))
        idle = rest_at(table, last, idle_s)
        waits, noticed, said = np.array(found["waits_s"]), np.array(found["noticed_s"]), np.array(table.said_s)
        by = Counter(table.knowing.found)
        helped = {f"acts_{how.value}": by[how] for how in ActOutcome} if by else {}
        return helped | {
            "acts": len(waits) + len(found["missed"]), "missed": len(found["missed"]),
            "hand_gone_to_page_p50_s": quantile_s(waits, 0.5),
            "hand_gone_to_page_p95_s": quantile_s(waits, 0.95),
            "said_on_page": len(said),
            "said_on_page_p50_s": quantile_s(said, 0.5),
            "said_on_page_p95_s": quantile_s(said, 0.95),
            "hand_seen_on_page_p50_s": quantile_s(noticed, 0.5),
            "idle_core_share": round(idle, 3), "memory_mb": round(memory_mb()),
            "memory_most_mb": round(most_memory_mb()),
        }


def is_at_work(kind: str, data: dict[str, Any]) -> bool:
    """Whether a message of the stream says that hands are at the table."""
    return kind == "devices" and (data.get("camera") or {}).get("view") in AT_WORK


def is_after(last: int, kind: str, data: dict[str, Any]) -> bool:
    """Whether a message of the stream is a record after number `last`."""
    return kind == "record" and int(data["number"]) > last


def is_said(last: int, kind: str, data: dict[str, Any]) -> bool:
    """Whether a message of the stream is a record after number `last`, or says who is in the middle of an act."""
    held = kind == "devices" and (data.get("camera") or {}).get("in_the_middle") is not None
    return held or is_after(last, kind, data)


def quantile_s(seconds: np.ndarray, share: float) -> float | None:
    """That quantile of (N,) seconds, to hundredths; None where nothing was timed, as on a machine that is too busy."""
    return round(float(np.quantile(seconds, share)), 2) if len(seconds) else None


def most_memory_mb() -> float:
    """The most that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def memory_mb() -> float:
    """What this process holds now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6
