"""What people forget at the table: noticed from the state, the table as last seen and a clock (pure).

`pending` gives the duties that wait now, `wait` how long each has waited, and which are overdue.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.core.duties import Duty
from companion.core.game import Rules, State
from companion.core.layout import BoardView
from companion.core.types import Seat, Slot
from companion.table.tracking.appearance import board_look
from companion.table.tracking.chance_ahead import upcoming

PATIENCE_MS: Mapping[Duty, int] = {
    Duty.TURN: 90_000,
    Duty.CONFIRM: 120_000,
    Duty.LIFT: 20_000,
    Duty.RETURN: 20_000,
    Duty.REFILL: 30_000,
    Duty.PUT: 20_000,
    Duty.PIECES: 5_000,
    Duty.FIGURE: 0,
}
"""How long a duty may wait before anybody is reminded: thinking takes minutes, tidying up a few seconds. The figure
is named at once, since no camera sees who has it."""

FIGURE_SHOWN_MS = 60_000
"""How long the reminder of the starting figure stays."""

FROM_THE_LAST_MOTION = frozenset({Duty.TURN})
"""Duties that wait since the last motion on the table; the others since they came to wait."""

TURN_TEXT = "It is the turn of {players}, and nothing has moved for a while."
CONFIRM_TEXT = "The table waits for {players}: place and confirm."
LIFT_TEXT = "A captured tile still lies at {places}: its new owner takes it, and the cubes go back."
RETURN_TEXT = "Cubes still lie at {places} that belong back in their players' reserves."
REFILL_TEXT = "These places wait for a tile: {places}."
PUT_TEXT = "Pieces are still to be put at {places}."
PIECES_TEXT = "{players} would place with {count} cubes and owns {owned}: the cubes at {places} belong to the reserve."
FIGURE_TEXT = "The starting figure goes to {players}."

TEXTS: Mapping[Duty, str] = {
    Duty.TURN: TURN_TEXT,
    Duty.CONFIRM: CONFIRM_TEXT,
    Duty.LIFT: LIFT_TEXT,
    Duty.RETURN: RETURN_TEXT,
    Duty.REFILL: REFILL_TEXT,
    Duty.PUT: PUT_TEXT,
    Duty.PIECES: PIECES_TEXT,
    Duty.FIGURE: FIGURE_TEXT,
}


@dataclass(frozen=True, slots=True)
class Hand:
    """The pieces of a seat that are in no slot: how many of `colour` it holds, and owns in all."""

    seat: Seat
    colour: str
    held: int
    owned: int


@dataclass(frozen=True, slots=True)
class Pending:
    """One duty that waits: whom it concerns, where, and for PIECES how many pieces against how many owned."""

    duty: Duty
    seats: tuple[Seat, ...] = ()
    slots: tuple[Slot, ...] = ()
    count: int = 0
    owned: int = 0

    @property
    def name(self) -> str:
        """The same for the same duty, so that its alert can be found again."""
        who = "".join(f"-{seat.name}" for seat in self.seats) if self.duty is Duty.PIECES else ""
        return f"forgotten-{self.duty.value}{who}"


@dataclass(frozen=True, slots=True)
class Waiting:
    """Since when each duty waits (on the clock that `wait` is given), and who was last known to hold the figure."""

    since_ms: tuple[tuple[Pending, int], ...] = ()
    figure: Seat | None = None
    passed_ms: int | None = None


def pending(rules: Rules, state: State, view: BoardView, hands: tuple[Hand, ...] = ()) -> tuple[Pending, ...]:
    """What waits to be done in `state` while `view` lies on the table.

    `view` is as the tracker believes it: where it differs from the state's own, hands are behind the rules. Whose
    turn it is counts only when nothing else waits, because tidying up comes first.
    """
    if rules.result(state) is not None:
        return ()
    placing = _placing(rules, state)
    found = list(_surplus(rules, state, view, tuple(h for h in hands if h.seat in placing)))
    named = {(slot, hand.colour) for p in found for slot in p.slots for hand in hands if hand.seat in p.seats}
    found += _untidy(rules, state, view, named)
    if placing:
        found.append(Pending(Duty.CONFIRM, placing))
    elif not found and rules.to_act(state):
        found.append(Pending(Duty.TURN, rules.to_act(state)))
    return tuple(found)


def _placing(rules: Rules, state: State) -> tuple[Seat, ...]:
    """The seats that have a secret act to do."""
    seats = {action.seat for action in rules.legal_actions(state) if rules.is_secret(action)}
    return tuple(sorted(seats & set(rules.to_act(state))))


def _surplus(rules: Rules, state: State, view: BoardView, hands: tuple[Hand, ...]) -> tuple[Pending, ...]:
    """Seats about to place that hold and have lying more pieces than they own."""
    wanted = board_look(rules, state)
    found = []
    for hand in hands:
        lying = {slot: dict(at.pieces).get(hand.colour, 0) for slot, at in view.slots}
        count = hand.held + sum(lying.values())
        if count > hand.owned:
            slots = tuple(s for s, n in lying.items() if n > dict(wanted.at(s).pieces).get(hand.colour, 0))
            found.append(Pending(Duty.PIECES, (hand.seat,), slots, count, hand.owned))
    return tuple(found)


def _untidy(rules: Rules, state: State, view: BoardView, named: set[tuple[Slot, str]]) -> list[Pending]:
    """Faces to lift, pieces to take back or put, places to fill, without the pieces that were `named` already."""
    wanted = board_look(rules, state)
    later = upcoming(rules, state) or wanted
    lift, back, fill, put = [], [], [], []
    for slot in (outline.slot for outline in rules.layout().slots):
        lies, right = view.at(slot), wanted.at(slot)
        if lies.face is not None and lies.face not in (right.face, later.at(slot).face):
            lift.append(slot)
        elif lies.face is None and (right.face is not None or later.at(slot).face is not None):
            fill.append(slot)
        elif any(n > dict(right.pieces).get(c, 0) and (slot, c) not in named for c, n in lies.pieces):
            back.append(slot)
        elif any(n > dict(lies.pieces).get(c, 0) for c, n in right.pieces):
            put.append(slot)
    pairs = ((Duty.LIFT, lift), (Duty.RETURN, back), (Duty.REFILL, fill), (Duty.PUT, put))
    return [Pending(duty, slots=tuple(slots)) for duty, slots in pairs if slots]


def wait(
    waiting: Waiting,
    now: tuple[Pending, ...],
    now_ms: int,
    *,
    moved: bool = False,
    figure: Seat | None = None,
    patience_ms: Mapping[Duty, int] = PATIENCE_MS,
) -> tuple[Waiting, tuple[Pending, ...]]:
    """How long the duties of `now` have waited at `now_ms`, and those that have waited too long.

    `moved`: something moves on the table. `figure`: who holds the starting figure by the rules, where there is one;
    a change of it is a duty of its own. Something that is done, or done in part, begins to wait anew.
    """
    passed_ms = waiting.passed_ms
    if figure is not None and waiting.figure is not None and figure is not waiting.figure:
        passed_ms = now_ms
    if passed_ms is not None and now_ms - passed_ms < FIGURE_SHOWN_MS and figure is not None:
        now = (*now, Pending(Duty.FIGURE, (figure,)))
    else:
        passed_ms = None
    before = dict(waiting.since_ms)
    since = tuple(
        (p, now_ms if moved and p.duty in FROM_THE_LAST_MOTION else before.get(p, now_ms)) for p in now
    )
    due = tuple(p for p, begun_ms in since if now_ms - begun_ms >= patience_ms[p.duty])
    return replace(waiting, since_ms=since, figure=figure, passed_ms=passed_ms), due
