"""Follows the table picture by picture: holds what is believed, raises and clears alarms, says what happened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from math import log

from companion.core.game import Rules, State
from companion.core.inputs import BoardObservation, ViewState
from companion.core.layout import BoardView, SlotView
from companion.core.types import Event, Slot, Violation
from companion.table.evidence import NOTHING_SEEN, Evidence, StillScene
from companion.table.hypotheses import Believed, root
from companion.table.looks import board_look, path_look
from companion.table.reconcile import (
    DEFAULT_DEMANDS,
    Ambiguous,
    Blame,
    Demands,
    Explained,
    Illegal,
    NoChange,
    TakenBack,
    Unreadable,
    Verdict,
    reconcile,
)
from companion.table.weighing import Earlier

PATIENCE_PICTURES = 3
"""Settled pictures of the same scene that may stay doubtful before somebody is asked."""


WEAK_READING = log(20.0)
"""A reading that speaks less than this against what is believed may be taken for a misreading without asking."""


class HappeningKind(Enum):
    """What the follower reports."""

    EVENT = "event"  # a legal event was seen: `event`, `state` after it
    LIFTED = "lifted"  # the face of a slot was taken away, as the state asked for
    LAID = "laid"  # a face was laid that the state already knew of
    RETURNED = "returned"  # pieces were taken back from slots, as the state asked for
    PLACED = "placed"  # pieces were put into slots, as the state asked for
    ILLEGAL = "illegal"  # `violation`; nothing was accepted
    CORRECTED = "corrected"  # the table is right again after an alarm
    TAKEN_BACK = "taken back"  # `record`: the table looks as after that record
    ASKED = "asked"  # `verdict` stays doubtful: a person must say
    BUMPED = "camera moved"
    CLEARED = "no question any more"


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that the follower noticed, in the picture `frame`."""

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


@dataclass
class Follower:
    """What is believed of one table. Not safe for threads; everything it needs is passed in.

    `accept` tells it of events that did not come from the camera (confirmations, choices, digital draws). `stills`:
    each picture is a scene of its own, as in a film; hands that nobody noticed came in between.
    """

    rules: Rules
    blame: Blame
    state: State
    view: BoardView
    demands: Demands = DEFAULT_DEMANDS
    patience: int = PATIENCE_PICTURES
    stills: bool = False
    alarm: Illegal | None = None
    asked: Verdict | None = None
    doubt: Verdict | None = None
    """The last settled picture's verdict where that was doubtful, whether or not somebody was asked."""
    silent: dict[Slot, SlotView] = field(default_factory=dict)
    earlier: tuple[Earlier, ...] = ()
    _hinted: frozenset[Event] = frozenset()
    _still: StillScene = field(init=False)
    _evidence: Evidence = NOTHING_SEEN
    _early: frozenset[Slot] = frozenset()
    _emptied: frozenset[Slot] = frozenset()
    _doubtful: int = 0
    _moved: bool = False

    def __post_init__(self) -> None:
        turns = {outline.slot: outline.turns for outline in self.rules.layout().slots if outline.turns > 1}
        self._still = StillScene(self.rules.same_face, turns)

    def accept(
        self, state: State, earlier: tuple[Earlier, ...] = (), emptied: frozenset[Slot] = frozenset()
    ) -> None:
        """The session accepted something else than a sight: `state` holds now, `earlier` may be gone back to.

        `emptied`: slots that were empty on the way to it; hands have yet to clear them.
        """
        self.state = state
        self.earlier = earlier
        self._emptied |= emptied
        self._forget_question()

    def put_right(self, state: State, view: BoardView) -> None:
        """A person said how things are: `state` holds and `view` lies on the table.

        What the camera saw otherwise it misread, and will go on misreading: it is silent there until it reads anew.
        """
        self.accept(state)
        self._emptied = frozenset()
        self.view = view
        reads = self.silent | {s: one.most_likely() for s, one in self._evidence.slots.items() if one.visible}
        if self.alarm is not None:
            reads |= {slot: self.alarm.seen.at(slot) for slot in view.differs(self.alarm.seen)}
        pending = root(self.rules, self._believed(), tuple(o.slot for o in self.rules.layout().slots))
        self.silent = {s: at for s, at in reads.items() if at != view.at(s) and at not in pending.allowed(s)}
        self.alarm = None
        self.scene_changed()

    def told(self, events: tuple[Event, ...], state: State) -> None:
        """A person said that `events` happened, one after the other; `state` holds now.

        Of each event its first stage lies on the table: a captured face may still lie there.
        """
        view, before = self.view, self.state
        for event in events:
            _, view = self._begun(view, before, event)
            before = self.rules.apply(before, event)
        self.put_right(state, view)

    def _begun(self, view: BoardView, before: State, event: Event) -> tuple[tuple[Slot, ...], BoardView]:
        """The slots that `event` touches first, and `view` with what it leaves there at first."""
        first = path_look(self.rules, before, event)[0]
        touched = board_look(self.rules, before).differs(first)
        return touched, BoardView(tuple({**dict(view.slots), **{slot: first.at(slot) for slot in touched}}.items()))

    def scene_changed(self) -> None:
        """Something moved on the table: the pictures so far are of another scene."""
        self._still.clear()
        self._doubtful = 0

    def observe(self, observation: BoardObservation) -> tuple[Happening, ...]:
        """What this picture shows that was not known before. Only settled pictures count."""
        if observation.view is ViewState.MOVED:
            self.scene_changed()
            if self._moved:
                return ()
            self._moved = True
            return (Happening(HappeningKind.BUMPED, observation.frame),)
        if observation.view is not ViewState.SETTLED:
            self.scene_changed()
            return ()
        self._moved = False
        if self.stills:
            self.scene_changed()
        self._evidence = self._still.add(observation)
        verdict = self.judge(self._evidence)
        self.doubt = verdict if isinstance(verdict, Ambiguous | Unreadable) else None
        return tuple(self._consequences(verdict, self._evidence, observation.frame))

    def _believed(self) -> Believed:
        return Believed(self.state, self.view, self._early, self._emptied)

    def judge(self, evidence: Evidence) -> Verdict:
        """The verdict on `evidence` as things are believed now; changes nothing."""
        return reconcile(
            self.rules, self._believed(), evidence, self.blame,
            silent=self.silent, earlier=self.earlier, hinted=self._hinted, demands=self.demands,
        )

    def _consequences(self, verdict: Verdict, evidence: Evidence, frame: int) -> Iterator[Happening]:
        match verdict:
            case NoChange(view) | Explained(view=view):
                if self.alarm is not None:
                    yield Happening(HappeningKind.CORRECTED, frame, self.view.differs(self.alarm.seen))
                    self.alarm = None
                if self.asked is not None:
                    yield Happening(HappeningKind.CLEARED, frame)
                self._forget_question()
                if isinstance(verdict, Explained):
                    yield from self._explained(verdict, frame)
                else:
                    self._hinted = verdict.hinted
                    yield from self._done(self.view, view, frame)
                self._believe(view)
                self._remember_misreadings(evidence)
            case Illegal(violation, seen, nearest, _, margin):
                self._forget_question()
                said = self.alarm
                self.alarm = verdict
                if said is None or said.violation != violation:
                    slots = nearest.differs(seen)
                    yield Happening(
                        HappeningKind.ILLEGAL, frame, slots, margin=margin, violation=violation,
                        seen=seen, wanted=nearest, before=self.state, verdict=verdict,
                    )
            case TakenBack(to, view, margin):
                yield Happening(
                    HappeningKind.TAKEN_BACK, frame, self.view.differs(view), margin=margin, record=to, wanted=view,
                )
                self.alarm = None
                self._forget_question()
            case Ambiguous() | Unreadable():
                self._doubtful += 1
                if isinstance(verdict, Ambiguous):
                    self._hinted = verdict.hinted
                if self._doubtful >= self.patience and self.asked is None:
                    self.asked = verdict
                    slots = verdict.telling if isinstance(verdict, Ambiguous) else verdict.slots
                    yield Happening(HappeningKind.ASKED, frame, slots, verdict=verdict)

    def _believe(self, view: BoardView) -> None:
        """`view` lies on the table now; a face that the state does not have there yet was laid early if the slot was
        empty before."""
        if view is self.view and not self._early:
            return
        self._emptied = frozenset(slot for slot in self._emptied if view.at(slot) == self.view.at(slot))
        wanted = board_look(self.rules, self.state)
        ahead = (s for s, at in view.slots if at.face is not None and wanted.at(s).face != at.face)
        self._early = frozenset(s for s in ahead if s in self._early or self.view.at(s).face is None)
        self.view = view

    def _explained(self, verdict: Explained, frame: int) -> Iterator[Happening]:
        view = self.view
        for event in verdict.events:
            after = self.rules.apply(self.state, event)
            touched, view = self._begun(view, self.state, event)
            yield Happening(
                HappeningKind.EVENT, frame, touched, event=event, before=self.state, state=after,
                margin=verdict.margin,
            )
            self.state = after
            self.earlier = ()
            self._hinted = frozenset()
        yield from self._done(view, verdict.view, frame)

    def _done(self, before: BoardView, after: BoardView, frame: int) -> Iterator[Happening]:
        """What was pending and is done now: faces lifted and laid, pieces taken back and put down."""
        returned: list[Slot] = []
        placed: list[Slot] = []
        for slot in before.differs(after):
            was, lies = before.at(slot), after.at(slot)
            if was.face is not None and lies.face != was.face:
                yield Happening(HappeningKind.LIFTED, frame, (slot,), state=self.state, seen=before)
            elif lies.face is not None and was.face is None:
                yield Happening(HappeningKind.LAID, frame, (slot,), state=self.state, seen=after)
            else:
                had, has = dict(was.pieces), dict(lies.pieces)
                if any(has.get(colour, 0) < n for colour, n in had.items()):
                    returned.append(slot)
                if any(had.get(colour, 0) < n for colour, n in has.items()):
                    placed.append(slot)
        for kind, slots in ((HappeningKind.RETURNED, returned), (HappeningKind.PLACED, placed)):
            if slots:
                yield Happening(kind, frame, tuple(slots), state=self.state, seen=before, wanted=after)

    def _remember_misreadings(self, evidence: Evidence) -> None:
        for outline in self.rules.layout().slots:
            one = evidence.of(outline.slot)
            if not one.visible:
                continue
            reads, lies = one.most_likely(), self.view.at(outline.slot)
            if reads == lies:
                self.silent.pop(outline.slot, None)
            elif one.log_likelihood(reads) - one.log_likelihood(lies) < WEAK_READING:
                self.silent[outline.slot] = reads

    def _forget_question(self) -> None:
        self.asked = None
        self._doubtful = 0
