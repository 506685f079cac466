"""Rehearses games with the digital bag in memory: random play, undos, and power cuts between any two steps.

The bag, the record's format and the verifier are the real ones; only the disk is a list. The bench and the tests
use it to show that no draw is ever changed, repeated or skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from companion.core.digest import canonical_json, digest
from companion.core.errors import DataError
from companion.core.events import Cause, CauseKind, LogRecord, RecordKind
from companion.core.game import Rules, State
from companion.core.types import Seat
from companion.draws import generator
from companion.draws.bag import DigitalBag
from companion.draws.ceremony import How, Phase
from companion.draws.lines import read_export
from companion.draws.verify import Report, verify
from companion.table.record.records import (
    FIRST_HASH,
    SessionHeader,
    header_to_json,
    record_to_json,
    seal,
    setup_body,
)


class PowerCutError(Exception):
    """The rehearsed machine lost its power: whatever is not in the record or a secret's store is gone."""


@dataclass(slots=True)
class Power:
    """Cuts the power with chance `p` at each step."""

    rng: Random
    p: float
    cuts: int = 0

    def step(self) -> None:
        """A place where the power may go."""
        if self.p and self.rng.random() < self.p:
            self.cuts += 1
            raise PowerCutError


@dataclass(slots=True)
class KeptSecrets:
    """Secrets that survive power cuts; made from the rehearsal's own generator, so that a run can be repeated."""

    rng: Random
    power: Power
    kept: dict[tuple[str, int], bytes] = field(default_factory=dict)

    def make(self, session: str, bag: int) -> bytes:
        """As `companion.draws.bag.Secrets`."""
        self.power.step()
        if (session, bag) not in self.kept:
            self.kept[session, bag] = self.rng.randbytes(generator.SECRET_BYTES)
        self.power.step()
        return self.kept[session, bag]

    def read(self, session: str, bag: int) -> bytes:
        """As `companion.draws.bag.Secrets`."""
        if (session, bag) not in self.kept:
            raise DataError(f"no secret of bag {bag}")
        return self.kept[session, bag]

    def forget(self, session: str, bag: int) -> None:
        """As `companion.draws.bag.Secrets`."""
        self.kept.pop((session, bag), None)


class Journal:
    """The record of one rehearsed session: what it holds survives every power cut."""

    def __init__(self, header: SessionHeader, rules: Rules, power: Power) -> None:
        self.header = header
        self.rules = rules
        self.records: list[LogRecord] = []
        self.states: list[State] = []
        self.in_force: list[int] = []  # numbers of the records that no undo has gone back over
        self._power = power
        self._append(RecordKind.SETUP, Cause(CauseKind.OPERATOR), setup_body(header), rules.initial())

    @property
    def state(self) -> State:
        """The state that holds now."""
        return self.states[-1]

    def after(self, number: int) -> Iterable[LogRecord]:
        """The records with numbers above `number`."""
        return self.records[number:]

    def write(self, kind: RecordKind, cause: Cause, body: dict[str, Any], state: State) -> None:
        """Append a record; the power may go before or after it, never within."""
        self._power.step()
        self._append(kind, cause, body, state)
        self._power.step()

    def export(self) -> bytes:
        """The export of the session, as `companion export` writes it."""
        rows = [header_to_json(self.header, len(self.records), self.records[-1].hash)]
        rows += [record_to_json(record) for record in self.records]
        return "".join(canonical_json(row) + "\n" for row in rows).encode("utf-8")

    def _append(self, kind: RecordKind, cause: Cause, body: dict[str, Any], state: State) -> None:
        last = self.records[-1] if self.records else None
        changed = last is None or state is not self.state
        self.records.append(
            seal(
                session=self.header.session,
                number=len(self.records) + 1,
                time_ms=self.header.created_ms + 1000 * len(self.records),
                cause=cause,
                kind=kind,
                body=body,
                before=last.after if last else "",
                after=digest(self.rules.dump(state)) if changed or last is None else last.after,
                previous_hash=last.hash if last else FIRST_HASH,
            )
        )
        self.states.append(state)
        if kind is RecordKind.UNDO:
            self.in_force = [number for number in self.in_force if number <= body["to"]]
        self.in_force.append(len(self.records))


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """One rehearsed game: its export, what the table was shown of each draw number, and how often the power went."""

    export: bytes
    shown: dict[int, str]
    cuts: int

    def verify(self, rules: Rules) -> Report:
        """The verifier's report. Raises RecordError when the record does not hold."""
        return verify(read_export(self.export), rules)


@dataclass(frozen=True, slots=True)
class DrawContext:
    """What a session tells the bag of a draw."""

    draw: int
    texts: tuple[str, ...]


@dataclass(slots=True)
class Rehearsal:
    """Plays one game at random. `undo_p`: chance of an undo after an act; `physical_p`: of a draw by hand."""

    journal: Journal
    rng: Random
    power: Power
    undo_p: float = 0.03
    physical_p: float = 0.0
    max_acts: int = 10_000
    shown: dict[int, str] = field(default_factory=dict)

    def run(self) -> Rehearsed:
        """Play to the end through every power cut. Raises AssertionError when the record tells a draw otherwise."""
        keeper = KeptSecrets(Random(self.rng.random()), self.power)
        over = False
        while not over:
            bag = DigitalBag(self.journal.header.session, keeper, self.journal.after)
            try:
                over = self._play(bag)
            except PowerCutError:
                continue
        recorded = dict(self._recorded_draws())
        changed = {number for number, text in self.shown.items() if recorded[number] != text}
        assert not changed, f"draws {changed} are in the record otherwise than they were shown"
        return Rehearsed(self.journal.export(), self.shown, self.power.cuts)

    def _recorded_draws(self) -> Iterator[tuple[int, str]]:
        for record in self.journal.records:
            if record.cause.kind is CauseKind.DRAW:
                yield dict(record.cause.detail)["proof"]["number"], dict(record.body)["text"]

    def _play(self, bag: DigitalBag) -> bool:
        while bag.ceremony.phase is not Phase.SEALED:
            if bag.ceremony.phase is Phase.REVEALED:
                return True
            self._prove(self._filling_step(bag))
        rules = self.journal.rules
        while rules.result(self.journal.state) is None and len(self.journal.records) < self.max_acts:
            self._act(bag)
        self._prove(bag.reveal)
        return True

    def _act(self, bag: DigitalBag) -> None:
        rules, state = self.journal.rules, self.journal.state
        outcomes = rules.chance_outcomes(state)
        if not outcomes:
            self._move(rules, state)
            return
        texts = tuple(rules.format(outcome.draw) for outcome in outcomes)
        if self.rng.random() < self.physical_p:
            index, cause = self.rng.randrange(len(outcomes)), Cause(CauseKind.OPERATOR)
        else:
            number = sum(1 for _ in self._recorded_draws()) + 1
            index, proof = bag.draw(outcomes, DrawContext(number, texts))
            cause = Cause(CauseKind.DRAW, (("draw", number), ("proof", proof)))
        after = rules.apply(state, outcomes[index].draw)
        self.journal.write(RecordKind.EVENT, cause, {"text": texts[index]}, after)
        if cause.kind is CauseKind.DRAW:
            self._show(number, texts[index])

    def _move(self, rules: Rules, state: State) -> None:
        if len(self.journal.in_force) > 20 and self.rng.random() < self.undo_p:
            to = self.rng.choice(self.journal.in_force[-8:-1])
            self.journal.write(RecordKind.UNDO, Cause(CauseKind.OPERATOR), {"to": to}, self.journal.states[to - 1])
            return
        action = self.rng.choice(rules.legal_actions(state))
        cause = Cause(CauseKind.SEAT, (("seat", action.seat.name),))
        self.journal.write(RecordKind.EVENT, cause, {"text": rules.format(action)}, rules.apply(state, action))

    def _show(self, number: int, text: str) -> None:
        assert number not in self.shown, f"draw {number} was shown twice"
        self.shown[number] = text

    def _prove(self, prepare: Callable[[], dict[str, Any]]) -> None:
        self.journal.write(RecordKind.PROOF, Cause(CauseKind.SYSTEM), prepare(), self.journal.state)

    def _filling_step(self, bag: DigitalBag) -> Callable[[], dict[str, Any]]:
        """The next step: seat A adds dice, every other seat seals a phrase and opens it after the close."""
        ceremony = bag.ceremony
        seats = [Seat(i) for i in range(len(self.journal.header.setup.seats))]
        done = {step["seat"] for step in ceremony.steps if "seat" in step}
        if ceremony.phase is Phase.NONE:
            return bag.commit
        if ceremony.phase is Phase.GATHERING:
            missing = [seat for seat in seats if seat.name not in done]
            if not missing:
                return bag.close
            if missing[0] is Seat.A:
                thrown = Random(ceremony.commitment)  # the same again when the power went before they were recorded
                dice = " ".join(str(thrown.randint(1, 6)) for _ in range(10))
                return lambda: bag.add(Seat.A, How.DICE, dice)
            return lambda: bag.promise(missing[0], self._promised(ceremony.commitment, missing[0]))
        if ceremony.promises:
            seat = Seat[ceremony.promises[0][0]]
            return lambda: bag.open(seat, How.PHRASE, *self._phrase(seat))
        return bag.seal

    def _promised(self, commitment: str, seat: Seat) -> str:
        phrase, salt = self._phrase(seat)
        return generator.promise(self.journal.header.session, commitment, seat.name, How.PHRASE.value, phrase, salt)

    def _phrase(self, seat: Seat) -> tuple[str, str]:
        """What the seat wrote on paper: the same before and after a power cut."""
        own = Random(f"{self.journal.header.session} {seat.name}")
        return f"zmrzlina {own.randrange(10**6)}", own.randbytes(16).hex()
