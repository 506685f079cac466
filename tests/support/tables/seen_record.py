"""A record of what the camera saw, without a session: for tests of what may be told again."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from companion.core.game import Rules, State
from companion.core.types import Event


@dataclass
class Line:
    """A record of events that the camera saw."""

    rules: Rules
    events: tuple[Event, ...]
    camera: bool = True

    def steps(self) -> tuple[tuple[int, Event], ...]:
        """Numbered from 2: the first record is the set-up."""
        return tuple(enumerate(self.events, 2))

    def before(self, record: int) -> State:
        """The state before it."""
        state = self.rules.initial()
        for event in self.events[: record - 2]:
            state = self.rules.apply(state, event)
        return state

    def by_camera(self, record: int) -> bool:
        """All of it, or none."""
        return self.camera and record > 1


def dealt(rules: Rules, seed: int = 3) -> tuple[Event, ...]:
    """The draws of a deal by the exact odds."""
    random, state, events = Random(seed), rules.initial(), []
    while outcomes := rules.chance_outcomes(state):
        events.append(random.choices(outcomes, [float(o.probability) for o in outcomes])[0].draw)
        state = rules.apply(state, events[-1])
    return tuple(events)
