"""A served game that is told by HTTP and killed in the middle of a request; then its record is looked at.

Whoever tells repeats the request under the same key when the server is back, as the pages do: it must have been applied
once, whether its answer came or not.
"""

from __future__ import annotations

import http.client
import json
import multiprocessing
import os
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from companion.app.dashboard.server.serve import serving
from companion.app.files.sessions import read_session
from companion.app.files.settings import Settings
from companion.app.wiring import begin_table, open_host, resume_table
from companion.core.errors import CompanionError
from companion.core.types import Seat
from companion.lab.trials.record_trial import GAME, next_event
from companion.table.record.store import Store
from web.roles.access import TOKEN_HEADER

ANSWER_S = 60.0
ACTS = 5
"""Acts told between two kills, at most."""
LATEST_KILL = 1.5
"""In the time that the act before took until its answer: the kill comes before, while or after it is written."""
KILLS_OF_A_SESSION = 100
"""Then another session is begun, so that opening it again stays quick."""


@dataclass(frozen=True, slots=True)
class HttpKill:
    """One kill: the last record that was told of, the last one found, whether the act under way had been answered."""

    told: int
    found: int
    answered: bool


class _Teller:
    """The referee's page without a browser; its cookie and token hold over every restart."""

    def __init__(self) -> None:
        self.cookie = self.token = ""

    def enter(self, port: int, pin: str) -> None:
        """Log in, once."""
        if self.cookie:
            return
        answer, _ = self._ask(port, "POST", "/api/login", {"pin": pin})
        self.cookie = str(answer.getheader("Set-Cookie")).partition(";")[0]
        _, page = self._ask(port, "GET", "/referee", None)
        found = re.search(r'id="boot">(.*?)</script>', page, re.S)
        if found is None:
            raise CompanionError("the referee's page was not given")
        self.token = json.loads(found.group(1))["token"]

    def tell(self, port: int, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """The answer to a change. Raises OSError when the server goes away, CompanionError when it refuses."""
        answer, text = self._ask(port, "POST", path, {"as": "referee", **body})
        if answer.status != 200:
            raise CompanionError(f"{path} was refused: {answer.status} {text}")
        return dict(json.loads(text))

    def _ask(self, port: int, method: str, path: str, body: Any) -> tuple[http.client.HTTPResponse, str]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_S)
        try:
            headers = {"Content-Type": "application/json", "Cookie": self.cookie, TOKEN_HEADER: self.token}
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return answer, answer.read().decode("utf-8")
        except http.client.HTTPException as error:
            raise ConnectionError(str(error)) from error
        finally:
            connection.close()


def kill_by_http(place: str, settings: Settings, kills: int, seed: int) -> Iterator[HttpKill]:
    """Serve, tell, kill (SIGKILL), serve again. Raises CompanionError for an act that is lost, doubled or another."""
    chance, teller = Random(seed), _Teller()
    pending: dict[str, Any] | None = None
    for number in range(kills + 1):
        session = f"http-trial-{number // KILLS_OF_A_SESSION}"
        if number % KILLS_OF_A_SESSION == 0:
            pending = None
        with _served(place, settings, session) as (pid, port, pin), Store(place) as store:
            teller.enter(port, pin)
            look = read_session(store, session)
            told = look.history.head
            if pending is not None:
                _applied_once(teller, port, pending, told)
                look = read_session(store, session)
                told = look.history.head
            if number == kills:
                return
            took_s = 0.0
            for act in range(chance.randrange(1, ACTS + 1), -1, -1):
                pending = _next(look, chance, f"http-trial-{number:05d}-{act}")
                timer = threading.Timer(chance.uniform(0, LATEST_KILL) * took_s, os.kill, (pid, 9))
                if act == 0:
                    timer.start()
                begun = time.monotonic()
                try:
                    told = teller.tell(port, pending["path"], pending["body"])["number"]
                except OSError:
                    answered = False
                else:
                    answered, took_s = True, time.monotonic() - begun
                    look = read_session(store, session) if act else look
                if act == 0:
                    timer.join()
            found = read_session(store, session).history.head
            if not told <= found <= told + (not answered):
                raise CompanionError(f"{session}: told of record {told}, found {found}")
            yield HttpKill(told, found, answered)


def _next(look: Any, chance: Random, key: str) -> dict[str, Any]:
    """The next request: an event, or, when the game is over, an undo of all of it."""
    rules, state, seen = look.rules, look.history.state, look.history.head
    common = {"expected": seen, "key": key}
    if rules.result(state) is None:
        return {"path": "/api/play", "body": {**common, "texts": [next_event(rules, state, chance)]}}
    consents = [Seat(i).name for i in range(len(rules.setup.seats))]
    return {"path": "/api/undo", "body": {**common, "to": 1, "consents": consents}}


def _applied_once(teller: _Teller, port: int, pending: dict[str, Any], found: int) -> None:
    """Send the request that was under way again. Raises CompanionError when it was or is applied twice."""
    before = pending["body"]["expected"]
    after = teller.tell(port, pending["path"], pending["body"])
    if after["number"] != before + 1 or after["records"] != [before + 1] or not before <= found <= before + 1:
        raise CompanionError(f"an act on record {before} was found at {found} and repeated as {after}")


@contextmanager
def _served(place: str, settings: Settings, session: str) -> Iterator[tuple[int, int, str]]:
    """A process that serves `session`: its id, port and PIN. It is killed at the end."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, "companion.games.envyra", "sqlalchemy.dialects.sqlite"])
    hear, say = context.Pipe(duplex=False)
    process = context.Process(target=_serve_for_ever, args=(place, settings, session, say), daemon=True)
    process.start()
    say.close()
    try:
        port, pin = hear.recv()
        assert process.pid is not None
        yield process.pid, port, pin
    finally:
        process.kill()
        process.join()
        process.close()
        hear.close()


def _serve_for_ever(place: str, settings: Settings, session: str, say: Connection) -> None:
    store = Store(place)
    host = open_host(store, settings, idle=False)
    begun = session in store.names()
    table = resume_table(store, settings, session) if begun else begin_table(
        store, settings, replace(GAME, session=session)
    )
    host.adopt(table)
    with serving(host, Path(settings.data_dir) / "web", bind="127.0.0.1", port=0) as where:
        say.send((where.port, where.pin))
        threading.Event().wait()
