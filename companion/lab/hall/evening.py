"""An evening of a simulated hall: a calm time with many screens, a long catch-up, then faults of every kind."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from companion.app.files.sessions import rules_of
from companion.app.files.settings import Settings
from companion.app.hall.join_file import Joined, JoinFile
from companion.hub.hall import Hall, open_hall, wall_ms
from companion.lab.hall.checking import check
from companion.lab.hall.postgres_server import PostgresServer
from companion.lab.hall.proxy import FINE, Links, Weather
from companion.lab.hall.tables import SimulatedTable, wait_until_delivered

HUMAN_ACT_S = 10.0
"""Between two acts of one table, played by people: some 360 records an hour."""
OF_A_PROCESS = 25
"""Tables that one process plays; more would wait for each other."""
OVERVIEWS = 5
START_S = 60.0
TICKS_S = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be simulated."""

    tables: int
    spectators: int
    faults_s: float
    calm_s: float
    kills: int
    restarts: int
    backlog: int
    speed: float
    seed: int


class _Worker:
    """A process that is spoken to by lines."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )

    def listen(self) -> dict[str, Any]:
        """The next line that it says."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("a process of the bench has ended")
        found: dict[str, Any] = json.loads(line)
        return found

    def say(self, word: str) -> None:
        """Tell it something."""
        assert self._process.stdin is not None
        self._process.stdin.write(word + "\n")
        self._process.stdin.flush()

    def ask(self, word: str) -> dict[str, Any]:
        """Tell it something; its answer."""
        self.say(word)
        return self.listen()

    def end(self) -> None:
        """End it."""
        if self._process.poll() is None:
            self.say("end")
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


class _Hub:
    """The hub's process, that is killed and started again on the same port."""

    def __init__(self, database: str, port: int, log: Path) -> None:
        self._database, self._port, self._log = database, port, log
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, not waiting until it serves."""
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "companion.app.cli", "hub", "--database", self._database, "--no-https", "--host",
                 "127.0.0.1", "--port", str(self._port)], stdout=log, stderr=log,
            )

    def look_after(self) -> None:
        """Start it again when it has ended by itself, as a service manager does."""
        if self.process is None or self.process.poll() is not None:
            self.start()

    def kill(self) -> None:
        """SIGKILL."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def used(self) -> tuple[float, float]:
        """Its memory in MB now, and its processor time in seconds."""
        assert self.process is not None
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        memory = next(line for line in Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii").splitlines()
                      if line.startswith("VmRSS"))
        return int(memory.split()[1]) / 1000, (int(fields[11]) + int(fields[12])) / TICKS_S


async def _answers(port: int) -> None:
    """Wait until the hub serves. Raises RuntimeError when it does not in time."""
    end_s = time.monotonic() + START_S
    while time.monotonic() < end_s:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n")
            line = await reader.readline()
            writer.close()
            if b" 200 " in line:
                return
        except OSError:
            pass
        await asyncio.sleep(0.1)
    raise RuntimeError("the hub does not serve")


def run(plan: Plan) -> dict[str, Any]:
    """The whole evening; figures and faults."""
    memory = Path("/dev/shm")  # every table of a real hall has a disk of its own; here they would share PostgreSQL's
    with tempfile.TemporaryDirectory(prefix="companion-hall-", dir=memory if memory.is_dir() else None) as folder:
        server = PostgresServer(fsync=True)
        try:
            return asyncio.run(_evening(plan, server, Path(folder)))
        finally:
            server.remove()


async def _evening(plan: Plan, server: PostgresServer, folder: Path) -> dict[str, Any]:
    place = server.new_place()
    hall = open_hall(place, rules_of)
    port = _free_port()
    hub = _Hub(place, port, folder / "hub.log")
    links = Links(plan.tables + 1, port, FINE, plan.seed)
    workers: list[_Worker] = []
    screens: _Worker | None = None
    try:
        hub.start()
        await links.start()
        folders = [_join(hall, folder, number) for number in range(plan.tables + 1)]
        await _answers(port)
        workers = [_begin(plan, folder, folders, links, first) for first in range(0, plan.tables, OF_A_PROCESS)]
        for worker in workers:
            await asyncio.to_thread(worker.listen)
        found: dict[str, Any] = {"tables": plan.tables, "acts_per_s": plan.tables * plan.speed / HUMAN_ACT_S}
        if plan.calm_s:
            screens = _Worker("companion.lab.hall.screens", str(port), str(plan.spectators), str(plan.tables),
                              str(OVERVIEWS))
            found |= await _calm(plan, hub, workers, screens)
            screens.end()
            screens = None
        if plan.backlog:
            found["catch_up_records"] = plan.backlog
            found["catch_up_s"] = await asyncio.to_thread(
                _catch_up, folders[-1], links.ports[-1], plan.backlog, plan.seed
            )
        if plan.faults_s:
            found |= await _faults(plan, server, hub, links, workers, port)
        found |= await _settled(workers)
        for worker in workers:
            await asyncio.to_thread(worker.end)
        workers = []
        found |= asdict(await asyncio.to_thread(check, hall.database, folders))
        return found
    finally:
        for worker in [*workers, *([] if screens is None else [screens])]:
            worker.end()
        await links.close()
        hub.kill()
        hall.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _join(hall: Hall, folder: Path, number: int) -> Path:
    """A table's folder, joined."""
    name = str(number + 1)
    table = hall.tables.add(name, wall_ms())
    _, _, key = hall.tables.join(hall.tables.new_code(table, wall_ms()), "bench", wall_ms())
    place = folder / f"table-{name}"
    JoinFile(Settings(data_dir=str(place))).write(Joined("http://hub", table, name, key, "", 0))
    return place


def _begin(plan: Plan, folder: Path, folders: Sequence[Path], links: Links, first: int) -> _Worker:
    """A process with the tables from `first` on."""
    numbers = range(first, min(first + OF_A_PROCESS, plan.tables))
    tables = [
        {"folder": str(folders[n]), "name": str(n + 1), "seed": plan.seed + n, "port": links.ports[n]} for n in numbers
    ]
    file = folder / f"plan-{first}.json"
    file.write_text(json.dumps({"tables": tables, "seed": plan.seed, "wait_s": HUMAN_ACT_S / plan.speed}),
                    encoding="utf-8")
    return _Worker("companion.lab.hall.tables", str(file))


async def _calm(plan: Plan, hub: _Hub, workers: list[_Worker], screens: _Worker) -> dict[str, Any]:
    """Nothing fails: from an act at a table to every screen that shows the table."""
    end_s = time.monotonic() + START_S
    while (await asyncio.to_thread(screens.ask, "look"))["connected"] < plan.spectators:
        if time.monotonic() > end_s:
            raise RuntimeError("not all screens are connected")
        await asyncio.sleep(0.5)
    for worker in workers:
        await asyncio.to_thread(worker.ask, "play")
    await asyncio.sleep(2)
    await asyncio.to_thread(screens.ask, "look")  # forgets what was shown until now
    since = time.time()
    _, before_s = hub.used()
    began = time.monotonic()
    await asyncio.sleep(plan.calm_s)
    took_s = time.monotonic() - began
    memory_mb, after_s = hub.used()
    acts = [act for worker in workers for act in (await asyncio.to_thread(worker.ask, "stop"))["acts"]]
    acts = [act for act in acts if act[-1] >= since]
    await asyncio.sleep(2)
    seen = await asyncio.to_thread(screens.ask, "look")
    late = sorted(_latencies(acts, seen["arrivals"]))
    return {
        "screens": plan.spectators, "calm_acts": len(acts), "samples": len(late),
        "p50_ms": round(1000 * statistics.median(late)), "p99_ms": round(1000 * late[int(0.99 * (len(late) - 1))]),
        "stream_events_per_s": round(seen["events"] / took_s),
        "stream_mb_per_s": round(seen["bytes"] / took_s / 1e6, 2),
        "hub_memory_mb": round(memory_mb), "hub_processor": round((after_s - before_s) / took_s, 2),
    }


def _latencies(acts: Sequence[Sequence[Any]], arrivals: Sequence[Sequence[Any]]) -> list[float]:
    """Per act and screen that shows its table: seconds from its being told to the session until the first picture that
    has it (or a later act). A picture can be there before the table's own thread knows that the act was accepted."""
    by_game: dict[tuple[int, str], dict[int, list[tuple[int, float]]]] = defaultdict(lambda: defaultdict(list))
    for screen, table, session, number, at in arrivals:
        by_game[table, session][screen].append((number, at))
    found = []
    for name, session, number, at in acts:
        for shown in by_game.get((int(name), session), {}).values():
            first = next((when for have, when in shown if have >= number), None)
            if first is not None:
                found.append(max(0.0, first - at))
    return found


def _catch_up(folder: Path, port: int, records: int, seed: int) -> float:
    """Seconds until a table that played alone is caught up, from the moment when its sender begins."""
    table = SimulatedTable(folder, folder.name.rpartition("-")[2], "spyrium", seed)
    try:
        table.begin()
        played = 0
        while played < records:
            table.play()
            played += 1
        began = time.monotonic()
        table.deliver(port)
        if not wait_until_delivered([table]):
            raise RuntimeError("the table was not caught up in time")
        return round(time.monotonic() - began, 2)
    finally:
        table.close()


async def _faults(
    plan: Plan, server: PostgresServer, hub: _Hub, links: Links, workers: list[_Worker], port: int
) -> dict[str, Any]:
    """Links fail, the hub is killed and PostgreSQL restarted while all tables play; then everything is delivered."""
    chance = Random(plan.seed)
    links.weather = Weather()
    for worker in workers:
        await asyncio.to_thread(worker.ask, "play")
    began = time.monotonic()
    times = sorted(
        [(plan.faults_s * (n + chance.random()) / plan.kills, "kill") for n in range(plan.kills)]
        + [(plan.faults_s * (n + chance.random()) / plan.restarts, "restart") for n in range(plan.restarts)]
    )
    for at, what in times:
        await asyncio.sleep(max(0.0, began + at - time.monotonic()))
        if what == "kill":
            hub.kill()
            hub.look_after()
        else:
            await asyncio.to_thread(server.stop)
            await asyncio.to_thread(server.start)
    await asyncio.sleep(max(0.0, began + plan.faults_s - time.monotonic()))
    acts = 0
    for worker in workers:
        acts += len((await asyncio.to_thread(worker.ask, "stop"))["acts"])
    faults_s = time.monotonic() - began
    links.weather = FINE
    hub.look_after()
    await _answers(port)
    return {
        "faults_s": round(faults_s), "fault_acts": acts, "hub_kills": plan.kills, "database_restarts": plan.restarts,
        "link_cuts": links.cuts, "connections_broken": links.broken, "chunks_lost": links.lost,
    }


async def _settled(workers: list[_Worker]) -> dict[str, Any]:
    """Wait until the tables have delivered everything; what they could not."""
    began = time.monotonic()
    settled = [await asyncio.to_thread(worker.ask, "settle") for worker in workers]
    return {
        "settled_s": round(time.monotonic() - began, 1),
        "not_delivered": sum(not one["delivered"] for one in settled),
        "refused": [why for one in settled for why in one["refused"] if why],
    }


def faults_of(found: Mapping[str, Any]) -> dict[str, Any]:
    """What of the figures must be nothing and is something."""
    names = ("lost", "doubled", "disordered", "false", "wrong_results", "not_delivered", "refused")
    return {name: found[name] for name in names if found.get(name)}
