"""Reminders at a followed table: what waits too long becomes an alert, and doing it closes the alert."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.app.camera.watch.alerts import Alerts
from companion.core.duties import Duty
from companion.core.events import Cause, CauseKind
from companion.core.game import GameSpec, Rules, State
from companion.core.layout import BoardView
from companion.core.types import SEATS, Seat
from companion.table.session import Session
from companion.table.tracking.overdue import PATIENCE_MS, TEXTS, Hand, Pending, Waiting, pending, wait

DONE, ENDS = "This is done.", "The reminder ends."


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
    """The reminders of one session, in the words and by the clauses of its game. For the camera's thread only."""

    spec: GameSpec
    session: Session
    patience_ms: Mapping[Duty, int] = field(default_factory=lambda: dict(PATIENCE_MS))
    alerts: Alerts = field(init=False)
    _waiting: Waiting = field(default_factory=Waiting)
    _known: tuple[int, BoardView] | None = None
    _pending: tuple[Pending, ...] = ()
    _figure: Seat | None = None

    def __post_init__(self) -> None:
        self.alerts = Alerts(self.session, Cause(CauseKind.SYSTEM))

    def motion(self, now_ms: int) -> None:
        """Hands are at work at `now_ms`: nothing opens or closes, and a turn is waited for anew."""
        self._waiting, _ = self._wait(now_ms, moved=True)

    def settled(self, view: BoardView, now_ms: int, *, moved: bool, silent: bool) -> None:
        """`view` is believed to be on the table, settled at `now_ms`; `moved`: something was done since the last time.

        `silent`: something more urgent is shown; as in a pause, open reminders close and the waits go on.
        """
        rules, moment = self.session.rules, self.session.moment
        if (moment.number, view) != self._known:
            self._known = (moment.number, view)
            self._pending = pending(rules, moment.state, view, hands_of(rules, moment.state))
            over = rules.result(moment.state) is not None  # then nobody needs the figure any more
            holder = None if over else rules.view(moment.state, None).get("first")
            self._figure = None if holder is None else Seat[holder]
        self._waiting, due = self._wait(now_ms, moved=moved)
        self._show(() if silent or moment.mood.paused else due)

    def _wait(self, now_ms: int, *, moved: bool) -> tuple[Waiting, tuple[Pending, ...]]:
        return wait(
            self._waiting, self._pending, now_ms, moved=moved, figure=self._figure, patience_ms=self.patience_ms
        )

    def _show(self, due: tuple[Pending, ...]) -> None:
        """Open what is due and not shown so yet, close what is shown and not due."""
        for one in due:
            self._open(one)
        names = {f"forgotten-{duty.value}" for duty in Duty}
        shown = {n for n in self.alerts.shown if n in names or n.startswith("forgotten-pieces-")}
        unseen = {Pending(Duty.FIGURE).name} | {one.name for one in self._pending}
        for name in sorted(shown - {one.name for one in due}):
            self.alerts.close(name, ENDS if name in unseen else DONE)

    def _open(self, one: Pending) -> None:
        facts: dict[str, Any] = {}
        if one.seats:
            facts["players"] = [self.session.header.setup.seats[seat].name for seat in one.seats]
        if one.slots:
            facts["places"] = list(one.slots)
        if one.duty is Duty.PIECES:
            facts |= {"count": one.count, "owned": one.owned}
        own = self.spec.reminders.get(one.duty)
        data: dict[str, Any] = {"facts": facts, "slots": list(one.slots)}
        if own is not None:
            data["clause"] = own.clause
        self.alerts.open(one.name, own.text if own is not None and own.text else TEXTS[one.duty], **data)
