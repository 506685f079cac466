"""What counts as a press: contacts at rest, and lock-outs, exactly as in the firmware (firmware/core/contacts.c)."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.constants import (
    DEBOUNCE_MS,
    INPUTS,
    LOCKOUT_BUTTON_MS,
    LOCKOUT_SHIELD_MS,
    LOCKOUT_STEP_MS,
    REST_MS,
)

_TIME_MASK = 0xFFFF
LONGEST_LOCKOUT_MS = 0xFF * LOCKOUT_STEP_MS
SHIELD_MASK = sum(1 << index for index, each in enumerate(INPUTS) if each.value.startswith("shield"))


@dataclass(frozen=True, slots=True)
class Lockouts:
    """For how many ms nothing more is reported of an input; 0 for not at all. Raises ValueError beyond 510 ms."""

    button_ms: int = LOCKOUT_BUTTON_MS  # after a press of a confirm button or the referee's
    shield_ms: int = LOCKOUT_SHIELD_MS  # after a shield was lifted or put up

    def __post_init__(self) -> None:
        for name, value in (("buttons", self.button_ms), ("shields", self.shield_ms)):
            if not 0 <= value <= LONGEST_LOCKOUT_MS:
                raise ValueError(f"the lock-out of {name} is 0 to {LONGEST_LOCKOUT_MS} ms, got {value}")

    @classmethod
    def of_bytes(cls, button: int, shield: int) -> Lockouts:
        """The lock-outs of two bytes on the wire."""
        return cls(button * LOCKOUT_STEP_MS, shield * LOCKOUT_STEP_MS)

    @property
    def as_bytes(self) -> tuple[int, int]:
        """The two bytes on the wire, in steps of 2 ms."""
        return self.button_ms // LOCKOUT_STEP_MS, self.shield_ms // LOCKOUT_STEP_MS


class Contacts:
    """Settled levels of all inputs from samples at any rate; begins with the contacts as they are.

    A button is pressed once its contact kept closed for DEBOUNCE_MS; it is released, and a shield is lifted or put
    up, once the contact kept still for REST_MS. After a press, and after each change of a shield, the input is
    locked: what its contact does meanwhile changes nothing, and where it stands afterwards counts.
    """

    def __init__(self, raw: int, lockouts: Lockouts | None = None) -> None:
        self.settled = raw
        self.lockouts = lockouts or Lockouts()
        self._moving = self._locked = 0
        self._since = [0] * len(INPUTS)  # of the moving: when the contact was last seen at its settled level
        self._told = [0] * len(INPUTS)  # of the locked: when the input was locked

    def sample(self, raw: int, flickered: int, now_ms: int) -> int:
        """Take the contacts at `now_ms` (may wrap at 2**16); `flickered` are those that moved since the last sample.

        Gives the mask of inputs whose settled level changed. To be called at least every 30 s.
        """
        self._unlock(now_ms)
        differs = raw ^ self.settled
        if not differs:
            self._moving = 0
            return 0
        changed = 0
        for index in range(len(INPUTS)):
            bit = 1 << index
            if not differs & bit:
                continue
            pressed = bool(raw & bit & ~SHIELD_MASK)
            if flickered & bit or not self._moving & bit:
                self._since[index] = now_ms
            elif not self._locked & bit and self._passed(self._since[index], now_ms) >= (
                DEBOUNCE_MS if pressed else REST_MS
            ):
                changed |= bit
                if pressed or bit & SHIELD_MASK:
                    self._locked |= bit
                    self._told[index] = now_ms
        self._moving = differs & ~changed
        self.settled ^= changed
        return changed

    def _unlock(self, now_ms: int) -> None:
        for index in range(len(INPUTS)):
            bit = 1 << index
            if not self._locked & bit:
                continue
            lockout_ms = self.lockouts.shield_ms if bit & SHIELD_MASK else self.lockouts.button_ms
            if self._passed(self._told[index], now_ms) >= lockout_ms:
                self._locked &= ~bit

    @staticmethod
    def _passed(since_ms: int, now_ms: int) -> int:
        return (now_ms - since_ms) & _TIME_MASK

    @property
    def busy(self) -> bool:
        """Whether a contact stands elsewhere than settled, or an input is locked."""
        return self._moving != 0 or self._locked != 0
