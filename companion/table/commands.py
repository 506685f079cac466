"""What can be asked of a session, and what it answers: frozen messages that any thread may send."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from companion.core.events import Cause, CauseKind
from companion.core.types import ChanceOutcome, Seat, Violation
from companion.table.steps import HandStep

OPERATOR = Cause(CauseKind.OPERATOR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What every command carries.

    `key`: chosen by the sender; a command whose key was seen before gets the first one's answer and changes nothing,
    also after a restart. `expected`: the record number the sender saw last; when something happened since that
    concerns the sender, the answer is STALE. None: applies to whatever is there.
    `by`: the seat that asks (None: the operator, or a sense of the companion); it may act for itself only.
    """

    cause: Cause = OPERATOR
    key: str = ""
    expected: int | None = None
    by: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Play(Command):
    """Events that happened: actions, or draws seen on the table, each as the game's text. All of them or none.

    `guarded`: a person asks who may not know every secret: several events are then refused as a whole and without
    detail when one of them is secret, or more would follow one that shows a secret. Otherwise texts that can never be
    played would ask the rules, one by one, about what nobody has told.
    """

    texts: tuple[str, ...]
    guarded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawNext(Command):
    """Let the digital bag decide the draw that is due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo(Command):
    """Let the state after record `to` hold again (None: the one before the last entry, an act of `by` if a seat
    asks, else also a draw by hand).

    Free within what the asking seat did itself; across a draw, a reveal, an overruling or another player's act it
    needs every player in `consents`; `noted` are those of them who did not say so themselves: somebody else, whom the
    cause names, says that they agree.
    """

    to: int | None = None
    consents: tuple[Seat, ...] = ()
    noted: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Retell(Command):
    """Undo to the state after record `to`, and play `events` from there, each as the game's text with its own cause:
    all of it in one go, or nothing. `consents` and `noted` as for an undo."""

    to: int
    events: tuple[tuple[str, Cause], ...]
    consents: tuple[Seat, ...] = ()
    noted: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrule(Command):
    """Accept the table as it is: `state` as the rules' `dump` writes it, why, and every player's consent; `noted` as
    for an undo."""

    state: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""
    consents: tuple[Seat, ...] = ()
    noted: tuple[Seat, ...] = ()


CLOCK_OFF, CLOCK_UP = "off", "up"


class Topic(Enum):
    """What a note is about."""

    PAUSE = "pause"  # nothing is played until RESUME
    RESUME = "resume"
    ALERT = "alert"  # data: {"id": …, "open": bool, "facts": {…}, "clause": …, "slots": […], "of": what it said}
    DISPUTE = "dispute"
    COUNT = "count"  # the physical supply was counted
    REMARK = "remark"
    CLOCK = "clock"  # text: CLOCK_OFF, CLOCK_UP, or the minutes that each player has


@dataclass(frozen=True, slots=True, kw_only=True)
class Note(Command):
    """Something to be remembered that changes no state. `data` is JSON."""

    topic: Topic
    text: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prove(Command):
    """A step of the digital bag for the record: commitment, entropy, reveal. `body` is JSON."""

    body: Mapping[str, Any]


class Outcome(Enum):
    """What became of a command."""

    ACCEPTED = "accepted"  # it is in the record
    ILLEGAL = "illegal"  # a rule of the game forbids it: see `violation`
    STALE = "stale"  # the table has moved on since what the sender saw
    CONSENT = "consent"  # players must agree first: fact `seats`
    REFUSED = "refused"  # not possible now: see `message`
    BUSY = "busy"  # the queue is full: nothing was looked at, send it again


@dataclass(frozen=True, slots=True)
class Answer:
    """What a session made of a command: the records it wrote, or why it wrote none.

    `message` is an English message id with facts (empty when accepted or illegal); `steps` say what hands must do
    after an undo.
    """

    outcome: Outcome
    records: tuple[int, ...] = ()
    violation: Violation | None = None
    message: str = ""
    facts: tuple[tuple[str, Any], ...] = ()
    steps: tuple[HandStep, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether it is in the record."""
        return self.outcome is Outcome.ACCEPTED


@dataclass(frozen=True, slots=True)
class DrawContext:
    """What a draw is for: the session, how many draws the bag made before in it plus one, and the outcomes' texts.

    `draw` never goes back: after an undo the next draw has a new number.
    """

    session: str
    draw: int
    record: int  # the number the draw's record will have
    texts: tuple[str, ...]  # canonical text of each outcome, in their order


class DrawSource(Protocol):
    """A digital bag. Called by the session's thread only."""

    def draw(self, outcomes: tuple[ChanceOutcome, ...], context: DrawContext) -> tuple[int, Mapping[str, Any]]:
        """The index of the outcome, and its proof as JSON, which goes into the draw's record.

        The same context must give the same outcome: a crash before the record is written repeats the question.
        Raises CompanionError when it cannot draw (not sealed yet).
        """


@dataclass(frozen=True, slots=True)
class Crossing:
    """Something an undo goes back over, so that everyone must agree: message id, facts, and its record."""

    number: int
    message: str
    facts: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """What an undo to the state after record `to` means: what it undoes, what it crosses, who must agree, the steps."""

    to: int
    undone: tuple[int, ...]
    crossings: tuple[Crossing, ...]
    consents: tuple[Seat, ...]
    steps: tuple[HandStep, ...]
