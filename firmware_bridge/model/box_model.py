"""A whole box in Python: contacts that may bounce, lock-outs, reports, LEDs; without a line."""

from __future__ import annotations

import heapq
from random import Random

from companion.core.inputs import BoxInput
from firmware_bridge.constants import INPUT_INDEX, SCAN_MS, LedState, StartCause, led_colours
from firmware_bridge.model.contacts import Contacts
from firmware_bridge.model.device_link import U32, DeviceLink

_LONGEST_BOUNCE_GAP_MS = 30  # what a worn contact does


class BoxModel:
    """The box as its firmware would run. Pure: host time in ms and randomness are passed in."""

    def __init__(self, box: int, random: Random, now_ms: float, boot: int = 1) -> None:
        self._box, self._random = box, random
        self._contacts = 0
        # (host ms, order of planning, input bit, closed): contacts that are yet to move
        self._plan: list[tuple[int, int, int, bool]] = []
        self._planned = 0
        self._rests_ms: dict[int, int] = {}  # by input bit: when the last move planned for it comes to rest
        self._boot = boot
        self._start(now_ms, StartCause.POWER_ON)

    def _start(self, now_ms: float, cause: StartCause) -> None:
        self._started_ms = self._scanned_ms = int(now_ms)
        self._settling = Contacts(self._contacts)
        self.link = DeviceLink(self._box, self._boot, self._contacts, 0, cause=cause)

    def restart(self, now_ms: float) -> None:
        """A reset: everything in memory is gone, the boot id is another."""
        self._boot = self._boot + 1 & U32
        kept = self.link.lockouts, self.link.options
        self._start(now_ms, StartCause.RESET)
        self.link.lockouts, self.link.options = kept  # as EEPROM keeps them

    def device_ms(self, now_ms: float) -> int:
        """The box's own time at the host's `now_ms`."""
        return int(now_ms) - self._started_ms

    def move(self, which: BoxInput, closed: bool, now_ms: float, bounce: int = 0) -> None:
        """A contact closes or opens at `now_ms`, or once it rests; with `bounce` edges before it comes to rest."""
        bit = 1 << INPUT_INDEX[which]
        at = max(int(now_ms), self._rests_ms.get(bit, 0))
        for edge in range(bounce + 1):
            self._planned += 1
            level = closed if (bounce - edge) % 2 == 0 else not closed
            heapq.heappush(self._plan, (at, self._planned, bit, level))
            self._rests_ms[bit] = at
            at += self._random.randint(0, _LONGEST_BOUNCE_GAP_MS)

    def advance(self, now_ms: float) -> None:
        """Scan the contacts once for each millisecond up to now."""
        now = int(now_ms)
        if not self._plan and not self._settling.busy and self._contacts == self._settling.settled:
            self._scanned_ms = now  # nothing moves: the scans between would all be the same
        while self._scanned_ms < now:
            self._scanned_ms += SCAN_MS
            flickered = 0
            while self._plan and self._plan[0][0] < self._scanned_ms:
                _, _, bit, closed = heapq.heappop(self._plan)
                moved = self._contacts | bit if closed else self._contacts & ~bit
                flickered |= moved ^ self._contacts
                self._contacts = moved
            at_ms = self._scanned_ms - self._started_ms
            self._settling.lockouts = self.link.lockouts
            self._settling.sample(self._contacts, flickered, at_ms)
            self.link.set_levels(self._settling.settled, at_ms)
        if self.link.levels != self.link.settled:
            self.link.set_levels(self._settling.settled, self.device_ms(now_ms))

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
        if self._settling.busy or self._contacts != self._settling.settled:
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
        return self._settling.settled
