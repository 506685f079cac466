"""Acts that were seen on the table, on their way into the session, and what the session says of earlier ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.app.camera.watch.unread_boards import ACTS, FROM_MOVES, Boards, Handling, UnreadBoards
from companion.core.events import Cause, CauseKind
from companion.core.game import GameSpec, Rules, State
from companion.core.layout import BoardView
from companion.core.types import Event, Slot
from companion.table.commands import Play
from companion.table.session import Session
from companion.table.tracking.appearance import board_look
from companion.table.tracking.happenings import Happening, HappeningKind
from companion.table.tracking.judging.weighing import EarlierState

Keep = Callable[[int], None]
"""Called with a record's number: keep the pictures just before and after it."""


def unread_of(spec: GameSpec, session: Session) -> UnreadBoards | None:
    """What waits for choices that nobody read, in a game that can infer them from moves."""
    return None if spec.infer is None else UnreadBoards(session, spec.infer(session.rules))


def cause_of(happening: Happening) -> Cause:
    """Why an act is believed: the picture and by how much it was the likeliest."""
    seen = (("frame", happening.frame), ("margin", round(min(happening.margin, 99.0), 2)))
    unseen = happening.kind is HappeningKind.EVENT and not happening.slots  # it follows from what came after it
    return Cause(CauseKind.CAMERA, (*seen, FROM_MOVES) if unseen else seen)


@dataclass(frozen=True)
class SeenActs:
    """Brings acts into the session: at once, or when the choices before them are known (`unread`).

    `keep` is called with each record that an act has become.
    """

    session: Session
    unread: UnreadBoards | None = None
    keep: Keep | None = None

    @property
    def rules(self) -> Rules:
        """The rules by which what is seen is judged: with unread boards those that go on without them."""
        return self.session.rules if self.unread is None else self.unread.rules

    @property
    def state(self) -> State:
        """The session's state, with what was seen since and waits for the choices to be known."""
        return self.session.state if self.unread is None else self.unread.state

    @property
    def are_waiting(self) -> bool:
        """Whether something was seen that cannot be recorded yet."""
        return self.unread is not None and bool(self.unread.seen)

    def texts(self, events: tuple[Event, ...]) -> tuple[str, ...]:
        """The events as texts, without those that are never recorded."""
        unread = self.unread
        return tuple(self.session.rules.format(e) for e in events if unread is None or unread.rules.recorded(e))

    def take_all(self, events: tuple[Event, ...], state: State, cause: Cause) -> bool:
        """Take events that happened one after the other from `state` on; whether the session took all of them."""
        for event in events:
            after = self.rules.apply(state, event)
            if not self.take(event, state, after, cause):
                return False
            state = after
        return True

    def take(self, event: Event, before: State, after: State, cause: Cause) -> bool:
        """Record an event, or keep it until the choices before it are known; whether the session took it."""
        unread, handling = self.unread, ACTS[Boards.READ, Boards.READ]
        if unread is not None:
            handling = ACTS[unread.boards(unread.rules.begin(before)), unread.boards(after)]
            if Handling.RECORD_WAITING in handling and self.at_reveal:
                account = unread.rules.account(unread.rules.begin(before))
                if account is None or not unread.record(account):
                    return False
            if Handling.WAIT in handling:
                unread.note(event, before, cause)
                self.keep_pictures(self.session.number)
            if Handling.RECORD_ALL in handling:
                account = unread.rules.account(after)
                return account is not None and unread.record(account)
            if Handling.RECORD not in handling or not unread.rules.recorded(event):
                return True
        answer = self.session.ask(Play(texts=(self.session.rules.format(event),), cause=cause))
        if answer.accepted:
            self.keep_pictures(answer.records[-1])
        return answer.accepted

    def conclude(self, state: State) -> bool | None:
        """Close the phase that `state` is in if it can be over, and record the inferred choices.

        Whether the session took them; None when nothing waits or something is still due.
        """
        account = None if self.unread is None else self.unread.rules.account(state)
        if self.unread is None or account is None or account.over is None:
            return None
        return self.unread.record(account)

    def keep_pictures(self, record: int) -> None:
        """Keep the pictures just before and after `record`."""
        if self.keep is not None:
            self.keep(record)

    @property
    def at_reveal(self) -> bool:
        """Whether the session stands where choices are to be read."""
        unread = self.unread
        return unread is not None and unread.rules.account(unread.rules.begin(self.session.state)) is not None

    def were_recorded(self, state: State) -> bool:
        """Whether `state` rests on acts that waited for their choices and are recorded by now."""
        unread = self.unread
        return unread is not None and not unread.seen and unread.rules.account(state) is not None

    def session_stands_at(self, state: State) -> bool:
        """Whether the session stands at `state`, or at the reveal since which everything up to `state` was seen."""
        seen = () if self.unread is None else self.unread.seen
        return self.session.state in ((state, seen[0].before) if seen else (state,))

    def earlier(self, most: int, waiting: int) -> tuple[EarlierState, ...]:
        """The states that hands may lead the table back to: `most` records back, or `waiting` acts that still wait."""
        if self.unread is not None and self.unread.seen:
            return self.unread.earlier(waiting)
        rules, line, found = self.session.rules, self.session.line(), []
        for step in reversed(line[max(0, len(line) - most):]):
            number = self.session.before(step.number)
            state = self.session.state_after(number)
            found.append(EarlierState(number, state, board_look(rules, state)))
        here = board_look(rules, self.session.state)
        return tuple(one for one in found if one.view != here)

    def emptied(self, known: int, view: BoardView) -> frozenset[Slot]:
        """The slots in which a face lies in `view` that were empty after one of the records since number `known`."""
        rules, lying = self.session.rules, {slot for slot, at in view.slots if at.face is not None}
        empty: set[Slot] = set()
        for step in self.session.line():
            if step.number > known:
                board = rules.board(self.session.state_after(step.number))
                empty |= {slot for slot in lying if board.at(slot).face is None}
        return frozenset(empty)

    def overruled_since(self, known: int) -> bool:
        """Whether everyone agreed, after record `known`, that the table is as it is."""
        return any(step.event is None and step.number > known for step in self.session.line())
