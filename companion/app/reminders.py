"""Reminders at a followed table: what waits too long becomes an alert, and what is done closes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.core.events import Cause, CauseKind
from companion.core.game import Rules, State
from companion.core.layout import BoardView
from companion.core.types import SEATS, Seat
from companion.table.commands import Note, Topic
from companion.table.forgotten import PATIENCE_MS, TEXTS, Hand, Pending, Thing, Waiting, pending, wait
from companion.table.session import Session

DONE = "This is done."

CLAUSES: Mapping[str, Mapping[Thing, str]] = {
    "envyra": {
        Thing.TURN: "E31",
        Thing.CONFIRM: "E20",
        Thing.LIFT: "E40",
        Thing.RETURN: "E42",
        Thing.REFILL: "E50",
        Thing.PIECES: "E4",
        Thing.FIGURE: "E53",
    },
    "spyrium": {
        Thing.TURN: "S24",
        Thing.LIFT: "S50",
        Thing.RETURN: "S41",
        Thing.REFILL: "S22",
        Thing.FIGURE: "S50",
    },
}
"""By game: the clause that a reminder rests on."""

CARDS_LIFT = "Cards still lie at {places} that are discarded or go to their owner."
WORKERS_RETURN = "Workers still stand at {places} that went back to their players."
CARDS_REFILL = "These places wait for a card: {places}."
CARD_FIGURE = "The First player card goes to {players}."

OWN_TEXTS: Mapping[str, Mapping[Thing, str]] = {
    "spyrium": {
        Thing.LIFT: CARDS_LIFT,
        Thing.RETURN: WORKERS_RETURN,
        Thing.REFILL: CARDS_REFILL,
        Thing.FIGURE: CARD_FIGURE,
    }
}
"""By game: what is said instead where the game has other pieces than tiles and cubes."""


def hands_of(rules: Rules, state: State) -> tuple[Hand, ...]:
    """The pieces that players hold, for a game whose view counts them as `reserve` and `board`; else nothing."""
    first = rules.view(rules.initial(), None).get("seats", ())
    now = rules.view(state, None).get("seats", ())
    return tuple(
        Hand(SEATS[n], seat["colour"], seat["reserve"] + len(seat.get("board") or ()), begun["reserve"])
        for n, (begun, seat) in enumerate(zip(first, now, strict=True))
        if "reserve" in seat
    )


@dataclass
class Reminders:
    """The reminders of one session, told of each picture by `look`. Called by the camera's thread only."""

    session: Session
    patience_ms: Mapping[Thing, int] = field(default_factory=lambda: dict(PATIENCE_MS))
    _waiting: Waiting = field(default_factory=Waiting)
    _known: tuple[int, BoardView] | None = None
    _pending: tuple[Pending, ...] = ()
    _figure: Seat | None = None

    def motion(self, now_ms: int) -> None:
        """Hands are at work at `now_ms`: nothing opens or closes, and a turn is waited for anew."""
        self._waiting, _ = self._wait(now_ms, moved=True)

    def look(self, view: BoardView, now_ms: int, *, moved: bool, silent: bool) -> None:
        """`view` is believed to lie on the table, settled at `now_ms`; `moved`: something was done since the last look.

        `silent`: something more urgent is being said; as in a pause, open reminders close and the waits go on.
        """
        rules, moment = self.session.rules, self.session.moment
        if (moment.number, view) != self._known:
            self._known = (moment.number, view)
            self._pending = pending(rules, moment.state, view, hands_of(rules, moment.state))
            holder = rules.view(moment.state, None).get("first")
            self._figure = None if holder is None else Seat[holder]
        self._waiting, due = self._wait(now_ms, moved=moved)
        self._show(() if silent or moment.mood.paused else due)

    def _wait(self, now_ms: int, *, moved: bool) -> tuple[Waiting, tuple[Pending, ...]]:
        return wait(
            self._waiting, self._pending, now_ms, moved=moved, figure=self._figure, patience_ms=self.patience_ms
        )

    def _show(self, due: tuple[Pending, ...]) -> None:
        """Open what is due and not shown so yet, close what is shown and not due."""
        wanted = {one.name: self._data(one) for one in due}
        names = {f"forgotten-{thing.value}" for thing in Thing}
        shown = {n: d for n, d in self.session.moment.mood.alerts if n in names or n.startswith("forgotten-pieces-")}
        for name, data in wanted.items():
            if {"open": True, **data} != shown.get(name):
                body = {k: v for k, v in data.items() if k != "text"}
                self._tell(data["text"], {"id": name, "open": True, **body})
        for name in shown.keys() - wanted.keys():
            self._tell(DONE, {"id": name, "open": False})

    def _data(self, one: Pending) -> dict[str, Any]:
        facts: dict[str, Any] = {}
        if one.seats:
            facts["players"] = [self.session.header.setup.seats[seat].name for seat in one.seats]
        if one.slots:
            facts["places"] = list(one.slots)
        if one.thing is Thing.PIECES:
            facts |= {"count": one.count, "owned": one.owned}
        game = self.session.header.setup.game
        text = OWN_TEXTS.get(game, {}).get(one.thing, TEXTS[one.thing])
        data: dict[str, Any] = {"text": text, "facts": facts, "slots": list(one.slots)}
        clause = CLAUSES.get(game, {}).get(one.thing)
        return data if clause is None else {**data, "clause": clause}

    def _tell(self, text: str, data: dict[str, Any]) -> None:
        self.session.ask(Note(topic=Topic.ALERT, text=text, data=data, cause=Cause(CauseKind.SYSTEM)))
