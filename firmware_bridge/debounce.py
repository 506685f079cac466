"""Debouncing as the firmware does it: a contact counts once it kept still for DEBOUNCE_MS."""

from __future__ import annotations

from firmware_bridge.constants import DEBOUNCE_MS, INPUTS

_TIME_MASK = 0xFFFF


class Debouncer:
    """Settled levels of all inputs from samples at any rate; begins with the contacts as they are."""

    def __init__(self, raw: int) -> None:
        self.settled = raw
        self._moving = 0
        self._since = [0] * len(INPUTS)

    def sample(self, raw: int, now_ms: int) -> int:
        """Take the contacts at `now_ms` (may wrap at 2**16); gives the mask of inputs whose settled level changed."""
        differs = raw ^ self.settled
        if not differs:
            self._moving = 0
            return 0
        changed = 0
        for index in range(len(INPUTS)):
            bit = 1 << index
            if not differs & bit:
                continue
            if not self._moving & bit:
                self._since[index] = now_ms
            elif (now_ms - self._since[index]) & _TIME_MASK >= DEBOUNCE_MS:
                changed |= bit
        self._moving = differs & ~changed
        self.settled ^= changed
        return changed

    @property
    def moving(self) -> bool:
        """Whether a contact stands elsewhere than settled."""
        return self._moving != 0
