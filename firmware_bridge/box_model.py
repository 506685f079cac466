"""A whole box in Python: contacts that may bounce, debouncing, reports, LEDs; without a line."""

from __future__ import annotations

import heapq
from random import Random

from companion.core.inputs import BoxInput
from firmware_bridge.constants import INPUT_INDEX, SCAN_MS, LedState, led_colours
from firmware_bridge.debounce import Debouncer
from firmware_bridge.device_link import U32, DeviceLink

_LONGEST_BOUNCE_GAP_MS = 2


class BoxModel:
    """The box as its firmware would run. Pure: host time in ms and randomness are passed in."""

    def __init__(self, box: int, random: Random, now_ms: float, boot: int = 1) -> None:
        self._box, self._random = box, random
        self._contacts = 0
        # (host ms, order of planning, input bit, closed): contacts that are yet to move
        self._plan: list[tuple[int, int, int, bool]] = []
        self._planned = 0
        self._boot = boot
        self._start(now_ms)

    def _start(self, now_ms: float) -> None:
        self._started_ms = self._scanned_ms = int(now_ms)
        self._debouncer = Debouncer(self._contacts)
        self.link = DeviceLink(self._box, self._boot, self._contacts, 0)

    def restart(self, now_ms: float) -> None:
        """A reset: everything in memory is gone, the boot id is another."""
        self._boot = self._boot + 1 & U32
        self._start(now_ms)

    def device_ms(self, now_ms: float) -> int:
        """The box's own time at the host's `now_ms`."""
        return int(now_ms) - self._started_ms

    def move(self, which: BoxInput, closed: bool, now_ms: float, bounce: int = 0) -> None:
        """A contact closes or opens at `now_ms`; with `bounce` edges before it comes to rest."""
        bit, at = 1 << INPUT_INDEX[which], int(now_ms)
        for edge in range(bounce + 1):
            self._planned += 1
            level = closed if (bounce - edge) % 2 == 0 else not closed
            heapq.heappush(self._plan, (at, self._planned, bit, level))
            at += self._random.randint(0, _LONGEST_BOUNCE_GAP_MS)

    def advance(self, now_ms: float) -> None:
        """Scan the contacts once for each millisecond up to now."""
        now = int(now_ms)
        if not self._plan and not self._debouncer.moving and self._contacts == self._debouncer.settled:
            self._scanned_ms = now  # nothing moves: the scans between would all be the same
        while self._scanned_ms < now:
            self._scanned_ms += SCAN_MS
            # of edges within one millisecond only the last is sampled
            while self._plan and self._plan[0][0] < self._scanned_ms:
                _, _, bit, closed = heapq.heappop(self._plan)
                self._contacts = self._contacts | bit if closed else self._contacts & ~bit
            at_ms = self._scanned_ms - self._started_ms
            self._debouncer.sample(self._contacts, at_ms)
            self.link.set_levels(self._debouncer.settled, at_ms)
        if self.link.levels != self.link.settled:
            self.link.set_levels(self._debouncer.settled, self.device_ms(now_ms))

    def receive(self, data: bytes, now_ms: float) -> None:
        """Bytes from the host."""
        self.link.receive(data, self.device_ms(now_ms))

    def frames(self, now_ms: float) -> list[bytes]:
        """The frames that are due to the host."""
        out = []
        while frame := self.link.send(self.device_ms(now_ms)):
            out.append(frame)
        return out

    def deadline_ms(self) -> float:
        """Host time at which something will happen by itself."""
        due = float(self._started_ms + self.link.deadline_ms())
        if self._debouncer.moving or self._contacts != self._debouncer.settled:
            due = min(due, self._scanned_ms + SCAN_MS)
        if self._plan:
            due = min(due, max(self._plan[0][0], self._scanned_ms) + SCAN_MS)
        return due

    def leds(self) -> tuple[LedState, ...]:
        """The state that each station's LED shows."""
        return self.link.shown_leds()

    def colours(self, now_ms: float) -> tuple[tuple[bool, bool], ...]:
        """(green, red) of each station's LED at this moment."""
        return tuple(led_colours(state, self.device_ms(now_ms)) for state in self.leds())

    @property
    def closed(self) -> int:
        """The debounced levels, bit = input index."""
        return self._debouncer.settled
