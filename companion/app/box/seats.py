"""The button box's seat at the session: presses become confirmations, the LEDs show each player what is awaited."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from companion.core.errors import NotationError
from companion.core.events import Cause, CauseKind, LogRecord
from companion.core.inputs import BoxInput, ButtonEdge, ButtonEvent
from companion.core.types import SEATS, Seat
from companion.table.commands import Answer, Note, Outcome, Play, Topic
from companion.table.session import Session
from companion.table.turn_flow import FLOW, Asks, Awaits, stage_of
from firmware_bridge.constants import STATIONS, LedState
from firmware_bridge.status import ReportPosition

SHIELD_ALERT = "shield-{seat}"
"""The id of the alert about a shield lifted too early, one for each seat."""

CONFIRMS = {BoxInput[f"CONFIRM_{n}"]: n - 1 for n in range(1, STATIONS + 1)}
SHIELDS = {BoxInput[f"SHIELD_{n}"]: n - 1 for n in range(1, STATIONS + 1)}
LEDS: dict[tuple[Asks, bool], tuple[LedState, LedState]] = {
    (Asks.NOBODY, False): (LedState.OFF, LedState.OFF),
    (Asks.BAG, False): (LedState.YOUR_TURN, LedState.OFF),
    (Asks.SEATS, False): (LedState.YOUR_TURN, LedState.OFF),
    (Asks.SEATS, True): (LedState.PLACE_NOW, LedState.CONFIRMED),
    (Asks.BOARDS, False): (LedState.CONFIRMED, LedState.CONFIRMED),  # nobody has to press anything
}
"""By whom a stage of the game asks, and whether shields must stand: the LED of awaited seats, and that of others."""

LIFTED, STANDS = "{seat} lifted the shield before everybody was ready.", "The shield of {seat} stands again."


def event_key(event: ButtonEvent) -> str:
    """The idempotency key of a press: the same press is applied once, also after a restart."""
    return f"box:{event.box}:{event.boot}:{event.number}"


def event_cause(event: ButtonEvent) -> Cause:
    """What goes into the record about a press."""
    detail: list[tuple[str, Any]] = [
        ("boot", event.boot), ("box", event.box), ("device_ms", event.device_ms), ("input", event.input.value),
        ("number", event.number),
    ]
    if event.tied_with_previous:
        detail.append(("tied_with_previous", True))
    return Cause(CauseKind.BUTTON, tuple(sorted(detail)))


def last_press(records: Iterable[LogRecord]) -> ReportPosition | None:
    """The last press that is in a record: after a restart the bridge goes on behind it."""
    position: ReportPosition | None = None
    for record in records:
        detail = dict(record.cause.detail)
        if record.cause.kind is CauseKind.BUTTON and "boot" in detail:
            position = ReportPosition(detail["box"], detail["boot"], detail["number"])
    return position


@dataclass
class BoxSeats:
    """Turns button events into commands of one session. Station n belongs to the n-th seat.

    A game takes confirmations by the words `SEAT confirm` and gives them back by `SEAT take-back`; a game without
    these words gets no confirmations from the box.
    """

    session: Session
    refused: Callable[[Seat, Answer], None] | None = None
    """Told when a press could not be taken, so that the page can say why."""
    conclude: Callable[[], object] | None = None
    """Called before a confirmation is judged: what waits for the phase before it to be over is recorded then."""
    _wrong: set[Seat] = field(default_factory=set)

    def press(self, event: ButtonEvent) -> None:
        """One event of the box; when this returns, what it changed is in the record."""
        if event.input in CONFIRMS and event.edge is ButtonEdge.PRESSED:
            self._confirm(CONFIRMS[event.input], event)
        elif event.input in SHIELDS:
            self._shield(SHIELDS[event.input], event)
        elif event.input is BoxInput.REFEREE and event.edge is ButtonEdge.PRESSED:
            topic = Topic.RESUME if self.session.moment.mood.paused else Topic.PAUSE
            self.session.ask(Note(topic=topic, cause=event_cause(event), key=event_key(event)))

    def _seat(self, station: int) -> Seat | None:
        return SEATS[station] if station < len(self.session.rules.setup.seats) else None

    def _confirm(self, station: int, event: ButtonEvent) -> None:
        seat = self._seat(station)
        if seat is None:
            return
        if self.conclude is not None:
            self.conclude()
        answer = self._try(seat, "confirm", event)
        if answer is not None and answer.outcome is Outcome.ILLEGAL:
            # a second press before everybody is ready takes the confirmation back
            again = self._try(seat, "take-back", event)
            answer = again if again is not None and again.accepted else answer
        if answer is None or answer.accepted:
            self._wrong.discard(seat)
            return
        self._wrong.add(seat)
        if self.refused is not None:
            self.refused(seat, answer)

    def _try(self, seat: Seat, word: str, event: ButtonEvent) -> Answer | None:
        rules, text = self.session.rules, f"{seat.name} {word}"
        try:
            action = rules.parse(text)
        except NotationError:
            return None  # this game has nothing to confirm
        violation = rules.check(self.session.state, action)
        if violation is not None:
            return Answer(Outcome.ILLEGAL, violation=violation)
        key = f"{event_key(event)}:{word}"
        return self.session.ask(Play(texts=(text,), by=seat, cause=event_cause(event), key=key))

    def _shield(self, station: int, event: ButtonEvent) -> None:
        """A shield lifted while others still place their cubes is reported until it stands again."""
        seat = self._seat(station)
        if seat is None:
            return
        name = SHIELD_ALERT.format(seat=seat.name)
        is_open = name in {n for n, _ in self.session.moment.mood.alerts}
        lifted = event.edge is ButtonEdge.RELEASED
        if lifted == is_open or (lifted and not self._awaits.shields):
            return
        text = LIFTED if lifted else STANDS
        data = {"id": name, "open": lifted, "facts": {"seat": seat.name}, "slots": []}
        self.session.ask(Note(topic=Topic.ALERT, text=text, data=data, cause=event_cause(event), key=event_key(event)))

    def leds(self) -> tuple[LedState, ...]:
        """What each station shows now: place now, confirmed, your turn, wrong, or nothing."""
        rules, state = self.session.rules, self.session.state
        awaited = {Seat[name] for name in rules.view(state, None).get("awaited", ())}
        awaits = self._awaits
        asked, idle = LEDS[awaits.asks, awaits.shields]
        shown = []
        for station in range(STATIONS):
            seat = self._seat(station)
            if seat is None or awaits.asks is Asks.NOBODY:
                shown.append(LedState.OFF)
            elif seat in self._wrong or self._accused(seat):
                shown.append(LedState.WRONG)
            else:
                shown.append(asked if seat in awaited else idle)
        return tuple(shown)

    @property
    def _awaits(self) -> Awaits:
        """What the game awaits."""
        return FLOW[stage_of(self.session.rules, self.session.state)]

    def _accused(self, seat: Seat) -> bool:
        """Whether an open alert names the seat."""
        return any(data.get("facts", {}).get("seat") == seat.name for _, data in self.session.moment.mood.alerts)
