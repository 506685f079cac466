"""Server-sent events: every record in order with resume, the state after it, and how the devices are."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.core.game import Rules, State, violation_of
from companion.core.types import Action, Seat
from companion.i18n import localize
from companion.table.ledger import Moment
from companion.table.prompts import Prompter
from web.ports.tables import HostPort, OpenTable
from web.roles.access import Client, Role
from web.speaker import Speaker, words_at
from web.views import page_state, told_records, update_json

SPECTATORS, OF_REFEREE, OF_A_SEAT = 60, 4, 4
"""Streams at once, each of which holds a thread of the server: spectators share theirs, the referee and every seat have
their own, which nobody else can take; more are refused with 503."""
MOST_STREAMS = SPECTATORS + OF_REFEREE + OF_A_SEAT * len(Seat)
FREE_FOR_OTHERS, OF_A_SENDER = 10, 8
"""While no more places than this are free, a sender that watches with so many pages gets no other."""
WAIT_S = 0.4
"""A stream looks at the devices this often while nothing happens at the table."""
HEARTBEAT_TURNS = 3
"""Silent turns before a comment is sent: the second one after a page was left notices it (about 2.5 s), so that whoever
goes from page to page does not take all the streams of a role."""
RETRY_MS = 1000
MOST_TEXTS = 24
"""Texts of the devices that are kept: by language, and by what only one client is told."""
MOST_MISSED = 50
"""Records resent to a page that was away; a page further behind gets the state alone."""


class Broadcast:
    """Makes the texts of streams, each once for all clients who may see the same."""

    def __init__(
        self, host: HostPort, devices: Callable[[], dict[str, Any]], told: Callable[[Client], dict[str, Any]]
    ) -> None:
        """`devices`: how every device is, its sentences `Message` or already what people read.

        `told`: what is said to one client only.
        """
        self.host = host
        self._devices, self._told = devices, told
        self._lock = threading.Lock()
        self._states: dict[tuple[str, str], tuple[Moment, str]] = {}
        self._texts: dict[tuple[str, str], tuple[dict[str, Any], OpenTable | None, str]] = {}
        self._open: Counter[tuple[Client, str]] = Counter()  # by client and sender

    def enter(self, client: Client, sender: str) -> bool:
        """Count one more stream; False when there are too many of this kind."""
        with self._lock:
            taken = sum(count for (other, _), count in self._open.items() if other == client)
            if client.role is not Role.SPECTATOR:
                if taken >= (OF_REFEREE if client.role is Role.REFEREE else OF_A_SEAT):
                    return False
            elif taken >= SPECTATORS - FREE_FOR_OTHERS and (
                taken >= SPECTATORS or self._open[client, sender] >= OF_A_SENDER
            ):
                return False
            self._open[client, sender] += 1
            return True

    def leave(self, client: Client, sender: str) -> None:
        """A stream has ended."""
        with self._lock:
            self._open[client, sender] -= 1
            self._open += Counter()  # forgets who has none

    def devices(self, language: str, client: Client | None = None) -> dict[str, Any]:
        """How every device is, said in `language`, and what only `client` is told."""
        table = self.host.table
        told: dict[str, Any] = localize(self._devices(), words_at(table, language))
        if client is not None:
            told = told | self._told(client)
        camera = told.get("camera")
        if table is not None and camera is not None and camera["question"] is not None:
            told = {**told, "camera": {**camera, "question": _said(camera["question"], table, language)}}
        if table is not None and told.get("proposal") is not None:
            told = {**told, "proposal": _asked(told["proposal"], Speaker(table, language))}
        return told

    def devices_text(self, language: str, client: Client) -> str:
        """`devices` as JSON text, made once for all who are told the same until the devices are asked anew."""
        data, table, own = self._devices(), self.host.table, self._told(client)
        key = (language, json.dumps(own))
        known = self._texts.get(key)
        if known is None or known[0] is not data or known[1] is not table:
            known = (data, table, json.dumps(self.devices(language, client), ensure_ascii=False))
            with self._lock:
                self._texts[key] = known
                while len(self._texts) > MOST_TEXTS:
                    del self._texts[next(iter(self._texts))]
        return known[2]

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
    session, before = table.session, question.get("before")
    state = session.state if before is None else session.state_after(before)
    prompter = Speaker(table, language).prompter
    told = [_told(prompter, session.rules, state, choice) for choice in question["choices"]]
    return {**question, "sentences": told}


def _told(prompter: Prompter, rules: Rules, state: State, choice: list[str]) -> list[str]:
    """A sentence for each event of `choice`: what it costs and brings as long as they can be done from `state` on."""
    sentences, can_be_done = [], True
    for event in map(rules.parse, choice):
        can_be_done = can_be_done and violation_of(rules, state, event) is None
        if can_be_done and isinstance(event, Action):
            sentences.append(prompter.offer(rules, state, event))
        else:
            sentences.append(prompter.event(rules, event))
        state = rules.apply(state, event) if can_be_done else state
    return sentences


def _asked(proposal: dict[str, Any], speaker: Speaker) -> dict[str, Any]:
    """What everybody is asked, its messages as sentences."""
    sentences: dict[str, Any] = {
        name: [speaker.text(one["message"], one["facts"]) for one in proposal[name]]
        for name in ("crossings", "steps") if name in proposal
    }
    if "undone" in proposal:
        rules = speaker.table.session.rules
        sentences["told"] = told_records(speaker, proposal["undone"], None)
        sentences["instead"] = [speaker.prompter.event(rules, rules.parse(text)) for text in proposal["instead"]]
    return {**proposal, **sentences}


def message(kind: str, data: str, number: str = "") -> str:
    """One server-sent event; `data` is one line."""
    head = f"id: {number}\n" if number else ""
    return f"{head}event: {kind}\ndata: {data}\n\n"


@dataclass(frozen=True, slots=True)
class Watcher:
    """Whose stream it is: the client, its address and language, and whether it still has its role."""

    client: Client
    sender: str
    language: str
    still: Callable[[], bool]


def events(broadcast: Broadcast, watcher: Watcher, last_id: str) -> Iterator[str]:
    """The stream of one client from after `last_id` ("session:number", "" for from now on) until the table closes or
    the role is taken away."""
    yield f"retry: {RETRY_MS}\n\n"
    table = broadcast.host.table
    if table is None:
        yield message("state", json.dumps({"session": None}))
        yield from _until_a_table(broadcast, watcher)
    else:
        yield from _table_events(broadcast, table, watcher, last_id)


def _until_a_table(broadcast: Broadcast, watcher: Watcher) -> Iterator[str]:
    wait = threading.Event()
    turn, told = 0, ""
    while broadcast.host.table is None and not broadcast.host.ended and watcher.still():
        devices = broadcast.devices_text(watcher.language, watcher.client)
        if devices != told:
            told = devices
            yield message("devices", devices)
        elif turn % HEARTBEAT_TURNS == 0:
            yield message("here", "{}")
        turn += 1
        wait.wait(WAIT_S)
    if broadcast.host.table is not None or not watcher.still():
        yield message("moved", "{}")


def _table_events(broadcast: Broadcast, table: OpenTable, watcher: Watcher, last_id: str) -> Iterator[str]:
    session, client, language = table.session, watcher.client, watcher.language
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
        update = subscription.get(WAIT_S, nudged=True)
        if not watcher.still():
            yield message("moved", "{}")
            return
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
        devices = broadcast.devices_text(language, client)
        if devices != told:
            told, sent = devices, True
            yield message("devices", devices)
        silent = 0 if sent else silent + 1
        if silent >= HEARTBEAT_TURNS:
            silent = 0
            yield message("here", "{}")
    # Another game was begun: pages load anew. When the companion ends, they wait for it to come back.
    if broadcast.host.table is not table:
        yield message("moved", "{}")
