"""The camera's seat at the session: what the follower makes of pictures becomes records, alerts and questions."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from companion.app.reminders import Reminders
from companion.app.unread_boards import FROM_MOVES, UnreadBoards
from companion.core.events import Cause, CauseKind
from companion.core.game import GameSpec, State
from companion.core.inputs import BoardObservation, ViewState
from companion.core.types import Event, Seat, Slot
from companion.table.commands import Note, Play, Topic, Undo
from companion.table.follower import Follower, Happening, HappeningKind
from companion.table.looks import board_look
from companion.table.reconcile import LIVE_DEMANDS, Ambiguous, Demands
from companion.table.session import Session
from companion.table.steps import HandStep, hand_steps
from companion.table.weighing import Earlier

ALARM, QUESTION, EYES = "camera-alarm", "camera-question", "camera-eyes"
"""The ids of the alerts that the camera opens and closes: at most one of each is open."""

BUMPED = "The camera was moved: nothing is read until it is found again."
RIGHT_AGAIN = "The table is right again."
WHAT_HAPPENED = "What happened at {slots}?"
SETTLED = "The question is settled."
UNDO_IT = "The table looks as it did after record {record}. Shall it be undone?"
ANSWERED = "Answered by a person."

MOVING = frozenset({ViewState.HAND, ViewState.SETTLING})
"""Views in which people are at work."""

TAKE_BACKS = 3
"""How many records a take-back on the table may go back; further back, people ask for an undo."""

BOARD_P = 0.95
"""A cube in a cut-out is believed from this probability on; below it the choice is entered by hand."""

SEAT_DEG = {2: (0, 180), 3: (0, 90, 180), 4: (0, 90, 180, 270)}
"""Where people sit: the first seat at the bottom, the others clockwise."""

Keep = Callable[[int], None]
"""Called with a record's number: keep the pictures just before and after it."""


@dataclass
class TableWatch:
    """Feeds one session from the camera. Called by the camera's thread; the box's may call `conclude`.

    Where nobody reads or tells what was chosen, play goes on from what is seen (`unread_boards`). `keep` is told which
    pictures to keep as evidence. After a restart a new watch begins from the session's state.
    """

    spec: GameSpec
    session: Session
    demands: Demands = LIVE_DEMANDS
    keep: Keep | None = None
    follower: Follower = field(init=False)
    reminders: Reminders = field(init=False)
    view: ViewState = ViewState.WAITING
    note: str = ""
    unread: UnreadBoards | None = field(default=None, init=False)
    _number: int = 0
    _turn: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        if self.spec.blame is None:
            raise ValueError(f"{self.spec.name} is not followed by the camera")
        rules, state = self.session.rules, self.session.state
        if self.spec.infer is not None:
            self.unread = UnreadBoards(self.session, self.spec.infer(rules))
            rules, state = self.unread.rules, self.unread.restore()
        self.follower = Follower(rules, self.spec.blame, state, board_look(rules, state), demands=self.demands)
        self.reminders = Reminders(self.session)
        self._number = self.session.number

    @property
    def question(self) -> dict[str, Any] | None:
        """The open question for the referee's page: its choices as events' texts, and the telling slots."""
        asked = self.follower.asked
        if isinstance(asked, Ambiguous):
            choices = [list(self._texts(events)) for events in asked.choices]
            return {"choices": choices, "slots": list(asked.telling)}
        return None if asked is None else {"choices": [], "slots": list(getattr(asked, "slots", ()))}

    @property
    def steps(self) -> tuple[HandStep, ...]:
        """What hands must do so that the table fits the record again; empty when it does."""
        alarm = self.follower.alarm
        return () if alarm is None else hand_steps(alarm.seen, self.follower.view)

    def see(self, observation: BoardObservation) -> tuple[Happening, ...]:
        """One picture. What is accepted is in the record when this returns."""
        with self._turn:
            return self._see(observation)

    def _see(self, observation: BoardObservation) -> tuple[Happening, ...]:
        if observation.view is ViewState.SETTLED and observation.cutouts and self.reveal_due:
            self._read_boards(observation)
        self._catch_up()
        before, self.view, self.note = self.view, observation.view, observation.note
        if (before is ViewState.MOVED) != (self.view is ViewState.MOVED):
            self._alert(EYES, self.view is ViewState.MOVED, BUMPED)
        happenings = self.follower.observe(observation)
        for happening in happenings:
            self._tell(happening)
        if self._was_settled():
            self.follower.accept(self._state, self._earlier())
        self._remind(observation, moved=bool(happenings))
        return happenings

    @property
    def reveal_due(self) -> bool:
        """Whether the shields have gone and boards are to be read: nothing but secret choices is awaited.

        Once cubes have moved, boards do not show any more what was chosen.
        """
        if self.unread is not None and self.unread.seen:
            return False
        actions = self.session.rules.legal_actions(self.session.state)
        return bool(actions) and all(self.session.rules.is_secret(action) for action in actions)

    def _read_boards(self, observation: BoardObservation) -> None:
        """Enter the choices of the awaited seats whose boards are seen well enough; the others stay awaited."""
        rules = self.session.rules
        for seat in rules.to_act(self.session.state):
            seat_deg = self.seat_deg(seat)
            cubes = [c for c in observation.cutouts if c.seat_deg == seat_deg]
            sure = all(c.p >= BOARD_P and c.colour == rules.setup.seats[seat].colour for c in cubes)
            if seat_deg not in observation.boards_seen or not cubes or not sure:
                continue
            text = f"{seat.name} choose {' '.join(sorted(c.slot for c in cubes))}"
            if rules.check(self.session.state, rules.parse(text)) is not None:
                continue
            p = min(c.p for c in cubes)
            cause = Cause(CauseKind.CAMERA, (("frame", observation.frame), ("p", round(p, 4))))
            self.session.ask(Play(texts=(text,), cause=cause))

    def seat_deg(self, seat: Seat) -> int:
        """Where a seat's board lies, in degrees clockwise from the bottom of the picture's table."""
        return SEAT_DEG[len(self.session.rules.setup.seats)][seat]

    def answer(self, choice: int, by: str) -> None:
        """A person answered the open question: `choice` of its choices happened. Raises ValueError without one."""
        asked, alarm = self.follower.asked, self.follower.alarm
        if isinstance(asked, Ambiguous) and 0 <= choice < len(asked.choices):
            events = asked.choices[choice]
        elif alarm is not None and alarm.unless is not None and choice == 0:
            events = alarm.unless
        else:
            raise ValueError(f"no open question has a choice {choice}")
        cause = Cause(CauseKind.OPERATOR, (("answered", by),))
        with self._turn:
            if not self._all_happened(events, cause):
                self._catch_up()  # somebody else was quicker: what they said holds
            elif alarm is not None:
                self.follower.put_right(self._state, alarm.seen)
            else:
                self.follower.told(events, self._state)
            self._close_alerts()

    def conclude(self) -> bool:
        """A person goes on to what comes after a phase whose choices were not read: if it may be over, it is. Returns
        whether what waited is recorded."""
        with self._turn:
            account = None if self.unread is None else self.unread.rules.account(self.follower.state)
            if self.unread is None or account is None or account.over is None:
                return False
            taken = self.unread.settle(account)
            self.follower.accept(self._state)
            return taken

    def _was_settled(self) -> bool:
        """Whether the follower still stands at acts that wait for their choices, and they are recorded by now."""
        unread = self.unread
        return unread is not None and not unread.seen and unread.rules.account(self.follower.state) is not None

    @property
    def _state(self) -> State:
        """The session's state, with what was seen since and waits for the choices to be known."""
        return self.session.state if self.unread is None else self.unread.state

    def _texts(self, events: tuple[Event, ...]) -> tuple[str, ...]:
        unread = self.unread
        return tuple(self.session.rules.format(e) for e in events if unread is None or unread.rules.recorded(e))

    def _all_happened(self, events: tuple[Event, ...], cause: Cause) -> bool:
        state = self.follower.state
        for event in events:
            after = self.follower.rules.apply(state, event)
            if not self._happened(event, state, after, cause):
                return False
            state = after
        return True

    def _happened(self, event: Event, before: State, after: State, cause: Cause) -> bool:
        """Record an event, or keep it until the choices before it are known; whether the session took it."""
        if self.unread is not None:
            rules = self.unread.rules
            account, later = rules.account(rules.begin(before)), rules.account(after)
            if later is not None:
                self.unread.note(event, before, cause)
                self._keep(self.session.number)
                return self.unread.settle(later) if later.certain else True
            if account is not None and self._at_reveal() and not self.unread.settle(account):
                return False
            if not rules.recorded(event):
                return True
        answer = self.session.ask(Play(texts=(self.session.rules.format(event),), cause=cause))
        if answer.accepted:
            self._keep(answer.records[-1])
        return answer.accepted

    def _catch_up(self) -> None:
        """Take over what the session accepted from others since the last picture."""
        if self.session.number == self._number:
            return
        known, self._number = self._number, self.session.number
        if self.session.state in self._known_states():  # notes and proofs change nothing
            return
        if any(step.event is None and step.number > known for step in self.session.line()):
            # an overruling: everyone agreed that the table lies so
            if self.unread is not None:
                self.unread.forget()
            self.follower.put_right(self.session.state, board_look(self.session.rules, self.session.state))
            self._close_alerts()
        else:
            seen = 0 if self.unread is None else len(self.unread.seen)
            state = self.session.state if self.unread is None else self.unread.catch_up()
            if self.follower.asked is not None:  # if it is still open, it is asked anew
                self._alert(QUESTION, False, SETTLED)
            self.follower.accept(state, self._earlier(), self._emptied(known))
            if self.unread is not None and self._at_reveal() and len(self.unread.seen) < seen:
                # what was told does not fit what was seen: it lies there against the rules now
                self.follower.view = board_look(self.follower.rules, state)

    def _emptied(self, known: int) -> frozenset[Slot]:
        """The slots in which a face lies that were empty after one of the records since number `known`."""
        rules, lying = self.session.rules, {slot for slot, at in self.follower.view.slots if at.face is not None}
        empty: set[Slot] = set()
        for step in self.session.line():
            if step.number > known:
                board = rules.board(self.session.state_after(step.number))
                empty |= {slot for slot in lying if board.at(slot).face is None}
        return frozenset(empty)

    def _at_reveal(self) -> bool:
        """Whether the session stands where choices are to be read."""
        unread = self.unread
        return unread is not None and unread.rules.account(unread.rules.begin(self.session.state)) is not None

    def _known_states(self) -> tuple[State, ...]:
        """The session's states that the follower is at: its own, or the reveal after which it has seen acts."""
        seen = () if self.unread is None else self.unread.seen
        return (self.follower.state, seen[0].before) if seen else (self.follower.state,)

    def _remind(self, observation: BoardObservation, *, moved: bool) -> None:
        """What is forgotten is said, unless something is wrong; where nothing can be seen nothing is said or closed."""
        if observation.view in MOVING:
            self.reminders.motion(observation.time_ms)
        elif observation.view is ViewState.SETTLED:
            waiting = self.unread is not None and bool(self.unread.seen)
            busy = waiting or self.follower.alarm is not None or self.follower.asked is not None
            self.reminders.look(self.follower.view, observation.time_ms, moved=moved, silent=busy)

    def _earlier(self) -> tuple[Earlier, ...]:
        rules = self.session.rules
        if self.unread is not None and self.unread.seen:
            return self.unread.earlier(TAKE_BACKS)
        found: list[Earlier] = []
        for step in reversed(self.session.line()[-TAKE_BACKS:]):
            number = self.session.before(step.number)
            state = self.session.state_after(number)
            found.append(Earlier(number, state, board_look(rules, state)))
        here = board_look(rules, self.session.state)
        return tuple(one for one in found if one.view != here)

    def _tell(self, happening: Happening) -> None:
        match happening.kind:
            case HappeningKind.EVENT:
                self._event(happening)
            case HappeningKind.ILLEGAL:
                self._illegal(happening)
            case HappeningKind.CORRECTED:
                self._alert(ALARM, False, RIGHT_AGAIN)
            case HappeningKind.ASKED:
                slots = list(happening.slots)
                self._alert(QUESTION, True, WHAT_HAPPENED, slots=slots, facts={"slots": slots})
            case HappeningKind.CLEARED:
                self._alert(QUESTION, False, SETTLED)
            case HappeningKind.TAKEN_BACK:
                self._take_back(happening)
            case (
                HappeningKind.LIFTED | HappeningKind.LAID | HappeningKind.RETURNED | HappeningKind.PLACED
                | HappeningKind.BUMPED
            ):
                pass  # hands did what the record already says; a bump is told by the view's state

    def _cause(self, happening: Happening) -> Cause:
        seen = (("frame", happening.frame), ("margin", round(min(happening.margin, 99.0), 2)))
        unseen = happening.kind is HappeningKind.EVENT and not happening.slots  # it follows from what came after it
        return Cause(CauseKind.CAMERA, (*seen, FROM_MOVES) if unseen else seen)

    def _event(self, happening: Happening) -> None:
        assert happening.event is not None
        if self._happened(happening.event, happening.before, happening.state, self._cause(happening)):
            self.follower.earlier = self._earlier()
        else:  # somebody else was quicker: begin again from what the session says
            self.follower.put_right(self._state, self.follower.view)

    def _take_back(self, happening: Happening) -> None:
        if self.unread is not None and happening.record is not None and happening.record < 0:
            assert happening.wanted is not None
            self.follower.put_right(self.unread.take_back(-1 - happening.record), happening.wanted)
            self.follower.earlier = self._earlier()
            return
        answer = self.session.ask(Undo(to=happening.record, cause=self._cause(happening)))
        if answer.accepted:
            assert happening.wanted is not None
            self.follower.put_right(self.session.state, happening.wanted)
        else:  # E.g. everyone's consent is needed first
            self._alert(
                QUESTION, True, UNDO_IT,
                slots=list(happening.slots), facts={"record": happening.record},
            )

    def _illegal(self, happening: Happening) -> None:
        violation = happening.violation
        assert violation is not None
        facts = {k: (v.name if isinstance(v, Seat) else v) for k, v in violation.facts}
        self._alert(
            ALARM, True, violation.message, facts=facts, clause=violation.clause,
            slots=list(violation.slots or happening.slots), steps=[s.to_json() for s in self.steps],
        )
        self._keep(self.session.number)

    def _keep(self, record: int) -> None:
        if self.keep is not None:
            self.keep(record)

    def _close_alerts(self) -> None:
        open_now = {name for name, _ in self.session.moment.mood.alerts}
        for name in (ALARM, QUESTION):
            if name in open_now:
                self._alert(name, False, ANSWERED)

    def _alert(self, name: str, is_open: bool, text: str, **data: Any) -> None:
        if not is_open and name not in {n for n, _ in self.session.moment.mood.alerts}:
            return
        plain = {k: _plain(v) for k, v in data.items()}
        body = {"id": name, "open": is_open, **plain}
        self.session.ask(Note(topic=Topic.ALERT, text=text, data=body, cause=Cause(CauseKind.CAMERA)))


def _plain(value: Any) -> Any:
    """`value` as JSON: seats by their letter, tuples as lists."""
    if isinstance(value, Seat):
        return value.name
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    return [_plain(v) for v in value] if isinstance(value, (tuple, list)) else value
