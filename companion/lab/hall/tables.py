"""A process with some tables of a simulated hall: real sessions that are played by chance, each with a real sender.

`python -m companion.lab.hall.tables FILE`: the file says which tables, their ports and pace; a word on its standard
input says what comes next (`play`, `stop`, `settle`, `end`), and each answer is a line of JSON.
"""

from __future__ import annotations

import heapq
import json
import sys
import threading
import time
from pathlib import Path
from random import Random
from typing import Any

from companion.app.files.sessions import rules_of
from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame
from companion.app.game.open_table import Table
from companion.app.hall.around import SpectatorsPage
from companion.app.hall.deliveries import Deliveries
from companion.app.hall.hub_link import HubLink
from companion.app.hall.join_file import JoinFile
from companion.app.hall.sender import Sender, Surroundings
from companion.app.wiring import begin_table
from companion.core.types import SeatInfo
from companion.games import find_game
from companion.lab.trials.record_trial import next_event
from companion.table.commands import Play
from companion.table.ledger import now_ms
from companion.table.record.store import Store
from companion.table.session import Session

GAMES = ("envyra", "spyrium", "rifts")
"""One with secret choices, one without secrets, one with hands that are secret to the end."""
PLAYERS = 2
TIMEOUT_S = 3.0
"""Of a link: cuts last two seconds."""
CAUGHT_UP_S = 120.0


class SimulatedTable:
    """A table that plays one game after the other."""

    def __init__(self, folder: Path, name: str, game: str, seed: int) -> None:
        self.settings, self.name, self._game = Settings(data_dir=str(folder)), name, game
        self.store = Store(folder / "sessions.sqlite")
        self.chance = Random(seed)
        self.table: Table | None = None
        self.games = self.finished = 0
        self.sender: Sender | None = None
        self.deliveries: Deliveries | None = None
        self.acts: list[tuple[str, int, float]] = []

    def begin(self) -> None:
        """The next game."""
        if self.table is not None:
            self.table.close()
        self.games += 1
        colours = find_game(self._game).colours or ("",) * PLAYERS
        people = tuple(SeatInfo(f"P{self.name}-{n + 1}", colours[n]) for n in range(PLAYERS))
        chosen = NewGame(self._game, people, session=f"t{self.name}-{self.games}")
        self.table = begin_table(self.store, self.settings, chosen)

    def deliver(self, port: int) -> None:
        """Let a sender deliver from now on, over `port`."""
        joins = JoinFile(self.settings)
        joined = joins.read()
        assert joined is not None
        link = HubLink(f"http://127.0.0.1:{port}", timeout_s=TIMEOUT_S)
        page = SpectatorsPage(self, "en")  # type: ignore[arg-type]  # it looks at nothing but the table
        around = Surroundings(self._session, page, dict, now_ms, Random(self.chance.random()))
        self.deliveries = Deliveries(self.store, joins, rules_of, now_ms)
        self.sender = Sender(joined, link, self.deliveries, around)
        self.sender.start()

    def _session(self) -> Session | None:
        return None if self.table is None else self.table.session

    def play(self) -> None:
        """One act by chance; when the game is over, the next one is begun."""
        if self.table is None or self.table.rules.result(self.table.session.state) is not None:
            self.finished += self.table is not None
            self.begin()
        assert self.table is not None
        session, told = self.table.session, time.time()
        answer = session.ask(Play(texts=(next_event(session.rules, session.state, self.chance),)))
        if answer.accepted:
            self.acts.append((session.header.session, session.number, told))

    def close(self) -> None:
        """End sender, session and store."""
        if self.sender is not None:
            self.sender.close()
        if self.table is not None:
            self.table.close()
        self.store.close()


def wait_until_delivered(tables: list[SimulatedTable], limit_s: float = CAUGHT_UP_S) -> bool:
    """Whether every sender has delivered everything in time."""
    end_s = time.monotonic() + limit_s
    while time.monotonic() < end_s:
        if all(_delivered(table) for table in tables):
            return True
        time.sleep(0.1)
    return False


def _delivered(table: SimulatedTable) -> bool:
    assert table.sender is not None
    assert table.deliveries is not None
    return table.sender.standing.since_ms is None and table.deliveries.complete()


class _Pace:
    """Plays the tables in turn, each after its own wait; the words change the pace."""

    def __init__(self, tables: list[SimulatedTable], wait_s: float, seed: int) -> None:
        self._tables, self._wait_s, self._chance = tables, wait_s, Random(seed)
        self.playing = threading.Event()
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self._run, name="people", daemon=True)

    def _run(self) -> None:
        start = time.monotonic()
        due = [(start + self._chance.random() * self._wait_s, n) for n in range(len(self._tables))]
        heapq.heapify(due)
        while not self.ending.is_set():
            if not self.playing.wait(0.05):
                continue
            at, number = due[0]
            wait = at - time.monotonic()
            if wait > 0:
                time.sleep(min(wait, 0.05))
                continue
            self._tables[number].play()
            heapq.heapreplace(due, (max(at, time.monotonic() - self._wait_s) + 2 * self._wait_s * self._chance.random(),
                                    number))


def main(file: str) -> None:
    """Play until the input ends or says so."""
    plan: dict[str, Any] = json.loads(Path(file).read_text(encoding="utf-8"))
    tables = [
        SimulatedTable(Path(one["folder"]), one["name"], GAMES[number % len(GAMES)], one["seed"])
        for number, one in enumerate(plan["tables"])
    ]
    for table, one in zip(tables, plan["tables"], strict=True):
        table.begin()
        table.deliver(one["port"])
    pace = _Pace(tables, plan["wait_s"], plan["seed"])
    pace.thread.start()
    print(json.dumps({"ready": len(tables)}), flush=True)
    for line in sys.stdin:
        word = line.strip()
        answer: dict[str, Any] = {"done": word}
        if word == "play":
            for table in tables:
                table.acts.clear()
            pace.playing.set()
        elif word == "stop":
            pace.playing.clear()
            answer["acts"] = [(table.name, *act) for table in tables for act in table.acts]
        elif word == "settle":
            answer["delivered"] = wait_until_delivered(tables)
            answer["refused"] = [table.sender.standing.refused for table in tables if table.sender is not None]
            answer["trouble"] = [table.sender.standing.trouble for table in tables if table.sender is not None]
        elif word == "end":
            break
        print(json.dumps(answer), flush=True)
    pace.ending.set()
    pace.thread.join()
    for table in tables:
        table.close()


if __name__ == "__main__":
    main(sys.argv[1])
