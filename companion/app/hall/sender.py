"""Delivers a table's record to the hub of its hall, and how the table stands: a thread of its own that only reads.

The session never waits for it. Without a hub the table plays on; what waits is in the table's store anyway, so nothing
is queued here. After a failure it tries again, later and later, with a wait that chance spreads.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Protocol

from companion.app.hall.deliveries import Deliveries
from companion.app.hall.hub_link import REPORT, HubLinkError, HubRefusal
from companion.app.hall.join_file import Joined
from companion.core.errors import CompanionError
from companion.hub.delivery.protocol import Head
from companion.table.record.updates import Subscription
from companion.table.session import Session

LOG = logging.getLogger("companion.hall")
TURN_S = 0.5
"""So often it looks whether another game is played or the devices have changed."""
HEARTBEAT_S = 5.0
"""A table that has nothing new says so often that it is there."""
FIRST_WAIT_S, LONGEST_WAIT_S = 0.25, 15.0
"""The wait after a failure doubles; each is between half and all of it."""
CLOSE_S = 2.0
REFUSED_S = 20.0
"""After a refusal a person has to decide; so often it is asked whether somebody has."""


class Link(Protocol):
    """See `HubLink`."""

    def post(self, path: str, body: Any, key: str = "") -> Any:
        """Send JSON; the answer's."""

    def close(self) -> None:
        """Close the connection."""


@dataclass(frozen=True, slots=True)
class DeliveryStatus:
    """How the delivery stands, for people: records that wait, since when the hub was not reached (None: it is), what it
    has refused and why, the hub's address and what this table is called there."""

    url: str
    name: str
    waiting: int = 0
    since_ms: int | None = None
    trouble: str = ""
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the sender asks of the companion: the session being played, what a spectator's page shows of it, how the
    devices are (each a mapping with `state` and `text`), the wall clock, chance, and who is told of every standing."""

    session: Callable[[], Session | None]
    page: Callable[[Session], Mapping[str, Any] | None]
    health: Callable[[], Mapping[str, Any]]
    clock_ms: Callable[[], int]
    random: Random
    tell: Callable[[DeliveryStatus], None] = lambda _: None


class Sender:
    """Runs from `start` to `close`. `standing` may be read from any thread."""

    def __init__(self, joined: Joined, link: Link, deliveries: Deliveries, around: Surroundings) -> None:
        self._joined, self._link, self._deliveries, self._around = joined, link, deliveries, around
        self.standing = DeliveryStatus(joined.url, joined.name)
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)
        self._told: Mapping[str, Any] | None = None
        self._told_ms = 0
        self._failures = 0
        self._turn = 0
        self._followed: tuple[Session, Subscription] | None = None

    def start(self) -> None:
        """Deliver from now on."""
        self._thread.start()

    def close(self) -> None:
        """End the thread; a delivery that gets no answer is not waited for."""
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join(CLOSE_S)

    def _run(self) -> None:
        while not self._ending.is_set():
            try:
                self.step()
            except (HubLinkError, HubRefusal) as error:
                self._failed(error)
            except CompanionError as error:  # the record cannot be read now: the table says so itself
                self._failed(error)
            except Exception as error:  # delivering must never end the table's evening
                LOG.exception("delivering to the hall failed")
                self._failed(error)
            else:
                self._around.tell(self.standing)
                self._wait_for_news()
        self._link.close()

    def step(self) -> None:
        """Send what there is, batch by batch, until the hub has everything. Raises what keeps it from that."""
        session = self._around.session()
        if session is not None:
            self._deliveries.include(session.header.session)
        while not self._ending.is_set():
            due = self._deliveries.due()
            status = self._status(session, 0 if due is None else len(due["sent"]))
            if due is None and status is None:
                return
            body = {"turn": self._next_turn(), "status": status, "delivery": due}
            try:
                answer = self._link.post(REPORT, body, f"{self._joined.table}.{self._joined.key}")
            except HubRefusal as refusal:
                if refusal.status != 409 or due is None:
                    raise
                self._deliveries.refused(due["session"], str(refusal), self._around.clock_ms())
                continue
            if status is not None:
                self._told, self._told_ms = status, self._around.clock_ms()
            if due is not None:
                self._deliveries.answered(due["session"], _head(answer))
            self._failures = 0
            self.standing = replace(self.standing, waiting=self._deliveries.waiting(), since_ms=None, trouble="",
                                    refused="; ".join(f"{k}: {v}" for k, v in self._deliveries.refusals().items()))

    def _next_turn(self) -> int:
        self._turn = max(self._turn + 1, self._around.clock_ms())
        return self._turn

    def _status(self, session: Session | None, sending: int) -> Mapping[str, Any] | None:
        """How the table stands when the hub has the `sending` records that go with it; None when the hub knows it and
        has heard of this table just now."""
        now = self._around.clock_ms()
        standing = self.standing
        status = {
            "session": "" if session is None else session.header.session,
            "number": 0 if session is None else session.number,
            "taken_ms": 0,
            "page": None if session is None else self._around.page(session),
            "health": self._around.health(),
            "backlog": {"waiting": self._deliveries.waiting() - sending, "since_ms": standing.since_ms,
                        "refused": self._deliveries.refusals()},
        }
        told = self._told
        same = told is not None and status == {**told, "taken_ms": 0}
        if same and now - self._told_ms < HEARTBEAT_S * 1000:
            return None
        return {**status, "taken_ms": now}

    def _wait_for_news(self) -> None:
        session = self._around.session()
        if session is None:
            self._followed = None
            self._ending.wait(TURN_S)
            return
        if self._followed is None or self._followed[0] is not session:
            self._followed = (session, session.subscribe())
            return  # what came before the subscription is sent at once
        subscription = self._followed[1]
        update = subscription.get(TURN_S)
        while update is not None:
            update = subscription.get(0)
        if subscription.ended:
            self._ending.wait(TURN_S)

    def _failed(self, error: Exception) -> None:
        since = self.standing.since_ms
        self.standing = replace(self.standing, since_ms=self._around.clock_ms() if since is None else since,
                                trouble=str(error), waiting=self._deliveries.waiting())
        longest = REFUSED_S if isinstance(error, HubRefusal) else LONGEST_WAIT_S
        wait_s = min(longest, FIRST_WAIT_S * 2 ** min(self._failures, 10))
        self._failures += 1
        self._told = None
        self._around.tell(self.standing)
        self._ending.wait(wait_s * (0.5 + self._around.random.random() / 2))


def _head(answer: Any) -> Head:
    """The hub's head. Raises HubLinkError when the answer holds none."""
    try:
        head = answer["head"]
        return Head(int(head["number"]), str(head["link"]), int(head["opened"]))
    except (KeyError, TypeError, ValueError) as error:
        raise HubLinkError("the hub's answer holds no head") from error


