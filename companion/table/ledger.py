"""What a session has accepted: its record, the states it leads to, what is public of it; written first, then held."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from companion.core.digest import digest
from companion.core.errors import CompanionError, RecordError
from companion.core.events import LogRecord, RecordKind
from companion.core.game import Rules, State
from companion.core.game_code import game_code
from companion.table.planning import Planned
from companion.table.record.disclosure import Disclosure
from companion.table.record.history import History
from companion.table.record.memory import Memory, Mood
from companion.table.record.records import SessionHeader, check_time, seal
from companion.table.record.store import SessionWriter
from companion.table.record.thinking import NOTHING_YET, Span, Thinking
from companion.table.record.updates import Update, update_of
from companion.table.turn_flow import awaited_seats


def now_ms() -> int:
    """Unix milliseconds of this machine's clock."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Moment:
    """What holds after record `number`; replaced as a whole, so that any thread reads one consistent value."""

    number: int
    state: State
    mood: Mood
    thinking: Thinking = NOTHING_YET
    trouble: str = ""  # why the last thing could not be saved or drawn; empty when all is well


@dataclass(frozen=True, slots=True)
class Held:
    """Records that hold from now on, and the earlier ones whose secret they made public."""

    records: tuple[LogRecord, ...] = ()
    disclosed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Unsure:
    """Records whose writing failed half-way: whether they are in the store must be looked up."""

    records: tuple[LogRecord, ...]
    planned: tuple[Planned, ...]


class Ledger:
    """One session's record and what follows from it. Written to by the session's thread only.

    Other threads may read `moment`, and `history` while they hold `lock`.
    """

    def __init__(
        self, header: SessionHeader, rules: Rules, writer: SessionWriter, records: Iterable[LogRecord],
        clock_ms: Callable[[], int],
    ) -> None:
        """Raises RecordError when the rules do not lead to the state that the records end with."""
        self.header, self.rules, self.writer = header, rules, writer
        self._clock_ms = clock_ms
        self.lock = threading.RLock()
        self.history = History(rules)
        self.memory = Memory()
        self._disclosure = Disclosure(rules)
        self._unsure: _Unsure | None = None
        self.spans: list[Span] = []  # one for each record
        self._seen = ""  # the trouble that was found while nothing happened
        self.moment = Moment(1, self.history.state, self.memory.mood)
        self._load(records)

    def update(self, record: LogRecord) -> Update:
        """The update for `record`, as secret as it is now."""
        return update_of(record, self.rules, public=record.number in self._disclosure.public)

    def accept(self, planned: tuple[Planned, ...], key: str) -> Held:
        """Write the planned records, then let them hold.

        Raises what the store raises; then `settle` must be asked before anything else is accepted.
        """
        now = check_time(self._clock_ms())
        records = []
        number, previous = self.moment.number, self.memory.head_hash
        before = self.memory.digest
        for item in planned:
            number += 1
            detail = dict(item.cause.detail) | ({"key": key} if key else {})
            record = seal(
                session=self.header.session,
                number=number,
                time_ms=now,
                cause=replace(item.cause, detail=tuple(detail.items())),
                kind=item.kind,
                body=item.body,
                before=before,
                after=before if item.state is None else digest(self.rules.dump(item.state)),
                previous_hash=previous,
            )
            records.append(record)
            before, previous = record.after, record.hash
        unsure = _Unsure(tuple(records), planned)
        try:
            self.writer.append(*records)
        except CompanionError as error:
            self._unsure = unsure
            self.in_trouble(error.said)
            raise
        return self._let_hold(unsure)

    def settle(self) -> Held:
        """After a failed write: find out whether the records are in the store, and let them hold if they are.

        Raises RecordError when another program wrote to the session.
        """
        if self._unsure is None:
            return Held()
        unsure = self._unsure
        self.writer.check()
        number, last_hash = self.writer.head()
        if last_hash == unsure.records[-1].hash:
            self._unsure = None
            return self._let_hold(unsure)
        if (number, last_hash) == (self.moment.number, self.memory.head_hash):
            self._unsure = None
            self.in_trouble("")
            return Held()
        raise RecordError(
            f"the record ends with number {number}, this session knows {self.moment.number}",
            where=f"session {self.header.session}",
            remedy="Another program wrote to it: end this one and open the session again.",
        )

    def look(self) -> None:
        """Whether the record could be written now; what keeps it from that is shown until it is over."""
        try:
            self.writer.check()
        except CompanionError as error:
            self._seen = error.said
            self.in_trouble(self._seen)
        else:
            if self._seen and self.moment.trouble == self._seen:
                self.in_trouble("")
            self._seen = ""

    def in_trouble(self, why: str) -> None:
        """Show why something could not be saved or drawn; "" when all is well again."""
        self.moment = replace(self.moment, trouble=why)

    def _let_hold(self, written: _Unsure) -> Held:
        disclosed: tuple[int, ...] = ()
        with self.lock:
            for record, item in zip(written.records, written.planned, strict=True):
                if item.kind is RecordKind.EVENT:
                    assert item.event is not None
                    disclosed += self._disclosure.take(record.number, item.event, self.history.state)
                    self.history.event(item.event, item.state)
                elif item.kind is RecordKind.UNDO:
                    self.history.undo(dict(record.body)["to"])
                elif item.kind is RecordKind.OVERRULE:
                    self.history.overrule(item.state)
                else:
                    self.history.same()
                self._take(record)
        return Held(written.records, disclosed)

    def _take(self, record: LogRecord) -> None:
        """The record holds from now on."""
        if record.kind in (RecordKind.UNDO, RecordKind.OVERRULE):
            self._disclosure.went_elsewhere(self.history.line())
        self.memory.take(record)
        state, mood = self.history.state, self.memory.mood
        over = mood.paused or self.rules.result(state) is not None
        span = (record.time_ms, () if over else awaited_seats(self.rules, state))
        self.spans.append(span)
        self.moment = Moment(record.number, state, mood, self.moment.thinking.after(span))

    def _load(self, records: Iterable[LogRecord]) -> None:
        for record in records:
            if record.number > 1:
                before = self.history.state
                try:
                    with game_code():
                        self.history.follow(record)
                        if record.kind is RecordKind.EVENT:
                            event = self.rules.parse(dict(record.body)["text"])
                            self._disclosure.take(record.number, event, before)
                except (ValueError, KeyError, TypeError, CompanionError) as error:
                    raise self._does_not_fit(record, str(error)) from error
            self._take(record)
        got = digest(self.rules.dump(self.history.state))
        if got != self.memory.digest:
            raise self._does_not_fit(record, f"expected a state of digest {self.memory.digest}, got {got}")

    def _does_not_fit(self, record: LogRecord, why: str) -> RecordError:
        return RecordError(
            f"record {record.number} does not fit these rules: {why}",
            where=f"session {self.header.session}",
            remedy=f"`companion replay {self.header.session}` shows the first difference.",
        )
