"""Which sessions a table delivers and how far each is: the store is the truth, the hub's head says where to go on."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from companion.app.hall.join_file import JoinFile
from companion.core.digest import canonical_json
from companion.core.errors import CompanionError
from companion.core.game import GameSpec, Rules
from companion.core.messages import Message
from companion.hub.delivery.protocol import (
    BATCH_BYTES,
    BATCH_RECORDS,
    SEAL,
    SEAL_BYTES,
    Batch,
    Head,
    Opening,
    Sent,
    batch_to_json,
    line_of,
)
from companion.hub.delivery.sealing import Sealer
from companion.table.record.records import SessionHeader, setup_to_json
from companion.table.record.store import Store

LOOK_MS = 10_000
"""So often it is looked whether the store has other sessions that are to be delivered."""
REFUSED_MS = 20_000
"""A refused session is tried again after so long: the organiser may have decided."""
AHEAD = Message(
    "the hub has records of this session that this machine has not: go on with the newer copy, or let the organiser"
    " take this one"
)


@dataclass(slots=True)
class _Course:
    """One session on its way. `head` is None until the hub has said how far it is."""

    header: SessionHeader
    sealer: Sealer
    stored: int = 0
    head: Head | None = None
    sent: list[Sent] = field(default_factory=list)  # taken in and not known to be at the hub
    refused: str = ""
    again_ms: int = 0


class Deliveries:
    """For one thread, but `waiting`, `complete` and `refusals` may be asked from any."""

    def __init__(
        self, store: Store, joins: JoinFile, rules_of: Callable[[SessionHeader], tuple[GameSpec, Rules]],
        clock_ms: Callable[[], int],
    ) -> None:
        self._store, self._joins, self._rules_of, self._clock_ms = store, joins, rules_of, clock_ms
        self._courses: dict[str, _Course] = {}
        self._first = ""  # the session being played goes before the others
        self._looked_ms = -LOOK_MS
        self._unreadable: set[str] = set()

    def include(self, session: str) -> None:
        """This session is being played: it is delivered from now on, whenever it was begun."""
        if session != self._first:
            self._joins.add(session)
            self._add(session)
            self._first = session

    def due(self) -> dict[str, Any] | None:
        """The next batch as JSON, of the session being played first; None when the hub has everything that may go."""
        now = self._clock_ms()
        if now - self._looked_ms >= LOOK_MS:
            self._looked_ms = now
            self._look()
        for name in sorted(self._courses, key=lambda name: name != self._first):
            course = self._courses[name]
            if now < course.again_ms:
                continue
            batch = self._next(course)
            if batch is not None:
                return batch_to_json(batch)
            if name != self._first:
                course.again_ms = now + LOOK_MS
        return None

    def answered(self, session: str, head: Head) -> None:
        """The hub's head after a batch of a session."""
        self._courses[session].head = head
        self._courses[session].refused = ""

    def refused(self, session: str, why: str, now_ms: int) -> None:
        """The hub takes nothing of a session until somebody has decided."""
        course = self._courses[session]
        course.refused, course.again_ms, course.head = why, now_ms + REFUSED_MS, None

    def waiting(self) -> int:
        """How many records the hub has not got yet."""
        return sum(
            max(0, course.stored - (0 if course.head is None else course.head.number))
            for course in list(self._courses.values())
        )

    def complete(self) -> bool:
        """Whether the hub has all of every session that was looked at, and has opened what may be."""
        return bool(self._courses) and all(
            course.head is not None and course.head.number == course.stored == course.sealer.number
            and course.head.opened == course.sealer.openable for course in list(self._courses.values())
        )

    def refusals(self) -> dict[str, str]:
        """What the hub refuses: session -> why."""
        return {name: course.refused for name, course in list(self._courses.items()) if course.refused}

    def _refuse(self, course: _Course, why: str) -> None:
        self.refused(course.header.session, str(why), self._clock_ms())

    def _look(self) -> None:
        joined = self._joins.read()
        if joined is None:
            return
        for name in self._store.names():
            if name in self._courses or name in self._unreadable:
                continue
            try:
                begun_ms = self._store.session(name).header.created_ms
                if name in joined.sessions or begun_ms >= joined.joined_ms:
                    self._add(name)
            except CompanionError:
                self._unreadable.add(name)  # damaged, or of a game that is not here: it is told of where it is opened

    def _add(self, session: str) -> None:
        if session not in self._courses:
            header = self._store.session(session).header
            self._courses[session] = _Course(header, self._sealer(header))

    def _sealer(self, header: SessionHeader) -> Sealer:
        seal = self._store.kept(SEAL.format(session=header.session), secrets.token_hex(SEAL_BYTES))
        assert seal is not None
        return Sealer(self._rules_of(header)[1], bytes.fromhex(seal))

    def _next(self, course: _Course) -> Batch | None:
        """The next batch of a session; None when there is none, or its past is not the hub's."""
        head = course.head
        course.stored = self._store.session(course.header.session).records
        if head is None:
            self._catch_up(course, 0)
            return self._of(course, 0, (), ())  # asks how far the hub is
        if head.number > course.stored:
            self._refuse(course, AHEAD)
            return None
        course.sent = [one for one in course.sent if one.number > head.number]
        expected = course.sent[0].number - 1 if course.sent else course.sealer.number
        if head.number < expected:  # the hub was set back to an earlier day: the record is read anew
            course.sealer, course.sent = self._sealer(course.header), []
        self._catch_up(course, head.number)
        if course.sealer.links[head.number] != head.link:
            return self._of(course, head.number, (), ())  # the hub sees that the past is another, and says so
        sent = _fitting(course.sent)
        last = sent[-1].number if sent else head.number
        openings = self._openings(
            course, head.opened + 1, min(course.sealer.openable, last, head.opened + BATCH_RECORDS)
        )
        return self._of(course, head.number, sent, openings) if sent or openings else None

    def _catch_up(self, course: _Course, known: int) -> None:
        """Take in what the store has beyond what was taken in, as far as one batch after `known` needs."""
        sealer = course.sealer
        stop = min(course.stored, max(sealer.number, known) + BATCH_RECORDS)
        if sealer.number < stop and len(course.sent) < BATCH_RECORDS:
            for record in self._store.records(course.header.session, sealer.number + 1, stop):
                sent = sealer.take(record)
                if sent.number > known:
                    course.sent.append(sent)

    def _of(
        self, course: _Course, after: int, sent: tuple[Sent, ...], openings: tuple[Opening, ...]
    ) -> Batch:
        header, sealer = course.header, course.sealer
        last = after + len(sent)
        text = canonical_json({"setup": setup_to_json(header.setup), "catalogue": header.catalogue_text,
                               "created_ms": header.created_ms})
        return Batch(header.session, sealer.origin, text, after, sealer.links[after], sent, openings,
                     sealer.over and last == sealer.number)

    def _openings(self, course: _Course, first: int, last: int) -> tuple[Opening, ...]:
        if last < first:
            return ()
        found: list[Opening] = []
        size = 0
        for record in self._store.records(course.header.session, first, last):
            found.append(Opening(record.number, course.sealer.salt(record.number), line_of(record)))
            size += len(found[-1].line)
            if size >= BATCH_BYTES:
                break
        return tuple(found)


def _fitting(sent: list[Sent]) -> tuple[Sent, ...]:
    """As many of the first records as go into a batch: one at least."""
    size = 0
    for count, one in enumerate(sent[:BATCH_RECORDS], start=1):
        size += len(canonical_json(dict(one.told)))
        if size >= BATCH_BYTES:
            return tuple(sent[:count])
    return tuple(sent[:BATCH_RECORDS])
