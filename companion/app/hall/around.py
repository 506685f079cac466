"""What a hall is told of a table beside its records: a spectator's page of it, and how the devices are."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from companion.app.files.atomic_write import write_whole
from companion.app.files.settings import Settings
from companion.app.hall.join_file import JoinFile
from companion.app.hall.sender import DeliveryStatus
from companion.core.errors import CompanionError
from companion.core.files import parse_json
from companion.i18n import translations
from companion.table.ledger import Moment
from companion.table.session import Session
from web.ports.setup_step import SetupStep
from web.ports.tables import HostPort
from web.roles.gate import SPECTATOR
from web.views import page_state

OF_OTHERS = frozenset({"actions", "outcomes", "undo", "tells_draw", "turn", "bag", "role", "as"})
"""What a page offers to somebody; a hall only looks."""
WRITTEN_S = 2.0
"""The standing is written down so often at most: other commands of this machine read it."""

HALL_REACHED = "“{name}” at {url}: everything is delivered"
HALL_WAITING = "{waiting} records wait for the hall; the game goes on without it"
HALL_REFUSED = "the hall takes nothing more of a game: {why}"
HALL_ASK = "Ask the organiser: on the hub's page of tables is what can be done."
REFUSES = "The hall refuses: {why}"
ALL_DELIVERED = "Everything is delivered to the hall at {url}."
WAIT_SINCE = "Records that wait for the hall: {waiting}, since {since}: {trouble}"
HALL_RETRY = "It is tried again by itself. If it stays so: is the hub running, and this machine in its network?"


class SpectatorsPage:
    """The JSON of a spectator's page of the table, made once for each of its moments."""

    def __init__(self, host: HostPort, language: str) -> None:
        self._host, self._language = host, language
        self._known: tuple[Moment, Mapping[str, Any]] | None = None

    def __call__(self, session: Session) -> Mapping[str, Any] | None:
        """Of `session`; None when another game is being played by now."""
        table = self._host.table
        if table is None or table.session is not session:
            return None
        moment = session.moment
        if self._known is None or self._known[0] is not moment:
            state = page_state(table, SPECTATOR, self._language)
            kept = {key: value for key, value in state.items() if key not in OF_OTHERS}
            self._known = (moment, json.loads(json.dumps(kept)))
        return self._known[1]


def health_of(host: HostPort) -> dict[str, Any]:
    """How camera and box are."""
    found: dict[str, Any] = {}
    for name, device in (("camera", host.camera), ("box", host.box)):
        health = None if device is None else device.health()
        found[name] = {"state": "off", "text": ""} if health is None else {
            "state": health.state, "text": str(health.text)
        }
    return found


class StandingFile:
    """Writes the standing beside the join file for other commands to read; a disk that is full is no reason to stop."""

    def __init__(self, folder: Path, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._path, self._clock_s = folder / "standing.json", clock_s
        self._written_s = -WRITTEN_S
        self._last: DeliveryStatus | None = None

    def tell(self, standing: DeliveryStatus) -> None:
        """Keep it, unless one was kept just now; the next one comes soon."""
        now = self._clock_s()
        if standing != self._last and now - self._written_s >= WRITTEN_S:
            self._written_s, self._last = now, standing
            try:
                write_whole(self._path, _bytes(standing))
            except CompanionError:
                self._last = None  # tried again the next time

    def read(self) -> DeliveryStatus | None:
        """What was kept last; None when there is nothing to be read."""
        try:
            return DeliveryStatus(**parse_json(self._path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None


def _bytes(standing: DeliveryStatus) -> Iterator[bytes]:
    yield json.dumps(asdict(standing)).encode()


def hall_step(standing: DeliveryStatus) -> SetupStep:
    """How the delivery stands, as a step of the set-up."""
    facts = {"name": standing.name, "url": standing.url, "waiting": standing.waiting, "why": standing.refused}
    if standing.refused:
        return SetupStep("hall", "bad", HALL_REFUSED, HALL_ASK, facts)
    if standing.since_ms is not None:
        since = time.strftime("%H:%M", time.localtime(standing.since_ms / 1000))
        return SetupStep("hall", "wait", HALL_WAITING, HALL_RETRY, facts, detail=f"{since}: {standing.trouble}")
    return SetupStep("hall", "ok", HALL_REACHED, "", facts)


def delivery_text(settings: Settings) -> str:
    """How the delivery of this machine stands, in a line in the language of the setting; "" when it belongs to no hall
    or has delivered nothing."""
    joins = JoinFile(settings)
    standing = StandingFile(joins.path.parent).read() if joins.path.exists() else None
    if standing is None:
        return ""
    translate = translations(settings.language).gettext
    if standing.refused:
        return translate(REFUSES).format(why=standing.refused)
    if standing.since_ms is None:
        return translate(ALL_DELIVERED).format(url=standing.url)
    since = time.strftime("%Y-%m-%d %H:%M", time.localtime(standing.since_ms / 1000))
    return translate(WAIT_SINCE).format(waiting=standing.waiting, since=since, trouble=standing.trouble)
