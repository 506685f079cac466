"""A line with faults by command: frames dropped, corrupted, repeated, reordered, delayed or held back for a while."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from companion.core.errors import DeviceError
from firmware_bridge.framing import DELIMITER

REORDER_MS = 7  # how much later a reordered frame comes: several frames may pass it
_MOST_UNFINISHED = 4096  # bytes without a delimiter that a line carries on; more is cut off


@dataclass(frozen=True, slots=True)
class Faults:
    """Probabilities for each frame (0 to 1), the delay of every frame in ms, and the edges of a bouncing contact."""

    drop: float = 0.0
    corrupt: float = 0.0
    repeat: float = 0.0
    reorder: float = 0.0
    delay: int = 0
    bounce: int = 0

    def changed(self, name: str, text: str) -> Faults:
        """These faults with one of them set from its text. Raises DeviceError for an unknown name or value."""
        if name not in Faults.__dataclass_fields__:
            raise DeviceError(f"unknown fault {name!r}", remedy=f"Known: {', '.join(Faults.__dataclass_fields__)}")
        whole = name in ("delay", "bounce")
        try:
            value = int(text) if whole else float(text)
        except ValueError:
            value = -1
        if not 0 <= value <= (10_000 if whole else 1):
            expected = "a whole number up to 10000" if whole else "a probability from 0 to 1"
            raise DeviceError(f"{name} needs {expected}, got {text!r}")
        change: dict[str, Any] = {name: value}
        return replace(self, **change)


def spoil(frame: bytes, random: Random) -> bytes:
    """`frame` damaged as lines do it: a bit flipped, some bytes overwritten, bytes lost, or bytes put in."""
    damaged = bytearray(frame)
    at = random.randrange(len(damaged))
    match random.randrange(4):
        case 0:
            damaged[at] ^= 1 << random.randrange(8)
        case 1:
            for _ in range(random.randint(1, 4)):
                damaged[random.randrange(len(damaged))] = random.randrange(256)
        case 2:
            del damaged[at : at + random.randint(1, 6)]
        case _:
            damaged[at:at] = random.randbytes(random.randint(1, 6))
    return bytes(damaged)


class FaultyLine:
    """Carries whole frames one way and gives out what arrives. Pure: time in ms and randomness are passed in."""

    def __init__(self, random: Random, faults: Callable[[], Faults]) -> None:
        self._random, self._faults = random, faults
        self._on_the_way: list[tuple[float, int, bytes]] = []
        self._entered = 0
        self._unfinished = b""
        self.silent_until_ms = float("-inf")
        self.spoilt = 0

    def carry_bytes(self, data: bytes, now_ms: float) -> None:
        """Bytes with any number of frames, or parts of one, enter the line."""
        *whole, self._unfinished = (self._unfinished + data).split(DELIMITER)
        self._unfinished = self._unfinished[-_MOST_UNFINISHED:]
        for piece in whole:
            if piece:
                self.carry(DELIMITER + piece + DELIMITER, now_ms)

    def carry(self, frame: bytes, now_ms: float) -> None:
        """One frame enters the line."""
        faults, random = self._faults(), self._random
        if now_ms < self.silent_until_ms or (faults.drop and random.random() < faults.drop):
            return
        for _ in range(2 if faults.repeat and random.random() < faults.repeat else 1):
            due_ms = now_ms + faults.delay
            if faults.reorder and random.random() < faults.reorder:
                due_ms += REORDER_MS
            data = frame
            if faults.corrupt and random.random() < faults.corrupt:
                data = spoil(frame, random)
                self.spoilt += 1
            self._entered += 1
            heapq.heappush(self._on_the_way, (due_ms, self._entered, data))

    def arrived(self, now_ms: float) -> bytes:
        """Everything that has arrived by now."""
        out = []
        while self._on_the_way and self._on_the_way[0][0] <= now_ms:
            out.append(heapq.heappop(self._on_the_way)[2])
        return b"".join(out)

    def deadline_ms(self) -> float:
        """When the next bytes arrive; infinity when none are on the way."""
        return self._on_the_way[0][0] if self._on_the_way else float("inf")

    def clear(self) -> None:
        """What is on the way is gone: the line was cut."""
        self._on_the_way.clear()
        self._unfinished = b""
