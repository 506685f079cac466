"""A game being played: the only writer of its record, one thread that owns the state and answers commands.

Any thread may `submit` a command (a bounded queue: when it is full the answer is BUSY at once), look at `snapshot`,
or follow the updates. Whatever is accepted is in the store, on the disk, before anyone is told.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from companion.core.digest import digest
from companion.core.errors import CompanionError
from companion.core.events import Cause, CauseKind, LogRecord, RecordKind
from companion.core.game import Rules, State
from companion.core.game_code import game_code, try_state
from companion.core.types import Seat
from companion.table import planning
from companion.table.commands import CLOCK_OFF, Answer, Command, DrawSource, Note, Outcome, Play, Prove, UndoPlan
from companion.table.ledger import Held, Ledger, Moment, now_ms
from companion.table.planning import Planned, Position
from companion.table.record.history import HistoryStep
from companion.table.record.records import FIRST_HASH, SessionHeader, check_chain, check_time, seal, setup_body
from companion.table.record.store import SessionWriter, Store
from companion.table.record.thinking import Span, Thinking
from companion.table.record.trouble import StoreError
from companion.table.record.updates import Stream, Subscription, Update

QUEUE_SIZE = 64
"""Commands that may wait. A table makes a few a minute; more waiting means something is stuck, so more are refused."""

MINUTE_MS = 60_000
LOOK_S = 2.0
"""While nobody asks anything, so often is it looked whether the record can still be written."""

MOVED_ON = "the table has moved on: look again before you decide"
BUSY = "the table is busy: try again"

_CHAINED = Cause(CauseKind.SYSTEM)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Automatic(Command):
    """Whether the bag makes every draw as soon as it is due. Not recorded: each draw says that it was the bag's."""

    on: bool


class Session:
    """One session, open for playing. Make it with `create` or `resume`; `close` it, or use `with`."""

    def __init__(
        self,
        store: Store,
        writer: SessionWriter,
        header: SessionHeader,
        rules: Rules,
        records: Iterable[LogRecord],
        *,
        clock_ms: Callable[[], int] = now_ms,
        bag: DrawSource | None = None,
        queue_size: int = QUEUE_SIZE,
    ) -> None:
        """For `create` and `resume`."""
        self.header = header
        self.rules = rules
        self.bag = bag
        self._auto_draw = False
        self._store = store
        self._ledger = Ledger(header, rules, writer, records, clock_ms)
        self._stream = Stream(self.number, self._read_updates)
        self._queue: queue.Queue[tuple[Command, Future[Answer]] | None] = queue.Queue(queue_size)
        self._ending = threading.Lock()
        self._ended = False
        self._thread = threading.Thread(target=self._run, name=f"session {header.session}", daemon=True)
        self._thread.start()

    @classmethod
    def create(cls, store: Store, header: SessionHeader, rules: Rules, **options: Any) -> Session:
        """Begin a session: its first record is the set-up. `options` as of `Session`.

        Raises DataError when the store has a session of that name, StoreError when it cannot be written, GameCodeError
        when the game's code fails at its first state.
        """
        with game_code():
            rules.layout()
            rules.faces()
            first_state = rules.initial()
            try_state(rules, first_state)
        clock_ms: Callable[[], int] = options.get("clock_ms", now_ms)
        first = seal(
            session=header.session,
            number=1,
            time_ms=check_time(clock_ms()),
            cause=Cause(CauseKind.OPERATOR),
            kind=RecordKind.SETUP,
            body=setup_body(header),
            before="",
            after=digest(rules.dump(first_state)),
            previous_hash=FIRST_HASH,
        )
        store.add(header, [first])
        return cls(store, store.writer(header.session), header, rules, [first], **options)

    @classmethod
    def resume(cls, store: Store, session: str, rules: Rules, **options: Any) -> Session:
        """Go on with a session where its record ends. `options` as of `Session`.

        Raises WriterTakenError when another program plays it, RecordError when the record is damaged or these rules
        do not lead to the state it ends with.
        """
        writer = store.writer(session)
        try:
            header = store.session(session).header
            return cls(store, writer, header, rules, check_chain(header, store.records(session)), **options)
        except BaseException:
            writer.close()
            raise

    # -- for any thread ------------------------------------------------------------------------------------------

    def submit(self, command: Command) -> Future[Answer]:
        """Queue a command; the future gives its Answer, or raises StoreError when the store or the bag failed.

        After a StoreError the same command may be sent again with the same key: it is applied at most once.
        """
        future: Future[Answer] = Future()
        with self._ending:
            if self._ended:
                future.set_exception(StoreError("the session has ended", where=f"session {self.header.session}"))
                return future
            try:
                self._queue.put_nowait((command, future))
            except queue.Full:
                future.set_result(Answer(Outcome.BUSY, message=BUSY))
        return future

    def ask(self, command: Command, timeout_s: float = 30.0) -> Answer:
        """Submit a command and wait for its answer. Raises as `submit`'s future, TimeoutError after `timeout_s`."""
        return self.submit(command).result(timeout_s)

    def subscribe(self, after: int | None = None) -> Subscription:
        """Follow the updates after record `after` (None: from now on; 0: from the beginning)."""
        return Subscription(self._stream, self.number if after is None else after)

    def nudge(self) -> None:
        """Wake those who follow and look at more than the record: a device has changed. From any thread."""
        self._stream.nudge()

    def draw_automatically(self, on: bool = True) -> Future[Answer]:
        """Let the bag make every draw as soon as it is due, from now on (or no longer)."""
        return self.submit(_Automatic(on=on))

    @property
    def draws_automatically(self) -> bool:
        """Whether the bag makes every draw as soon as it is due."""
        return self._auto_draw

    @property
    def moment(self) -> Moment:
        """What holds now."""
        return self._ledger.moment

    @property
    def number(self) -> int:
        """The number of the last record."""
        return self._ledger.moment.number

    @property
    def state(self) -> State:
        """The game's present state, secrets included: not for pages (see `snapshot`)."""
        return self._ledger.moment.state

    def state_after(self, number: int) -> State:
        """The state after record `number`, secrets included. Raises ValueError when there is no such record."""
        with self._ledger.lock:
            return self._ledger.history.state_after(number)

    def line(self, after: int = 1) -> tuple[HistoryStep, ...]:
        """The steps in force after record `after` (which must be in force itself), in order, undone ones left out."""
        with self._ledger.lock:
            return self._ledger.history.line(after)

    def cause(self, number: int) -> Cause:
        """Why record `number` was written. Raises IndexError when there is no such record."""
        return next(iter(self._store.records(self.header.session, number, number))).cause

    def spans(self) -> tuple[Span, ...]:
        """Who was waited for from each record on."""
        with self._ledger.lock:
            return tuple(self._ledger.spans)

    def before(self, number: int) -> int:
        """The record whose state held just before the event of record `number`."""
        with self._ledger.lock:
            return self._ledger.history.before(number)

    def undo_plan(self, to: int | None = None, by: Seat | None = None) -> UndoPlan | Answer:
        """What an `Undo` with the same `to` and `by` would mean; an Answer when it is not possible."""
        with self._ledger.lock:
            return planning.undo_plan(to, by, self._position())

    def snapshot(self, viewer: Seat | None) -> dict[str, Any]:
        """Everything `viewer` (None: a spectator) may know now, as JSON: the rules' view and the session's own."""
        moment = self._ledger.moment
        rules, state = self.rules, moment.state
        setup = self.header.setup
        return {
            "session": self.header.session,
            "game": setup.game,
            "number": moment.number,
            "seats": [
                {"seat": Seat(i).name, "name": seat.name, "colour": seat.colour} for i, seat in enumerate(setup.seats)
            ],
            "to_act": [seat.name for seat in rules.to_act(state)],
            "draw_due": bool(rules.chance_outcomes(state)),
            "over": rules.result(state) is not None,
            "paused": moment.mood.paused,
            "clock": clock_json(moment.mood.clock, moment.thinking),
            "alerts": [{"id": key, **data} for key, data in moment.mood.alerts],
            "trouble": moment.trouble,
            "view": rules.view(state, viewer),
        }

    def close(self) -> None:
        """Answer what is queued, end the thread and let another writer in. May be called twice."""
        with self._ending:
            if self._ended:
                return
            self._ended = True
        self._queue.put(None)
        self._thread.join()
        self._stream.close()
        self._ledger.writer.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # -- the session's own thread --------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            try:
                item = self._queue.get(timeout=LOOK_S)
            except queue.Empty:
                self._ledger.look()
                continue
            if item is None:
                return
            command, future = item
            if not future.set_running_or_notify_cancel():
                continue
            try:
                answer = self._handle(command)
            except Exception as error:  # noqa: BLE001 - whoever asked gets it; the table goes on
                future.set_exception(error)
            else:
                future.set_result(answer)

    def _handle(self, command: Command) -> Answer:
        self._settle()
        if isinstance(command, _Automatic):
            self._auto_draw = command.on
            return Answer(Outcome.ACCEPTED, self._draw_on())
        known = self._ledger.memory.answer(command.key)
        if known is not None:
            return known
        if self._moved_on(command):
            return self._refuse(command, Answer(Outcome.STALE, message=MOVED_ON))
        with self._ledger.lock:
            plan = planning.plan(command, self._position())
        if isinstance(plan, Answer):
            return self._refuse(command, plan)
        planned, steps = plan
        numbers = self._accept(planned, command.key)
        self._draw_on()
        return Answer(Outcome.ACCEPTED, numbers, steps=steps)

    def _refuse(self, command: Command, answer: Answer) -> Answer:
        self._ledger.memory.refuse(command.key, answer)
        return answer

    def _position(self) -> Position:
        memory, history = self._ledger.memory, self._ledger.history
        return Position(self.header.session, self.rules, history, memory.draws, memory.mood.paused, self.bag)

    def _moved_on(self, command: Command) -> bool:
        """Whether something happened since what the sender saw that concerns what they ask."""
        seen = command.expected
        if seen is None or seen == self.number:
            return False
        missed = self._stream.recent(seen)
        if seen > self.number or missed is None:
            return True
        changed = [u for u in missed if u.kind not in (RecordKind.NOTE, RecordKind.PROOF)]
        if isinstance(command, Note | Prove) or not changed:
            return False
        return not (isinstance(command, Play) and self._beside(command.by, changed))

    def _beside(self, seat: Seat | None, changed: list[Update]) -> bool:
        """Whether all that changed were other seats' acts in a phase that `seat` plays at the same time as they."""
        if seat is None:
            return False
        for update in changed:
            if update.event is None or update.seat in (None, seat):
                return False
            for number in (self._ledger.history.before(update.number), update.number):
                if seat not in self.rules.to_act(self._ledger.history.state_after(number)):
                    return False
        return True

    def _accept(self, planned: tuple[Planned, ...], key: str) -> tuple[int, ...]:
        """Write the planned records, make them hold, notify the followers."""
        held = self._ledger.accept(planned, key)
        self._tell(held)
        return tuple(record.number for record in held.records)

    def _settle(self) -> None:
        """After a failed write: find out what came of it."""
        held = self._ledger.settle()
        if held.records:
            self._tell(held)
            self._draw_on()

    def _tell(self, held: Held) -> None:
        self._stream.publish([self._ledger.update(record) for record in held.records], held.disclosed)

    def _draw_on(self) -> tuple[int, ...]:
        """Let the bag make the draws that are due. What goes wrong is shown as trouble and tried again later."""
        numbers: tuple[int, ...] = ()
        while self._auto_draw and self.bag is not None and not self._ledger.memory.mood.paused:
            try:
                with game_code():
                    plan = planning.plan_draw(_CHAINED, self._position())
                if isinstance(plan, Answer):
                    break
                numbers += self._accept(plan[0], "")
            except CompanionError as error:
                self._ledger.in_trouble(error.said)
                break
        return numbers

    def _read_updates(self, start: int, stop: int) -> Iterator[Update]:
        for record in self._store.records(self.header.session, start, stop):
            yield self._ledger.update(record)


def clock_json(mode: str, thinking: Thinking) -> dict[str, Any] | None:
    """The players' clocks as JSON: ms used up to `since_ms`, whose run on from then, the limit if there is one."""
    if mode == CLOCK_OFF:
        return None
    return {
        "limit_ms": int(mode) * MINUTE_MS if mode.isdigit() else None,
        "used_ms": {seat.name: used for seat, used in thinking.used_ms.items()},
        "running": [seat.name for seat in thinking.running],
        "since_ms": thinking.since_ms,
    }
