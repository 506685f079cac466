"""The digital bag of a session: prepares the steps and draws that the session records, and follows its records.

Nothing that the bag prepares counts before its record is written: `draw_from` and the step methods change
nothing, only `follow` does. A crash between the two therefore changes no draw: the same number prepared again from
the same urn gives the same outcome, and a number that is in the record is never prepared again.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from companion.core.digest import digest
from companion.core.errors import DataError, RecordError
from companion.core.events import CauseKind, LogRecord, RecordKind
from companion.core.types import ChanceOutcome, Draw, Seat
from companion.draws import generator
from companion.draws.ceremony import Body, Ceremony, How, Phase, Step, StepRefusedError, clean_value, take
from companion.draws.urn import Urn, urn_from_json, urn_of

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


class DigitalBag:
    """One session's bag. `follow` every record in order, from the first: when resuming and while playing."""

    def __init__(self, session: str, keeper: Secrets) -> None:
        self.session = session
        self.ceremony = Ceremony(session)
        self.drawn = 0
        self._keeper = keeper
        self._previous = NO_DRAW
        self._key: tuple[int, bytes] | None = None  # (bag, key) of the sealed bag

    @property
    def ready(self) -> bool:
        """Whether the bag is sealed and can be drawn from."""
        return self.ceremony.phase is Phase.SEALED

    # --- what the session may record next ---

    def commit(self) -> Body:
        """Begin a bag: a stored secret and its commitment. Raises StepRefusedError while another bag is open."""
        bag = self.ceremony.bag + 1
        if self.ceremony.phase not in (Phase.NONE, Phase.REVEALED):
            raise StepRefusedError(f"bag {self.ceremony.bag} is {self.ceremony.phase.value}: reveal it first")
        secret = self._keeper.make(self.session, bag)
        return self._prepared(
            Step.COMMIT,
            bag=bag,
            scheme=generator.SCHEME,
            commitment=generator.commitment(self.session, bag, secret),
        )

    def add(self, seat: Seat, how: How, text: str) -> Body:
        """A contribution that the host may see at once. Raises StepRefusedError when it is too late or no text."""
        return self._prepared(Step.ADD, seat=seat.name, how=how.value, value=clean_value(how, text))

    def promise(self, seat: Seat, promised: str) -> Body:
        """A sealed contribution: `companion.draws.generator.promise`, computed away from the host."""
        return self._prepared(Step.PROMISE, seat=seat.name, promise=promised)

    def close(self) -> Body:
        """No more contributions; promises may be opened from now on."""
        return self._prepared(Step.CLOSE)

    def open(self, seat: Seat, how: How, value: str, salt: str) -> Body:
        """Open the promise of `seat`. Raises StepRefusedError when it is not what was promised."""
        return self._prepared(Step.OPEN, seat=seat.name, how=how.value, value=value, salt=salt)

    def withhold(self, seat: Seat) -> Body:
        """Go on without the promise of `seat`; the record names the seat for ever."""
        return self._prepared(Step.WITHHOLD, seat=seat.name)

    def seal(self) -> Body:
        """Fix the key of all draws. Raises StepRefusedError while a promise waits."""
        return self._prepared(Step.SEAL, transcript=self.ceremony.expected_transcript())

    def reveal(self) -> Body:
        """Give up the secret, after which this bag draws no more. For the end of the game only."""
        return self._prepared(Step.REVEAL, secret=self._keeper.read(self.session, self.ceremony.bag).hex())

    def draw_from(self, urn: Urn) -> dict[str, Any]:
        """The proof of the next draw: bag, number, urn, pick and the digest of the proof before.

        Raises StepRefusedError when the bag is not sealed, DataError when its secret is lost.
        """
        if not self.ready:
            raise StepRefusedError(
                f"the bag is {self.ceremony.phase.value}, draws need it sealed", remedy="Draw from the physical bag."
            )
        number = self.drawn + 1
        return {
            "bag": self.ceremony.bag,
            "number": number,
            "urn": urn.to_json(),
            "pick": urn.pick(generator.uniform(self._bag_key(), self.session, number, urn.total)),
            "previous": self._previous,
        }

    def draw(self, outcomes: Sequence[ChanceOutcome], format_draw: Callable[[Draw], str]) -> tuple[int, dict[str, Any]]:
        """Which of the rules' outcomes is drawn next, and the proof to be recorded with it."""
        proof = self.draw_from(urn_of(outcomes, format_draw))
        return proof["pick"], proof

    # --- what the session has recorded ---

    def follow(self, record: LogRecord) -> None:
        """Take in a record that is written. Raises RecordError when it does not fit this bag."""
        where = f"record {record.number} of session {record.session}"
        try:
            if record.kind is RecordKind.PROOF:
                self._follow_step(dict(record.body))
            elif record.kind is RecordKind.EVENT and record.cause.kind is CauseKind.DRAW:
                self._follow_draw(dict(record.cause.detail).get("proof"), str(dict(record.body).get("text")))
        except (StepRefusedError, ValueError) as error:
            raise RecordError(str(error), where=where, remedy="The record was altered or is of another bag.") from error

    def _follow_step(self, body: Body) -> None:
        self.ceremony = take(self.ceremony, body)
        if self.ceremony.phase is Phase.REVEALED:
            self._key = None
            self._keeper.forget(self.session, self.ceremony.bag)

    def _follow_draw(self, proof: object, text: str) -> None:
        expected = {"bag": self.ceremony.bag, "number": self.drawn + 1, "previous": self._previous}
        check_proof_form(proof, expected, text)
        assert isinstance(proof, dict)
        if not self.ready:
            raise ValueError(f"draw {proof['number']} comes while the bag is {self.ceremony.phase.value}")
        self.drawn += 1
        self._previous = digest(proof)

    def _prepared(self, step: Step, **facts: Any) -> Body:
        body: Body = {"step": step.value, "bag": facts.pop("bag", self.ceremony.bag), **facts}
        take(self.ceremony, body)
        return body

    def _bag_key(self) -> bytes:
        if self._key is None or self._key[0] != self.ceremony.bag:
            secret = self._keeper.read(self.session, self.ceremony.bag)
            if generator.commitment(self.session, self.ceremony.bag, secret) != self.ceremony.commitment:
                raise DataError(
                    f"the stored secret of bag {self.ceremony.bag} is not the one that was committed to",
                    where=f"session {self.session}",
                    remedy="Restore the data folder from a backup, or go on with the physical bag.",
                )
            self._key = (self.ceremony.bag, generator.bag_key(secret, self.ceremony.transcript))
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


def new_salt() -> str:
    """A salt for a promise, 32 hex digits, from the operating system's generator."""
    return secrets.token_hex(16)
