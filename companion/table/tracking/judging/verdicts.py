"""The verdicts on settled pictures: what they show to have happened, what is in doubt, and what is wrong (data)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.game import State
from companion.core.layout import BoardView
from companion.core.types import Action, Draw, Event, Seat, Slot, Violation
from companion.table.tracking.retold import Retold


@dataclass(frozen=True, slots=True)
class NoChange:
    """Nothing new. `view` is what lies there now: what was pending may have been done meanwhile.

    `hinted`: events that cannot be excluded, because a slot is badly seen; `doubted`: the slots that they touch.
    """

    view: BoardView
    hinted: frozenset[Event] = frozenset()
    doubted: frozenset[Slot] = frozenset()


@dataclass(frozen=True, slots=True)
class Explained:
    """A chain of legal events, with the log-odds against the best other explanation. `open`: the slots in which more
    has happened, of which it says nothing. `presumed`: what it is if a person says that they did not happen: the same
    table, come to against the rules or by other acts."""

    events: tuple[Event, ...]
    state: State
    view: BoardView
    margin: float
    open: frozenset[Slot] = frozenset()
    presumed: Illegal | Ambiguous | None = None


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several explanations are near each other. `telling`: the slots in which they differ; where they leave the same
    table, those in which it happened. `alike`: all of them do, so that no other picture will tell. `breach`: what it is
    if none of them happened, then the last choice is of no events: the same table, come to against the rules.
    `unnamed`: the choices are the faces that chance may have laid at `telling`; the verdict if the first lies there.
    `beside`: an alarm is open, and the first choice is what people have done beside it. `corrects`: the record is
    doubted; the first choice is what it should say, the second what it says. `open`: slots in which others have acted
    since, of which it says nothing. `doubted`: slots in which something else may have happened. `is_over`: whichever is
    true, neither hands nor coins have anything left to do.
    `ends`: of choices of one player's acts that leave the same table, what each would be if it is true."""

    choices: tuple[tuple[Event, ...], ...]
    telling: tuple[Slot, ...]
    alike: bool = False
    breach: Illegal | None = None
    unnamed: Verdict | None = None
    beside: bool = False
    corrects: Retold | None = None
    open: frozenset[Slot] = frozenset()
    doubted: frozenset[Slot] = frozenset()
    is_over: bool = False
    ends: tuple[Explained, ...] = ()

    @property
    def is_told(self) -> bool:
        """Whether only a person can tell: a breach, a face without a name, or what the record should say."""
        return self.breach is not None or self.unnamed is not None or self.corrects is not None

    @property
    def may_be_unfinished(self) -> bool:
        """Whether one player may be in the middle of an act: what hands or coins do next may tell which."""
        return self.alike and not self.is_told and not self.is_over and self.seat is not None

    @property
    def hinted(self) -> frozenset[Event]:
        """The events that may have happened; none that only a person can tell from a breach or from one another."""
        return frozenset(event for events in self.choices for event in events if not self.is_told)

    @property
    def is_of_a_face(self) -> bool:
        """Whether all that is open is which face chance has laid in one place: everything after it waits for that."""
        if self.unnamed is not None:
            return True
        drawn = (events[-1] if events else None for events in self.choices)
        return self.breach is None and len(self.telling) == 1 and all(isinstance(event, Draw) for event in drawn)

    def asks_the_face_of(self, verdict: Verdict) -> bool:
        """Whether both ask which face lies in one place: that another one looks likelier now is no new question."""
        if not isinstance(verdict, Ambiguous) or None in (self.unnamed, verdict.unnamed):
            return False
        return self.telling == verdict.telling

    @property
    def rest_fits(self) -> bool:
        """Whether a face that cannot be named is all that is open."""
        rest = self.unnamed
        return isinstance(rest, NoChange | Explained) or (isinstance(rest, Ambiguous) and rest.rest_fits)

    @property
    def seat(self) -> Seat | None:
        """The seat that acts last whichever choice is true: it knows what it did. None: not one alone, or chance."""
        return _acting(self.choices)


@dataclass(frozen=True, slots=True)
class Illegal:
    """Something illegal lies on the table: the clause, what is seen, and the legal table nearest to it."""

    violation: Violation
    seen: BoardView
    nearest: BoardView
    events: tuple[Event, ...]
    """Legal events that happened as well; they are accepted once the table is right again."""
    margin: float
    unless: tuple[Event, ...] | None = None
    """Legal events that would have led to what is seen too, if a person says that they happened."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The table looks as it did after an earlier record."""

    to: int
    view: BoardView
    margin: float


@dataclass(frozen=True, slots=True)
class Unreadable:
    """These slots must be seen better before anything can be said of them. `misread`: nothing else is open than whether
    something illegal lies there, or has yet to be laid there, or the camera misreads them. `hinted`: the events that
    have probably happened. `choices`: legal acts that may have happened there, the likeliest first."""

    slots: tuple[Slot, ...]
    misread: bool = False
    hinted: frozenset[Event] = frozenset()
    choices: tuple[tuple[Event, ...], ...] = ()

    @property
    def seat(self) -> Seat | None:
        """As `Ambiguous.seat`."""
        return _acting(self.choices)


def _acting(choices: tuple[tuple[Event, ...], ...]) -> Seat | None:
    """The one seat that acts last whichever of the `choices` is true; None: there is no such seat."""
    last = {events[-1].seat if isinstance(events[-1], Action) else None for events in choices if events}
    return last.pop() if len(last) == 1 else None


Verdict = NoChange | Explained | Ambiguous | Illegal | TakenBack | Unreadable
