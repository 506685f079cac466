"""How a bag is filled, step by step: the host commits, the players add entropy, the bag is sealed, drawn, revealed.

The order is a table (`NEXT`); whatever is not in it is refused. The steps are the bodies of the PROOF records:

    commit    bag, scheme, commitment         the host's secret is fixed from here on
    add       bag, seat, how, value           a contribution, known to the host as soon as it is made
    promise   bag, seat, promise              a sealed contribution: only its hash
    close     bag                             nobody can add or promise any more
    open      bag, seat, how, value, salt     a sealed contribution is opened
    withhold  bag, seat                       a sealed contribution was not opened; everyone sees whose
    seal      bag, transcript                 the key of all draws is fixed
    reveal    bag, secret                     after the last draw: everything can be recomputed

After `reveal` a new bag may be begun: with the next number, a new secret and new entropy.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from companion.core.errors import CompanionError
from companion.core.messages import Message
from companion.core.types import Seat
from companion.draws import generator

Body = dict[str, Any]


class ProofStep(Enum):
    """What a PROOF record says."""

    COMMIT = "commit"
    ADD = "add"
    PROMISE = "promise"
    CLOSE = "close"
    OPEN = "open"
    WITHHOLD = "withhold"
    SEAL = "seal"
    REVEAL = "reveal"


class Phase(Enum):
    """Where a bag stands."""

    NONE = "no bag"
    GATHERING = "gathering"  # contributions and promises are taken
    OPENING = "opening"  # promises are opened
    SEALED = "sealed"  # draws are made
    REVEALED = "revealed"


class How(Enum):
    """Where a contribution comes from."""

    PHRASE = "phrase"
    DICE = "dice"
    PRESS = "press"
    RANDOM = "random"


NEXT: dict[tuple[Phase, ProofStep], Phase] = {
    (Phase.NONE, ProofStep.COMMIT): Phase.GATHERING,
    (Phase.GATHERING, ProofStep.ADD): Phase.GATHERING,
    (Phase.GATHERING, ProofStep.PROMISE): Phase.GATHERING,
    (Phase.GATHERING, ProofStep.CLOSE): Phase.OPENING,
    (Phase.OPENING, ProofStep.OPEN): Phase.OPENING,
    (Phase.OPENING, ProofStep.WITHHOLD): Phase.OPENING,
    (Phase.OPENING, ProofStep.SEAL): Phase.SEALED,
    (Phase.SEALED, ProofStep.REVEAL): Phase.REVEALED,
    (Phase.REVEALED, ProofStep.COMMIT): Phase.GATHERING,
}

KEYS: dict[ProofStep, frozenset[str]] = {
    ProofStep.COMMIT: frozenset({"scheme", "commitment"}),
    ProofStep.ADD: frozenset({"seat", "how", "value"}),
    ProofStep.PROMISE: frozenset({"seat", "promise"}),
    ProofStep.CLOSE: frozenset(),
    ProofStep.OPEN: frozenset({"seat", "how", "value", "salt"}),
    ProofStep.WITHHOLD: frozenset({"seat"}),
    ProofStep.SEAL: frozenset({"transcript"}),
    ProofStep.REVEAL: frozenset({"secret"}),
}

MAX_VALUE_LENGTH = 200
MIN_SALT_DIGITS = 16  # 64 bits: a short phrase cannot be found by trying phrases against its promise
HEX_64 = re.compile(r"[0-9a-f]{64}")
HEX = re.compile(r"(?:[0-9a-f]{2})+")


class StepRefusedError(CompanionError):
    """A step of the bag came too early, too late, twice, or says something impossible."""


@dataclass(frozen=True, slots=True)
class Ceremony:
    """A bag as the records tell it: nothing in here is secret before `reveal`.

    `steps`: the bodies between commit and seal in their order. `promises`: seat -> promise not yet settled.
    """

    session: str
    bag: int = 0
    phase: Phase = Phase.NONE
    commitment: str = ""
    steps: tuple[Body, ...] = ()
    promises: tuple[tuple[str, str], ...] = ()
    transcript: str = ""
    secret: str = ""

    def contributions(self) -> tuple[Body, ...]:
        """The `add` and `open` steps: what went into the key, in its order."""
        return tuple(step for step in self.steps if step["step"] in (ProofStep.ADD.value, ProofStep.OPEN.value))

    def expected_transcript(self) -> str:
        """The digest that the seal must carry."""
        return generator.transcript(self.session, self.bag, self.commitment, [dict(step) for step in self.steps])

    def key(self) -> bytes:
        """The key of the draws of a revealed bag. Raises StepRefusedError before the reveal."""
        if self.phase is not Phase.REVEALED:
            raise StepRefusedError(f"bag {self.bag} is {self.phase.value}: its key is known after the reveal")
        return generator.bag_key(bytes.fromhex(self.secret), self.transcript)


def take(ceremony: Ceremony, body: Body) -> Ceremony:
    """The ceremony after the step `body`. Raises StepRefusedError saying what was expected and what came."""
    step = _step_of(body)
    phase = NEXT.get((ceremony.phase, step))
    if phase is None:
        possible = ", ".join(s.value for (p, s) in NEXT if p is ceremony.phase)
        raise _refused(
            ceremony, f"{step.value!r} cannot come now: the bag is {ceremony.phase.value}, next is {possible}"
        )
    _check_form(ceremony, step, body)
    if step is ProofStep.COMMIT:
        return Ceremony(ceremony.session, body["bag"], phase, body["commitment"])
    if step is ProofStep.SEAL:
        return _seal(ceremony, body)
    if step is ProofStep.REVEAL:
        return _reveal(ceremony, body)
    return replace(ceremony, phase=phase, steps=(*ceremony.steps, body), promises=_promises_after(ceremony, step, body))


def clean_value(how: How, text: str) -> str:
    """A contribution as it is recorded: dice as "3 1 6", other texts in Unicode NFC without outer blanks.

    Raises StepRefusedError for what cannot be one.
    """
    value = unicodedata.normalize("NFC", text).strip()
    if how is How.DICE:
        value = " ".join(character for character in value if not character.isspace() and character != ",")
    problem = value_problem(how, value)
    if problem:
        raise StepRefusedError(problem)
    return value


def value_problem(how: How, value: object) -> Message | None:
    """What is wrong with a recorded contribution, or None."""
    got = repr(value)
    if not isinstance(value, str) or not 1 <= len(value) <= MAX_VALUE_LENGTH:
        too_long = "a contribution is a text of 1 to {most} characters, got {value}"
        return Message(too_long, most=MAX_VALUE_LENGTH, value=got)
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in value):
        return Message("a contribution is one line of plain text, got {value}", value=got)
    if how is How.DICE and not re.fullmatch(r"[1-6]( [1-6])*", value):
        return Message("dice are digits from 1 to 6, got {value}", value=got)
    return None


def _step_of(body: Body) -> ProofStep:
    try:
        return ProofStep(body.get("step"))
    except ValueError as error:
        raise StepRefusedError(f"expected a step of the bag, got {body.get('step')!r}") from error


def _check_form(ceremony: Ceremony, step: ProofStep, body: Body) -> None:
    keys = KEYS[step] | {"step", "bag"}
    if set(body) != keys:
        raise _refused(
            ceremony, f"{step.value!r} has the keys {', '.join(sorted(keys))}; got {', '.join(sorted(body))}"
        )
    bag = ceremony.bag + 1 if step is ProofStep.COMMIT else ceremony.bag
    if type(body["bag"]) is not int or body["bag"] != bag:
        raise _refused(ceremony, f"expected bag {bag}, got {body['bag']!r}")
    if step is ProofStep.COMMIT and body["scheme"] != generator.SCHEME:
        raise _refused(ceremony, f"expected the scheme {generator.SCHEME}, got {body['scheme']!r}")
    for key in ("commitment", "promise", "transcript", "secret"):
        if key in keys and not (isinstance(body[key], str) and HEX_64.fullmatch(body[key])):
            raise _refused(ceremony, f"{key} is 64 hex digits, got {body[key]!r}")
    if "seat" in keys and body["seat"] not in list(Seat.__members__):
        raise _refused(ceremony, f"a seat is one of {', '.join(Seat.__members__)}, got {body['seat']!r}")
    if "how" in keys:
        if body["how"] not in [how.value for how in How]:
            raise _refused(ceremony, f"how is one of {', '.join(how.value for how in How)}, got {body['how']!r}")
        problem = value_problem(How(body["how"]), body["value"])
        if problem:
            raise _refused(ceremony, problem)


def _promises_after(ceremony: Ceremony, step: ProofStep, body: Body) -> tuple[tuple[str, str], ...]:
    waiting = dict(ceremony.promises)
    seat = body.get("seat", "")
    if step is ProofStep.PROMISE:
        if seat in waiting:
            raise _refused(ceremony, Message("seat {seat} has sealed a promise already", seat=seat))
        return (*ceremony.promises, (seat, body["promise"]))
    if step in (ProofStep.OPEN, ProofStep.WITHHOLD):
        if seat not in waiting:
            raise _refused(ceremony, f"seat {seat} has no promise to settle")
        if step is ProofStep.OPEN:
            _check_opening(ceremony, body, waiting[seat])
        return tuple((s, p) for s, p in ceremony.promises if s != seat)
    return ceremony.promises


def _check_opening(ceremony: Ceremony, body: Body, promised: str) -> None:
    salt = body["salt"]
    if not (isinstance(salt, str) and len(salt) >= MIN_SALT_DIGITS and HEX.fullmatch(salt)):
        short = "a salt has at least {least} of the digits 0-9 and a-f, got {salt}"
        raise _refused(ceremony, Message(short, least=MIN_SALT_DIGITS, salt=repr(salt)))
    opened = generator.promise(
        ceremony.session, ceremony.commitment, body["seat"], body["how"], body["value"], body["salt"]
    )
    if opened != promised:
        other = (
            "this phrase with this salt is not what seat {seat} promised: "
            "both must be as they were when it was sealed"
        )
        raise _refused(ceremony, Message(other, seat=body["seat"]))


def _seal(ceremony: Ceremony, body: Body) -> Ceremony:
    if ceremony.promises:
        seats = ", ".join(seat for seat, _ in ceremony.promises)
        raise _refused(
            ceremony, f"the bag is sealed when every promise is opened or withheld; waiting for seat {seats}"
        )
    expected = ceremony.expected_transcript()
    if body["transcript"] != expected:
        raise _refused(ceremony, f"the seal must carry the transcript {expected}, got {body['transcript']}")
    return replace(ceremony, phase=Phase.SEALED, transcript=expected)


def _reveal(ceremony: Ceremony, body: Body) -> Ceremony:
    opened = generator.commitment(ceremony.session, ceremony.bag, bytes.fromhex(body["secret"]))
    if opened != ceremony.commitment:
        raise _refused(ceremony, f"the host committed to {ceremony.commitment} but revealed a secret of {opened}")
    return replace(ceremony, phase=Phase.REVEALED, secret=body["secret"])


def _refused(ceremony: Ceremony, message: str | Message) -> StepRefusedError:
    where = f"bag {ceremony.bag}" if ceremony.bag else "the bag"
    return StepRefusedError(message, where=where)
