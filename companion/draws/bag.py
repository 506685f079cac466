"""The digital bag of a session: prepares the steps and draws that the session records, and follows its records.

Nothing that the bag prepares counts before its record is written: the methods that prepare a step or a draw change
nothing, only the record does. A crash between the two therefore changes no draw: the same number prepared again from
the same urn gives the same outcome, and a number that is in the record is never prepared again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from threading import RLock
from typing import Any, Protocol

from companion.core.digest import digest
from companion.core.errors import CompanionError, DataError, RecordError
from companion.core.events import CauseKind, LogRecord, RecordKind
from companion.core.messages import Message
from companion.core.types import ChanceOutcome, Seat
from companion.draws import generator
from companion.draws.ceremony import Body, Ceremony, How, Phase, ProofStep, StepRefusedError, clean_value, take
from companion.draws.urn import Urn, urn_from_json, urn_of

MOST_OF_A_SEAT = 16
"""Contributions of a seat to one bag, sealed ones included: each is a record that stays for ever, and one is enough."""
NO_DRAW = "0" * 64
"""`previous` of draw 1."""


class Secrets(Protocol):
    """Where the host's secrets are kept; `companion.draws.keeper.SecretFiles` keeps them in files."""

    def make(self, session: str, bag: int) -> bytes:
        """A stored secret of 32 bytes that was never published."""

    def read(self, session: str, bag: int) -> bytes:
        """The stored secret. Raises DataError when there is none."""

    def forget(self, session: str, bag: int) -> None:
        """Remove a secret that has been revealed."""


class DrawContext(Protocol):
    """What the session says of the draw it asks for."""

    @property
    def draw(self) -> int:
        """The number of this draw: one more than the digital draws in the record, undone ones included."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The canonical text of each outcome, in order."""


class DigitalBag:
    """One session's bag, a draw source of the session. Safe for threads.

    `records_after(n)`: the written records of the session with numbers above n, in order. The bag reads on from
    where it was before everything it does, so it needs no telling and resumes by itself.
    """

    def __init__(self, session: str, keeper: Secrets, records_after: Callable[[int], Iterable[LogRecord]]) -> None:
        self.session = session
        self._keeper = keeper
        self._records_after = records_after
        self._lock = RLock()
        self._followed = 0
        self._ceremony = Ceremony(session)
        self._drawn = 0
        self._previous = NO_DRAW
        self._key: tuple[int, bytes] | None = None  # (bag, key) of the sealed bag

    @property
    def ceremony(self) -> Ceremony:
        """The bag in hand, as the record tells it. Raises RecordError when the record does not fit."""
        with self._lock:
            self._catch_up()
            return self._ceremony

    def seen(self) -> tuple[Ceremony, int]:
        """The bag and how many digital draws were made, as far as the record can be read now: for who only looks."""
        with self._lock:
            try:
                self._catch_up()
            except RecordError:
                raise
            except CompanionError:
                pass  # the record's trouble is shown by its session; what was read before holds
            return self._ceremony, self._drawn

    @property
    def drawn(self) -> int:
        """How many digital draws the record holds, undone ones included."""
        with self._lock:
            self._catch_up()
            return self._drawn

    # --- what the session may record next ---

    def commit(self) -> Body:
        """Begin a bag: a stored secret and its commitment. Raises StepRefusedError while another bag is open."""
        ceremony = self.ceremony
        if ceremony.phase not in (Phase.NONE, Phase.REVEALED):
            raise StepRefusedError(f"bag {ceremony.bag} is {ceremony.phase.value}: reveal it first")
        bag = ceremony.bag + 1
        secret = self._keeper.make(self.session, bag)
        return self._prepared(
            ProofStep.COMMIT,
            bag=bag,
            scheme=generator.SCHEME,
            commitment=generator.commitment(self.session, bag, secret),
        )

    def add(self, seat: Seat, how: How, text: str) -> Body:
        """A contribution that the host may see at once. Raises StepRefusedError when it is too late, no text, or the
        seat has added enough."""
        if sum(step.get("seat") == seat.name for step in self.ceremony.steps) >= MOST_OF_A_SEAT:
            enough = "seat {seat} has added {most} times: that is enough for any bag"
            raise StepRefusedError(Message(enough, seat=seat.name, most=MOST_OF_A_SEAT))
        return self._prepared(ProofStep.ADD, seat=seat.name, how=how.value, value=clean_value(how, text))

    def promise(self, seat: Seat, promised: str) -> Body:
        """A sealed contribution: `companion.draws.generator.promise`, computed away from the host."""
        return self._prepared(ProofStep.PROMISE, seat=seat.name, promise=promised)

    def close(self) -> Body:
        """No more contributions; promises may be opened from now on."""
        return self._prepared(ProofStep.CLOSE)

    def open(self, seat: Seat, how: How, value: str, salt: str) -> Body:
        """Open the promise of `seat`. Raises StepRefusedError when it is not what was promised."""
        return self._prepared(ProofStep.OPEN, seat=seat.name, how=how.value, value=value, salt=salt)

    def withhold(self, seat: Seat) -> Body:
        """Go on without the promise of `seat`; the record names the seat for ever."""
        return self._prepared(ProofStep.WITHHOLD, seat=seat.name)

    def seal(self) -> Body:
        """Fix the key of all draws. Raises StepRefusedError while a promise waits."""
        return self._prepared(ProofStep.SEAL, transcript=self.ceremony.expected_transcript())

    def reveal(self) -> Body:
        """Give up the secret, after which this bag draws no more. For the end of the game only."""
        return self._prepared(ProofStep.REVEAL, secret=self._keeper.read(self.session, self.ceremony.bag).hex())

    def draw_from(self, urn: Urn) -> dict[str, Any]:
        """The proof of the next draw: bag, number, urn, pick and the digest of the proof before.

        Raises StepRefusedError when the bag is not sealed, DataError when its secret is lost.
        """
        with self._lock:
            self._catch_up()
            if self._ceremony.phase is not Phase.SEALED:
                raise StepRefusedError(
                    f"{self._ceremony.phase.value}: a digital draw needs a sealed bag",
                    remedy="Draw from the physical bag.",
                )
            number = self._drawn + 1
            return {
                "bag": self._ceremony.bag,
                "number": number,
                "urn": urn.to_json(),
                "pick": urn.pick(generator.uniform(self._bag_key(), self.session, number, urn.total)),
                "previous": self._previous,
            }

    def draw(self, outcomes: Sequence[ChanceOutcome], context: DrawContext) -> tuple[int, dict[str, Any]]:
        """Which of the rules' outcomes is drawn next, and the proof to be recorded with it.

        Raises RecordError when the session counts its draws otherwise than the record does.
        """
        proof = self.draw_from(urn_of(outcomes, context.texts))
        if proof["number"] != context.draw:
            raise RecordError(f"the record holds {proof['number'] - 1} draws, the session asks for draw {context.draw}")
        return proof["pick"], proof

    # --- what the session has recorded ---

    def catch_up(self) -> None:
        """Read what was recorded since. Raises RecordError when the record does not fit this bag."""
        with self._lock:
            self._catch_up()

    def _catch_up(self) -> None:
        for record in self._records_after(self._followed):
            where = f"record {record.number} of session {record.session}"
            try:
                self._follow(record)
            except (StepRefusedError, ValueError, TypeError) as error:
                raise RecordError(str(error), where=where, remedy="The record was altered here.") from error

    def _follow(self, record: LogRecord) -> None:
        if record.number != self._followed + 1:
            raise ValueError(f"expected record {self._followed + 1}, got {record.number}")
        if record.kind is RecordKind.PROOF:
            self._follow_step(dict(record.body))
        elif record.kind is RecordKind.EVENT and record.cause.kind is CauseKind.DRAW:
            self._follow_draw(dict(record.cause.detail).get("proof"), str(dict(record.body).get("text")))
        self._followed = record.number

    def _follow_step(self, body: Body) -> None:
        self._ceremony = take(self._ceremony, body)
        if self._ceremony.phase is Phase.REVEALED:
            self._key = None
            self._keeper.forget(self.session, self._ceremony.bag)

    def _follow_draw(self, proof: object, text: str) -> None:
        if self._ceremony.phase is not Phase.SEALED:
            raise ValueError(f"a draw comes while the bag is {self._ceremony.phase.value}")
        expected = {"bag": self._ceremony.bag, "number": self._drawn + 1, "previous": self._previous}
        check_proof_form(proof, expected, text)
        self._drawn += 1
        self._previous = digest(proof)

    def _prepared(self, step: ProofStep, **facts: Any) -> Body:
        ceremony = self.ceremony
        body: Body = {"step": step.value, "bag": ceremony.bag, **facts}
        take(ceremony, body)
        return body

    def _bag_key(self) -> bytes:
        if self._key is None or self._key[0] != self._ceremony.bag:
            secret = self._keeper.read(self.session, self._ceremony.bag)
            if generator.commitment(self.session, self._ceremony.bag, secret) != self._ceremony.commitment:
                raise DataError(
                    f"the stored secret of bag {self._ceremony.bag} is not the one that was committed to",
                    where=f"session {self.session}",
                    remedy="Restore the data folder from a backup, or go on with the physical bag.",
                )
            self._key = (self._ceremony.bag, generator.bag_key(secret, self._ceremony.transcript))
        return self._key[1]


def check_proof_form(proof: object, expected: dict[str, Any], text: str) -> Urn:
    """The urn of a recorded draw whose bag, number and previous digest are as expected and whose pick says `text`.

    Raises ValueError naming what was expected and what the record has.
    """
    if not isinstance(proof, dict) or set(proof) != {"bag", "number", "urn", "pick", "previous"}:
        raise ValueError("expected a draw's proof with bag, number, urn, pick and previous")
    for key, value in expected.items():
        if type(proof[key]) is not type(value) or proof[key] != value:
            raise ValueError(f"draw {proof['number']}: {key} should be {value}, got {proof[key]}")
    urn = urn_from_json(proof["urn"])
    if type(proof["pick"]) is not int or not 0 <= proof["pick"] < len(urn.texts):
        raise ValueError(f"draw {proof['number']}: pick should be from 0 to {len(urn.texts) - 1}, got {proof['pick']}")
    if urn.texts[proof["pick"]] != text:
        raise ValueError(f"draw {proof['number']}: the pick says {urn.texts[proof['pick']]!r}, the event {text!r}")
    return urn
