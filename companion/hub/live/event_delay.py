"""The tables are shown to the public as late as the events that are played ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.hub.live.notices import Notices
from companion.hub.live.showing import Showing
from companion.hub.store.event_store import EventStore

SECOND_MS = 1000


class EventDelay:
    """Follows the notices of events. An event that is over still counts for as long as its own delay: what happened
    before its end is not shown early."""

    def __init__(
        self, notices: Notices, events: EventStore, showing: Showing, clock_ms: Callable[[], int]
    ) -> None:
        self._events, self._showing, self._clock_ms = events, showing, clock_ms
        self._again_ms = 0
        notices.on("events", self._heard)
        notices.on("status", self._passed)  # tables say every few seconds that they are there

    def look(self) -> None:
        """Set the delay of the events as it is now."""
        now, longest, self._again_ms = self._clock_ms(), 0, 0
        for number in self._events.all():
            event = self._events.event(number)
            until_ms = self._events.entries(number)[-1].at_ms + event.rules.delay_s * SECOND_MS
            if event.over and until_ms <= now:
                continue
            longest = max(longest, event.rules.delay_s)
            if event.over:
                self._again_ms = max(self._again_ms, until_ms)
        self._showing.delay_of_events(longest)

    def _heard(self, _notice: Mapping[str, Any]) -> None:
        self.look()

    def _passed(self, _notice: Mapping[str, Any]) -> None:
        if self._again_ms and self._clock_ms() >= self._again_ms:
            self.look()
