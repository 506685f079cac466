"""The camera at the session: what happens on the table becomes records, alerts and questions."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.app.camera.watch.alerts import Alerts
from companion.app.camera.watch.camera_record import CameraRecord
from companion.app.camera.watch.cloth_warning import ClothWarning
from companion.app.camera.watch.joining import JOINED, JOINED_LATE, Joining, may_take_over
from companion.app.camera.watch.legibility_warning import LegibilityWarning
from companion.app.camera.watch.open_question import alert_of, may_be_told, open_question
from companion.app.camera.watch.policy import LIVE, TAKE_BACKS, Policy
from companion.app.camera.watch.reminders import Reminders
from companion.app.camera.watch.revealed_boards import boards_to_read, enter_choices
from companion.app.camera.watch.seen_acts import Keep, SeenActs, cause_of, unread_of
from companion.app.camera.watch.unread_boards import UnreadBoards
from companion.core.events import Cause, CauseKind
from companion.core.game import GameSpec
from companion.core.inputs import BoardObservation, ViewState
from companion.core.layout import SlotView
from companion.core.types import Seat, Slot
from companion.table.commands import Undo
from companion.table.session import Session
from companion.table.steps import HandStep, hand_steps
from companion.table.tracking.appearance import board_look
from companion.table.tracking.happenings import Happening, HappeningKind
from companion.table.tracking.hypotheses import forget_other_tables
from companion.table.tracking.judging.presumed import Presumed
from companion.table.tracking.judging.verdicts import Ambiguous
from companion.table.tracking.judging.weighing import EarlierState
from companion.table.tracking.retold import Retold
from companion.table.tracking.table_tracker import TableTracker
from vision.tables.boards import SeatBoard

ALARM, QUESTION, EYES, PRESUMED = "camera-alarm", "camera-question", "camera-eyes", "camera-presumed"
"""The ids of the alerts that the camera opens and closes: at most one of each is open."""

BUMPED = "The camera was moved: nothing is read until it is found again."
FOUND_AGAIN = "The table is found again."
RIGHT_AGAIN = "The table is right again."
SETTLED = "The question is answered."
UNDO_IT = "The table looks as it did after record {record}. Undo back to it?"
ANSWERED = "Answered by a person."

MOVING = frozenset({ViewState.HAND, ViewState.SETTLING})
"""Views in which people are at work."""


@dataclass
class TableWatch:
    """Feeds one session from the camera. Called by the camera's thread; the box's may call `conclude`.

    Where nobody reads or enters what was chosen, play goes on from what is seen (`unread_boards`). `keep` is called
    with the records whose pictures are evidence. After a restart a new watch begins from the session's state.
    """

    spec: GameSpec
    session: Session
    policy: Policy = LIVE
    keep: Keep | None = None
    joining: Joining = field(default_factory=Joining)
    """Until this camera has seen the table as the record says, one that differs is offered to be taken over; nobody is
    told to take it apart."""
    tracker: TableTracker = field(init=False)
    reminders: Reminders = field(init=False)
    alerts: Alerts = field(init=False)
    cloth: ClothWarning = field(init=False)
    legibility: LegibilityWarning = field(init=False)
    view: ViewState = ViewState.WAITING
    acts: SeenActs = field(init=False)
    record: CameraRecord = field(init=False)
    _number: int = 0
    _frame: int = 0
    _held: Ambiguous | None = None
    """What a player is in the middle of and may tell, as the last picture showed it."""
    _presumed_at: int = 0
    """The record of the last act that is presumed."""
    _turn: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        if self.spec.blame is None:
            raise ValueError(f"{self.spec.name} is not followed by the camera")
        forget_other_tables()
        unread = unread_of(self.spec, self.session)
        self.acts = SeenActs(self.session, unread, self.keep)
        rules, state = self.acts.rules, self.session.state if unread is None else unread.restore()
        self.tracker = TableTracker(
            rules, self.spec.blame, state, board_look(rules, state), demands=self.policy.demands,
            patience=self.policy.patience, stills=self.policy.stills, presumes=self.policy.presumes,
            hold_ms=self.policy.hold_ms,
        )
        self.record = self.tracker.record = CameraRecord(self.session, unread)
        self.reminders, self.alerts = Reminders(self.spec, self.session), Alerts(self.session)
        self.cloth = ClothWarning(self.session, self.alerts)
        self.legibility = LegibilityWarning(self.alerts)
        self._number = self.session.number

    @property
    def unread(self) -> UnreadBoards | None:
        """What was seen and waits for choices that nobody read; None in a game that infers none."""
        return self.acts.unread

    @property
    def question(self) -> dict[str, Any] | None:
        """The open question, or what is presumed, for the pages; `before`: the record after which its choices begin,
        None: now."""
        question, presumed = open_question(self.tracker, self.acts.texts, self._told_early), self.tracker.presumed
        if question is not None and question["presumed"] and presumed is not None:
            question["before"] = self.record.begun(self._presumed_at, len(presumed.events))
        return question

    @property
    def _told_early(self) -> Ambiguous | None:
        return None if self.tracker.held is None else self._held

    @property
    def in_the_middle(self) -> Seat | None:
        """Who seems to be in the middle of an act, so that nobody is asked yet which one it is."""
        held = self.tracker.held
        return None if held is None else held.seat

    @property
    def steps(self) -> tuple[HandStep, ...]:
        """What hands must do so that the table fits the record again; empty when it does."""
        alarm = self.tracker.alarm
        return () if alarm is None else hand_steps(alarm.seen, self.tracker.view, self.session.rules.layout())

    def observe(self, observation: BoardObservation) -> tuple[Happening, ...]:
        """One picture. What is accepted is in the record when this returns."""
        with self._turn:
            return self._observe(observation)

    def _observe(self, observation: BoardObservation) -> tuple[Happening, ...]:
        if observation.view is ViewState.SETTLED and observation.cutouts and self.boards():
            enter_choices(self.session, observation)
        self._catch_up()
        before, self.view, self._frame = self.view, observation.view, observation.frame
        if (before is ViewState.MOVED) != (self.view is ViewState.MOVED):
            if self.view is ViewState.MOVED:
                self.alerts.open(EYES, BUMPED)
            else:
                self.alerts.close(EYES, FOUND_AGAIN)
        happenings = self.tracker.observe(observation)
        self._react(happenings)
        self._held = may_be_told(self.tracker)
        if self.acts.were_recorded(self.tracker.state):
            self.tracker.accept(self.acts.state, self._earlier())
        if self.acts.session_stands_at(self.tracker.state):
            self._number = self.session.number  # what was seen need not be caught up with after somebody's next entry
        if self.view is ViewState.SETTLED and self.tracker.asked is None and not any(map(_asks, happenings)):
            self.alerts.close(QUESTION, SETTLED)
        if self.tracker.presumed is None:
            self.alerts.close(PRESUMED, SETTLED)
        self.joining.observe(observation, agrees=self.tracker.alarm is None and self.tracker.asked is None)
        self.cloth.observe(observation)
        legibility = self.tracker.legibility
        self.legibility.say(is_poor=legibility.is_poor, is_burnt_out=legibility.is_burnt_out)
        self._remind(observation, moved=bool(happenings))
        return happenings

    def _react(self, happenings: Iterable[Happening]) -> None:
        for happening in happenings:
            REACTIONS[happening.kind](self, happening)

    def boards(self) -> tuple[SeatBoard, ...]:
        """The boards to read in the next picture: those of all players while a reveal is due.

        Once cubes have moved, boards do not show any more what was chosen.
        """
        return () if self.acts.are_waiting else boards_to_read(self.session)

    def agreed(self) -> Mapping[Slot, SlotView]:
        """What the last settled picture is agreed to show, by slot; slots in dispute are left out."""
        return self.tracker.agreed

    def recorded(self) -> Mapping[Slot, SlotView]:
        """What lies on the table by the record, by slot."""
        return dict(self.tracker.view.slots)

    def answer(self, choice: int, by: str) -> tuple[Happening, ...]:
        """A person answered `question`: `choice` of its choices happened. Raises ValueError without one."""
        asked, alarm, presumed = self.tracker.asked, self.tracker.alarm, self.tracker.presumed
        if asked is None and presumed is not None and choice in range(presumed.answers):
            return self._presumption_answered(presumed, by, choice)
        asked = self._told_early if asked is None else asked
        if asked is not None and 0 <= choice < len(asked.choices):
            events = asked.choices[choice]
        elif alarm is not None and alarm.unless is not None and choice == 0:
            events = alarm.unless
        else:
            raise ValueError(f"no open question has a choice {choice}")
        cause = Cause(CauseKind.OPERATOR, (("answered", by),))
        happenings: tuple[Happening, ...] = ()
        with self._turn:
            if isinstance(asked, Ambiguous) and asked.corrects is not None and events:
                return self._doubt_answered(asked.corrects, by, right=choice > 0)
            if not events and isinstance(asked, Ambiguous) and asked.breach is not None:
                happenings = self.tracker.refused(self._frame)
                self._react(happenings)
                return happenings
            if not self.acts.take_all(events, self.tracker.state, cause):
                self._catch_up()  # somebody else was quicker: what they said holds
            elif asked is None or not asked.choices:
                assert alarm is not None
                self.tracker.put_right(self.acts.state, alarm.seen)
            else:  # an alarm that is open beside the question is judged anew
                happenings = self.tracker.answered(events, self.acts.state, self._frame)
            self._close_alerts()
            self._react(happenings[len(events) :])  # what the answer leaves of the picture; the rest is recorded
        return happenings

    def ask_now(self) -> None:
        """People tell what comes next: what they were in the middle of is asked now."""
        with self._turn:
            self._react(self.tracker.ask_now(self._frame))

    def time_passes(self, now_ms: int) -> None:
        """It is `now_ms` by the clock of the pictures: who was in the middle of an act for long enough is asked."""
        until_ms = self.tracker.held_until_ms
        if until_ms is not None and now_ms >= until_ms:
            with self._turn:
                self._react(self.tracker.ask_now(self._frame, gone_on=False))

    def _doubt_answered(self, story: Retold, by: str, *, right: bool) -> tuple[Happening, ...]:
        """A person said whether the record is `right` where the camera doubts it; if not, it is corrected."""
        happenings: tuple[Happening, ...] = ()
        if right:
            self.tracker.borne_out(story)
        elif self.record.correct(story, by):
            self._number = self.session.number
            happenings = self.tracker.corrected(story, self._frame)
            self.tracker.earlier = self._earlier()
        else:  # somebody else was quicker: what they said holds
            self._catch_up()
        self.alerts.close(QUESTION, ANSWERED)
        self._react(happenings)
        return happenings

    def _presumption_answered(self, presumed: Presumed, by: str, choice: int) -> tuple[Happening, ...]:
        """A person said whether what is `presumed` was so; if not, it is undone: it was against the rules, or another
        act that is recorded instead."""
        with self._turn:
            happenings: tuple[Happening, ...] = ()
            if choice == 0:
                self.tracker.presumed = None
            elif presumed.others:
                other = presumed.others[choice - 1]
                if self.record.replace(self._presumed_at, len(presumed.events), other, by):
                    self._number = self.session.number
                    happenings = self.tracker.told_otherwise(self.acts.state, self._frame)
                    self.tracker.earlier = self._earlier()
                else:  # what came since rests on it
                    self._catch_up()
            elif self.record.undo(len(presumed.events), by):
                self._number = self.session.number
                happenings = self.tracker.denied(self._frame)
                self.tracker.earlier = self._earlier()
            else:  # somebody else was quicker: what they said holds
                self._catch_up()
            self.alerts.close(PRESUMED, ANSWERED)
            self._react(happenings)
            return happenings

    def conclude(self) -> bool:
        """Close the phase if it can be over, and record the inferred choices; whether what waited is recorded."""
        with self._turn:
            taken = self.acts.conclude(self.tracker.state)
            if taken is not None:
                self.tracker.accept(self.acts.state)
            return bool(taken)

    def _catch_up(self) -> None:
        """Take over what the session accepted from others since the last picture."""
        if self.session.number == self._number:
            return
        known, self._number = self._number, self.session.number
        if self.acts.session_stands_at(self.tracker.state):  # notes and proofs change nothing
            return
        if self.acts.overruled_since(known):
            if self.unread is not None:
                self.unread.forget()
            self.tracker.put_right(self.session.state, board_look(self.session.rules, self.session.state))
            self._close_alerts()
        else:
            seen = 0 if self.unread is None else len(self.unread.seen)
            state = self.session.state if self.unread is None else self.unread.catch_up()
            self.alerts.close(QUESTION, SETTLED)  # what is still in question is asked anew
            emptied = self.acts.emptied(known, self.tracker.view)
            self.tracker.accept(state, self._earlier(), emptied, self.record.told_since(known, self._presumed_at))
            if self.unread is not None and self.acts.at_reveal and len(self.unread.seen) < seen:
                # what was entered does not fit what was seen: that is against the rules now
                self.tracker.view = board_look(self.tracker.rules, state)

    def _remind(self, observation: BoardObservation, *, moved: bool) -> None:
        """Show and close reminders, none while something is wrong; where nothing can be seen nothing changes."""
        if observation.view in MOVING:
            self.reminders.motion(observation.time_ms)
        elif observation.view is ViewState.SETTLED:
            busy = self.acts.are_waiting or self.tracker.alarm is not None or self.tracker.asked is not None
            self.reminders.settled(self.tracker.view, observation.time_ms, moved=moved, silent=busy)

    def _earlier(self) -> tuple[EarlierState, ...]:
        return self.acts.earlier(self.policy.take_backs, TAKE_BACKS)

    def _nothing(self, _: Happening) -> None:
        """Hands did what the record says already; of a bump the view's state says it."""

    def _corrected(self, _: Happening) -> None:
        self.alerts.close(ALARM, RIGHT_AGAIN)

    def _ask(self, happening: Happening) -> None:
        if happening.kind is HappeningKind.PRESUMED:
            self._presumed_at = self.session.number
        name = QUESTION if happening.kind is HappeningKind.ASKED else PRESUMED
        text, facts = alert_of(self.question, happening.slots)
        self.alerts.open(name, text, slots=list(happening.slots), facts=facts)

    def _answered(self, _: Happening) -> None:
        self.alerts.close(QUESTION, SETTLED)

    def _event(self, happening: Happening) -> None:
        assert happening.event is not None
        if self.acts.take(happening.event, happening.before, happening.state, cause_of(happening)):
            self.tracker.earlier = self._earlier()
        else:  # somebody else was quicker: begin again from what the session says
            self.tracker.put_right(self.acts.state, self.tracker.view)

    def _take_back(self, happening: Happening) -> None:
        if self.unread is not None and happening.record is not None and happening.record < 0:
            assert happening.wanted is not None
            self.tracker.put_right(self.unread.take_back(-1 - happening.record), happening.wanted)
            self.tracker.earlier = self._earlier()
            return
        answer = self.session.ask(Undo(to=happening.record, cause=cause_of(happening)))
        if answer.accepted:
            assert happening.wanted is not None
            self.tracker.put_right(self.session.state, happening.wanted)
        else:  # others must agree first
            self.alerts.open(
                QUESTION, UNDO_IT,
                slots=list(happening.slots), facts={"record": happening.record},
            )

    def _illegal(self, happening: Happening) -> None:
        violation = happening.violation
        assert violation is not None
        if self.joining.begun:
            slots = list(dict.fromkeys(slot for step in self.steps for slot in step.slots)) or list(happening.slots)
            alarm = self.tracker.alarm
            may = alarm is not None and may_take_over(self.spec, self.session, alarm.seen)
            text = JOINED if may else JOINED_LATE
            self.alerts.open(ALARM, text, facts={"slots": slots}, slots=slots, may_take_over=may)
            self.acts.keep_pictures(self.session.number)
            return
        self.alerts.open(
            ALARM, violation.message, facts=dict(violation.facts), clause=violation.clause,
            slots=list(violation.slots or happening.slots), steps=[s.to_json() for s in self.steps],
        )
        self.acts.keep_pictures(self.session.number)

    def _close_alerts(self) -> None:
        for name in (ALARM, QUESTION):
            self.alerts.close(name, ANSWERED)


REACTIONS: Mapping[HappeningKind, Callable[[TableWatch, Happening], None]] = {
    HappeningKind.EVENT: TableWatch._event,
    HappeningKind.ILLEGAL: TableWatch._illegal,
    HappeningKind.CORRECTED: TableWatch._corrected,
    HappeningKind.ASKED: TableWatch._ask,
    HappeningKind.PRESUMED: TableWatch._ask,
    HappeningKind.CLEARED: TableWatch._answered,
    HappeningKind.TAKEN_BACK: TableWatch._take_back,
    HappeningKind.LIFTED: TableWatch._nothing,
    HappeningKind.LAID: TableWatch._nothing,
    HappeningKind.RETURNED: TableWatch._nothing,
    HappeningKind.PLACED: TableWatch._nothing,
    HappeningKind.BUMPED: TableWatch._nothing,
}
"""What the watch does about each kind of happening."""


def _asks(happening: Happening) -> bool:
    """Whether something was just asked about: an undo that needs everybody's consent stays a question."""
    return happening.kind in (HappeningKind.ASKED, HappeningKind.TAKEN_BACK)
