"""The walk as a table of steps, for a terminal and for a page alike. Pure: events and answers are passed in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.core.inputs import BoxInput, ButtonEdge, ButtonEvent
from companion.core.messages import NO_MESSAGE, Message
from firmware_bridge.constants import STATIONS, LedState


class StepKind(Enum):
    """What a step asks of the person."""

    LIGHT = "light"  # to say whether a LED shows what it should
    CONTACT = "contact"  # to move a contact


class StepOutcome(Enum):
    """What came of a step."""

    GOOD = "good"
    WRONG = "wrong"  # another contact came, or the person says that the LED is wrong
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class WalkStep:
    """One thing to try. `station` is 0 for the referee's button."""

    kind: StepKind
    station: int
    ask: Message
    state: LedState = LedState.OFF
    input: BoxInput | None = None
    edge: ButtonEdge = ButtonEdge.PRESSED


@dataclass(frozen=True, slots=True)
class StepResult:
    """A step with its outcome, and the likely cause when it is wrong."""

    step: WalkStep
    outcome: StepOutcome
    cause: Message = NO_MESSAGE


GREEN = "Station {station}: does its LED shine steadily green, and no other LED?"
RED = "Station {station}: does its LED blink red, four times a second, and no other LED?"
AMBER = "Station {station}: does its LED flash amber (green and red at once), twice a second, and no other LED?"
PRESS = "Station {station}: press the confirm button."
PUT = "Station {station}: put the shield up."
LIFT = "Station {station}: lift the shield."
CALL = "Press the referee's button."
CAME = "{came} came instead: two wires are swapped, or that contact was moved"
NAMES = {
    "confirm": "the confirm button of station {station}",
    "shield": "the shield sensor of station {station}",
    "referee": "the referee's button",
}
"""What an input is called, by the first part of its value."""

DARK = "the LED is the wrong way round, its wire is broken, or the LED's polarity is set wrongly"

_LIGHTS = ((GREEN, LedState.CONFIRMED), (RED, LedState.WRONG), (AMBER, LedState.YOUR_TURN))


def input_name(which: BoxInput) -> Message:
    """An input in words."""
    kind, _, station = which.value.partition("-")
    return Message(NAMES[kind], station=station) if station else Message(NAMES[kind])


def _contact(text: str, which: BoxInput, edge: ButtonEdge, station: int) -> WalkStep:
    return WalkStep(StepKind.CONTACT, station, Message(text, station=station), input=which, edge=edge)


def steps(stations: int = STATIONS) -> tuple[WalkStep, ...]:
    """The steps for a box of that many stations. Raises ValueError unless it is 1 to 4."""
    if not 1 <= stations <= STATIONS:
        raise ValueError(f"a box has 1 to {STATIONS} stations, got {stations}")
    found: list[WalkStep] = []
    for station in range(1, stations + 1):
        found += [WalkStep(StepKind.LIGHT, station, Message(text, station=station), state) for text, state in _LIGHTS]
        shield = BoxInput(f"shield-{station}")
        found.append(_contact(PRESS, BoxInput(f"confirm-{station}"), ButtonEdge.PRESSED, station))
        found.append(_contact(PUT, shield, ButtonEdge.PRESSED, station))
        found.append(_contact(LIFT, shield, ButtonEdge.RELEASED, station))
    found.append(_contact(CALL, BoxInput.REFEREE, ButtonEdge.PRESSED, 0))
    return tuple(found)


class Walk:
    """Where the walk stands. The caller lights `leds()`, shows `step.ask`, and passes in events and answers."""

    def __init__(self, stations: int = STATIONS, closed: tuple[BoxInput, ...] = ()) -> None:
        self._steps = steps(stations)
        self._closed = set(closed)
        self.results: list[StepResult] = []
        self._wrong: Message | None = None

    @property
    def step(self) -> WalkStep | None:
        """What is asked now; None at the end."""
        return self._steps[len(self.results)] if len(self.results) < len(self._steps) else None

    @property
    def count(self) -> int:
        """How many steps there are."""
        return len(self._steps)

    def leds(self) -> tuple[LedState, ...]:
        """What the LEDs must show for this step: the asked station's colour, or else "place now"."""
        step = self.step
        if step is None or step.station == 0:
            return (LedState.OFF,) * STATIONS
        state = step.state if step.kind is StepKind.LIGHT else LedState.PLACE_NOW
        return tuple(state if n == step.station else LedState.OFF for n in range(1, STATIONS + 1))

    def answer(self, right: bool) -> None:
        """The person says whether the LED is right. Raises ValueError when no LED is asked about."""
        if self.step is None or self.step.kind is not StepKind.LIGHT:
            raise ValueError("no LED is asked about at this step")
        self._end(StepOutcome.GOOD if right else StepOutcome.WRONG, NO_MESSAGE if right else Message(DARK))

    def skip(self) -> None:
        """Go on without: the part is not built, or will not do. Raises ValueError at the end."""
        if self.step is None:
            raise ValueError("the walk is at its end")
        wrong = self._wrong
        self._end(StepOutcome.SKIPPED if wrong is None else StepOutcome.WRONG, wrong or NO_MESSAGE)

    def event(self, event: ButtonEvent) -> None:
        """A contact moved. What is not asked for is kept as a hint until the step ends."""
        (self._closed.add if event.edge is ButtonEdge.PRESSED else self._closed.discard)(event.input)
        step = self.step
        if step is None or step.kind is not StepKind.CONTACT:
            return
        if (event.input, event.edge) == (step.input, step.edge):
            self._end(StepOutcome.GOOD)
        elif event.input is not step.input and event.edge is ButtonEdge.PRESSED:
            self._wrong = Message(CAME, came=input_name(event.input))

    @property
    def hint(self) -> Message | None:
        """What came instead of what was asked for."""
        return self._wrong

    def _end(self, outcome: StepOutcome, cause: Message = NO_MESSAGE) -> None:
        step = self.step
        assert step is not None
        self.results.append(StepResult(step, outcome, cause))
        self._wrong = None
        self._pass_what_holds()

    def _pass_what_holds(self) -> None:
        """A shield that stands already need not be put up again."""
        step = self.step
        if step is None or step.input is None or step.edge is not ButtonEdge.PRESSED:
            return
        if step.input in self._closed and step.input.value.startswith("shield"):
            self._end(StepOutcome.GOOD)

    @property
    def passed(self) -> bool:
        """Whether the walk is at its end and nothing was wrong."""
        return self.step is None and all(each.outcome is not StepOutcome.WRONG for each in self.results)
