"""Play without boards in view: moves that are seen after a reveal wait until the choices follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from companion.core.events import Cause, CauseKind
from companion.core.game import Account, InferringRules, Rules, State
from companion.core.types import Action, Event
from companion.table.commands import Note, Play, Topic
from companion.table.session import Session
from companion.table.tracking.appearance import board_look
from companion.table.tracking.judging.weighing import EarlierState

BOARDS, SEEN, MAY_GO_ON = "forgotten-boards", "seen", "may_go_on"
"""The id of the reminder that boards were not read, and under which its data hold what was seen since, for a restart
too, and whether the phase may be over, so that a person can go on to what comes after it."""

NOT_READ = (
    "The boards were not read. The choices are inferred from the moves, so the check of the choices is weaker; "
    "entering them makes it whole. Seen so far: {moves}."
)
INFERRED = "The choices of this round were inferred from the moves."
BOARDS_READ = "The boards have been read."

FROM_MOVES = ("inferred", "from the moves")
"""In the cause of an act that nobody saw, read or entered."""



class Boards(Enum):
    """What is known of the choices that a state rests on."""

    READ = "all choices are in the record"
    UNREAD = "acts of a phase whose choices were not read"
    INFERRED = "the acts of such a phase are over, so that the choices follow"


class Handling(Enum):
    """What is done about an act, in this order."""

    RECORD_WAITING = auto()  # the phase before it: what waits, with the choices that follow
    WAIT = auto()  # the act itself waits for its choice to follow
    RECORD_ALL = auto()  # the act and what waits, with the choices that follow
    RECORD = auto()  # the act itself


ACTS: Mapping[tuple[Boards, Boards], tuple[Handling, ...]] = {
    (Boards.READ, Boards.READ): (Handling.RECORD,),
    (Boards.READ, Boards.UNREAD): (Handling.WAIT,),
    (Boards.READ, Boards.INFERRED): (Handling.WAIT, Handling.RECORD_ALL),
    (Boards.UNREAD, Boards.READ): (Handling.RECORD_WAITING, Handling.RECORD),
    (Boards.UNREAD, Boards.UNREAD): (Handling.WAIT,),
    (Boards.UNREAD, Boards.INFERRED): (Handling.WAIT, Handling.RECORD_ALL),
    (Boards.INFERRED, Boards.READ): (Handling.RECORD_WAITING, Handling.RECORD),
    (Boards.INFERRED, Boards.UNREAD): (Handling.WAIT,),
    (Boards.INFERRED, Boards.INFERRED): (Handling.WAIT, Handling.RECORD_ALL),
}
"""What is done about an act that leads from states of one kind to states of another."""


@dataclass(frozen=True, slots=True)
class SeenAct:
    """An act that was seen, the state before it, and why it is believed."""

    event: Event
    before: State
    cause: Cause


@dataclass
class UnreadBoards:
    """What was seen since a reveal at which boards stayed unread, and how it comes into the record.

    While something is `seen` the session stands at the reveal. It is recorded, choices first, when no act of the
    phase can follow, when something later is seen, or when a person goes on.
    """

    session: Session
    rules: InferringRules
    seen: list[SeenAct] = field(default_factory=list)

    def restore(self) -> State:
        """The state that the record leads to, with what was seen before a restart."""
        stored = dict(self.session.moment.mood.alerts).get(BOARDS, {}).get(SEEN, ())
        self._follow([(self.rules.parse(one["text"]), _cause(one)) for one in stored])
        self._remind()
        return self.state

    def boards(self, state: State) -> Boards:
        """What is known of the choices that `state` rests on."""
        account = self.rules.account(state)
        if account is None:
            return Boards.READ
        return Boards.INFERRED if account.certain else Boards.UNREAD

    def note(self, event: Event, before: State, cause: Cause) -> None:
        """An act was seen that cannot be recorded yet."""
        self.seen.append(SeenAct(event, before, cause))
        self._remind()

    def take_back(self, index: int) -> State:
        """Hands took back what was seen from number `index` on; the state before it."""
        before = self.seen[index].before
        del self.seen[index:]
        self._remind()
        return before

    def earlier(self, most: int) -> tuple[EarlierState, ...]:
        """The last states that a take-back on the table may lead to; their records count down from -1."""
        states = enumerate(one.before for one in self.seen)
        found = [EarlierState(-1 - i, before, board_look(self.rules, before)) for i, before in states]
        return tuple(reversed(found[-most:]))

    @property
    def state(self) -> State:
        """The session's state, with what was seen since."""
        if not self.seen:
            return self.session.state
        return self.rules.apply(self.seen[-1].before, self.seen[-1].event)

    def catch_up(self) -> State:
        """Others have changed the session's state: the state now. What was seen and does not fit any more is dropped:
        it is still on the table, and will be judged anew."""
        if not self.seen:
            return self.session.state
        state = self._follow([(one.event, one.cause) for one in self.seen])
        if self.seen and self.rules.account(state) is None:  # the last board was entered
            self._record((), BOARDS_READ)
        else:
            self._remind()
        return self.state

    def forget(self) -> None:
        """Everyone agreed how the table is: what was seen before does not matter any more."""
        self.seen.clear()
        self._remind()

    def record(self, account: Account) -> bool:
        """Record what was inferred and seen, all of it or nothing; whether the session took it."""
        return self._record(account.inferred, INFERRED)

    def _record(self, choices: tuple[Action, ...], why: str) -> bool:
        texts = tuple(self.rules.format(event) for event in (*choices, *(one.event for one in self.seen)))
        inferred = (FROM_MOVES,) if choices else ()
        cause = Cause(CauseKind.CAMERA, (*inferred, (SEEN, [_seen_json(self.rules, one) for one in self.seen])))
        taken = not texts or self.session.ask(Play(texts=texts, cause=cause)).accepted
        self.seen.clear()
        self._remind(why)
        return taken

    def _follow(self, acts: list[tuple[Event, Cause]]) -> State:
        """Apply the acts to the session's state and remember them, up to the first one that does not fit."""
        state: Any = self.session.state
        self.seen.clear()
        for event, cause in acts:
            if self.rules.check(state, event) is not None:
                break
            self.seen.append(SeenAct(event, state, cause))
            state = self.rules.apply(state, event)
        return state

    def _remind(self, why: str = BOARDS_READ) -> None:
        """Show what waits, or that nothing does."""
        seen = [_seen_json(self.rules, one) for one in self.seen]
        if not seen and BOARDS not in dict(self.session.moment.mood.alerts):
            return
        facts = {"moves": [self._shown(one.event) for one in self.seen]}
        account = self.rules.account(self.state) if seen else None
        over = account is not None and account.over is not None
        data = {"id": BOARDS, "open": bool(seen), "facts": facts, "slots": [], SEEN: seen, MAY_GO_ON: over}
        text = NOT_READ if seen else why
        self.session.ask(Note(topic=Topic.ALERT, text=text, data=data, cause=Cause(CauseKind.CAMERA)))

    def _shown(self, event: Event) -> str:
        """Who moved where, in no language: the name of the player and the places."""
        _, _, *places = self.rules.format(event).split()
        seat = self.rules.setup.seats[event.seat] if isinstance(event, Action) else None
        return " ".join(places if seat is None else (seat.name, *places))


def _seen_json(rules: Rules, one: SeenAct) -> dict[str, Any]:
    return {"text": rules.format(one.event), "kind": one.cause.kind.value, **dict(one.cause.detail)}


def _cause(seen: Mapping[str, Any]) -> Cause:
    return Cause(CauseKind(seen["kind"]), tuple((k, v) for k, v in seen.items() if k not in ("text", "kind")))
