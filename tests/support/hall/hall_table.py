"""A table of a hall for tests: a real session and store, a real sender, and a link whose faults a test sets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from flask.testing import FlaskClient
from table_kit import begin, resume
from toy_game import toy_rules

from companion.app.files.settings import Settings
from companion.app.hall.deliveries import Deliveries
from companion.app.hall.hub_link import HubLinkError, HubRefusal
from companion.app.hall.join_file import Joined, JoinFile
from companion.app.hall.sender import Sender, Surroundings
from companion.core.game import Rules
from companion.hub.hall import Hall
from companion.table.record.records import SessionHeader
from companion.table.record.store import Store
from companion.table.session import Session


class TestLink:
    """The hub by its application. `cut`: nothing reaches it; `deaf`: it is done and the answer is lost."""

    __test__ = False

    def __init__(self, client: FlaskClient) -> None:
        self._client = client
        self.cut = self.deaf = False
        self.bodies: list[str] = []

    def post(self, path: str, body: Any, key: str = "") -> Any:
        if self.cut:
            raise HubLinkError("cut")
        text = json.dumps(body)
        self.bodies.append(text)
        answer = self._client.post(path, data=text, content_type="application/json",
                                   headers={"Authorization": f"Bearer {key}"})
        if self.deaf:
            raise HubLinkError("deaf")
        found = answer.get_json()
        if answer.status_code >= 500:
            raise HubLinkError("busy")
        if answer.status_code >= 400:
            raise HubRefusal(answer.status_code, found["error"]["message"])
        return found

    def close(self) -> None:
        pass


class HallTable:
    """One table that has joined. `step` is a turn of the sender's thread."""

    def __init__(
        self, folder: Path, client: FlaskClient, joined: Joined, clock_ms: Callable[[], int],
        rules_of: Callable[[SessionHeader], Rules],
    ) -> None:
        self.folder, self.joined, self._clock_ms, self._rules_of = folder, joined, clock_ms, rules_of
        self.settings = Settings(data_dir=str(folder))
        JoinFile(self.settings).write(joined)
        self.link = TestLink(client)
        self.store = Store(folder / "sessions.sqlite")
        self.session: Session | None = None
        self.sender = self._new_sender()

    def _new_sender(self) -> Sender:
        def rules_of(header: SessionHeader) -> Any:
            return None, self._rules_of(header)

        deliveries = Deliveries(self.store, JoinFile(self.settings), rules_of, self._clock_ms)
        around = Surroundings(lambda: self.session, lambda session: session.snapshot(None), dict, self._clock_ms,
                              Random(1))
        return Sender(self.joined, self.link, deliveries, around)

    def restart(self) -> None:
        """The companion was killed: another process goes on."""
        self.sender = self._new_sender()

    def begin(self, name: str = "toy-1", **more: Any) -> Session:
        """Begin a toy game."""
        self.session = begin(self.store, name, clock_ms=self._clock_ms, **more)
        return self.session

    def resume(self, name: str = "toy-1") -> Session:
        """Go on with a toy game."""
        self.session = resume(self.store, name, clock_ms=self._clock_ms)
        return self.session

    def step(self) -> str:
        """A turn of the sender: "" or what kept it from delivering."""
        try:
            self.sender.step()
        except (HubLinkError, HubRefusal) as error:
            return str(error)
        return ""

    def close(self) -> None:
        if self.session is not None:
            self.session.close()
        self.store.close()


def toy_rules_of(header: SessionHeader) -> Rules:
    """The rules of a toy game's session."""
    return toy_rules(header.catalogue_text)


@contextmanager
def a_table(
    folder: Path, hall: Hall, client: FlaskClient, name: str = "7", rules_of: Callable[[SessionHeader], Rules] =
    toy_rules_of, table: int | None = None,
) -> Iterator[HallTable]:
    """A table that joins the hall; `table`: as this one that is there already."""
    number = hall.tables.add(name, hall.clock_ms()) if table is None else table
    code = hall.tables.new_code(number, hall.clock_ms())
    answer = client.post("/api/table/join", json={"code": code, "machine": "m"}).get_json()
    joined = Joined("http://hub", answer["table"], answer["name"], answer["key"], "", hall.clock_ms())
    folder.mkdir(parents=True, exist_ok=True)
    found = HallTable(folder, client, joined, hall.clock_ms, rules_of)
    try:
        yield found
    finally:
        found.close()
