"""Server-sent events: every record in order with resume, the state after it, and how the devices are."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

from companion.i18n import spoken
from companion.table.ledger import Moment
from companion.table.prompts import Prompter
from web.access import Client
from web.ports import HostPort, OpenTable
from web.texts import translator
from web.views import Speaker, page_state, update_json

MOST_STREAMS = 60
"""Open streams at once, each of which holds a thread of the server; more are refused with 503."""
WAIT_S = 0.4
"""A stream looks at the devices this often while nothing happens at the table."""
HEARTBEAT_TURNS = 12
"""Silent turns before a comment is sent, by which a closed connection is noticed (about 5 s)."""
RETRY_MS = 1000
MOST_MISSED = 50
"""Records resent to a page that was away; a page further behind gets the state alone."""


class Broadcast:
    """Makes the texts of streams, each once for all clients who may see the same."""

    def __init__(self, host: HostPort, devices: Callable[[], dict[str, Any]]) -> None:
        """`devices`: how every device is, its sentences `Said` or already what people read."""
        self.host = host
        self._devices = devices
        self._lock = threading.Lock()
        self._states: dict[tuple[str, str], tuple[Moment, str]] = {}
        self._open = 0

    def enter(self) -> bool:
        """Count one more stream; False when there are too many."""
        with self._lock:
            if self._open >= MOST_STREAMS:
                return False
            self._open += 1
            return True

    def leave(self) -> None:
        """A stream has ended."""
        with self._lock:
            self._open -= 1

    def devices(self, language: str) -> dict[str, Any]:
        """How every device is, said in `language`."""
        told: dict[str, Any] = spoken(self._devices(), translator(language))
        table, camera = self.host.table, told.get("camera")
        if table is not None and camera is not None and camera["question"] is not None:
            told = {**told, "camera": {**camera, "question": _said(camera["question"], table, language)}}
        return told

    def state(self, table: OpenTable, client: Client, language: str) -> str:
        """The state for `client` as JSON text."""
        key = (client.name, language)
        with self._lock:
            moment = table.session.moment
            known = self._states.get(key)
            if known is None or known[0] is not moment:
                known = (moment, json.dumps(page_state(table, client, language), ensure_ascii=False))
                self._states[key] = known
            return known[1]


def _said(question: dict[str, Any], table: OpenTable, language: str) -> dict[str, Any]:
    """The camera's question with a sentence for each event of its choices."""
    rules = table.session.rules
    prompter = Prompter(table.spec, table.session.header.setup, language)
    sentences = [[prompter.event(rules, rules.parse(text)) for text in choice] for choice in question["choices"]]
    return {**question, "sentences": sentences}


def message(kind: str, data: str, number: str = "") -> str:
    """One server-sent event; `data` is one line."""
    head = f"id: {number}\n" if number else ""
    return f"{head}event: {kind}\ndata: {data}\n\n"


def events(broadcast: Broadcast, client: Client, language: str, last_id: str) -> Iterator[str]:
    """The stream of one client from after `last_id` ("session:number", "" for from now on) until the table closes."""
    try:
        yield f"retry: {RETRY_MS}\n\n"
        table = broadcast.host.table
        if table is None:
            yield message("state", json.dumps({"session": None}))
            yield from _until_a_table(broadcast, language)
        else:
            yield from _table_events(broadcast, table, client, language, last_id)
    finally:
        broadcast.leave()


def _until_a_table(broadcast: Broadcast, language: str) -> Iterator[str]:
    wait = threading.Event()
    turn, told = 0, ""
    while broadcast.host.table is None and not broadcast.host.ended:
        devices = json.dumps(broadcast.devices(language), ensure_ascii=False)
        if devices != told:
            told = devices
            yield message("devices", devices)
        elif turn % HEARTBEAT_TURNS == 0:
            yield ": here\n\n"
        turn += 1
        wait.wait(WAIT_S)
    if broadcast.host.table is not None:
        yield message("moved", "{}")


def _table_events(
    broadcast: Broadcast, table: OpenTable, client: Client, language: str, last_id: str
) -> Iterator[str]:
    session = table.session
    name, speaker = session.header.session, Speaker(table, language)
    number = session.number
    seen_session, _, seen = last_id.rpartition(":")
    after = number
    if seen_session == name and seen.isdigit() and number - MOST_MISSED <= int(seen) <= number:
        after = int(seen)
    subscription = session.subscribe(after)
    yield message("state", broadcast.state(table, client, language), f"{name}:{after}")
    told, trouble, silent = "", session.moment.trouble, 0
    while not subscription.ended and broadcast.host.table is table:
        update = subscription.get(WAIT_S)
        sent = False
        while update is not None:
            text = json.dumps(update_json(table, update, client, speaker), ensure_ascii=False)
            sent = True
            following = subscription.get(0)
            state = "" if following else message("state", broadcast.state(table, client, language))
            yield message("record", text, f"{name}:{update.number}") + state
            update = following
        if session.moment.trouble != trouble:
            trouble, sent = session.moment.trouble, True
            yield message("state", broadcast.state(table, client, language))
        devices = json.dumps(broadcast.devices(language), ensure_ascii=False)
        if devices != told:
            told, sent = devices, True
            yield message("devices", devices)
        silent = 0 if sent else silent + 1
        if silent >= HEARTBEAT_TURNS:
            silent = 0
            yield ": here\n\n"
    # Another game was begun: pages load anew. When the companion ends, they wait for it to come back.
    if broadcast.host.table is not table:
        yield message("moved", "{}")
