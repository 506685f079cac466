"""What the table tracker reports: one happening for each thing that a picture shows and that was not known before."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.core.game import State
from companion.core.layout import BoardView
from companion.core.types import Event, Slot, Violation
from companion.table.tracking.judging.verdicts import Ambiguous, Illegal, TakenBack, Unreadable, Verdict


class HappeningKind(Enum):
    """What has happened."""

    EVENT = "event"  # a legal event was seen: `event`, `state` after it
    LIFTED = "lifted"  # the face of a slot was taken away, as the state asked for
    LAID = "laid"  # a face was laid that the state already knew of
    RETURNED = "returned"  # pieces were taken back from slots, as the state asked for
    PLACED = "placed"  # pieces were put into slots, as the state asked for
    ILLEGAL = "illegal"  # `violation`; nothing was accepted
    CORRECTED = "corrected"  # the table is right again after an alarm
    TAKEN_BACK = "taken back"  # `record`: the table looks as after that record
    ASKED = "asked"  # `verdict` stays doubtful: a person must answer
    BUMPED = "camera moved"
    CLEARED = "no question any more"
    PRESUMED = "presumed"  # the events before it were taken for the one legal way there; `violation` if they were not


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that was noticed in the picture `frame`."""

    kind: HappeningKind
    frame: int
    slots: tuple[Slot, ...] = ()
    event: Event | None = None
    before: State = None
    state: State = None
    margin: float = 0.0
    violation: Violation | None = None
    seen: BoardView | None = None
    wanted: BoardView | None = None
    verdict: Verdict | None = None
    record: int | None = None


def reported(
    kind: HappeningKind, verdict: Verdict, alarm: Illegal | None, view: BoardView, state: State, frame: int
) -> Happening:
    """The happening by which `verdict` opens or closes an alarm or a question in `state`, where `view` is believed;
    `alarm`: the one that was open before."""
    match kind, verdict:
        case HappeningKind.ILLEGAL, Illegal(violation, seen, nearest, _, margin):
            return Happening(
                kind, frame, nearest.differs(seen), margin=margin, violation=violation,
                seen=seen, wanted=nearest, before=state, verdict=verdict,
            )
        case HappeningKind.TAKEN_BACK, TakenBack(to, then, margin):
            return Happening(kind, frame, view.differs(then), margin=margin, record=to, wanted=then)
        case HappeningKind.ASKED, Ambiguous(telling=slots) | Unreadable(slots):
            return Happening(kind, frame, slots, verdict=verdict)
    corrected = kind is HappeningKind.CORRECTED and alarm is not None
    return Happening(kind, frame, view.differs(alarm.seen) if corrected and alarm is not None else ())
