"""The walk round an open box that a page leads: its presses reach no game meanwhile, and it ends when nobody looks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from companion.core.inputs import ButtonEvent
from companion.core.messages import NO_MESSAGE
from firmware_bridge.box import Box
from firmware_bridge.constants import LedState
from firmware_bridge.walk.walk import StepKind, StepOutcome, Walk
from web.ports.devices import WalkLook, WalkRow

UNSEEN_S: Final = 20.0
"""A page looks more than once a second: when none has for so long, it was closed, and presses are the game's again."""


class GuidedWalk:
    """One walk at a time, from any thread. Presses go `home` when none is on; with None they then stay in the box."""

    def __init__(
        self, home: Callable[[ButtonEvent], None] | None, passed: Callable[[str], None],
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """The box is opened with `event` as its receiver when presses have a home, with none else, and then attached.

        `passed`: told the id of a box that was found right.
        """
        self._home, self._passed, self._clock_s = home, passed, clock_s
        self._lock = threading.RLock()
        self._walk: Walk | None = None
        self._looked_s = 0.0

    def attach(self, box: Box) -> None:
        """The box that is walked round; before anything else but `event`."""
        self._box = box

    def begin(self, stations: int) -> None:
        """Walk round that many stations, from the first. Raises ValueError unless it is 1 to 4."""
        with self._lock:
            self._walk = Walk(stations, self._box.status.closed)
            self._looked_s = self._clock_s()
            if self._home is None:
                self._box.take(self.event)
            self._box.set_leds(self._walk.leds())

    def answer(self, at: int, right: bool) -> None:
        """Whether the LED of step `at` (0 for the first) is right; an answer to another step is one too late."""
        with self._lock:
            walk = self._asking(at)
            if walk is not None and walk.step is not None and walk.step.kind is StepKind.LIGHT:
                walk.answer(right)
                self._went_on(walk)

    def skip(self, at: int) -> None:
        """Go on without the part of step `at`; as `answer`."""
        with self._lock:
            walk = self._asking(at)
            if walk is not None and walk.step is not None:
                walk.skip()
                self._went_on(walk)

    def end(self) -> None:
        """Forget the walk; presses are the game's again."""
        with self._lock:
            if self._walk is not None:
                self._walk = None
                self._let_go()

    def leds(self) -> tuple[LedState, ...] | None:
        """What the LEDs must show for the walk; None when it asks nothing."""
        with self._lock:
            self._end_unseen()
            return None if self._walk is None or self._walk.step is None else self._walk.leds()

    def look(self) -> WalkLook | None:
        """How the walk stands, for a page; None when none is on."""
        with self._lock:
            self._end_unseen()
            walk = self._walk
            if walk is None:
                return None
            self._looked_s = self._clock_s()
            step = walk.step
            rows = tuple(WalkRow(each.step.ask, each.outcome.value, each.cause) for each in walk.results)
            return WalkLook(
                at=len(rows), count=walk.count, ask=NO_MESSAGE if step is None else step.ask,
                kind="" if step is None else step.kind.value, station=0 if step is None else step.station,
                shows=tuple(state.name for state in walk.leds()), hint=walk.hint or NO_MESSAGE, rows=rows,
                over=step is None, passed=walk.passed,
            )

    def _asking(self, at: int) -> Walk | None:
        self._end_unseen()
        return self._walk if self._walk is not None and len(self._walk.results) == at else None

    def event(self, event: ButtonEvent) -> None:
        """A press: the walk's while one is on, else the game's; decided when it comes."""
        with self._lock:
            self._end_unseen()
            walk = self._walk
            if walk is not None and walk.step is not None:
                walk.event(event)
                self._went_on(walk)
                return
        if self._home is not None:
            self._home(event)

    def _let_go(self) -> None:
        if self._home is None:
            self._box.take(None)

    def _went_on(self, walk: Walk) -> None:
        self._box.set_leds(walk.leds())
        if walk.step is None:
            self._let_go()
            if walk.passed and any(each.outcome is StepOutcome.GOOD for each in walk.results):
                self._passed(self._box.status.box)

    def _end_unseen(self) -> None:
        if self._walk is not None and self._clock_s() - self._looked_s > UNSEEN_S:
            self.end()
