"""A table's call for a referee of the hall: said to the hub until it is done, over a link that comes and goes.

The hub is told what the table wants, again and again, by the key of the call; its answer says who comes. A link that is
down delays the call and doubles nothing.
"""

from __future__ import annotations

import logging
import secrets
import threading
from dataclasses import dataclass, replace
from typing import Any

from companion.app.hall.hub_link import HubLinkError, HubRefusal
from companion.app.hall.join_file import Joined
from companion.app.hall.sender import CLOSE_S, Link
from web.ports.hall import HallCall, HallLook

LOG = logging.getLogger("companion.hall")
CALL = "/api/table/call"
POLL_S = 2.0
"""So often an open call is said again, which also tells who comes; and so soon it is tried again without a link."""
KEY_BYTES = 8


@dataclass(frozen=True, slots=True)
class _Wish:
    """What the table wants: `key` "" while it calls nobody; not `wanted`: the call is to end."""

    key: str = ""
    who: str = ""
    wanted: bool = True
    sent: bool = False
    person: str = ""


class RefereeCall:
    """Runs from `start` to `close`; everything else from any thread."""

    def __init__(self, joined: Joined, link: Link) -> None:
        self._joined, self._link = joined, link
        self._lock = threading.Lock()
        self._wish = _Wish()
        self._linked = True
        self._asked = False  # a call from before this start may still be open at the hub
        self._ending, self._wake = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="referee call", daemon=True)

    def start(self) -> None:
        """Say what there is to be said from now on."""
        self._thread.start()

    def close(self) -> None:
        """End the thread; an answer that does not come is not waited for."""
        self._ending.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(CLOSE_S)

    def look(self) -> HallLook:
        """How the call stands."""
        with self._lock:
            wish = self._wish
            if not wish.key or not wish.wanted:
                return HallLook(self._joined.name, self._linked, None)
            return HallLook(self._joined.name, self._linked, HallCall(wish.who, wish.sent, wish.person))

    def call(self, who: str) -> None:
        """`who` calls a referee; nothing when the table calls one already."""
        with self._lock:
            if not self._wish.key or not self._wish.wanted:
                self._wish = _Wish(secrets.token_hex(KEY_BYTES), who)
        self._wake.set()

    def withdraw(self) -> None:
        """Nobody is needed any more."""
        with self._lock:
            self._wish = replace(self._wish, wanted=False)
        self._wake.set()

    def step(self) -> float | None:
        """Say what the table wants; how long to wait until it is said again (None: until it wants something)."""
        with self._lock:
            wish, asked = self._wish, self._asked
        if not wish.key and asked:
            return None
        body = {"key": wish.key, "who": wish.who, "wanted": wish.wanted and bool(wish.key)}
        try:
            answer = self._link.post(CALL, body, f"{self._joined.table}.{self._joined.key}")
            found = _call_of(answer)
        except (HubLinkError, HubRefusal) as error:
            LOG.info("the call for a referee waits: %s", error)
            with self._lock:
                self._linked = False
            return POLL_S
        with self._lock:
            self._linked = self._asked = True
            if self._wish != wish:
                return 0.0  # somebody has tapped meanwhile
            self._wish = _after(wish, found)
            return POLL_S if self._wish.key else None

    def _run(self) -> None:
        while not self._ending.is_set():
            self._wake.clear()
            wait_s = self.step()
            if wait_s != 0.0:
                self._wake.wait(wait_s)
        self._link.close()


def _after(wish: _Wish, found: dict[str, Any] | None) -> _Wish:
    """What the table wants after the hub's answer: an open call is followed, whoever of the table made it."""
    if found is None or found["done"] or (wish.key and not wish.wanted):
        return _Wish()
    return _Wish(found["key"], found["who"], sent=True, person=found["person"])


def _call_of(answer: Any) -> dict[str, Any] | None:
    """The call in the hub's answer. Raises HubLinkError when it holds none."""
    try:
        found = answer["call"]
        return None if found is None else {
            "key": str(found["key"]), "who": str(found["who"]), "person": str(found["person"]),
            "done": bool(found["done"]),
        }
    except (KeyError, TypeError) as error:
        raise HubLinkError("the hub's answer says nothing of the call") from error
